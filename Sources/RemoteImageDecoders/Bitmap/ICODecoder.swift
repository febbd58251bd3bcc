/// Decodes one image of a Windows icon: the smallest one that is not below the target, or else the
/// largest one.
public struct ICODecoder: ImageDecoder {
    private let decoders: [any ImageDecoder]

    public var name: String { "ico" }

    public var formats: Set<ImageFormat> { [.ico] }

    /// - Parameter decoders: The first one that supports PNG decodes the images that are stored as
    ///   PNG. Without such a decoder, only bitmaps are decoded.
    public init(_ decoders: [any ImageDecoder]) {
        self.decoders = decoders
    }

    public func decode(_ bytes: [UInt8], _ request: DecodeRequest) throws(ImageError) -> DecodedImage {
        guard let entries = bytes.withUnsafeBytes({ ICOHeader.entries(ByteReader($0)) }),
            let largest = entries.max(by: Self.isSmaller)
        else { throw ImageError(.corrupt, "the header of the ico is damaged") }
        let wanted = request.target?.drawnSize(of: largest.size) ?? largest.size
        let png = decoders.first { $0.decodes(.png) }
        let readable = entries.filter { !$0.isPNG || png != nil }
        guard !readable.isEmpty else { throw ImageError(.unsupportedFormat, "png") }
        let sufficient = readable.filter { $0.size.width >= wanted.width && $0.size.height >= wanted.height }
        // Of two images with the same size, the one with more bits per pixel.
        let entry =
            sufficient.max { $1.size == $0.size ? Self.isSmaller($0, $1) : Self.isSmaller($1, $0) }
            ?? readable.max(by: Self.isSmaller)
        guard let entry else { throw ImageError(.corrupt, "the header of the ico is damaged") }
        try request.limits.check(entry.size)
        // Some programs write a length that is too large; the decoders notice missing pixels.
        let image = Array(bytes[entry.range.clamped(to: bytes.indices)])
        var decoded: DecodedImage
        if entry.isPNG, let png {
            let header = try ImageHeader.read(image)
            decoded = try png.decode(
                image, DecodeRequest(header: header, target: request.target, limits: request.limits))
            // The image may have another aspect ratio than the largest one.
            decoded.pixels = decoded.pixels.scaledDown(to: wanted)
        } else {
            let bitmap = try Bitmap(image, information: 0, pixelStart: nil, isIcon: true, limits: request.limits)
            let size = PixelSize(
                width: min(wanted.width, bitmap.size.width), height: min(wanted.height, bitmap.size.height))
            decoded = DecodedImage(pixels: PixelBuffer(bitmap, scaledDownTo: size), size: bitmap.size)
        }
        // The header and the layout use the size of the largest image, whichever image is decoded.
        decoded.size = largest.size
        return decoded
    }

    private static func isSmaller(_ one: ICOHeader.Entry, _ other: ICOHeader.Entry) -> Bool {
        (one.size.pixelCount, one.bitCount) < (other.size.pixelCount, other.bitCount)
    }
}
