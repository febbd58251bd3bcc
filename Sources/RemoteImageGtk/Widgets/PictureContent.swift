import CRemoteImageGtk

/// An image that a view draws as its content. Replacing content of the same size needs no new
/// layout. It becomes a `GtkPicture` when a widget is requested.
@MainActor
final class PictureContent: DrawnContent {
    private let paintable: ObjectReference?
    private let animation: ImageAnimation?
    private(set) var isWidget = false
    private var playback: AnimationPlayback?
    private let connections = SignalConnections()

    var layout: ImageLayout {
        didSet { if isWidget { applyLayout(to: widget) } }
    }

    /// The accessible label. Setting it makes a widget, which carries the label.
    var alternativeText: String? {
        didSet { gtk_picture_set_alternative_text(OpaquePointer(widget.pointer), alternativeText) }
    }

    init(_ image: LoadedImage, _ layout: ImageLayout, playsAnimation: Bool) {
        paintable = ImagePaintable.make(image)
        animation = playsAnimation ? image.animation : nil
        self.layout = layout
    }

    // MARK: As a widget

    private(set) lazy var widget: ObjectReference = {
        isWidget = true
        let widget = Widget(gtk_picture_new())
        if let paintable {
            gtk_picture_set_paintable(widget.opaque, OpaquePointer(paintable.pointer))
            if let animation { AnimationPlayback(animation, paintable, widget.pointer).playWhileMapped() }
        }
        gtk_picture_set_can_shrink(widget.opaque, 1)
        gtk_picture_set_content_fit(widget.opaque, layout.fit.gtk)
        // An image with the fit `.cover` extends beyond the widget.
        if layout.fit == .cover { gtk_widget_set_overflow(widget.pointer, GTK_OVERFLOW_HIDDEN) }
        let reference = ObjectReference(widget.pointer)
        if !layout.isPlain { applyLayout(to: reference) }
        return reference
    }()

    private func applyLayout(to widget: ObjectReference) {
        // GtkPicture supports neither alignment nor corners. The paintable lays out the image in
        // the whole widget.
        gtk_picture_set_content_fit(OpaquePointer(widget.pointer), GTK_CONTENT_FIT_FILL)
        if let paintable { ImagePaintable.setLayout(layout, of: paintable) }
    }

    // MARK: Drawn by a view

    /// The request mode of `GtkPicture`, for every content fit.
    var requestMode: GtkSizeRequestMode { GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH }

    /// The natural size is that of the image in points; the minimum is zero. With `scaleDown`, an
    /// area larger than the image does not enlarge it, as in `GtkPicture` since GTK 4.18.
    func measure(_ orientation: GtkOrientation, forSize size: Int32) -> (minimum: Int32, natural: Int32) {
        guard let paintable, size != 0 else { return (0, 0) }
        let isWidth = orientation == GTK_ORIENTATION_HORIZONTAL
        var given = Double(max(0, size))
        if layout.fit == .scaleDown {
            let pointer = OpaquePointer(paintable.pointer)
            let intrinsic =
                isWidth ? gdk_paintable_get_intrinsic_height(pointer) : gdk_paintable_get_intrinsic_width(pointer)
            if intrinsic > 0 { given = min(given, Double(intrinsic)) }
        }
        var (width, height) = (0.0, 0.0)
        gdk_paintable_compute_concrete_size(
            OpaquePointer(paintable.pointer), isWidth ? 0 : given, isWidth ? given : 0, 16, 16, &width, &height)
        return (0, Int32(clamping: Int((isWidth ? width : height).rounded(.up))))
    }

    func snapshot(into snapshot: OpaquePointer?, width: Int32, height: Int32) {
        guard let paintable, width > 0, height > 0 else { return }
        ImagePaintable.draw(paintable, layout, into: snapshot, Double(width), Double(height))
    }

    func enter(_ view: UnsafeMutablePointer<GtkWidget>) {
        guard let paintable else { return }
        connections.connect("invalidate-contents", of: paintable.pointer) { gtk_widget_queue_draw(view) }
        guard playback == nil, let animation else { return }
        playback = AnimationPlayback(animation, paintable, view)
        if gtk_widget_get_mapped(view) != 0 { map() }
    }

    func leave() {
        playback?.stop()
        playback = nil
        connections.end()
    }

    func map() { playback?.start() }

    func unmap() { playback?.stop() }

    func looksLike(_ other: any DrawnContent) -> Bool { self === other }
}
