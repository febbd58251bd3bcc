import CGtk

extension TargetSize {
    /// The pixels of a widget's place. Enough for a picture that covers it, and so for every fit; nil for a widget that has
    /// no size, for which all pixels are wanted.
    @MainActor
    init?(placeOf widget: UnsafeMutablePointer<GtkWidget>) {
        let (width, height) = (Int(gtk_widget_get_width(widget)), Int(gtk_widget_get_height(widget)))
        guard width > 0, height > 0 else { return nil }
        let scale = Int(max(1, gtk_widget_get_scale_factor(widget)))
        self.init(PixelSize(width: width * scale, height: height * scale), fit: .cover)
    }
}
