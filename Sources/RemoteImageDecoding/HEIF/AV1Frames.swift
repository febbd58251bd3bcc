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
    /// The frames of a layer: an image item is a single temporal unit (AV1 Image File Format,
    /// section 2.1), in which at most one frame per layer is shown. It may be coded as a hidden one
    /// first.
    private static let framesPerLayer = 2

    /// Before the first sequence header.
    init() {}

    /// Reads the data of an image item. `nil` if a sequence header is damaged, a frame is larger
    /// than its sequence header allows, or there are too many units or frames.
    init?(_ reader: ByteReader) {
        guard read(reader), frameCount <= Self.framesPerLayer * (sequence?.layerCount ?? 1) else { return nil }
    }

    /// Reads a sample of a track, which may depend on earlier ones. Returns `false` for the same
    /// reasons as ``init(_:)``, but for the number of frames.
    mutating func read(_ reader: ByteReader) -> Bool {
        var index = 0
        unitCount = 0
        while let header = reader.byte(at: index) {
            unitCount += 1
            guard unitCount <= Self.unitLimit else { return false }
            // libaom skips zero bytes between units.
            guard header != 0 else {
                index += 1
                unitCount -= 1
                continue
            }
            index += header & 0x04 == 0 ? 1 : 2
            var end = reader.count
            if header & 0x02 != 0 {
                guard let (size, length) = Self.variableLength(reader, at: index) else { return true }
                index += length
                end = index + size
            }
            guard end <= reader.count else { return true }
            guard take(header >> 3 & 0x0F, BitReader(reader, from: index, to: end)) else { return false }
            index = end
        }
        return true
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
            guard let sequence, let size = sequence.frameSize(&bits),
                size.width <= sequence.size.width, size.height <= sequence.size.height
            else { return false }
            frameCount += 1
            framePixelCount += size.pixelCount
            return true
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

    /// The part of a sequence header with the frame size, and the fields that are needed to find
    /// the size in frame headers.
    private struct Sequence {
        private(set) var size = PixelSize(width: 0, height: 0)
        /// The number of spatial layers, 1 to 4.
        private(set) var layerCount = 1
        private var isReduced = false
        private var presentationTimeLength: Int?
        private var hasDecoderModel = false
        private var frameIDLength: Int?
        private var frameIDDeltaLength = 0
        private var sideLengths = (width: 0, height: 0)
        /// 0 without order hints.
        private var orderHintLength = 0
        /// 2 if each frame header has its own value.
        private var screenContentTools = 2
        private var integerVectors = 2

        init?(_ bits: inout BitReader) {
            bits.skip(4)
            isReduced = bits.flag()
            if isReduced { bits.skip(5) } else { readOperatingPoints(&bits) }
            sideLengths = (bits.number(4) + 1, bits.number(4) + 1)
            size = readSize(&bits)
            if !isReduced { readTools(&bits) }
            guard bits.isComplete else { return nil }
        }

        private mutating func readOperatingPoints(_ bits: inout BitReader) {
            var delayLength: Int?
            if bits.flag() {
                bits.skip(64)
                let hasEqualIntervals = bits.flag()
                if hasEqualIntervals { _ = bits.universalCode() }
                hasDecoderModel = bits.flag()
                if hasDecoderModel {
                    delayLength = bits.number(5) + 1
                    bits.skip(37)
                    let length = bits.number(5) + 1
                    presentationTimeLength = hasEqualIntervals ? nil : length
                }
            }
            let hasDisplayDelay = bits.flag()
            for _ in 0...bits.number(5) {
                // Four bits of spatial layers precede eight of temporal ones.
                layerCount = max(layerCount, bits.number(4).nonzeroBitCount)
                bits.skip(8)
                if bits.number(5) > 7 { bits.skip(1) }
                if let delayLength, bits.flag() { bits.skip(delayLength * 2 + 1) }
                if hasDisplayDelay, bits.flag() { bits.skip(4) }
            }
        }

        private mutating func readTools(_ bits: inout BitReader) {
            if bits.flag() {
                frameIDDeltaLength = bits.number(4) + 2
                frameIDLength = bits.number(3) + frameIDDeltaLength + 1
            }
            bits.skip(7)
            let hasOrderHints = bits.flag()
            if hasOrderHints { bits.skip(2) }
            if !bits.flag() { screenContentTools = bits.number(1) }
            if screenContentTools > 0, !bits.flag() { integerVectors = bits.number(1) }
            if hasOrderHints { orderHintLength = bits.number(3) + 1 }
        }

        private func readSize(_ bits: inout BitReader) -> PixelSize {
            PixelSize(width: bits.number(sideLengths.width) + 1, height: bits.number(sideLengths.height) + 1)
        }

        /// The size of a frame; that of the sequence header for a frame that is already decoded,
        /// or has the size of an earlier one. `nil` if the header is truncated, or locates the size
        /// after fields of a decoder model.
        func frameSize(_ bits: inout BitReader) -> PixelSize? {
            // A header that shows an existing frame has no size.
            guard !isReduced, !bits.flag() else { return size }
            let type = bits.number(2)
            let (isKeyFrame, isIntraOnly, isSwitchFrame) = (type == 0, type == 2, type == 3)
            let isShown = bits.flag()
            if isShown { bits.skip(presentationTimeLength ?? 0) } else { bits.skip(1) }
            let isFirst = isSwitchFrame || isKeyFrame && isShown
            let isErrorResilient = isFirst || bits.flag()
            bits.skip(1)
            let hasScreenContentTools = screenContentTools == 2 ? bits.flag() : screenContentTools == 1
            if hasScreenContentTools, integerVectors == 2 { bits.skip(1) }
            bits.skip(frameIDLength ?? 0)
            guard isSwitchFrame || bits.flag() else { return size }
            guard !hasDecoderModel else { return nil }
            bits.skip(orderHintLength)
            let isIntra = isKeyFrame || isIntraOnly
            if !isIntra, !isErrorResilient { bits.skip(3) }
            let refreshesAll = isFirst || bits.number(8) == 0xFF
            if !isIntra || !refreshesAll, isErrorResilient { bits.skip(8 * orderHintLength) }
            if !isIntra {
                let hasShortReferences = orderHintLength > 0 && bits.flag()
                if hasShortReferences { bits.skip(6) }
                for _ in 0..<7 {
                    if !hasShortReferences { bits.skip(3) }
                    if frameIDLength != nil { bits.skip(frameIDDeltaLength) }
                }
                if !isErrorResilient {
                    for _ in 0..<7 where bits.flag() { return bits.isComplete ? size : nil }
                }
            }
            let size = readSize(&bits)
            return bits.isComplete ? size : nil
        }
    }
}
