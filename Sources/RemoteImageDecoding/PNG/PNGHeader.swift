/// Reads the IHDR chunk of a PNG file (PNG third edition, section 11.2.1) and the orientation in
/// its eXIf chunk.
package enum PNGHeader {
    static func read(_ reader: ByteReader) -> ImageHeader? {
        size(reader, at: 0).map { ImageHeader(format: .png, storedSize: $0, orientation: orientation(reader)) }
    }

    /// The size of a file that begins at `start`.
    static func size(_ reader: ByteReader, at start: Int) -> PixelSize? {
        guard reader.has("IHDR", at: start + 12), let width = reader.bigEndian32(at: start + 16),
            let height = reader.bigEndian32(at: start + 20)
        else { return nil }
        return PixelSize(width: width, height: height)
    }

    /// Only chunks before the pixels count: a later chunk may not have arrived yet, and the
    /// orientation must not change when it does.
    private static func orientation(_ reader: ByteReader) -> ImageOrientation {
        guard let chunk = PNGChunks.first("eXIf", beforePixelsOf: reader) else { return .up }
        return ExifBlock(reader, from: chunk.content.lowerBound, to: chunk.content.upperBound)?.orientation ?? .up
    }
}

extension PNGHeader {
    /// The number of frames of an animated PNG and the number of times that it plays, where 0 means
    /// forever; `nil` for a still image and an invalid chunk.
    static func animationControl(_ reader: ByteReader) -> (frameCount: Int, playCount: Int)? {
        guard let chunk = PNGChunks.first("acTL", beforePixelsOf: reader), chunk.isIntact(8, reader),
            let frameCount = reader.bigEndian32(at: chunk.content.lowerBound),
            let playCount = reader.bigEndian32(at: chunk.content.lowerBound + 4),
            max(frameCount, playCount) <= Int32.max
        else { return nil }
        return (frameCount, playCount)
    }

    /// The ITU-T H.273 color primaries and transfer characteristics of full-range RGB (PNG third
    /// edition, section 11.3.2.6); `nil` for other samples and without a `cICP` chunk.
    package static func codePoints(_ reader: ByteReader) -> (primaries: Int, transfer: Int)? {
        guard let chunk = PNGChunks.first("cICP", beforePixelsOf: reader), chunk.content.count == 4 else { return nil }
        let numbers = reader[chunk.content].map(Int.init)
        return numbers[2] == 0 && numbers[3] == 1 ? (numbers[0], numbers[1]) : nil
    }

    /// The brightest light of HDR content in cd/m² (PNG third edition, `cLLI`); `nil` if it is
    /// unknown.
    package static func maxLight(_ reader: ByteReader) -> Int? {
        guard let chunk = PNGChunks.first("cLLI", beforePixelsOf: reader), chunk.content.count == 8,
            let light = reader.bigEndian32(at: chunk.content.lowerBound), light >= 10_000
        else { return nil }
        return light / 10_000
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
