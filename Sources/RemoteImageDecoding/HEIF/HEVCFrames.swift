/// The coded frame sizes of an HEVC bitstream (ITU-T H.265, sections 7.3.1 and 7.3.2). Decoders
/// allocate memory for these sizes, not for those of the container.
struct HEVCFrames {
    /// The size of each sequence parameter set in the available bytes.
    private(set) var sizes: [PixelSize] = []
    private(set) var frameCount = 0
    private var unitCount = 0

    /// An image has one unit per slice, and a slice usually has at least one row of blocks.
    private static let unitLimit = 4096
    /// An image item has one frame (ISO/IEC 23008-12, annex B); decoders decode all that are there.
    private static let frameLimit = 1
    /// The bytes of a sequence parameter set that contain its size: a header, the profiles of 8
    /// layers, and some numbers.
    private static let parameterByteCount = 192

    /// Reads the data of an item: units, each after its length. `nil` if a parameter set is
    /// damaged, or there are too many units or frames.
    init?(_ reader: ByteReader) {
        var index = 0
        while let length = reader.bigEndian32(at: index) {
            guard take(reader, index + 4, length) else { return nil }
            index += 4 + length
        }
    }

    /// Reads the configuration of items (ISO/IEC 14496-15, section 8.3.3.1), which decoders get
    /// before the data.
    ///
    /// `nil` also if the lengths in the data do not have four bytes, which libheif assumes.
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
        // Decoders decode only the lowest layer.
        guard first & 1 == 0, second >> 3 == 0 else { return true }
        switch first >> 1 & 0x3F {
        case 33:
            guard let size = Self.size(reader[(start + 2)..<(start + length)]) else { return false }
            sizes.append(size)
        // Slices; a flag marks the first slice of a frame.
        case 0...31 where reader.byte(at: start + 2).map { $0 & 0x80 != 0 } ?? false: frameCount += 1
        default: break
        }
        return frameCount <= Self.frameLimit
    }

    /// The size in a sequence parameter set, before cropping; `nil` if it is truncated.
    private static func size(_ unit: Slice<UnsafeRawBufferPointer>) -> PixelSize? {
        // Removes the emulation prevention bytes: a 3 after two zeros.
        var (content, zeros) = ([UInt8](), 0)
        for byte in unit.prefix(parameterByteCount) {
            if zeros >= 2, byte == 3 {
                zeros = 0
                continue
            }
            zeros = byte == 0 ? zeros + 1 : 0
            content.append(byte)
        }
        return content.withReader { reader in
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
