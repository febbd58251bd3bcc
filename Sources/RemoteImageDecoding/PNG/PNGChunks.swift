/// The chunks of a PNG before IEND (PNG third edition, section 5.3). The last one may be truncated.
struct PNGChunks: Sequence, IteratorProtocol {
    struct Chunk {
        /// The position of the chunk type.
        let name: Int
        /// The available content.
        let content: Range<Int>

        /// The chunk with its length and its checksum.
        var whole: Range<Int> { (name - 4)..<(content.upperBound + 4) }

        /// Whether a decoder that does not know the chunk must refuse the file (section 5.4).
        func isCritical(_ reader: ByteReader) -> Bool { reader.byte(at: name).map { $0 & 0x20 == 0 } ?? true }

        /// Whether the content has this length and the checksum of the chunk.
        func isIntact(_ byteCount: Int, _ reader: ByteReader) -> Bool {
            content.count == byteCount
                && reader.bigEndian32(at: content.upperBound)
                    == Int(PNGChunks.checksum(reader[name..<content.upperBound]))
        }
    }

    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    private let reader: ByteReader
    private var index = Self.signature.count

    init(_ reader: ByteReader) {
        self.reader = reader
    }

    mutating func next() -> Chunk? {
        guard let length = reader.bigEndian32(at: index), index + 8 <= reader.count,
            !reader.has("IEND", at: index + 4)
        else { return nil }
        defer { index += 12 + length }
        return Chunk(name: index + 4, content: ((index + 8)..<(index + 8 + length)).clamped(to: 0..<reader.count))
    }

    static func make(_ name: StaticString, _ content: some Sequence<UInt8>) -> [UInt8] {
        let body = name.withUTF8Buffer { Array($0) } + content
        return (body.count - 4).bigEndianBytes() + body + Int(checksum(body)).bigEndianBytes()
    }

    /// The first chunk with a name before the pixels.
    static func first(_ name: StaticString, beforePixelsOf reader: ByteReader) -> Chunk? {
        PNGChunks(reader).lazy.prefix { !reader.has("IDAT", at: $0.name) }.first { reader.has(name, at: $0.name) }
    }

    /// The checksum of a chunk (PNG third edition, annex D).
    private static func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
        checksums.withUnsafeBufferPointer { table in
            ~bytes.reduce(~0) { sum, byte in
                table[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] ^ sum >> 8
            }
        }
    }

    private static let checksums: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
    }
}
