/// One of the sizes in which a server offers an image.
public struct SourceCandidate: Hashable, Sendable {
    /// Where the image comes from.
    public let source: ImageSource
    /// The expected size of the image, in pixels.
    public let size: PixelSize

    /// Creates a candidate. `size` is the expected size of the image, in pixels.
    public init(_ source: some ImageSourceConvertible, size: PixelSize) {
        self.source = source.imageSource
        self.size = size
    }
}
