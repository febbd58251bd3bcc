import RemoteImageCore

/// PNG files of any kind of pixels, which are stored without being packed (RFC 1951 section 3.2.4).
public struct PNGFile: Sendable {
    public var size: PixelSize
    public var depth: UInt8 = 8
    /// 0 gray, 2 RGB, 3 palette, 4 gray and alpha, 6 RGBA.
    public var colour: UInt8 = 2
    /// Between the header and the pixels.
    public var chunks: [UInt8] = []

    public init(width: Int, height: Int) {
        size = PixelSize(width: width, height: height)
    }

    /// The file with rows of samples as they are stored, each without its filter byte.
    public func bytes(_ rows: [[UInt8]]) -> [UInt8] {
        head + PNGChunk.make("IDAT", Self.data(rows)) + PNGChunk.make("IEND", [])
    }

    /// All that is before the pixels.
    public var head: [UInt8] {
        PNGChunk.signature
            + PNGChunk.make("IHDR", Self.number(size.width) + Self.number(size.height) + [depth, colour, 0, 0, 0])
            + chunks
    }

    /// The content of the chunk with the pixels: at most 65,535 bytes.
    public static func data(_ rows: [[UInt8]]) -> [UInt8] {
        let content: [UInt8] = rows.flatMap { row in [0] + row }
        let sums = content.reduce((1, 0)) { sums, byte in
            let first = (sums.0 + Int(byte)) % 65_521
            return (first, (sums.1 + first) % 65_521)
        }
        let (low, high) = (UInt8(content.count & 0xFF), UInt8(content.count >> 8))
        return [0x78, 1, 1, low, high, ~low, ~high] + content + number(sums.1 << 16 | sums.0)
    }

    public static func number(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}
