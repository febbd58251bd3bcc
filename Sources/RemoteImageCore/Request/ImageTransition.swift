/// How a new image replaces the content shown before it.
///
/// A front end implements it as far as it can, and shows images at once when the desktop's
/// animations are off.
public struct ImageTransition: Hashable, Sendable {
    /// How a new image replaces the old content.
    public enum Style: Hashable, Sendable {
        /// At once.
        case none
        /// The old content fades out while the new content fades in.
        case crossFade(Duration)
    }

    /// How a new image replaces the old content.
    public var style: Style
    /// Whether the transition also applies to images from the memory cache: `false` by default,
    /// since such an image is shown in the first frame and replaces nothing.
    public var appliesToMemoryHits: Bool

    /// Creates a transition, by default not for images from the memory cache.
    public init(_ style: Style, appliesToMemoryHits: Bool = false) {
        self.style = style
        self.appliesToMemoryHits = appliesToMemoryHits
    }

    /// Shows the image at once.
    public static let none = ImageTransition(.none)

    /// A cross-fade of 250 ms.
    public static let crossFade = ImageTransition.crossFade(.milliseconds(250))

    /// A cross-fade of `duration`. A duration of zero or less means no transition.
    public static func crossFade(_ duration: Duration) -> ImageTransition {
        ImageTransition(duration > .zero ? .crossFade(duration) : .none)
    }
}
