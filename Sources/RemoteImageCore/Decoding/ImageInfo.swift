/// What is known of an image beside its pixels.
public struct ImageInfo: Hashable, Sendable {
    /// The image's own size in pixels, after its orientation is applied.
    public var size: PixelSize
    /// The size of the pixels that were made, at most ``size``.
    public var decodedSize: PixelSize
    /// ``naturalSize``, where processors changed it.
    var processedSize: PixelSize?
    /// The format of the file; nil for pixels that never were one.
    public var format: ImageFormat?
    /// Images in an animation; 1 for a still one.
    public var frameCount: Int
    /// Where the bytes, or the finished image, came from.
    public var origin: ImageOrigin
    /// Bytes of the file that the image was decoded from.
    public var byteCount: Int
    /// The HTTP status with which those came; nil where they did not come by HTTP.
    public var status: Int?
    /// The address that the file came from, after redirects; nil where it did not come by HTTP.
    public var address: WebAddress?
    /// The ``ImageDecoder/name`` of the decoder that made the pixels: `jpeg`, `png`, `gif`, `webp`,
    /// `heif`, `jxl`, `ico`, `bmp` or `pixbuf` of the library's own. `nil` for pixels that no
    /// decoder made. An image from the memory cache keeps it.
    public var decoder: String?
    /// Whether a confined process made the pixels; `false` for pixels that no decoder made.
    public var isIsolated: Bool

    /// Creates the information about an image; of a still image that no server sent and no decoder
    /// made, by default.
    public init(
        size: PixelSize, decodedSize: PixelSize, format: ImageFormat?, frameCount: Int = 1, origin: ImageOrigin,
        byteCount: Int = 0, status: Int? = nil, address: WebAddress? = nil, decoder: String? = nil,
        isIsolated: Bool = false
    ) {
        self.size = size
        self.decodedSize = decodedSize
        self.format = format
        self.frameCount = frameCount
        self.origin = origin
        self.byteCount = byteCount
        self.status = status
        self.address = address
        self.decoder = decoder
        self.isIsolated = isIsolated
    }

    /// The size in which the image is laid out, in pixels of the original: ``size``, or what
    /// processors made of it. The number of decoded pixels has no influence on it.
    public var naturalSize: PixelSize { processedSize ?? size }

    /// A processor made an image of `new` pixels of one of `old` pixels.
    mutating func resize(from old: PixelSize, to new: PixelSize) {
        decodedSize = new
        guard new != old else { return }
        // One factor for both sides keeps the new shape: the sides of a decoded image are rounded.
        let factor = Double(naturalSize.longestSide) / Double(max(1, old.longestSide))
        func natural(_ side: Int) -> Int { max(1, Int((Double(side) * factor).rounded())) }
        processedSize = PixelSize(width: natural(new.width), height: natural(new.height))
    }
}

/// Where an image came from this time.
public enum ImageOrigin: String, Hashable, Sendable {
    case network
    /// From the store, after the server said that it still holds (a 304).
    case revalidated
    case disk, memory
    /// From the store, past its freshness, as the response or the policy allows.
    case stale
    /// From a file, a `data:` address or the program itself.
    case local
    /// Made here: in place of a response that may not be used, or from a ``PreviewHash``.
    case generated
}
