import CRemoteImageGtk

extension TargetSize {
    /// The size of a widget in pixels; `nil` for a widget without a size, whose image is decoded in
    /// full.
    ///
    /// - Parameter size: The size in points.
    @MainActor
    init?(_ size: (width: Int, height: Int), in widget: UnsafeMutablePointer<GtkWidget>, fit: Fit) {
        guard size.width > 0, size.height > 0 else { return nil }
        self.init(PixelSize(width: size.width, height: size.height, in: widget), fit: fit)
    }
}

extension ContentFit {
    /// The fit for which an image is decoded.
    var targetFit: ContentFit {
        switch self {
        case .contain, .scaleDown: .contain
        case .cover, .fill: .cover
        }
    }
}

extension PixelSize {
    /// Converts a size in points to pixels at the scale of a widget, rounded up.
    @MainActor
    init(width: Int, height: Int, in widget: UnsafeMutablePointer<GtkWidget>) {
        let scale = PixelScale.of(widget)
        // 100 points at scale 1.1 are 110 pixels, but the floating-point product is slightly
        // larger.
        func pixels(_ points: Int) -> Int { Int(saturating: (Double(points) * scale - 1e-6).rounded(.up)) }
        self.init(width: pixels(width), height: pixels(height))
    }
}
