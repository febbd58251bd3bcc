import Dispatch
import RemoteImage
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore
@testable import RemoteImageDecoding

/// The time limit and the memory estimate of decodes.
@Suite(.timeLimit(.minutes(5)), .endsInTime)
struct DecodeCostTests {
    private func load(_ bytes: [UInt8], in pipeline: ImagePipeline) async throws -> UInt8 {
        let image = try await pipeline.image(for: ImageRequest(ImageSource.bytes(bytes, identity: "\(bytes)")))
        return image.pixels.withUnsafeBytes { $0[0] }
    }

    // MARK: Time

    /// Blocks until the test signals the gate.
    private struct StuckDecoder: ImageDecoder {
        let gate: DispatchSemaphore
        let entered: Watched<Int>
        var size = PixelSize(width: 1, height: 1)
        var formats: Set<ImageFormat> { [] }

        func header(of bytes: [UInt8]) -> ImageHeader? { ImageHeader(format: .other, storedSize: size) }

        func decode(_ bytes: [UInt8], _ request: DecodeRequest) throws(ImageError) -> DecodedImage {
            entered.update { $0 += 1 }
            gate.wait()
            throw ImageError(.corrupt)
        }
    }

    @Test func `decodes that never return time out and do not block other images`() async throws {
        let (clock, resources) = (TestClock(), DecodeResources.own())
        let gate = DispatchSemaphore(value: 0)
        let entered = Watched(0)
        let pipeline = ImagePipeline.test(FakeTransport(), decoder: PNGDecoder(), memoryCache: nil) {
            $0.clock = clock
            $0.decodeResources = resources
            $0.decodeLimits.timeout = .seconds(5)
        }
        let stuck = pipeline.decoders.register(StuckDecoder(gate: gate, entered: entered))
        let count = resources.threads.count
        let pending = (0..<count).map { number in
            PendingImage(
                ImageRequest(ImageSource.bytes([UInt8(number), 0], identity: "stuck \(number)")), in: pipeline)
        }
        try await entered.wait { $0 == count }
        stuck.cancel()
        clock.advance(by: .seconds(6))
        for image in pending {
            let error = await #expect(throws: ImageError.self) { try await image.image }
            #expect(error?.code == .decodeTimeout)
        }
        // Every original thread is stuck, and a new thread decodes.
        #expect(try await load(SampleImage.palettePNG, in: pipeline) > 200)
        for _ in 0..<count { gate.signal() }
        #expect(try await load(SampleImage.palettePNG, in: pipeline) > 200)
        #expect(pending.allSatisfy { $0.answerCount == 1 })
    }

    private struct DecodingObserver {
        let count = Watched(0)

        func receive(_ event: PipelineEvent) {
            if case .decoding = event.step { count.update { $0 += 1 } }
        }
    }

    @Test func `the time limit of a decode excludes its wait for memory`() async throws {
        let (clock, resources) = (TestClock(), DecodeResources.own())
        let gate = DispatchSemaphore(value: 0)
        let entered = Watched(0)
        let observer = DecodingObserver()
        let pipeline = ImagePipeline.test(FakeTransport(), decoder: PNGDecoder(), memoryCache: nil) {
            $0.clock = clock
            $0.decodeResources = resources
            $0.decodeLimits.timeout = .seconds(5)
            $0.observers = [observer.receive]
        }
        pipeline.decoders.register(StuckDecoder(gate: gate, entered: entered, size: PixelSize(width: 10, height: 10)))
        var patient = ImageOptions()
        patient.decodeLimits = DecodeLimits()
        let first = PendingImage(
            ImageRequest(ImageSource.bytes([1], identity: "first"), options: patient), in: pipeline)
        try await entered.wait { $0 == 1 }
        let second = PendingImage(ImageRequest(ImageSource.bytes([2], identity: "second")), in: pipeline)
        try await observer.count.wait { $0 == 2 }
        clock.advance(by: .seconds(10))
        gate.signal()
        gate.signal()
        for image in [first, second] {
            let error = await #expect(throws: ImageError.self) { try await image.image }
            #expect(error?.code == .corrupt, "what the decoder says")
        }
    }

    /// The timer of the first decode used to apply to all decodes.
    @Test func `a decode with a shorter limit than an earlier decode expires first`() throws {
        let clock = TestClock()
        let watch = DecodeWatchdog(clock, WorkerThreads.decoding)
        let expired = Watched<[Int]>([])
        try watch.watch(limit: .seconds(60)) {
            expired.update { $0.append(60) }
        } _: { () throws(ImageError) in
            try watch.watch(limit: .seconds(5)) {
                expired.update { $0.append(5) }
            } _: { () throws(ImageError) in
                clock.advance(by: .seconds(6))
            }
            #expect(expired.value == [5])
            clock.advance(by: .seconds(60))
        }
        #expect(expired.value == [5, 60])
    }

    // MARK: Memory

    @Test func `the estimate of a JPEG counts the pixels after DCT scaling`() {
        let header = ImageHeader(format: .jpeg, storedSize: PixelSize(width: 4000, height: 3000))
        #expect(DecodeRequest(header: header).estimatedByteCount == 48_000_000)
        #expect(DecodeRequest(header: header, target: .longestSide(500)).estimatedByteCount == 750_000)
        #expect(DecodeRequest(header: header, target: .longestSide(501)).estimatedByteCount == 3_000_000)
        let png = ImageHeader(format: .png, storedSize: PixelSize(width: 4000, height: 3000))
        #expect(DecodeRequest(header: png, target: .longestSide(500)).estimatedByteCount == 48_750_000)
        // The decoder's pixels and the packed pixels exist at the same time.
        #expect(DecodeRequest(header: png).estimatedByteCount == 96_000_000)
        let drawing = ImageHeader(format: .svg, storedSize: PixelSize(width: 1, height: 1))
        #expect(DecodeRequest(header: drawing, target: .longestSide(2000)).estimatedByteCount == 32_000_000)
    }

    @Test(arguments: [true, false])
    func `the estimate of a JPEG with several scans counts all coefficients`(isProgressive: Bool) throws {
        // A coded unit has two luma blocks and one block of each chroma channel: 4 bytes per pixel.
        var jpeg = GrayJPEG(size: PixelSize(width: 4000, height: 3200), sampling: [(2, 1), (1, 1), (1, 1)])
        #expect(try cost(of: jpeg.bytes) == 4000 * 3200 * 4 / 64)
        jpeg.isProgressive = isProgressive
        jpeg.isInterleaved = isProgressive
        #expect(try cost(of: jpeg.bytes) == 4000 * 3200 * 4 / 64 + 4000 * 3200 * 4)
    }

    private func cost(of file: [UInt8], target: TargetSize? = .longestSide(500)) throws -> Int {
        DecodeRequest(header: try ImageHeader.read(file), target: target).estimatedByteCount(of: file)
    }

    @Test func `the estimate of a PNG averaged row by row counts the result and the rows`() throws {
        var png = PNGChunk.header(width: 4000, height: 3000)
        let rows = 4000 * 4 * FormatFacts.heldRowCount
        #expect(try cost(of: png) == 2 * 750_000 + rows)
        #expect(try cost(of: png, target: nil) == 96_000_000 + rows)
        // Interlaced.
        png[28] = 1
        #expect(try cost(of: png) == 48_000_000 + 750_000)
    }

    @Test func `the estimate of a WebP with alpha counts the pixels twice`() throws {
        // The sides less one, then the alpha flag.
        func lossless(hasAlpha: Bool) -> [UInt8] {
            let bits = 3999 | 2999 << 14 | (hasAlpha ? 1 << 28 : 0)
            return Array("RIFF\0\0\0\0WEBPVP8L\u{5}\0\0\0/".utf8)
                + [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: bits >> $0) }
        }
        #expect(try cost(of: lossless(hasAlpha: false)) == 48_000_000 + 750_000)
        #expect(try cost(of: lossless(hasAlpha: true)) == 96_000_000 + 750_000)
        func extended(flags: UInt8) -> [UInt8] {
            Array("RIFF\0\0\0\0WEBPVP8X\u{A}\0\0\0".utf8) + [flags, 0, 0, 0, 0x9F, 0x0F, 0, 0xB7, 0x0B, 0]
        }
        #expect(try cost(of: extended(flags: 0)) == 48_000_000 + 750_000)
        #expect(try cost(of: extended(flags: 0x10)) == 96_000_000 + 750_000)
    }

    @Test(arguments: [ImageFormat.avif, .heic])
    func `the estimate of AVIF and HEIC includes the samples of the codec`(format: ImageFormat) {
        let header = ImageHeader(format: format, storedSize: PixelSize(width: 4000, height: 3000))
        let request = DecodeRequest(header: header, target: .longestSide(500))
        #expect(request.estimatedByteCount(of: []) == 3 * 48_000_000 + 750_000)
    }

    @Test func `the estimate of a rotated JPEG counts the pixels before and after rotation`() {
        let size = PixelSize(width: 4000, height: 3000)
        let oriented = DecodeRequest(header: ImageHeader(format: .jpeg, storedSize: size, orientation: .right))
        #expect(oriented.estimatedByteCount(of: []) == 72_000_000)
        let upright = DecodeRequest(header: ImageHeader(format: .jpeg, storedSize: size))
        #expect(upright.estimatedByteCount(of: []) == 48_000_000)
    }
}
