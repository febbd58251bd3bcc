import RemoteImageTestSupport
import Testing

@testable import RemoteImageDecoding

/// Sequence and frame headers with each of their optional fields (AV1 specification, sections 5.5
/// and 5.9), and HEVC parameter sets.
@Suite struct AV1FramesTests {
    /// Bits, the highest of each byte first.
    private struct Bits {
        var bits: [UInt8] = []

        mutating func add(_ value: Int, _ width: Int) {
            for index in (0..<width).reversed() { bits.append(UInt8(value >> index & 1)) }
        }

        /// Fields whose values do not matter: ones, so that a shifted reader finds other numbers.
        mutating func fill(_ width: Int) { bits += [UInt8](repeating: 1, count: width) }

        mutating func addUniversalCode(_ value: Int) {
            let width = Int.bitWidth - (value + 1).leadingZeroBitCount
            add(0, width - 1)
            add(value + 1, width)
        }

        var bytes: [UInt8] {
            stride(from: 0, to: bits.count, by: 8).map { start in
                let part = bits[start..<min(start + 8, bits.count)]
                return part.reduce(0) { $0 << 1 | $1 } << UInt8(8 - part.count)
            }
        }
    }

    /// The optional parts of a sequence header that change frame headers.
    private struct Options: CustomTestStringConvertible {
        var hasTiming = false
        var hasEqualIntervals = false
        var hasDecoderModel = false
        var hasDisplayDelay = false
        /// The spatial layers of each operating point, and its level; tiers follow levels above 7.
        var points: [(layers: Int, level: Int)] = [(1, 0)]
        var hasFrameIDs = false
        /// The number of bits of an order hint.
        var orderHintLength: Int?
        /// 2 if each frame has its own value.
        var screenContentTools = 2
        var integerVectors = 2

        static let size = PixelSize(width: 300, height: 200)

        var testDescription: String {
            "timing \(hasTiming) \(hasEqualIntervals) \(hasDecoderModel), delay \(hasDisplayDelay), points \(points), "
                + "IDs \(hasFrameIDs), hints \(orderHintLength ?? 0), tools \(screenContentTools) \(integerVectors)"
        }

        var sequence: Bits {
            var bits = Bits()
            bits.fill(4)
            bits.add(0, 1)
            bits.add(hasTiming ? 1 : 0, 1)
            if hasTiming {
                bits.fill(64)
                bits.add(hasEqualIntervals ? 1 : 0, 1)
                if hasEqualIntervals { bits.addUniversalCode(4) }
                bits.add(hasDecoderModel ? 1 : 0, 1)
                if hasDecoderModel {
                    // Delays of 10 bits, and presentation times of 6 bits.
                    bits.add(9, 5)
                    bits.fill(37)
                    bits.add(5, 5)
                }
            }
            bits.add(hasDisplayDelay ? 1 : 0, 1)
            bits.add(points.count - 1, 5)
            for (index, point) in points.enumerated() {
                bits.add(1 << point.layers - 1, 4)
                bits.fill(8)
                bits.add(point.level, 5)
                if point.level > 7 { bits.fill(1) }
                if hasDecoderModel {
                    bits.add(index == 0 ? 1 : 0, 1)
                    if index == 0 { bits.fill(21) }
                }
                if hasDisplayDelay {
                    bits.add(index == 0 ? 1 : 0, 1)
                    if index == 0 { bits.fill(4) }
                }
            }
            // Sides of 12 and 10 bits.
            bits.add(11, 4)
            bits.add(9, 4)
            bits.add(Self.size.width - 1, 12)
            bits.add(Self.size.height - 1, 10)
            bits.add(hasFrameIDs ? 1 : 0, 1)
            if hasFrameIDs {
                // Differences of 5 bits, and IDs of 9 bits.
                bits.add(3, 4)
                bits.add(3, 3)
            }
            bits.fill(7)
            bits.add(orderHintLength == nil ? 0 : 1, 1)
            if orderHintLength != nil { bits.fill(2) }
            bits.add(screenContentTools == 2 ? 1 : 0, 1)
            if screenContentTools < 2 { bits.add(screenContentTools, 1) }
            if screenContentTools > 0 {
                bits.add(integerVectors == 2 ? 1 : 0, 1)
                if integerVectors < 2 { bits.add(integerVectors, 1) }
            }
            if let orderHintLength { bits.add(orderHintLength - 1, 3) }
            return bits
        }
    }

    /// A frame header up to the size.
    private struct Frame {
        /// 0 for a key frame, 1 for an inter frame, 2 for an intra-only and 3 for a switch frame.
        var type = 0
        var isShown = true
        var isErrorResilient = false
        var usesScreenContentTools = true
        var refreshes = 0xFF
        var hasShortReferences = false
        /// The reference whose size the frame has.
        var referenceOfSize: Int?
        /// `nil` for the size of the sequence.
        var size: PixelSize? = PixelSize(width: 123, height: 45)

        func bits(_ options: Options) -> Bits {
            var bits = Bits()
            bits.add(0, 1)
            bits.add(type, 2)
            bits.add(isShown ? 1 : 0, 1)
            if !isShown {
                bits.fill(1)
            } else if options.hasDecoderModel, !options.hasEqualIntervals {
                bits.fill(6)
            }
            let isFirst = type == 3 || type == 0 && isShown
            if !isFirst { bits.add(isErrorResilient ? 1 : 0, 1) }
            let isResilient = isFirst || isErrorResilient
            bits.fill(1)
            if options.screenContentTools == 2 { bits.add(usesScreenContentTools ? 1 : 0, 1) }
            let usesTools = options.screenContentTools == 2 ? usesScreenContentTools : options.screenContentTools == 1
            if usesTools, options.integerVectors == 2 { bits.fill(1) }
            if options.hasFrameIDs { bits.fill(9) }
            if type != 3 { bits.add(size == nil ? 0 : 1, 1) }
            let hints = options.orderHintLength ?? 0
            bits.fill(hints)
            let isIntra = type == 0 || type == 2
            if !isIntra, !isResilient { bits.fill(3) }
            if !isFirst { bits.add(refreshes, 8) }
            if !isIntra || !isFirst && refreshes != 0xFF, isResilient { bits.fill(8 * hints) }
            if !isIntra {
                if hints > 0 {
                    bits.add(hasShortReferences ? 1 : 0, 1)
                    if hasShortReferences { bits.fill(6) }
                }
                for _ in 0..<7 {
                    if !(hints > 0 && hasShortReferences) { bits.fill(3) }
                    if options.hasFrameIDs { bits.fill(5) }
                }
                if size != nil, !isResilient {
                    for _ in 0..<(referenceOfSize ?? 7) { bits.add(0, 1) }
                    if referenceOfSize != nil {
                        bits.add(1, 1)
                        return bits
                    }
                }
            }
            if let size {
                bits.add(size.width - 1, 12)
                bits.add(size.height - 1, 10)
            }
            return bits
        }
    }

    private func unit(_ type: UInt8, _ content: [UInt8]) -> [UInt8] { [type << 3 | 2, UInt8(content.count)] + content }

    private func frames(_ bytes: [UInt8]) -> AV1Frames? { bytes.withReader { AV1Frames($0) } }

    private static let options: [Options] = [
        Options(), Options(hasTiming: true), Options(hasTiming: true, hasEqualIntervals: true),
        Options(hasDisplayDelay: true, points: [(1, 8), (2, 7), (1, 31)]), Options(hasFrameIDs: true),
        Options(orderHintLength: 7), Options(orderHintLength: 1), Options(hasFrameIDs: true, orderHintLength: 5),
        Options(screenContentTools: 0), Options(screenContentTools: 1), Options(integerVectors: 1),
        Options(screenContentTools: 1, integerVectors: 0),
        Options(
            hasTiming: true, hasDisplayDelay: true, points: [(1, 3), (1, 12)], hasFrameIDs: true, orderHintLength: 4,
            screenContentTools: 1),
    ]

    private static let headers: [Frame] = [
        Frame(), Frame(isShown: false, isErrorResilient: true), Frame(isShown: false, refreshes: 1),
        Frame(isShown: false, isErrorResilient: true, refreshes: 1), Frame(usesScreenContentTools: false),
        Frame(type: 1), Frame(type: 1, isShown: false), Frame(type: 1, isErrorResilient: true),
        Frame(type: 1, isErrorResilient: true, refreshes: 2), Frame(type: 1, hasShortReferences: true),
        Frame(type: 1, isErrorResilient: true, hasShortReferences: true),
        Frame(type: 2), Frame(type: 2, refreshes: 4), Frame(type: 2, isErrorResilient: true, refreshes: 4),
        Frame(type: 3), Frame(type: 3, isShown: false), Frame(type: 3, hasShortReferences: true),
    ]

    @Test(arguments: options)
    private func `the size of a frame is found behind each optional field`(options: Options) {
        let sequence = unit(1, options.sequence.bytes)
        #expect(frames(sequence)?.sizes == [Options.size])
        #expect(frames(unit(1, Array(options.sequence.bytes.dropLast(3)))) == nil, "without its end")
        for (index, header) in Self.headers.enumerated() {
            for type in [3, 6, 7] as [UInt8] {
                let found = frames(sequence + unit(type, header.bits(options).bytes))
                #expect(found?.framePixelCount == 123 * 45, "frame \(index)")
                #expect(found?.frameCount == 1)
            }
            let bytes = header.bits(options).bytes
            #expect(frames(sequence + unit(6, Array(bytes.dropLast()))) == nil, "frame \(index) without its end")
            // As large as the sequence, and larger by one column or row.
            var other = header
            for (width, height, isAllowed) in [(300, 200, true), (301, 200, false), (300, 201, false)] {
                other.size = PixelSize(width: width, height: height)
                let found = frames(sequence + unit(6, other.bits(options).bytes))
                #expect((found != nil) == isAllowed, "frame \(index)")
            }
            other.size = nil
            guard header.type != 3 else { continue }
            #expect(frames(sequence + unit(6, other.bits(options).bytes))?.framePixelCount == 300 * 200)
        }
        for reference in 0..<7 {
            let header = Frame(type: 1, referenceOfSize: reference)
            let found = frames(sequence + unit(6, header.bits(options).bytes + [0xFF]))
            #expect(found?.framePixelCount == 300 * 200, "the size of reference \(reference)")
        }
        // show_existing_frame.
        #expect(frames(sequence + unit(3, [0x80]))?.framePixelCount == 300 * 200)
    }

    @Test(arguments: [false, true])
    func `a frame behind fields of a decoder model has the size of its sequence or is refused`(
        hasEqualIntervals: Bool
    ) {
        let options = Options(
            hasTiming: true, hasEqualIntervals: hasEqualIntervals, hasDecoderModel: true, hasDisplayDelay: true,
            points: [(1, 4), (1, 9)])
        let sequence = unit(1, options.sequence.bytes)
        #expect(frames(sequence)?.sizes == [Options.size])
        #expect(frames(sequence + unit(6, Frame(size: nil).bits(options).bytes))?.framePixelCount == 300 * 200)
        #expect(frames(sequence + unit(6, Frame().bits(options).bytes + [0, 0, 0, 0])) == nil)
    }

    @Test func `an item has two frames for each layer of its operating points`() {
        let frame = unit(6, Frame().bits(Options()).bytes)
        for (points, count) in [([(1, 0), (3, 0), (2, 0)], 6), ([(2, 0), (1, 0)], 4), ([(4, 31)], 8)] {
            let sequence = unit(1, Options(points: points).sequence.bytes)
            func found(_ count: Int) -> AV1Frames? { frames(sequence + (0..<count).flatMap { _ in frame }) }
            #expect(found(count)?.framePixelCount == count * 123 * 45)
            #expect(found(count + 1) == nil)
        }
    }

    // MARK: Units

    @Test func `units have lengths of up to eight bytes, or extend to the end`() {
        let content = Options().sequence.bytes
        let sequence = unit(1, content)
        func sizes(_ bytes: [UInt8]) -> [PixelSize]? { frames(bytes)?.sizes }
        // Padding of 200 bytes.
        let padding = [UInt8](repeating: 0xFF, count: 200)
        #expect(sizes([15 << 3 | 2, 0xC8, 0x01] + padding + sequence) == [Options.size])
        let long: [UInt8] = [15 << 3 | 2, 0x81] + [UInt8](repeating: 0x80, count: 6)
        #expect(sizes(long + [0, 0xFF] + sequence) == [Options.size])
        #expect(sizes(long + [0x80, 0, 0xFF] + sequence) == [], "a length of nine bytes")
        #expect(sizes([1 << 3] + content) == [Options.size])
        #expect(sizes([1 << 3 | 4, 0xFF] + content) == [Options.size], "an extension")
        #expect(sizes([1 << 3 | 6, 0xFF, UInt8(content.count)] + content + sequence) == [Options.size, Options.size])
        // A unit that ends behind the data is ignored.
        #expect(sizes(sequence) == [Options.size])
        #expect(sizes(Array(sequence.dropLast())) == [])
    }

    @Test func `an item has at most 4,096 units, and zeros between them are none`() {
        func file(_ count: Int) -> [UInt8] { Array((0..<count).flatMap { _ in [0x12, 0, 0] as [UInt8] }.dropLast()) }
        #expect(frames(file(4096))?.unitCount == 4096)
        #expect(frames(file(4097)) == nil)
    }

    // MARK: HEVC

    private func parameters(chroma: Int, layers: [(hasProfile: Bool, hasLevel: Bool)] = []) -> [UInt8] {
        var bits = Bits()
        bits.fill(4)
        bits.add(layers.count, 3)
        bits.fill(1 + 96)
        for layer in layers {
            bits.add(layer.hasProfile ? 1 : 0, 1)
            bits.add(layer.hasLevel ? 1 : 0, 1)
        }
        if !layers.isEmpty { bits.fill((8 - layers.count) * 2) }
        for layer in layers { bits.fill((layer.hasProfile ? 88 : 0) + (layer.hasLevel ? 8 : 0)) }
        bits.addUniversalCode(3)
        bits.addUniversalCode(chroma)
        if chroma == 3 { bits.add(1, 1) }
        bits.addUniversalCode(300)
        bits.addUniversalCode(200)
        return [33 << 1, 1] + bits.bytes
    }

    private func hevc(_ units: [[UInt8]]) -> HEVCFrames? { HEIFFile.units(units).withReader { HEVCFrames($0) } }

    @Test func `the size in a parameter set is found behind each optional field`() {
        for chroma in 0...3 {
            for layers in [
                [], [(true, false)], [(false, true), (true, true)], [(false, false), (false, true), (true, false)],
            ] {
                let unit = parameters(chroma: chroma, layers: layers)
                #expect(hevc([unit])?.sizes == [PixelSize(width: 300, height: 200)], "\(chroma) \(layers)")
                #expect(hevc([Array(unit.dropLast())]) == nil)
            }
        }
    }

    @Test func `the first slices of the lowest layer are frames`() {
        func count(_ type: UInt8, flag: UInt8 = 0x80, layer: UInt8 = 0) -> Int? {
            hevc([[type << 1 | layer >> 5, layer << 3 | 1, flag]])?.frameCount
        }
        #expect([0, 1, 31, 32, 34, 63].map { count($0) } == [1, 1, 1, 0, 0, 0])
        #expect(count(1, flag: 0x7F) == 0)
        #expect([1, 8, 31, 32, 63].map { count(1, layer: $0) } == [0, 0, 0, 0, 0])
        #expect(hevc([[2], [2, 1], [], [2, 1, 0x80]])?.frameCount == 1, "incomplete units are ignored")
        #expect(hevc([[2, 1, 0x80], [2, 1, 0x80]]) == nil)
    }

    @Test func `an image has at most 4,096 units`() {
        #expect(hevc([[UInt8]](repeating: [], count: 4096))?.frameCount == 0)
        #expect(hevc([[UInt8]](repeating: [], count: 4097)) == nil)
    }
}
