import RemoteImageCore

/// PNG files of any color type and bit depth, in one uncompressed block (RFC 1951 section 3.2.4).
public struct PNGFile: Sendable {
    public var size: PixelSize
    public var depth: UInt8 = 8
    /// The color type: 0 gray, 2 RGB, 3 palette, 4 gray and alpha, 6 RGBA.
    public var colour: UInt8 = 2
    /// Chunks between IHDR and IDAT.
    public var chunks: [UInt8] = []

    public init(width: Int, height: Int) {
        size = PixelSize(width: width, height: height)
    }

    /// The file with these rows of packed samples. Rows have no filter byte; it is added as 0.
    public func bytes(_ rows: [[UInt8]]) -> [UInt8] {
        head + PNGChunk.make("IDAT", Self.data(rows)) + PNGChunk.make("IEND", [])
    }

    /// The file up to IDAT.
    public var head: [UInt8] {
        PNGChunk.signature
            + PNGChunk.make("IHDR", Self.number(size.width) + Self.number(size.height) + [depth, colour, 0, 0, 0])
            + chunks
    }

    /// The content of IDAT for these rows: at most 65,535 bytes with the filter bytes.
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
