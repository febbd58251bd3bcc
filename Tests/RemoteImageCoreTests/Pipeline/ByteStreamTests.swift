import HTTPTypes
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// Images whose data the program produces in pieces.
@Suite(.timeLimit(.minutes(2)), .endsInTime)
struct ByteStreamTests {
    private typealias Pieces = AsyncThrowingStream<[UInt8], any Error>

    private let pipeline = ImagePipeline.test(FakeTransport())
    private let pieces: Pieces
    private let source: Pieces.Continuation
    private let image = TestImage(5).bytes

    init() {
        (pieces, source) = Pieces.makeStream()
    }

    private func request(byteCount: Int? = nil, contentType: String? = nil, timeout: Duration? = nil) -> ImageRequest {
        let stream = ByteStream(pieces, byteCount: byteCount, contentType: contentType)
        return ImageRequest(
            ImageSource.stream(identity: "attachment") { stream }, options: ImageOptions(timeout: timeout))
    }

    private func finish(_ parts: [[UInt8]]) {
        for part in parts { source.yield(part) }
        source.finish()
    }

    @Test func `the pieces are joined in order, and empty ones are skipped`() async throws {
        finish([Array(image[..<10]), [], Array(image[10...])])
        let loaded = try await pipeline.image(for: request(byteCount: image.count))
        #expect(loaded.content == 5)
        #expect(loaded.info.origin == .local)
        #expect(loaded.info.byteCount == image.count)
    }

    @Test(arguments: [true, false]) func `progress is reported after each piece`(isCounted: Bool) async throws {
        let progress = Watched<[LoadProgress]>([])
        let total = isCounted ? image.count : nil
        let task = pipeline.start(request(byteCount: total)) { event in
            if case .progress(let new) = event { progress.update { $0.append(new) } }
        }
        source.yield(Array(image[..<10]))
        try await progress.wait { !$0.isEmpty }
        #expect(progress.value == [LoadProgress(completedByteCount: 10, totalByteCount: total)])
        finish([Array(image[10...])])
        try await progress.wait { $0.last?.completedByteCount == image.count }
        withExtendedLifetime(task) {}
    }

    @Test func `equal requests share one stream`() async throws {
        let count = Watched(0)
        let request = ImageRequest(
            ImageSource.stream(identity: "attachment") { [pieces] in
                count.update { $0 += 1 }
                return ByteStream(pieces)
            })
        let images = [PendingImage(request, in: pipeline), PendingImage(request, in: pipeline)]
        finish([image])
        for image in images { #expect(try await image.image.content == 5) }
        #expect(count.value == 1)
    }

    @Test func `the media type is part of the data`() async throws {
        finish([image])
        let data = try await pipeline.data(for: request(contentType: "image/png"))
        #expect(data.headers[.contentType] == "image/png")
        #expect(data.bytes == image)
    }

    @Test func `the last cancellation ends the stream`() async throws {
        let isEnded = Watched(false)
        source.onTermination = { _ in isEnded.update { $0 = true } }
        let load = PendingImage(request(), in: pipeline)
        source.yield([1])
        try await waitUntil("the first piece") { load.task?.progress.completedByteCount == 1 }
        load.task?.cancel()
        await #expect(throws: ImageError.cancelled) { try await load.image }
        try await isEnded.wait { $0 }
    }

    @Test func `an announced length that is wrong is an error`() async throws {
        finish([image])
        let short = await #expect(throws: ImageError.self) {
            try await pipeline.image(for: request(byteCount: image.count + 1))
        }
        #expect(short?.code == .incomplete)
        let (pieces, source) = Pieces.makeStream()
        source.yield(image)
        source.finish()
        let long = await #expect(throws: ImageError.self) {
            try await pipeline.image(
                for: ImageRequest(
                    ImageSource.stream(identity: "long") { ByteStream(pieces, byteCount: image.count - 1) }))
        }
        #expect(long?.code == .source)
    }

    @Test func `a stream over the limit fails as soon as that is known`() async throws {
        var limited = request()
        var limits = TransferLimits()
        limits.maxBodyByteCount = 100
        limited.options.transferLimits = limits
        source.yield([UInt8](repeating: 0, count: 101))
        let received = await #expect(throws: ImageError.self) { try await pipeline.image(for: limited) }
        #expect(received?.code == .tooLarge)
        var announced = ImageRequest(
            ImageSource.stream(identity: "huge") { [pieces] in ByteStream(pieces, byteCount: .max) })
        announced.options.transferLimits = limits
        let error = await #expect(throws: ImageError.self) { try await pipeline.image(for: announced) }
        #expect(error?.code == .tooLarge)
    }

    @Test(arguments: [-1, .min]) func `a negative length is more than nothing`(byteCount: Int) async throws {
        finish([image])
        let error = await #expect(throws: ImageError.self) {
            try await pipeline.image(for: request(byteCount: byteCount))
        }
        #expect(error?.code == .source)
    }

    @Test func `an empty stream is an empty body`() async throws {
        finish([])
        let error = await #expect(throws: ImageError.self) { try await pipeline.image(for: request()) }
        #expect(error?.code == .emptyBody)
    }

    @Test func `errors of the stream are errors of the load`() async throws {
        struct Locked: Error {}
        source.finish(throwing: Locked())
        let error = await #expect(throws: ImageError.self) { try await pipeline.image(for: request()) }
        #expect(error?.code == .source)
        let own = ImageRequest(ImageSource.stream(identity: "own") { throw ImageError(.connection, "no key") })
        let second = await #expect(throws: ImageError.self) { try await pipeline.image(for: own) }
        #expect(second == ImageError(.connection, "no key"))
    }

    @Test func `a stream that stops times out`() async throws {
        let clock = TestClock()
        let pipeline = ImagePipeline.test(FakeTransport()) { $0.clock = clock }
        let load = PendingImage(request(timeout: .seconds(5)), in: pipeline)
        source.yield([1])
        try await clock.scheduled(count: 1)
        clock.advance(by: .seconds(5))
        let error = await #expect(throws: ImageError.self) { try await load.image }
        #expect(error?.code == .source)
        #expect(pipeline.context.jobs.jobCount == 0)
    }
}
