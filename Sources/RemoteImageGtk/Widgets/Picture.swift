import CGtk

/// A loaded image: as large as the picture in points where there is room, smaller where there is not.
///
/// As the whole content of a view it is drawn by the view itself; elsewhere, among other widgets, it is a `GtkPicture`.
/// Where it has more than twice the pixels that it is drawn in, one scaled down takes its place once the size has
/// settled: GTK would draw it with aliasing.
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

    private let picture: PictureContent

    /// - Parameters:
    ///   - image: The picture.
    ///   - contentFit: How it is brought into its place.
    ///   - playsAnimation: Whether one that moves is played while it can be seen; else its first frame is shown.
    public init(_ image: LoadedImage, contentFit: ContentFit = .contain, playsAnimation: Bool = true) {
        picture = PictureContent(image, PictureLayout(fit: contentFit), playsAnimation: playsAnimation)
    }

    public var content: Widget { Widget(picture) }

    /// What the picture shows, for those who cannot see it.
    public func alternativeText(_ text: String) -> Picture {
        picture.alternativeText = text
        return self
    }

    /// Where the picture is in a larger place, and what is seen of it in a smaller one: from 0, 0, left above, to 1, 1,
    /// right below; the middle by default.
    public func position(x: Double, y: Double) -> Picture {
        (picture.layout.x, picture.layout.y) = (min(1, max(0, x)), min(1, max(0, y)))
        return self
    }

    /// Round corners of what is seen of the picture, in points: 0 by default.
    public func cornerRadius(_ radius: Double) -> Picture {
        picture.layout.cornerRadius = max(0, radius)
        return self
    }
}
