import Dispatch
import RemoteImagePixbuf
import TestSupport
import Testing

@testable import RemoteImageCore

/// How much is decoded at once, and for how long.
@Suite(.timeLimit(.minutes(5)))
struct DecodeCostTests {
    private func load(_ bytes: [UInt8], in pipeline: ImagePipeline) async throws -> UInt8 {
        let image = try await pipeline.image(for: ImageRequest(ImageSource.bytes(bytes, identity: "\(bytes)")))
        return image.pixels.withUnsafeBytes { $0[0] }
    }

    // MARK: Time

    /// Waits until the test lets it go.
    private struct StuckDecoder: ImageDecoder {
        let gate: DispatchSemaphore
        let entered: Watched<Int>
        var formats: Set<ImageFormat> { [] }

        func header(of bytes: [UInt8]) -> ImageHeader? {
            ImageHeader(format: .other, storedSize: PixelSize(width: 1, height: 1))
        }

        func decode(_ bytes: [UInt8], _ request: DecodeRequest) throws(ImageError) -> DecodedImage {
            entered.update { $0 += 1 }
            gate.wait()
            throw ImageError(.corrupt)
        }
    }

    @Test func `decodes that never end cost their pictures, and no others their threads`() async throws {
        let clock = TestClock()
        let gate = DispatchSemaphore(value: 0)
        let entered = Watched(0)
        let pipeline = ImagePipeline.test(FakeTransport(), decoder: PixbufDecoder(), memoryCache: nil) {
            $0.clock = clock
            $0.decodeLimits.timeout = .seconds(5)
        }
        let stuck = pipeline.decoders.register(StuckDecoder(gate: gate, entered: entered))
        let count = WorkerThreads.shared.count
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
        // Every thread there was is stuck, and yet:
        #expect(try await load(SamplePicture.palettePNG, in: pipeline) > 200)
        for _ in 0..<count { gate.signal() }
        #expect(try await load(SamplePicture.palettePNG, in: pipeline) > 200)
        #expect(pending.allSatisfy { $0.answerCount == 1 })
    }

    // MARK: Memory

    @Test func `pictures that are too large together wait for each other`() async throws {
        let budget = DecodeBudget(byteCount: 100)
        let peak = Watched((now: 0, most: 0))
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<30 {
                group.addTask {
                    try? budget.holding(60) { () throws(ImageError) in
                        peak.update { peak in
                            peak.now += 60
                            peak.most = max(peak.most, peak.now)
                        }
                        peak.update { $0.now -= 60 }
                    }
                }
            }
        }
        #expect(peak.value.most == 60)
        // One that is larger than all there is goes alone.
        #expect(try budget.holding(1000) { () throws(ImageError) in 1 } == 1)
    }

    @Test func `of a JPEG only what its transform makes is counted`() {
        let header = ImageHeader(format: .jpeg, storedSize: PixelSize(width: 4000, height: 3000))
        #expect(DecodeRequest(header: header).estimatedByteCount == 48_000_000)
        #expect(DecodeRequest(header: header, target: .longestSide(500)).estimatedByteCount == 750_000)
        #expect(DecodeRequest(header: header, target: .longestSide(501)).estimatedByteCount == 3_000_000)
        let png = ImageHeader(format: .png, storedSize: PixelSize(width: 4000, height: 3000))
        #expect(DecodeRequest(header: png, target: .longestSide(500)).estimatedByteCount == 48_750_000)
        // What the decoder makes and what is packed are there at the same time.
        #expect(DecodeRequest(header: png).estimatedByteCount == 96_000_000)
        let drawing = ImageHeader(format: .svg, storedSize: PixelSize(width: 1, height: 1))
        #expect(DecodeRequest(header: drawing, target: .longestSide(2000)).estimatedByteCount == 32_000_000)
    }

    @Test(arguments: [true, false])
    func `of a JPEG in several scans all samples are counted`(isProgressive: Bool) throws {
        // Two blocks across and one down in a unit, and one of each colour: 4 bytes a pixel.
        var jpeg = GrayJPEG(size: PixelSize(width: 4000, height: 3200), sampling: [(2, 1), (1, 1), (1, 1)])
        #expect(try cost(of: jpeg.bytes) == 4000 * 3200 * 4 / 64)
        jpeg.isProgressive = isProgressive
        jpeg.isInterleaved = isProgressive
        #expect(try cost(of: jpeg.bytes) == 4000 * 3200 * 4 / 64 + 4000 * 3200 * 4)
    }

    private func cost(of jpeg: [UInt8]) throws -> Int {
        DecodeRequest(header: try ImageHeader.read(jpeg), target: .longestSide(500)).estimatedByteCount(of: jpeg)
    }
}
