import HTTPTypes
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// Background validations of stale responses take transfer places, as other transfers do.
@Suite(.timeLimit(.minutes(2)))
struct ValidationPlacesTests {
    private let transport = FakeTransport()
    private let clock = TestClock()
    private let fetched = Watched<[String]>([])
    private let pipeline: ImagePipeline

    init() {
        let (clock, fetched) = (clock, fetched)
        pipeline = .test(transport, memoryCache: nil) {
            $0.clock = clock
            $0.responseStore = DictionaryStore()
            $0.rateLimit = nil
            $0.maxConcurrentTransfersPerHost = 1
            $0.observers = [FetchRecorder(sources: fetched).receive]
        }
    }

    private func load(_ path: String, isVisible: Bool = false) -> PendingImage {
        PendingImage(ImageRequest(ImageSource("http://test/\(path)")), in: pipeline, isVisible: isVisible)
    }

    /// Stores an image that is stale, but may be shown while it is validated.
    private func store(_ path: String) async throws {
        let image = load(path)
        try await transport.started(count: 1).succeed(
            TestImage(1).bytes, headers: [.cacheControl: "max-age=1, stale-while-revalidate=600", .eTag: "\"1\""])
        _ = try await image.image
        await pipeline.finishWriting()
        clock.advance(by: .seconds(2))
        #expect(try await load(path).image.info.origin == .stale)
    }

    /// Waits for a value, which ends with the time limit of the test; waiting for the pipeline does
    /// not.
    private func finishWriting() async throws {
        let isFinished = Watched(false)
        Task { [pipeline] in
            await pipeline.finishWriting()
            isFinished.update { $0 = true }
        }
        try await isFinished.wait { $0 }
    }

    /// All of them used to start at once, one for each stale image.
    @Test func `a background validation takes a transfer place`() async throws {
        try await store("a")
        let validation = try await transport.started(count: 2)
        #expect(validation.request.headers[.ifNoneMatch] == "\"1\"")
        let image = load("b", isVisible: true)
        #expect(!fetched.value.contains("http://test/b"))
        validation.succeed([], status: 304)
        try await transport.started(count: 3).succeed(TestImage(2).bytes)
        #expect(try await image.image.content == 2)
        try await finishWriting()
        #expect(pipeline.context.jobs.jobCount == 0)
        #expect(try await load("a").image.info.origin == .disk)
        #expect(transport.transfers.count == 3)
    }

    @Test func `a running validation ends with the pipeline`() async throws {
        try await store("a")
        let running = try await transport.started(count: 2)
        pipeline.context.jobs.cancelAll()
        try await running.cancelled()
        try await finishWriting()
    }

    @Test func `a waiting validation ends with the pipeline`() async throws {
        let address = try WebAddress("http://test/a")
        let stored = StoredResponse(status: 200, headers: [:], address: address, requestTime: 0, responseTime: 0)
        let blocking = load("b")
        try await transport.started(count: 1)
        let (http, jobs) = (pipeline.context.http, pipeline.context.jobs)
        let lookup = HTTPCache.Lookup(key: "a", policy: .http)
        let validation = try #require(BackgroundValidation(stored, TransferRequest(address), lookup, http))
        jobs.want(validation)
        #expect(jobs.jobCount == 3)
        jobs.cancelAll()
        try await finishWriting()
        #expect(transport.transfers.count == 1)
        withExtendedLifetime(blocking) {}
    }

    private func validation(in http: HTTPCache) throws -> BackgroundValidation? {
        let address = try WebAddress("http://test/a")
        let stored = StoredResponse(status: 200, headers: [:], address: address, requestTime: 0, responseTime: 0)
        return BackgroundValidation(
            stored, TransferRequest(address), HTTPCache.Lookup(key: "a", policy: .http), http)
    }

    @Test func `a validation waits behind loads of low priority and goes before prefetches`() async throws {
        let blocking = load("b")
        let first = try await transport.started(count: 1)
        let prefetcher = ImagePrefetcher(pipeline: pipeline)
        prefetcher.start(["http://test/d"])
        await LoadQueue.shared.settled()
        pipeline.context.jobs.want(try #require(try validation(in: pipeline.context.http)))
        let low = PendingImage(
            ImageRequest("http://test/c", options: ImageOptions(priority: .low)), in: pipeline)
        first.succeed(TestImage(2).bytes)
        try await transport.started(count: 2).succeed(TestImage(3).bytes)
        try await transport.started(count: 3).succeed(TestImage(4).bytes)
        try await transport.started(count: 4).succeed(TestImage(5).bytes)
        #expect(transport.addresses == ["b", "c", "a", "d"].map { "http://test/\($0)" })
        _ = try await (blocking.image, low.image)
        try await finishWriting()
    }

    /// The transfer of a cancelled validation may not have ended when the next one begins.
    @Test func `a second validation of a response in the queue is abandoned at once`() async throws {
        let blocking = load("b")
        try await transport.started(count: 1)
        let other = ImagePipeline.test(transport) { $0.responseStore = DictionaryStore() }
        for http in [pipeline.context.http, other.context.http] {
            pipeline.context.jobs.want(try #require(try validation(in: http)))
        }
        #expect(try validation(in: pipeline.context.http) == nil, "the first one waits")
        let next = try validation(in: other.context.http)
        #expect(next != nil, "the second one has ended")
        next?.abandon()
        pipeline.context.jobs.cancelAll()
        try await finishWriting()
        withExtendedLifetime(blocking) {}
    }

    @Test func `a validation that was abandoned just before its start sends nothing and ends once`() async throws {
        let address = try WebAddress("http://test/a")
        let stored = StoredResponse(status: 200, headers: [:], address: address, requestTime: 0, responseTime: 0)
        let http = pipeline.context.http
        let lookup = HTTPCache.Lookup(key: "a", policy: .http)
        let validation = try #require(BackgroundValidation(stored, TransferRequest(address), lookup, http))
        validation.abandon()
        var isOver = false
        await validation.run { isOver = true }
        #expect(isOver)
        #expect(transport.transfers.isEmpty)
        try await finishWriting()
    }
}

private struct FetchRecorder {
    let sources: Watched<[String]>

    func receive(_ event: PipelineEvent) {
        if case .fetching = event.step { sources.update { $0.append(event.source) } }
    }
}
