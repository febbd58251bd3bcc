import RemoteImage
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// AVIF image sequences. Their tables are read without a decoder; their frames need libheif.
@Suite(.timeLimit(.minutes(3))) struct AVIFAnimationTests {
    private func outline(_ bytes: [UInt8], limits: DecodeLimits = DecodeLimits()) -> ImageAnimation? {
        ImageAnimation(
            bytes, .avif, size: PixelSize(width: 16, height: 8), decoder: OrientedDecoder(HEIFDecoder()), limits: limits
        )
    }

    private func animation(_ change: (inout AVIFSequence) -> Void = { _ in }) -> ImageAnimation? {
        var sequence = AVIFSequence()
        change(&sequence)
        return outline(sequence.bytes)
    }

    // MARK: Frames

    private static var decodesAVIF: Bool { HEIFDecoder().decodes(.avif) }

    /// The first letter of each quarter's color; a capital means an alpha of 128.
    private func letters(_ pixels: PixelBuffer) -> String {
        let names: [[UInt8]: String] = [
            [255, 0, 0]: "r", [0, 255, 0]: "g", [0, 0, 255]: "b", [255, 255, 255]: "w", [128, 0, 0, 128]: "R",
            [0, 128, 0, 128]: "G", [0, 0, 128, 128]: "B",
        ]
        return [(2, 2), (14, 2), (2, 6), (14, 6)].map { x, y in
            let pixel = pixels.pixel(x, y)
            return names[pixel.last == 255 && pixel.count == 4 ? Array(pixel.prefix(3)) : pixel] ?? "?"
        }.joined()
    }

    @Test(.enabled(if: decodesAVIF), arguments: [false, true], [[3], [1, 2]])
    func `frames have their own pixels and delays`(hasAlpha: Bool, chunks: [Int]) async throws {
        var sequence = AVIFSequence()
        sequence.chunks = chunks
        sequence.hasLongOffsets = chunks.count > 1
        if hasAlpha { sequence.alphaSamples = [AVIFSequence.alpha, AVIFSequence.alpha, AVIFSequence.alpha] }
        let player = AnimationPlayer(try #require(outline(sequence.bytes)))
        for _ in 0..<2 {
            for (expected, delay) in [("rgbw", 100), ("gbwr", 200), ("bwrg", 50)] {
                let frame = try #require(await player.next())
                let first = hasAlpha ? expected.prefix(1).uppercased() : String(expected.prefix(1))
                #expect(letters(frame.pixels) == first + expected.dropFirst())
                #expect(frame.delay == .milliseconds(delay))
            }
        }
    }

    @Test(.enabled(if: decodesAVIF), arguments: [false, true])
    func `a loaded image has its animation and frame count`(isIsolated: Bool) async throws {
        let decoder: any ImageDecoder = isIsolated ? IsolatedDecoder() : HEIFDecoder()
        let pipeline = ImagePipeline.test(FakeTransport(), decoder: decoder)
        let bytes = AVIFSequence().bytes
        let image = try await pipeline.image(for: ImageRequest(ImageSource.bytes(bytes, identity: "avis")))
        #expect(image.info.frameCount == 3)
        #expect(letters(image.pixels) == "rgbw")
        let player = AnimationPlayer(try #require(image.animation))
        for expected in ["rgbw", "gbwr", "bwrg", "rgbw"] {
            #expect(letters(try #require(await player.next()).pixels) == expected)
        }
    }

    // MARK: Playable sequences

    @Test func `a sequence plays as often as its edit list specifies`() {
        #expect(animation()?.frameCount == 3)
        #expect(animation()?.playCount == nil)
        #expect(animation()?.duration == .milliseconds(350))
        for (milliseconds, flags, count) in [(350, 1, 1), (175, 1, 2), (100, 1, 4), (175, 0, 1), (0, 1, 1)] {
            let edit = AVIFSequence.repeatedEdit(milliseconds, flags: UInt8(flags))
            #expect(animation { $0.trackBoxes = [edit] }?.playCount == count, "\(milliseconds) ms")
        }
    }

    @Test func `a sequence whose frames depend on other frames is not played`() {
        #expect(animation { $0.syncSamples = nil }?.frameCount == 3)
        #expect(animation { $0.syncSamples = [1] } == nil)
        #expect(animation { $0.tableBoxes = [AVIFFile.box("ctts", [UInt8](repeating: 0, count: 8))] } == nil)
        let alpha = AVIFSequence.alpha
        #expect(
            animation { ($0.syncSamples, $0.alphaSamples) = (nil, [alpha, alpha]) } == nil, "alpha has fewer frames")
    }

    @Test func `a sequence that is rotated or differs in size from its image is not played`() {
        #expect(animation { $0.matrix.reverse() } == nil)
        #expect(animation { $0.trackSize.width = 15 } == nil)
        for property in [HEIFFile.rotation(quarterTurns: 2), HEIFFile.mirror(axis: 0)] {
            #expect(animation { $0.properties = [property] } == nil)
        }
        #expect(animation { $0.trackBoxes = [AVIFFile.box("tref", AVIFFile.box("prem", [0, 0, 0, 2]))] } == nil)
    }

    @Test func `a still image has no animation`() {
        #expect(outline(SampleImage.avif) == nil)
        #expect(ImageFormat.avif.frameCount(of: SampleImage.avif) == 1)
    }

    // MARK: Damage and limits

    @Test func `only the complete frames of a truncated file are counted`() {
        let bytes = AVIFSequence().bytes
        #expect(ImageFormat.avif.frameCount(of: bytes) == 3)
        #expect(ImageFormat.avif.frameCount(of: bytes, limit: 2) == 2)
        #expect(ImageFormat.avif.frameCount(of: Array(bytes.dropLast())) == 2)
        #expect(outline(Array(bytes.dropLast()))?.frameCount == 2)
        #expect(outline(Array(bytes.dropLast(60))) == nil)
        var sequence = AVIFSequence()
        sequence.alphaSamples = [AVIFSequence.alpha, AVIFSequence.alpha, AVIFSequence.alpha]
        #expect(outline(Array(sequence.bytes.dropLast()))?.frameCount == 2, "the alpha of the last frame is missing")
        for count in 0..<bytes.count { #expect(ImageFormat.avif.frameCount(of: Array(bytes[..<count])) <= 3) }
    }

    @Test(.timeLimit(.minutes(1))) func `the counts that a table claims are bounded by the file`() {
        let most = Int(UInt32.max)
        var sequence = AVIFSequence()
        (sequence.claimedCount, sequence.syncSamples) = (most, nil)
        #expect(outline(sequence.bytes)?.frameCount == 3)
        sequence.delays = [most, 0, 5]
        let animation = outline(sequence.bytes)
        #expect(animation?.duration == .milliseconds(most + 200))
        sequence.chunks = [most]
        #expect(outline(sequence.bytes)?.frameCount == 3)
        var limits = DecodeLimits()
        limits.maxFrameCount = 2
        #expect(outline(sequence.bytes, limits: limits)?.frameCount == 2)
        limits.maxAnimationByteCount = 128 * 20 - 1
        #expect(outline(sequence.bytes, limits: limits) == nil)
    }

    /// Reading the header checks only the primary image, which is small. A frame may be larger.
    @Test(.enabled(if: decodesAVIF)) func `a frame larger than its track claims is not decoded`() async throws {
        var sequence = AVIFSequence()
        let large = PixelSize(width: 16_000, height: 16_000)
        sequence.samples[1] = AVIFFile.sequence(large) + AVIFFile.frame()
        let player = AnimationPlayer(try #require(outline(sequence.bytes)))
        #expect(letters(try #require(await player.next()).pixels) == "rgbw")
        #expect(await player.next() == nil)
    }

    @Test(arguments: 0..<300) func `a damaged sequence plays its readable frames`(seed: Int) async throws {
        var random = SeededGenerator(seed: UInt64(seed))
        var sequence = AVIFSequence()
        if seed % 2 == 0 { sequence.alphaSamples = [AVIFSequence.alpha, AVIFSequence.alpha, AVIFSequence.alpha] }
        var bytes = sequence.bytes
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            bytes[Int.random(in: 24..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
        }
        guard let animation = outline(bytes) else { return }
        let player = AnimationPlayer(animation)
        for _ in 0..<5 { guard await player.next() != nil else { break } }
    }
}
