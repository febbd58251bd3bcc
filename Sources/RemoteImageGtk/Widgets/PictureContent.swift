import CRemoteImageGtk

/// Content that a view draws itself: an image, or nothing. Replacing content of the same size needs
/// no new layout. A widget is made for it only when one is requested, for example to put the
/// content into a box.
@MainActor
final class PictureContent: DeferredWidget {
    /// `nil` for empty content, which a view shows before its image unless the declaration has a
    /// placeholder.
    private var picture: Picture?
    private lazy var paintable = picture.flatMap { ImagePaintable.make($0.image) }
    private(set) var isWidget = false
    private var playback: AnimationPlayback?
    private var isPlaying = true
    /// The view that shows the content, which it owns; `nil` while none does.
    private var view: UnsafeMutablePointer<GtkWidget>?
    private let connections = SignalConnections()

    var layout: ImageLayout? { picture?.layout }

    init(_ picture: Picture? = nil) {
        self.picture = picture
    }

    private(set) lazy var widget: ObjectReference = {
        isWidget = true
        guard let picture else { return ObjectReference(sinking: gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)) }
        return ObjectReference(borrowing: WidgetNode.makeWidget(picture.body).pointer)
    }()

    // MARK: Drawn by a view

    /// For an image that of `GtkPicture`, for every content fit.
    var requestMode: GtkSizeRequestMode {
        picture == nil ? GTK_SIZE_REQUEST_CONSTANT_SIZE : GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH
    }

    /// The natural size is that of the image in points; the minimum is zero. With `scaleDown`, an
    /// area larger than the image does not enlarge it, as in `GtkPicture` since GTK 4.18.
    func measure(_ orientation: GtkOrientation, forSize size: Int32) -> (minimum: Int32, natural: Int32) {
        guard let paintable, size != 0 else { return (0, 0) }
        let isWidth = orientation == GTK_ORIENTATION_HORIZONTAL
        var given = Double(max(0, size))
        if layout?.fit == .scaleDown {
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
        guard let paintable, let layout, width > 0, height > 0 else { return }
        ImagePaintable.draw(paintable, layout, into: snapshot, Double(width), Double(height))
    }

    /// Called when the view starts to show the content.
    func enter(_ view: UnsafeMutablePointer<GtkWidget>) {
        guard let paintable else { return }
        self.view = view
        connections.connect("invalidate-contents", of: paintable.pointer) { gtk_widget_queue_draw(view) }
        if playback == nil { play() }
    }

    private func play() {
        guard let view, let paintable, let animation = picture?.animation else { return }
        playback = AnimationPlayback(animation, paintable, view)
        playback?.isPaused = !isPlaying
        if gtk_widget_get_mapped(view) != 0 { map() }
    }

    /// Draws the pixels that the image has now, after they were released or loaded again.
    func refresh() {
        guard let picture, let paintable, ImagePaintable.refresh(paintable, picture.image) else { return }
        playback?.stop()
        playback = nil
        play()
    }

    /// Called when the view stops showing the content.
    func leave() {
        playback?.stop()
        playback = nil
        connections.end()
        view = nil
    }

    /// Called when the view is mapped.
    func map() { playback?.start() }

    func unmap() { playback?.stop() }

    /// Plays the animation of the content, or pauses it at its current frame.
    func setPlaying(_ isPlaying: Bool) {
        self.isPlaying = isPlaying
        playback?.isPaused = !isPlaying
    }

    /// Takes over the image of content that looks the same, so that both release its pixels.
    func adopt(_ other: PictureContent) { picture = other.picture }

    /// Whether both contents look the same. An animation of equal content goes on.
    func looksLike(_ other: PictureContent) -> Bool {
        guard self !== other else { return true }
        guard let picture, let new = other.picture else { return picture == nil && other.picture == nil }
        return picture.hasSamePaintable(as: new) && picture.layout == new.layout
    }
}

extension Widget {
    /// The content that a view can draw itself; `nil` once a widget was made for it.
    var drawn: PictureContent? { deferred as? PictureContent }
}
