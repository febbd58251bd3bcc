/// The coded frame sizes of an AV1 bitstream (AV1 specification, sections 5.3 to 5.9). Decoders
/// allocate memory for these sizes, not for those of the container.
struct AV1Frames {
    /// The size of each sequence header in the available bytes.
    private(set) var sizes: [PixelSize] = []
    private var sequence: Sequence?
    private(set) var unitCount = 0
    private(set) var frameCount = 0
    /// The pixels of all frames, including hidden ones.
    private(set) var framePixelCount = 0

    /// Real images have a few units per layer.
    private static let unitLimit = 4096
    /// Decoders also decode hidden frames. A layer of a still image has one frame, and AV1 has up
    /// to 4 × 8 layers.
    private static let frameLimit = 32

    /// `nil` if a sequence header is damaged, a frame overrides the size, or there are too many
    /// units or frames.
    init?(_ reader: ByteReader) {
        var index = 0
        while let header = reader.byte(at: index) {
            unitCount += 1
            guard unitCount <= Self.unitLimit else { return nil }
            // libaom skips zero bytes between units.
            guard header != 0 else {
                index += 1
                unitCount -= 1
                continue
            }
            index += header & 0x04 == 0 ? 1 : 2
            var end = reader.count
            if header & 0x02 != 0 {
                guard let (size, length) = Self.variableLength(reader, at: index) else { return }
                index += length
                end = index + size
            }
            guard end <= reader.count else { return }
            guard take(header >> 3 & 0x0F, BitReader(reader, from: index, to: end)) else { return nil }
            index = end
        }
    }

    private mutating func take(_ type: UInt8, _ bits: BitReader) -> Bool {
        var bits = bits
        switch type {
        case 1:
            guard let sequence = Sequence(&bits) else { return false }
            self.sequence = sequence
            sizes.append(sequence.size)
            return true
        // A frame header, a frame, and a redundant frame header.
        case 3, 6, 7:
            guard let sequence else { return false }
            frameCount += 1
            framePixelCount += sequence.size.pixelCount
            return frameCount <= Self.frameLimit && sequence.isFrameOfItsSize(&bits)
        default:
            return true
        }
    }

    /// Seven bits per byte, the lowest first (section 4.10.5).
    private static func variableLength(_ reader: ByteReader, at index: Int) -> (value: Int, length: Int)? {
        var value = 0
        for length in 0..<8 {
            guard let byte = reader.byte(at: index + length) else { return nil }
            value |= Int(byte & 0x7F) << (length * 7)
            if byte & 0x80 == 0 { return value <= Int(UInt32.max) ? (value, length + 1) : nil }
        }
        return nil
    }

    /// The part of a sequence header with the frame size, and the fields that are needed to find a
    /// size override in frame headers.
    private struct Sequence {
        private(set) var size = PixelSize(width: 0, height: 0)
        private var isReduced = false
        private var presentationTimeLength: Int?
        private var frameIDLength: Int?
        /// 2 if each frame header has its own value.
        private var screenContentTools = 2
        private var integerVectors = 2

        init?(_ bits: inout BitReader) {
            bits.skip(4)
            isReduced = bits.flag()
            if isReduced { bits.skip(5) } else { readOperatingPoints(&bits) }
            let (widthLength, heightLength) = (bits.number(4) + 1, bits.number(4) + 1)
            size = PixelSize(width: bits.number(widthLength) + 1, height: bits.number(heightLength) + 1)
            if !isReduced { readTools(&bits) }
            guard bits.isComplete else { return nil }
        }

        private mutating func readOperatingPoints(_ bits: inout BitReader) {
            var delayLength: Int?
            if bits.flag() {
                bits.skip(64)
                let hasEqualIntervals = bits.flag()
                if hasEqualIntervals { _ = bits.universalCode() }
                if bits.flag() {
                    delayLength = bits.number(5) + 1
                    bits.skip(37)
                    let length = bits.number(5) + 1
                    presentationTimeLength = hasEqualIntervals ? nil : length
                }
            }
            let hasDisplayDelay = bits.flag()
            for _ in 0...bits.number(5) {
                bits.skip(12)
                if bits.number(5) > 7 { bits.skip(1) }
                if let delayLength, bits.flag() { bits.skip(delayLength * 2 + 1) }
                if hasDisplayDelay, bits.flag() { bits.skip(4) }
            }
        }

        private mutating func readTools(_ bits: inout BitReader) {
            if bits.flag() {
                let deltaLength = bits.number(4) + 2
                frameIDLength = bits.number(3) + deltaLength + 1
            }
            bits.skip(7)
            if bits.flag() { bits.skip(2) }
            if !bits.flag() { screenContentTools = bits.number(1) }
            if screenContentTools > 0, !bits.flag() { integerVectors = bits.number(1) }
        }

        /// Whether a frame uses the size of the sequence header. It always does with a reduced
        /// still picture header.
        func isFrameOfItsSize(_ bits: inout BitReader) -> Bool {
            // A header that shows an existing frame has no size.
            guard !isReduced, !bits.flag() else { return true }
            let type = bits.number(2)
            let (isKeyFrame, isSwitchFrame) = (type == 0, type == 3)
            let isShown = bits.flag()
            if isShown { bits.skip(presentationTimeLength ?? 0) } else { bits.skip(1) }
            if !isSwitchFrame, !(isKeyFrame && isShown) { bits.skip(1) }
            bits.skip(1)
            let hasScreenContentTools = screenContentTools == 2 ? bits.flag() : screenContentTools == 1
            if hasScreenContentTools, integerVectors == 2 { bits.skip(1) }
            bits.skip(frameIDLength ?? 0)
            return !isSwitchFrame && !bits.flag()
        }
    }
}
