/// The previews of an image during its transfer.
///
/// A preview never replaces the finished image and is never cached.
public struct PreviewOptions: OptionSet, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// The Exif thumbnail that cameras store at the start of a JPEG (CIPA DC-008 section 4.6.8).
    public static let embeddedThumbnail = PreviewOptions(rawValue: 1)
    /// A progressive JPEG after each scan, and a JPEG XL each time the received bytes have grown by
    /// half. At most one preview is made every 200 ms, and none while one is being decoded.
    public static let progressive = PreviewOptions(rawValue: 2)
}
