/// Reads the size and the Exif orientation of a lossy, lossless or extended WebP file (RFC 9649
/// section 2).
package enum WebPHeader {
    static func read(_ reader: ByteReader) -> ImageHeader? {
        guard let size = size(reader) else { return nil }
        return ImageHeader(format: .webp, storedSize: size, orientation: orientation(reader))
    }

    private static func size(_ reader: ByteReader) -> PixelSize? {
        if reader.has("VP8X", at: 12) {
            guard let width = reader.littleEndian24(at: 24), let height = reader.littleEndian24(at: 27) else {
                return nil
            }
            return PixelSize(width: width + 1, height: height + 1)
        }
        return imageSize(reader, at: 12)
    }

    /// The size in the image data of a chunk; `nil` for other chunks.
    private static func imageSize(_ reader: ByteReader, at chunk: Int) -> PixelSize? {
        if reader.has("VP8L", at: chunk) {
            guard reader.byte(at: chunk + 8) == 0x2F, let bits = reader.littleEndian32(at: chunk + 9) else {
                return nil
            }
            return PixelSize(width: (bits & 0x3FFF) + 1, height: (bits >> 14 & 0x3FFF) + 1)
        }
        if reader.has("VP8 ", at: chunk) {
            // RFC 6386 section 9.1: a frame tag of three bytes, the start code, then the sides.
            guard reader.has([0x9D, 0x01, 0x2A], at: chunk + 11), let width = reader.littleEndian16(at: chunk + 14),
                let height = reader.littleEndian16(at: chunk + 16)
            else { return nil }
            return PixelSize(width: width & 0x3FFF, height: height & 0x3FFF)
        }
        return nil
    }

    private static func orientation(_ reader: ByteReader) -> ImageOrientation {
        // The flags of the extended format announce Exif.
        // The frames of an animation are drawn on the canvas as they are stored.
        guard flags(reader) & 0x08 != 0, !isAnimation(reader),
            let chunk = chunks(reader, named: "EXIF", limit: 1).first
        else { return .up }
        // Some writers repeat the prefix that JPEG needs.
        let prefix = reader.has("Exif\0\0", at: chunk.lowerBound) ? 6 : 0
        return ExifBlock(reader, from: chunk.lowerBound + prefix, to: chunk.upperBound)?.orientation ?? .up
    }

    /// Whether the animation flag is set. As in libwebp, the flag alone decides: frames in a file
    /// without it are ignored.
    static func isAnimation(_ reader: ByteReader) -> Bool { flags(reader) & 0x02 != 0 }

    /// The flags of the extended format; 0 for other files.
    private static func flags(_ reader: ByteReader) -> UInt8 {
        reader.has("VP8X", at: 12) ? reader.byte(at: 20) ?? 0 : 0
    }

    /// Whether the header of a lossless image announces alpha, or the flag of the extended format
    /// that of a lossy one. As in browsers, lossy images without the flag are opaque.
    package static func hasAlpha(_ reader: ByteReader) -> Bool {
        if let lossless = chunks(reader, named: "VP8L", limit: 1).first {
            return reader.littleEndian32(at: lossless.lowerBound + 1).map { $0 & 1 << 28 != 0 } ?? false
        }
        return flags(reader) & 0x10 != 0
    }

    /// The number of frames with an image, at most `limit`; 1 for a still image.
    static func frameCount(_ reader: ByteReader, limit: Int) -> Int {
        isAnimation(reader) ? frames(reader, limit: limit).count : 1
    }

    /// The content ranges of the frames with an image, at most `limit`.
    static func frames(_ reader: ByteReader, limit: Int) -> [Range<Int>] {
        chunks(reader, named: "ANMF", limit: limit) { frameSize(reader, $0) != nil }
    }

    /// The size in the image data of a frame, which may follow its alpha. That of the frame itself
    /// is ignored, as in libwebp.
    static func frameSize(_ reader: ByteReader, _ frame: Range<Int>) -> PixelSize? {
        let first = frame.lowerBound + 16
        guard first + 8 <= frame.upperBound else { return nil }
        guard reader.has("ALPH", at: first), let length = reader.littleEndian32(at: first + 4) else {
            return imageSize(reader, at: first)
        }
        let second = first + 8 + length + length % 2
        return second < frame.upperBound ? imageSize(reader, at: second) : nil
    }

    /// Whether the file has as many bytes as its header announces.
    static func isComplete(_ reader: ByteReader) -> Bool {
        guard let size = reader.littleEndian32(at: 4) else { return false }
        return reader.count >= size + 8
    }

    /// The content ranges of the available chunks with a name that `isWanted`, at most `limit`.
    static func chunks(
        _ reader: ByteReader, named name: StaticString, limit: Int, where isWanted: (Range<Int>) -> Bool = { _ in true }
    ) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var index = 12
        while found.count < limit, let size = reader.littleEndian32(at: index + 4) {
            let start = index + 8
            let content = start..<max(start, min(reader.count, start + size))
            if reader.has(name, at: index), isWanted(content) { found.append(content) }
            index = start + size + size % 2
        }
        return found
    }
}
