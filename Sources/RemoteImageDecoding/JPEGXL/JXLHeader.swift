/// Reads the displayed size of a JPEG XL file (ISO/IEC 18181-1 annex D and 18181-2 section 9), a
/// bare codestream or a container.
enum JXLHeader {
    private static let codestreamSignature: [UInt8] = [0xFF, 0x0A]
    private static let containerSignature: [UInt8] = [0, 0, 0, 12, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A]
    /// The number of bytes that contain the longest size and the orientation.
    private static let byteCount = 16

    static func isOne(_ reader: ByteReader) -> Bool {
        reader.has(codestreamSignature) || reader.has(containerSignature)
    }

    /// The orientation of the header is `up`, since the decoder applies the orientation of the
    /// codestream; the size includes it.
    static func read(_ reader: ByteReader) -> ImageHeader? {
        let start = reader.has(containerSignature) ? codestream(reader) : Array(reader[0..<byteCount])
        guard start.starts(with: codestreamSignature) else { return nil }
        return start.withReader { reader in
            var bits = BitReader(reader, from: codestreamSignature.count, to: reader.count, lowestFirst: true)
            let (size, orientation) = (size(&bits), orientation(&bits))
            guard bits.isComplete else { return nil }
            return ImageHeader(format: .jxl, storedSize: size.applyingOrientation(orientation))
        }
    }

    /// The first bytes of the codestream, which is in one `jxlc` box or in several `jxlp` boxes
    /// that start with a four-byte index.
    private static func codestream(_ reader: ByteReader) -> [UInt8] {
        let all = 0..<reader.count
        if let whole = ISOBox.first(reader, in: all, named: "jxlc") {
            return Array(reader[whole].prefix(byteCount))
        }
        var start: [UInt8] = []
        for part in ISOBox.boxes(reader, in: all, named: "jxlp") where start.count < byteCount {
            start += reader[part.dropFirst(4)].prefix(byteCount - start.count)
        }
        return start
    }

    private static func size(_ bits: inout BitReader) -> PixelSize {
        let isSmall = bits.flag()
        let height = side(&bits, isSmall)
        let ratio = bits.number(3)
        if ratio == 0 { return PixelSize(width: side(&bits, isSmall), height: height) }
        let ratios = [(1, 1), (12, 10), (4, 3), (3, 2), (16, 9), (5, 4), (2, 1)]
        let (numerator, denominator) = ratios[ratio - 1]
        return PixelSize(width: height * numerator / denominator, height: height)
    }

    /// A small side is a multiple of 8.
    private static func side(_ bits: inout BitReader, _ isSmall: Bool) -> Int {
        isSmall ? (bits.number(5) + 1) * 8 : bits.number([9, 13, 18, 30][bits.number(2)]) + 1
    }

    /// `up` for default metadata and for metadata without the extra fields.
    private static func orientation(_ bits: inout BitReader) -> ImageOrientation {
        let isDefault = bits.flag()
        if isDefault || !bits.flag() { return .up }
        return ImageOrientation(rawValue: UInt8(bits.number(3) + 1)) ?? .up
    }
}
