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
    private let paintable: ObjectReference?
    private var layout: PictureLayout

    /// - Parameters:
    ///   - image: The picture.
    ///   - contentFit: How it is brought into its place.
    ///   - playsAnimation: Whether one that moves is played while it can be seen; else its first frame is shown.
    public init(_ image: LoadedImage, contentFit: ContentFit = .contain, playsAnimation: Bool = true) {
        content = Widget(gtk_picture_new())
        paintable = PicturePaintable.make(image)
        layout = PictureLayout(fit: contentFit)
        if let paintable {
            gtk_picture_set_paintable(content.opaque, OpaquePointer(paintable.pointer))
            if playsAnimation, let animation = image.animation {
                AnimationPlayback.attach(animation, paintable, to: content)
            }
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

    /// Where the picture is in a larger place, and what is seen of it in a smaller one: from 0, 0, left above, to 1, 1,
    /// right below; the middle by default.
    public func position(x: Double, y: Double) -> Picture {
        changed { ($0.x, $0.y) = (min(1, max(0, x)), min(1, max(0, y))) }
    }

    /// Round corners of what is seen of the picture, in points: 0 by default.
    public func cornerRadius(_ radius: Double) -> Picture {
        changed { $0.cornerRadius = max(0, radius) }
    }

    private func changed(_ change: (inout PictureLayout) -> Void) -> Picture {
        var picture = self
        change(&picture.layout)
        // GtkPicture knows neither: it gives all of its place to the paintable.
        gtk_picture_set_content_fit(content.opaque, GTK_CONTENT_FIT_FILL)
        if let paintable { PicturePaintable.setLayout(picture.layout, of: paintable) }
        return picture
    }
}
