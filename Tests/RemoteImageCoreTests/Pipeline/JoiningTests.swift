import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// Which requests join running work, and what remains when requests are cancelled.
@Suite(.timeLimit(.minutes(5)), .endsInTime)
struct JoiningTests {
    private let transport = FakeTransport()
    private let decoder = FakeDecoder()

    private func pipeline(configure: (inout ImagePipeline.Configuration) -> Void = { _ in }) -> ImagePipeline {
        .test(transport, decoder: decoder, configure: configure)
    }

    private func request(_ change: (inout ImageOptions) -> Void = { _ in }) -> ImageRequest {
        var options = ImageOptions()
        change(&options)
        return ImageRequest("http://test/a", options: options)
    }

    /// A processor that counts its applications.
    private func counting(_ name: String, _ count: Watched<Int>) -> ImageProcessor {
        ImageProcessor(identity: name) { pixels in
            count.update { $0 += 1 }
            return pixels
        }
    }

    // MARK: Joining

    @Test(arguments: [CachePolicy.cacheElseLoad, .reload, .noStore, .revalidate])
    func `requests with different cache policies share no running work`(policy: CachePolicy) async throws {
        let pipeline = pipeline()
        let plain = PendingImage(request(), in: pipeline)
        let other = PendingImage(request { $0.cachePolicy = policy }, in: pipeline)
        try await transport.started(count: 1).succeed(TestImage(1).bytes)
        try await transport.started(count: 2).succeed(TestImage(2).bytes)
        #expect(try await plain.image.content == 1)
        #expect(try await other.image.content == 2)
    }

    @Test func `requests that differ only in timing and presentation share all work`() async throws {
        let pipeline = pipeline()
        let changes: [(inout ImageOptions) -> Void] = [
            { $0.priority = .veryHigh }, { $0.loadOptions = .loadImmediately }, { $0.delay = .seconds(1) },
            { $0.transition = .crossFade }, { $0.keepsImageWhileLoading = true }, { $0.playsAnimation = false },
            { $0.previews = .progressive },
        ]
        let plain = PendingImage(request(), in: pipeline)
        let others = changes.map { PendingImage(request($0), in: pipeline) }
        try await transport.started(count: 1).succeed(TestImage().bytes)
        let pixels = try await plain.image.pixels
        for other in others { #expect(try await other.image.pixels === pixels) }
        #expect(transport.transfers.count == 1)
        #expect(decoder.decodeCount == 1)
    }

    @Test func `a request does not join work that has ended`() async throws {
        let pipeline = pipeline { $0.memoryCache = nil }
        let finished = PendingImage(request(), in: pipeline)
        try await transport.started(count: 1).succeed(TestImage(1).bytes)
        _ = try await finished.image
        let failed = PendingImage(request(), in: pipeline)
        try await transport.started(count: 2).fail(ImageError(.connection))
        await #expect(throws: ImageError(.connection)) { try await failed.image }
        let cancelled = PendingImage(request(), in: pipeline)
        try await transport.started(count: 3)
        cancelled.task?.cancel()
        let last = PendingImage(request(), in: pipeline)
        try await transport.started(count: 4).succeed(TestImage(4).bytes)
        #expect(try await last.image.content == 4)
    }

    // MARK: Cancelling

    @Test func `a second request receives the image after the first is cancelled`() async throws {
        let pipeline = pipeline()
        let (first, second) = (PendingImage(request(), in: pipeline), PendingImage(request(), in: pipeline))
        let transfer = try await transport.started(count: 1)
        first.task?.cancel()
        transfer.succeed(TestImage(2).bytes)
        #expect(try await second.image.content == 2)
        await #expect(throws: ImageError.cancelled) { try await first.image }
        #expect(first.answerCount == 1)
    }

    @Test func `cancelling the last request cancels the transfer, whatever each request wanted`() async throws {
        let pipeline = pipeline()
        let images = [
            PendingImage(request(), in: pipeline),
            PendingImage(ImageRequest("http://test/a", target: .longestSide(2)), in: pipeline),
            PendingImage(request { $0.processors = [.grayscale] }, in: pipeline),
        ]
        let transfer = try await transport.started(count: 1)
        for image in images { image.task?.cancel() }
        try await transfer.cancelled()
        #expect(pipeline.context.jobs.jobCount == 0)
    }

    @Test func `a cancelled request stops only the steps that no other request needs`() async throws {
        let pipeline = pipeline()
        let (own, common, others) = (Watched(0), Watched(0), Watched(0))
        let leaving = PendingImage(
            request { $0.processors = [counting("common", common), counting("own", own)] }, in: pipeline)
        let staying = PendingImage(
            request { $0.processors = [counting("common", common), counting("other", others)] }, in: pipeline)
        let transfer = try await transport.started(count: 1)
        leaving.task?.cancel()
        transfer.succeed(TestImage().bytes)
        _ = try await staying.image
        #expect([own.value, common.value, others.value] == [0, 1, 1])
    }

    @Test(arguments: [false, true])
    func `requests for the bytes and for the image can be cancelled independently`(isImageWanted: Bool) async throws {
        let pipeline = pipeline()
        let data = Task { try await pipeline.data(for: request()) }
        let transfer = try await transport.started(count: 1)
        let image = PendingImage(request(), in: pipeline)
        if isImageWanted {
            data.cancel()
            await #expect(throws: ImageError.cancelled) { try await data.value }
        } else {
            image.task?.cancel()
        }
        transfer.succeed(TestImage(6).bytes)
        if isImageWanted {
            #expect(try await image.image.content == 6)
        } else {
            #expect(try await data.value.bytes == TestImage(6).bytes)
        }
        #expect(transport.transfers.count == 1)
    }

    // MARK: Reuse

    @Test func `other sizes and processors use the stored bytes`() async throws {
        let pipeline = pipeline { $0.responseStore = DictionaryStore() }
        let small = PendingImage(ImageRequest("http://test/a", target: .longestSide(8)), in: pipeline)
        try await transport.started(count: 1).succeed(
            TestImage(width: 80, height: 60).bytes, headers: [.cacheControl: "max-age=60"])
        #expect(try await small.image.info.decodedSize == PixelSize(width: 8, height: 6))
        await pipeline.finishWriting()
        let processed = try await pipeline.image(for: request { $0.processors = [.grayscale] })
        #expect(processed.info.decodedSize == PixelSize(width: 80, height: 60))
        #expect(processed.info.origin == .disk)
        let full = try await pipeline.image(for: request())
        #expect(full.info.decodedSize == PixelSize(width: 80, height: 60))
        #expect(transport.transfers.count == 1)
    }

    @Test(arguments: [false, true])
    func `a smaller image replaces a larger image only if its content differs`(isAnother: Bool) async throws {
        let pipeline = pipeline()
        let full = PendingImage(request(), in: pipeline)
        try await transport.started(count: 1).succeed(TestImage(1, width: 80, height: 60).bytes)
        _ = try await full.image
        var small = request { $0.cachePolicy = .reload }
        small.target = .longestSide(8)
        let reloaded = PendingImage(small, in: pipeline)
        try await transport.started(count: 2).succeed(TestImage(isAnother ? 2 : 1, width: 80, height: 60).bytes)
        _ = try await reloaded.image
        #expect(pipeline.cachedImage(for: request())?.content == (isAnother ? nil : 1))
        #expect(pipeline.lookUp(request(), anySize: true)?.image.content == (isAnother ? 2 : 1))
    }
}
