import CRemoteImageGtk

/// What a declared `GtkPicture` shows. The widget owns this object.
@MainActor
final class ShownPicture {
    private static let data = ObjectData<ShownPicture>("remote-image-picture")

    private let picture: Picture
    private let paintable: ObjectReference?
    private var playback: AnimationPlayback?

    /// Shows a picture in a widget. The animation of an image that the widget shows already goes
    /// on.
    static func show(_ picture: Picture, in widget: UnsafeMutablePointer<GtkWidget>) {
        let old = data[widget]
        if let old, old.picture.hasSamePaintable(as: picture) {
            data[widget] = ShownPicture(picture, old.paintable, old.playback)
        } else {
            old?.playback?.end()
            let paintable = ImagePaintable.make(picture.image)
            gtk_picture_set_paintable(OpaquePointer(widget), paintable.map { OpaquePointer($0.pointer) })
            let playback = paintable.flatMap { play(picture.animation, $0, in: widget) }
            data[widget] = ShownPicture(picture, paintable, playback)
        }
        data[widget]?.applyLayout(to: widget)
        gtk_picture_set_alternative_text(OpaquePointer(widget), picture.accessibleLabel)
    }

    private init(_ picture: Picture, _ paintable: ObjectReference?, _ playback: AnimationPlayback?) {
        (self.picture, self.paintable, self.playback) = (picture, paintable, playback)
    }

    /// Calls `body` for the picture of a widget and those below it, but not for those of another
    /// view.
    static func forEach(
        from widget: UnsafeMutablePointer<GtkWidget>,
        _ body: (ShownPicture, UnsafeMutablePointer<GtkWidget>) -> Void
    ) {
        guard shim_is_a(widget, RemoteImageViewState.type) == 0 else { return }
        if let picture = data[widget] { body(picture, widget) }
        for child in widget.children { forEach(from: child, body) }
    }

    /// Plays the animation, or pauses it at its current frame.
    func setPlaying(_ isPlaying: Bool) {
        playback?.isPaused = !isPlaying
    }

    /// Draws the pixels that the image has now.
    func refresh(in widget: UnsafeMutablePointer<GtkWidget>) {
        guard let paintable, ImagePaintable.refresh(paintable, picture.image) else { return }
        playback?.end()
        playback = Self.play(picture.animation, paintable, in: widget)
    }

    /// Plays an animation, or pauses it if the view around the widget pauses its animations.
    private static func play(
        _ animation: ImageAnimation?, _ paintable: ObjectReference, in widget: UnsafeMutablePointer<GtkWidget>
    ) -> AnimationPlayback? {
        guard let animation else { return nil }
        let playback = AnimationPlayback(animation, paintable, widget)
        // A new widget has no view around it until it is mapped.
        playback.playWhileMapped { isPaused(in: widget) }
        return playback
    }

    private static func isPaused(in widget: UnsafeMutablePointer<GtkWidget>) -> Bool {
        let view = sequence(first: widget) { gtk_widget_get_parent($0) }
            .first(where: { shim_is_a($0, RemoteImageViewState.type) != 0 })
        return view.map { !RemoteImageViewState.of($0).content.isPlaying } ?? false
    }

    private func applyLayout(to widget: UnsafeMutablePointer<GtkWidget>) {
        let layout = picture.layout
        // GtkPicture supports neither alignment nor corners. The paintable lays out the image in
        // the whole widget.
        gtk_picture_set_content_fit(
            OpaquePointer(widget), layout.isPlain ? layout.fit.gtk : GTK_CONTENT_FIT_FILL)
        if let paintable, !layout.isPlain { ImagePaintable.setLayout(layout, of: paintable) }
        // An image with the fit `.cover` extends beyond the widget.
        gtk_widget_set_overflow(widget, layout.fit == .cover ? GTK_OVERFLOW_HIDDEN : GTK_OVERFLOW_VISIBLE)
    }
}

extension Picture {
    /// The animation to play; `nil` for none.
    var animation: ImageAnimation? { playsAnimation ? image.animation : nil }

    /// A paintable with a layout cannot lose it.
    func hasSamePaintable(as other: Picture) -> Bool {
        image.isSameImage(as: other.image) && image.scale == other.image.scale
            && animation === other.animation && layout.isPlain == other.layout.isPlain
    }
}
