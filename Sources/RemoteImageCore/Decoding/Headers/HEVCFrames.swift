/// The sizes that an HEVC bitstream is coded in (ITU-T H.265, sections 7.3.1 and 7.3.2). Decoders
/// allocate by these, whatever the container claims.
struct HEVCFrames {
    /// One for each sequence parameter set, as far as the bytes are there.
    private(set) var sizes: [PixelSize] = []
    private(set) var frameCount = 0
    private var unitCount = 0

    /// An image has a unit for each slice, and these have at least one row of blocks.
    private static let unitLimit = 4096
    /// Decoders decode all frames of an item. Real items have one.
    private static let frameLimit = 32
    /// What the size of a sequence parameter set lies within: a head, the profiles of 8 layers, and
    /// some numbers.
    private static let parameterByteCount = 192

    /// The data of an item: units behind their lengths. `nil` where a parameter set is damaged, or
    /// there are too many units or frames.
    init?(_ reader: ByteReader) {
        var index = 0
        while let length = reader.bigEndian32(at: index) {
            guard take(reader, index + 4, length) else { return nil }
            index += 4 + length
        }
    }

    /// The configuration of items (ISO/IEC 14496-15, section 8.3.3.1), which decoders get in front
    /// of their data.
    ///
    /// `nil` also where lengths in the data have another size than four bytes, which libheif takes
    /// for granted.
    init?(configuration reader: ByteReader, in range: Range<Int>) {
        guard let lengths = reader.byte(at: range.lowerBound + 21), lengths & 3 == 3,
            let arrayCount = reader.byte(at: range.lowerBound + 22)
        else { return nil }
        var index = range.lowerBound + 23
        for _ in 0..<arrayCount {
            guard let unitCount = reader.bigEndian16(at: index + 1) else { return nil }
            index += 3
            for _ in 0..<unitCount {
                guard let length = reader.bigEndian16(at: index), index + 2 + length <= range.upperBound,
                    take(reader, index + 2, length)
                else { return nil }
                index += 2 + length
            }
        }
    }

    private mutating func take(_ reader: ByteReader, _ start: Int, _ length: Int) -> Bool {
        unitCount += 1
        guard unitCount <= Self.unitLimit else { return false }
        guard length >= 2, let first = reader.byte(at: start), let second = reader.byte(at: start + 1) else {
            return true
        }
        // Of several layers, decoders decode the lowest.
        guard first & 1 == 0, second >> 3 == 0 else { return true }
        switch first >> 1 & 0x3F {
        case 33:
            guard let size = Self.size(reader[(start + 2)..<(start + length)]) else { return false }
            sizes.append(size)
        // Slices, of which the first one of a frame is marked.
        case 0...31 where reader.byte(at: start + 2).map { $0 & 0x80 != 0 } ?? false: frameCount += 1
        default: break
        }
        return frameCount <= Self.frameLimit
    }

    /// The size in a sequence parameter set, before it is cropped; `nil` where it is cut off.
    private static func size(_ unit: Slice<UnsafeRawBufferPointer>) -> PixelSize? {
        // Two zeros are followed by a 3 where a number below 4 would come next.
        var (content, zeros) = ([UInt8](), 0)
        for byte in unit.prefix(parameterByteCount) {
            if zeros >= 2, byte == 3 {
                zeros = 0
                continue
            }
            zeros = byte == 0 ? zeros + 1 : 0
            content.append(byte)
        }
        return content.withUnsafeBytes { content in
            let reader = ByteReader(content)
            var bits = BitReader(reader, from: 0, to: reader.count)
            bits.skip(4)
            let layerCount = bits.number(3)
            bits.skip(1 + 96)
            let layers = (0..<layerCount).map { _ in (hasProfile: bits.flag(), hasLevel: bits.flag()) }
            if layerCount > 0 { bits.skip((8 - layerCount) * 2) }
            for layer in layers { bits.skip((layer.hasProfile ? 88 : 0) + (layer.hasLevel ? 8 : 0)) }
            _ = bits.universalCode()
            if bits.universalCode() == 3 { bits.skip(1) }
            let size = PixelSize(width: bits.universalCode(), height: bits.universalCode())
            return bits.isComplete ? size : nil
        }
    }
}
