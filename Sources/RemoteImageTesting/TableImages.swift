import RemoteImageCore

/// Disguises pixels as a file on their way through a pipeline: the header of a PNG of their size,
/// followed by the pixels, so that a disk cache can keep it.
struct TableImages: ImageDecoder {
    let formats: Set<ImageFormat>
    /// The decoders of real files.
    private let decoders: [any ImageDecoder]

    init(_ decoders: [any ImageDecoder]) {
        self.decoders = decoders
        formats = decoders.reduce(into: [.png]) { $0.formUnion($1.formats) }
    }

    /// Signature and header chunk (PNG third edition, section 11.2.1), with the size of a pixel in
    /// bytes and the pixels in place of the image data.
    static func file(of pixels: PixelBuffer) -> [UInt8] {
        var file = signature + bigEndian(pixels.size.width) + bigEndian(pixels.size.height) + rest
        file.append(UInt8(pixels.format.bytesPerPixel))
        pixels.withUnsafeBytes { file += $0 }
        return file
    }

    func header(of bytes: [UInt8]) -> ImageHeader? { decoders.lazy.compactMap { $0.header(of: bytes) }.first }

    func decode(_ bytes: [UInt8], _ request: DecodeRequest) throws(ImageError) -> DecodedImage {
        guard bytes.dropFirst(24).starts(with: Self.rest) else {
            // As a pipeline chooses.
            let decoder = decoders.first {
                $0.formats.contains(request.header.format) || $0.header(of: bytes) != nil
            }
            guard let decoder else {
                throw ImageError(.unsupportedFormat, "a file in a table needs a decoder")
            }
            return try decoder.decode(bytes, request)
        }
        let pixels = try Self.pixels(of: bytes, size: request.header.storedSize)
        let drawn = request.target?.drawnSize(of: pixels.size) ?? pixels.size
        return DecodedImage(pixels: pixels.scaledDown(to: drawn), size: pixels.size)
    }

    private static func pixels(of bytes: [UInt8], size: PixelSize) throws(ImageError) -> PixelBuffer {
        let content = bytes.dropFirst(24 + rest.count)
        let formats = [PixelFormat.rgb8, .rgba8Premultiplied]
        guard let format = formats.first(where: { $0.bytesPerPixel == content.first ?? 0 }),
            content.count == 1 + size.pixelCount * format.bytesPerPixel
        else { throw ImageError(.corrupt) }
        return PixelBuffer(size: size, format: format) { $0.copyBytes(from: content.dropFirst()) }
    }

    private static let signature: [UInt8] = [
        0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52,
    ]
    /// Bit depth and the other header fields, a zero checksum, and a marker that no real PNG has
    /// there.
    private static let rest: [UInt8] = [8, 6, 0, 0, 0, 0, 0, 0, 0] + Array("table".utf8)

    private static func bigEndian(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}

extension PixelBuffer {
    /// An image of one color. `width` and `height` are in pixels; values below 1 become 1.
    public static func filled(with color: ImageColor, width: Int, height: Int) -> PixelBuffer {
        let size = PixelSize(width: max(1, width), height: max(1, height))
        guard color.alpha < 255 else {
            return filled(with: [color.red, color.green, color.blue], size, .rgb8)
        }
        let alpha = Int(color.alpha)
        let channels = [color.red, color.green, color.blue].map { UInt8((Int($0) * alpha + 127) / 255) }
        return filled(with: channels + [color.alpha], size, .rgba8Premultiplied)
    }

    private static func filled(with pixel: [UInt8], _ size: PixelSize, _ format: PixelFormat) -> PixelBuffer {
        PixelBuffer(size: size, format: format) { memory in
            for index in memory.indices { memory[index] = pixel[index % pixel.count] }
        }
    }
}
