/// How an image takes the place of what was shown before it.
///
/// A front end follows it as far as it can; where the desktop's animations are off, none does.
public struct ImageTransition: Hashable, Sendable {
    /// How a new image replaces the old content.
    public enum Style: Hashable, Sendable {
        /// At once.
        case none
        /// The old fades out while the new fades in.
        case crossFade(Duration)
    }

    /// How a new image replaces the old content.
    public var style: Style
    /// Whether an image that was in memory is brought in by the transition too: false by default, since it is there
    /// in the first frame and nothing has to be smoothed over.
    public var appliesToMemoryHits: Bool

    /// Creates a transition: not for images from the memory cache, by default.
    public init(_ style: Style, appliesToMemoryHits: Bool = false) {
        self.style = style
        self.appliesToMemoryHits = appliesToMemoryHits
    }

    /// The image is there at once.
    public static let none = ImageTransition(.none)

    /// A cross-fade of 250 ms.
    public static let crossFade = ImageTransition.crossFade(.milliseconds(250))

    /// A cross-fade; a duration of zero or less is none.
    public static func crossFade(_ duration: Duration) -> ImageTransition {
        ImageTransition(duration > .zero ? .crossFade(duration) : .none)
    }
}
