import CRemoteImageGtk

/// A loaded image. Its natural size is the size of the image in points; it shrinks if there is less
/// space.
///
/// A view draws the picture itself if it is the whole content; among other widgets it is a
/// `GtkPicture`. An image that is more than twice as large as it is drawn is replaced by a
/// scaled-down one once the size has settled, since GTK would draw it with aliasing.
public struct Picture: WidgetDeclaration {
    /// How the image is fitted into its area.
    public enum ContentFit: Hashable, Sendable {
        /// Shows the whole image and keeps its aspect ratio.
        case contain
        /// Fills the whole area and keeps the aspect ratio; the excess is clipped.
        case cover
        /// Fills the whole area without keeping the aspect ratio.
        case fill
        /// Like ``contain``, but never larger than the image.
        case scaleDown
    }

    private let drawn: PictureContent

    /// - Parameters:
    ///   - image: The image.
    ///   - contentFit: How the image is fitted into its area. Default: `.contain`.
    ///   - playsAnimation: Whether an animated image plays while it is visible; otherwise its first
    ///     frame is shown. Default: `true`.
    public init(_ image: LoadedImage, contentFit: ContentFit = .contain, playsAnimation: Bool = true) {
        drawn = PictureContent(image, ImageLayout(fit: contentFit), playsAnimation: playsAnimation)
    }

    public var content: Widget { Widget(drawn) }
    public var body: DeclaredWidget { return content.body }

    /// Sets the accessible label: a description of the image for screen readers.
    public func alternativeText(_ text: String) -> Picture {
        drawn.alternativeText = text
        return self
    }

    /// Sets the alignment of the image in a larger area, or of the visible part in a smaller one:
    /// from (0, 0), top left, to (1, 1), bottom right. Default: (0.5, 0.5), the centre.
    public func position(x: Double, y: Double) -> Picture {
        (drawn.layout.x, drawn.layout.y) = (min(1, max(0, x)), min(1, max(0, y)))
        return self
    }

    /// Sets the corner radius of the visible part of the image, in points. Default: 0; negative
    /// values become 0.
    public func cornerRadius(_ radius: Double) -> Picture {
        drawn.layout.cornerRadius = max(0, radius)
        return self
    }
}
