/// What is shown of an image while it is received.
///
/// A preview never takes the place of the image, and is kept nowhere.
public struct PreviewOptions: OptionSet, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// The small image that cameras put at the beginning of a JPEG (CIPA DC-008 section 4.6.8).
    public static let embeddedThumbnail = PreviewOptions(rawValue: 1)
    /// A progressive JPEG as its scans arrive, and a JPEG XL in the detail that is there, each time
    /// half as many bytes again are: no more often than every 200 ms, and none while one is being
    /// decoded.
    public static let progressive = PreviewOptions(rawValue: 2)
}
