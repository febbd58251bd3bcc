import CGtk

/// A loaded image: its own size in points where there is room, smaller where there is not.
///
/// As the whole content of a view it is drawn by the view itself; elsewhere, among other widgets, it is a `GtkPicture`.
/// Where it has more than twice the pixels that it is drawn in, one scaled down takes its place once the size has
/// settled: GTK would draw it with aliasing.
public struct Picture: NetworkImageContentConvertible {
    /// How the image is brought into its place.
    public enum ContentFit: Hashable, Sendable {
        /// The whole image, in its own shape.
        case contain
        /// The whole place is filled; what is over is cut off.
        case cover
        /// The whole place is filled, the shape is not kept.
        case fill
        /// As ``contain``, and never larger than the image.
        case scaleDown
    }

    private let drawn: PictureContent

    /// - Parameters:
    ///   - image: The image.
    ///   - contentFit: How it is brought into its place.
    ///   - playsAnimation: Whether one that moves is played while it can be seen; else its first frame is shown.
    public init(_ image: LoadedImage, contentFit: ContentFit = .contain, playsAnimation: Bool = true) {
        drawn = PictureContent(image, ImageLayout(fit: contentFit), playsAnimation: playsAnimation)
    }

    public var content: Widget { Widget(drawn) }

    /// What the image shows, for those who cannot see it.
    public func alternativeText(_ text: String) -> Picture {
        drawn.alternativeText = text
        return self
    }

    /// Where the image is in a larger place, and what is seen of it in a smaller one: from 0, 0, left above, to 1, 1,
    /// right below; the middle by default.
    public func position(x: Double, y: Double) -> Picture {
        (drawn.layout.x, drawn.layout.y) = (min(1, max(0, x)), min(1, max(0, y)))
        return self
    }

    /// Round corners of what is seen of the image, in points: 0 by default.
    public func cornerRadius(_ radius: Double) -> Picture {
        drawn.layout.cornerRadius = max(0, radius)
        return self
    }
}
