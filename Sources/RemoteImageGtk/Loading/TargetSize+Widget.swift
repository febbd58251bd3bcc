import CGtk

extension TargetSize {
    /// The pixels of a widget's place; nil for a widget that has no size, for which all pixels are wanted.
    @MainActor
    init?(placeOf widget: UnsafeMutablePointer<GtkWidget>, fit: Fit) {
        let (width, height) = (Int(gtk_widget_get_width(widget)), Int(gtk_widget_get_height(widget)))
        guard width > 0, height > 0 else { return nil }
        self.init(PixelSize(width: width, height: height, in: widget), fit: fit)
    }
}

extension Picture.ContentFit {
    /// How many pixels of an image are drawn.
    var targetFit: TargetSize.Fit {
        switch self {
        case .contain, .scaleDown: .contain
        case .cover, .fill: .cover
        }
    }
}

extension PixelSize {
    /// The pixels of a place of so many points in a widget, the last one whole.
    @MainActor
    init(width: Int, height: Int, in widget: UnsafeMutablePointer<GtkWidget>) {
        let scale = PixelScale.of(widget)
        // 100 points of 1.1 pixels are 110, of which floating point makes a little more.
        func pixels(_ points: Int) -> Int { Int((Double(points) * scale - 1e-6).rounded(.up)) }
        self.init(width: pixels(width), height: pixels(height))
    }
}
