import Dispatch
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// When the received part of an image is decoded as a preview.
@Suite(.timeLimit(.minutes(2)), .endsInTime)
struct PreviewMakerTests {
    /// Records what it decodes, and waits for the test if it is held.
    private final class Decoder: ImageDecoder {
        let formats: Set<ImageFormat> = [.jpeg, .png]
        let beginnings = Watched<[(byteCount: Int, target: TargetSize?)]>([])
        let thumbnails = Watched<[PixelSize]>([])
        let isHeld = Lock(false)
        let gate = DispatchSemaphore(value: 0)

        private func pixels(_ size: PixelSize) -> PixelBuffer { PixelBuffer(size: size, format: .rgb8) { _ in } }

        func decode(_ bytes: [UInt8], _ request: DecodeRequest) throws(ImageError) -> DecodedImage {
            thumbnails.update { $0.append(request.header.size) }
            return DecodedImage(pixels: pixels(request.header.size), size: request.header.size)
        }

        func decodeBeginning(_ bytes: [UInt8], _ request: DecodeRequest) -> PixelBuffer? {
            beginnings.update { $0.append((bytes.count, request.target)) }
            if isHeld.withLock({ $0 }) { gate.wait() }
            return pixels(request.header.size)
        }
    }

    private let decoder = Decoder()
    private let clock = TestClock()
    private let resources = DecodeResources.own(threadCount: 1, byteCount: 64 << 20)
    /// The numbers of bytes behind the received previews.
    private let received = Watched<[Int]>([])

    private func maker(_ options: PreviewOptions = .progressive, maxPixelCount: Int? = nil) -> PreviewMaker {
        var limits = DecodeLimits()
        if let maxPixelCount { limits.maxPixelCount = maxPixelCount }
        return PreviewMaker(
            options, DecoderRegistry([decoder]), DecodeScheduler(resources, clock: clock), limits: limits, clock: clock
        ) {
            .longestSide(9)
        } receive: { [received] image in
            received.update { $0.append(image.info.byteCount) }
        }
    }

    /// The start of a JPEG of 16 × 8 pixels with a comment, so that it has `byteCount` bytes.
    private func file(
        _ scanCount: Int, _ byteCount: Int, width: Int = 16, isProgressive: Bool = true, hasThumbnail: Bool = false
    ) -> [UInt8] {
        var jpeg = GrayJPEG(size: PixelSize(width: width, height: 8), sampling: [(1, 1)])
        (jpeg.isProgressive, jpeg.scanCount) = (isProgressive, scanCount)
        var bytes = Array(jpeg.bytes.dropLast(2))
        let count = bytes.count
        if hasThumbnail { bytes = ExifBlock.insert(orientation: 1, thumbnail: SampleImage.grayJPEG, into: bytes) }
        let length = byteCount - bytes.count - 2
        let comment =
            [0xFF, 0xFE, UInt8(length >> 8), UInt8(length & 0xFF)] + [UInt8](repeating: 32, count: length - 2)
        // The Exif block comes first.
        let start = bytes.count - count + 2
        return bytes[..<start] + comment + bytes[start...]
    }

    /// Waits until the only decode thread has done what was posted before.
    private func settle() async {
        for _ in 0..<3 { await Task(executorPreference: resources.threads) {}.value }
    }

    @Test func `a preview needs 16 KiB more than the last and comes 200 ms after it`() async throws {
        let maker = maker()
        maker.look(at: file(2, 16_383))
        maker.look(at: file(2, 16_384))
        try await received.wait { $0 == [16_384] }
        clock.advance(by: .milliseconds(199))
        maker.look(at: file(3, 40_000))
        clock.advance(by: .milliseconds(1))
        maker.look(at: file(3, 32_767))
        maker.look(at: file(3, 32_768))
        try await received.wait { $0 == [16_384, 32_768] }
        #expect(decoder.beginnings.value.map(\.byteCount) == [16_384, 32_768])
        #expect(decoder.beginnings.value.allSatisfy { $0.target == .longestSide(9) })
    }

    @Test func `a preview needs another complete scan`() async throws {
        let maker = maker()
        maker.look(at: file(2, 20_000))
        try await received.wait { $0 == [20_000] }
        clock.advance(by: .seconds(1))
        maker.look(at: file(2, 40_000))
        let more = file(3, 60_000)
        try await waitUntil("the next preview") {
            maker.look(at: more)
            return received.value.count > 1
        }
        #expect(received.value == [20_000, 60_000])
    }

    /// Each check may copy all bytes.
    @Test func `a preview of a large file needs a sixteenth more than the last`() async throws {
        let maker = maker()
        let first = file(2, 60_000) + [UInt8](repeating: 0, count: 420_000)
        maker.look(at: first)
        try await received.wait { $0 == [480_000] }
        clock.advance(by: .seconds(1))
        let more = file(3, 60_000)
        maker.look(at: more + [UInt8](repeating: 0, count: 449_999))
        maker.look(at: more + [UInt8](repeating: 0, count: 450_000))
        try await received.wait { $0 == [480_000, 510_000] }
    }

    @Test func `a file that has no preview is checked once`() async {
        let files: [(PreviewOptions, [UInt8])] = [
            ([.progressive, .embeddedThumbnail], SampleImage.palettePNG + [UInt8](repeating: 0, count: 20_000)),
            (.progressive, file(2, 20_000, isProgressive: false, hasThumbnail: true)),
            (.embeddedThumbnail, file(2, 20_000)),
        ]
        for (options, bytes) in files {
            let maker = maker(options)
            maker.look(at: bytes)
            await settle()
            // Another file shows whether it looks again.
            maker.look(at: file(2, 50_000, isProgressive: options.contains(.progressive), hasThumbnail: true))
            await settle()
        }
        #expect(decoder.beginnings.value.isEmpty && decoder.thumbnails.value.isEmpty)
    }

    @Test func `one preview is made at a time`() async throws {
        let maker = maker()
        decoder.isHeld.withLock { $0 = true }
        maker.look(at: file(2, 16_384))
        try await decoder.beginnings.wait { $0.count == 1 }
        clock.advance(by: .milliseconds(500))
        maker.look(at: file(3, 32_768))
        decoder.isHeld.withLock { $0 = false }
        decoder.gate.signal()
        try await received.wait { $0 == [16_384] }
        clock.advance(by: .milliseconds(199))
        maker.look(at: file(4, 49_152))
        #expect(decoder.beginnings.value.count == 1, "the interval starts at the end of a preview")
        clock.advance(by: .milliseconds(1))
        maker.look(at: file(4, 50_000))
        try await received.wait { $0 == [16_384, 50_000] }
    }

    @Test func `a preview that is ready after the end of the transfer is dropped, and none is begun`() async throws {
        let maker = maker()
        decoder.isHeld.withLock { $0 = true }
        maker.look(at: file(2, 16_384))
        try await decoder.beginnings.wait { $0.count == 1 }
        maker.end()
        decoder.isHeld.withLock { $0 = false }
        decoder.gate.signal()
        await settle()
        clock.advance(by: .seconds(1))
        maker.look(at: file(4, 50_000))
        await settle()
        #expect(received.value.isEmpty)
        #expect(decoder.beginnings.value.count == 1)
    }

    @Test func `a preview does not wait for memory`() async throws {
        let maker = maker()
        let claims = (0..<4).map { _ in resources.budget.claim(16 << 20, .normal).claim }
        maker.look(at: file(2, 16_384))
        await settle()
        for claim in claims { claim.end() }
        let more = file(3, 40_000)
        try await waitUntil("a preview") {
            maker.look(at: more)
            return !received.value.isEmpty
        }
        #expect(received.value.last == 40_000)
    }

    /// Each option with a progressive file, and with a baseline file, both with a thumbnail.
    private static let choices: [(PreviewOptions, Bool, Int, Int)] = [
        (.progressive, true, 1, 0), (.progressive, false, 0, 0), (.embeddedThumbnail, true, 0, 1),
        (.embeddedThumbnail, false, 0, 1), ([.progressive, .embeddedThumbnail], true, 1, 0),
        ([.progressive, .embeddedThumbnail], false, 0, 1),
    ]

    @Test(arguments: choices)
    func `the options decide between scans and the thumbnail`(
        options: PreviewOptions, isProgressive: Bool, beginningCount: Int, thumbnailCount: Int
    ) async {
        let maker = maker(options)
        maker.look(at: file(2, 20_000, isProgressive: isProgressive, hasThumbnail: true))
        await settle()
        clock.advance(by: .seconds(1))
        maker.look(at: file(2, 40_000, isProgressive: isProgressive, hasThumbnail: true))
        await settle()
        #expect(decoder.beginnings.value.count == beginningCount)
        #expect(
            decoder.thumbnails.value == [PixelSize](repeating: PixelSize(width: 16, height: 8), count: thumbnailCount))
    }

    @Test(arguments: [(16, 1), (15, 0)])
    func `a thumbnail with more pixels than its image is not shown`(width: Int, count: Int) async {
        maker(.embeddedThumbnail).look(at: file(1, 20_000, width: width, isProgressive: false, hasThumbnail: true))
        await settle()
        #expect(decoder.thumbnails.value.count == count)
    }

    @Test func `a thumbnail is shown as the whole image, of which it has a few pixels`() async throws {
        let infos = Watched<[ImageInfo]>([])
        let maker = PreviewMaker(
            .embeddedThumbnail, DecoderRegistry([decoder]), DecodeScheduler(resources, clock: clock),
            limits: DecodeLimits(), clock: clock
        ) {
            nil
        } receive: { image in
            infos.update { $0.append(image.info) }
        }
        maker.look(at: file(1, 20_000, width: 64, isProgressive: false, hasThumbnail: true))
        try await infos.wait { !$0.isEmpty }
        let info = infos.value[0]
        #expect(info.size == PixelSize(width: 64, height: 8))
        #expect(info.decodedSize == PixelSize(width: 16, height: 8))
        #expect(info.format == .jpeg && info.origin == .network && info.byteCount == 20_000)
    }

    @Test(arguments: [(128, 1), (127, 0)])
    func `an image with too many pixels has no preview`(maxPixelCount: Int, count: Int) async {
        maker(maxPixelCount: maxPixelCount).look(at: file(2, 20_000))
        await settle()
        #expect(decoder.beginnings.value.count == count)
    }

    @Test func `a PNG has no preview`() async {
        maker([.progressive, .embeddedThumbnail]).look(at: TestImage().bytes + [UInt8](repeating: 1, count: 20_000))
        await settle()
        #expect(decoder.beginnings.value.isEmpty && decoder.thumbnails.value.isEmpty)
    }
}
