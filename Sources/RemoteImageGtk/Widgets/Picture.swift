import CGtk

/// A `GtkPicture` of a loaded image: as large as the picture in points where there is room, smaller where there is
/// not.
public struct Picture: NetworkImageContentConvertible {
    /// How the picture is brought into its place.
    public enum ContentFit: Hashable, Sendable {
        /// The whole picture, in its own shape.
        case contain
        /// The whole place is filled; what is over is cut off.
        case cover
        /// The whole place is filled, the shape is not kept.
        case fill
        /// As ``contain``, and never larger than the picture.
        case scaleDown
    }

    public let content: Widget

    /// - Parameters:
    ///   - image: The picture.
    ///   - contentFit: How it is brought into its place.
    ///   - playsAnimation: Whether one that moves is played while it can be seen; else its first frame is shown.
    public init(_ image: LoadedImage, contentFit: ContentFit = .contain, playsAnimation: Bool = true) {
        content = Widget(gtk_picture_new())
        let scale = image.scale > 0 ? image.scale : 1
        let paintable = TextureStore.texture(of: image.pixels).flatMap { texture in
            PicturePaintable.make(
                texture, width: Double(image.info.size.width) / scale, height: Double(image.info.size.height) / scale)
        }
        if let paintable { gtk_picture_set_paintable(content.opaque, OpaquePointer(paintable.pointer)) }
        if playsAnimation, let animation = image.animation, let paintable {
            AnimationPlayback.attach(animation, paintable, to: content)
        }
        gtk_picture_set_can_shrink(content.opaque, 1)
        gtk_picture_set_content_fit(content.opaque, contentFit.gtk)
        // A picture that covers its place is larger than it.
        if contentFit == .cover { gtk_widget_set_overflow(content.pointer, GTK_OVERFLOW_HIDDEN) }
    }

    /// What the picture shows, for those who cannot see it.
    public func alternativeText(_ text: String) -> Picture {
        gtk_picture_set_alternative_text(content.opaque, text)
        return self
    }
}

extension Picture.ContentFit {
    fileprivate var gtk: GtkContentFit {
        switch self {
        case .contain: GTK_CONTENT_FIT_CONTAIN
        case .cover: GTK_CONTENT_FIT_COVER
        case .fill: GTK_CONTENT_FIT_FILL
        case .scaleDown: GTK_CONTENT_FIT_SCALE_DOWN
        }
    }
}
