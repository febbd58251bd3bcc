/// Reads the IHDR chunk of a PNG file (PNG third edition, section 11.2.1) and the orientation in
/// its eXIf chunk.
package enum PNGHeader {
    static func read(_ reader: ByteReader) -> ImageHeader? {
        guard reader.has("IHDR", at: 12), let width = reader.bigEndian32(at: 16),
            let height = reader.bigEndian32(at: 20)
        else { return nil }
        return ImageHeader(
            format: .png, storedSize: PixelSize(width: width, height: height), orientation: orientation(reader))
    }

    /// Only chunks before the pixels count: a later chunk may not have arrived yet, and the
    /// orientation must not change when it does.
    private static func orientation(_ reader: ByteReader) -> ImageOrientation {
        var index = 8
        while let length = reader.bigEndian32(at: index), !reader.has("IDAT", at: index + 4) {
            if reader.has("eXIf", at: index + 4) {
                return ExifBlock(reader, from: index + 8, to: min(reader.count, index + 8 + length))?.orientation ?? .up
            }
            index += 12 + length
        }
        return .up
    }
}

extension PNGHeader {
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// The number of frames of an animated PNG and the number of times that it plays, where 0 means
    /// forever; `nil` for a still image.
    static func animationControl(_ reader: ByteReader) -> (frameCount: Int, playCount: Int)? {
        for chunk in PNGChunks(reader) {
            if reader.has("IDAT", at: chunk.name) { return nil }
            guard reader.has("acTL", at: chunk.name) else { continue }
            guard let frameCount = reader.bigEndian32(at: chunk.content.lowerBound),
                let playCount = reader.bigEndian32(at: chunk.content.lowerBound + 4), chunk.content.count >= 8
            else { return nil }
            return (frameCount, playCount)
        }
        return nil
    }

    /// The ITU-T H.273 color primaries and transfer characteristics of full-range RGB (PNG third
    /// edition, section 11.3.2.6); `nil` for other samples and without a `cICP` chunk.
    static func codePoints(_ reader: ByteReader) -> (primaries: Int, transfer: Int)? {
        for chunk in PNGChunks(reader) {
            if reader.has("IDAT", at: chunk.name) { return nil }
            guard reader.has("cICP", at: chunk.name) else { continue }
            guard chunk.content.count == 4 else { return nil }
            let numbers = reader[chunk.content].map(Int.init)
            return numbers[2] == 0 && numbers[3] == 1 ? (numbers[0], numbers[1]) : nil
        }
        return nil
    }

    /// A truncated or damaged file with complete chunks: the available bytes of its last IDAT chunk
    /// before the end or another chunk, and IEND. libpng reads a chunk in pieces of 8 KiB, and the
    /// last piece would be lost. `nil` without IDAT.
    ///
    /// - Parameter addsSum: Whether the compressed data gets a checksum, whose value decoders
    ///   ignore.
    package static func closed(_ bytes: [UInt8], addsSum: Bool = false) -> [UInt8]? {
        var last: (start: Int, content: Range<Int>)?
        bytes.withUnsafeBytes { buffer in
            let reader = ByteReader(buffer)
            var index = 8
            while let length = reader.bigEndian32(at: index), index + 8 <= reader.count {
                if reader.has("IDAT", at: index + 4) {
                    last = (index, (index + 8)..<min(reader.count, index + 8 + length))
                } else if last != nil {
                    return
                }
                index += 12 + length
            }
        }
        guard let last else { return nil }
        return Array(bytes[..<last.start]) + PNGAnimation.chunk("IDAT", Array(bytes[last.content]))
            + (addsSum ? PNGAnimation.chunk("IDAT", [0, 0, 0, 0]) : []) + PNGAnimation.chunk("IEND", [])
    }

    /// Whether the last rows of an image that is not interlaced, but for a part of the first one,
    /// fit into the longest string of the compression, which has 258 bytes (RFC 1951).
    package static func canBeInLastString(_ rowCount: Int, _ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { buffer in
            let reader = ByteReader(buffer)
            guard let width = reader.bigEndian32(at: 16), let depth = reader.byte(at: 24),
                let colorType = reader.byte(at: 25), reader.byte(at: 28) == 0
            else { return false }
            let sampleCount = [1, 1, 3, 1, 2, 3, 4][min(6, Int(colorType))]
            return rowCount - 1 < 258 / (1 + (width * sampleCount * Int(depth) + 7) / 8)
        }
    }

    /// Whether the file has an IEND chunk after complete chunks.
    static func reachesEnd(_ reader: ByteReader) -> Bool {
        var index = 8
        while let length = reader.bigEndian32(at: index) {
            if reader.has("IEND", at: index + 4) { return true }
            index += 12 + length
        }
        return false
    }
}
