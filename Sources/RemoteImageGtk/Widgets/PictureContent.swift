import CRemoteImageGtk

/// An image that a view draws as its content. Replacing content of the same size needs no new
/// layout. It becomes a `GtkPicture` when a widget is requested.
@MainActor
final class PictureContent: DrawnContent {
    private var picture: Picture
    private lazy var paintable = ImagePaintable.make(picture.image)
    private(set) var isWidget = false
    private var playback: AnimationPlayback?
    private var isPlaying = true
    /// The view that shows the content, which it owns; `nil` while none does.
    private var view: UnsafeMutablePointer<GtkWidget>?
    private let connections = SignalConnections()

    var layout: ImageLayout { picture.layout }

    init(_ picture: Picture) {
        self.picture = picture
    }

    private(set) lazy var widget: ObjectReference = {
        isWidget = true
        return ObjectReference(borrowing: WidgetNode.makeWidget(picture.body).pointer)
    }()

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
        return (0, Int32(saturating: (isWidth ? width : height).rounded(.up)))
    }

    func snapshot(into snapshot: OpaquePointer?, width: Int32, height: Int32) {
        guard let paintable, width > 0, height > 0 else { return }
        ImagePaintable.draw(paintable, layout, into: snapshot, Double(width), Double(height))
    }

    func enter(_ view: UnsafeMutablePointer<GtkWidget>) {
        guard let paintable else { return }
        self.view = view
        connections.connect("invalidate-contents", of: paintable.pointer) { gtk_widget_queue_draw(view) }
        if playback == nil { play() }
    }

    private func play() {
        guard let view, let paintable, let animation = picture.animation else { return }
        playback = AnimationPlayback(animation, paintable, view)
        playback?.isPaused = !isPlaying
        if gtk_widget_get_mapped(view) != 0 { map() }
    }

    func refresh() {
        guard let paintable, ImagePaintable.refresh(paintable, picture.image) else { return }
        playback?.stop()
        playback = nil
        play()
    }

    func leave() {
        playback?.stop()
        playback = nil
        connections.end()
        view = nil
    }

    func map() { playback?.start() }

    func unmap() { playback?.stop() }

    func setPlaying(_ isPlaying: Bool) {
        self.isPlaying = isPlaying
        playback?.isPaused = !isPlaying
    }

    func adopt(_ other: any DrawnContent) {
        if let other = other as? PictureContent { picture = other.picture }
    }

    /// An animation of equal content goes on.
    func looksLike(_ other: any DrawnContent) -> Bool {
        guard self !== other else { return true }
        guard let other = other as? PictureContent else { return false }
        return picture.hasSamePaintable(as: other.picture) && layout == other.layout
    }
}
