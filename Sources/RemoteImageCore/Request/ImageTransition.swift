/// How a new image replaces the content shown before it.
///
/// A front end implements it as far as it can, and shows images at once when the desktop's
/// animations are off.
public struct ImageTransition: Hashable, Sendable {
    /// How long the old content fades out while the new content fades in. Zero: the image appears
    /// at once.
    public let duration: Duration
    /// Whether the transition also applies to images from the memory cache: `false` by default,
    /// since such an image is shown in the first frame and replaces nothing.
    public var appliesToMemoryHits = false

    /// Shows the image at once.
    public static let none = ImageTransition(duration: .zero)

    /// A cross-fade of 250 ms.
    public static let crossFade = ImageTransition.crossFade(.milliseconds(250))

    /// A cross-fade of `duration`, by default not for images from the memory cache. A duration of
    /// zero or less means no transition.
    public static func crossFade(_ duration: Duration, appliesToMemoryHits: Bool = false) -> ImageTransition {
        ImageTransition(duration: max(.zero, duration), appliesToMemoryHits: appliesToMemoryHits)
    }
}
