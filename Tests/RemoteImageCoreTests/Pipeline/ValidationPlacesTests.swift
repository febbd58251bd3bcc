import HTTPTypes
import TestSupport
import Testing

@testable import RemoteImageCore

/// Validations behind stale responses take places among the transfers, as every other transfer does.
@Suite(.timeLimit(.minutes(2)))
struct ValidationPlacesTests {
    private let transport = FakeTransport()
    private let clock = TestClock()
    private let store = MemoryStore()
    private let pipeline: ImagePipeline

    init() {
        let (clock, store) = (clock, store)
        pipeline = .test(transport, memoryCache: nil) {
            $0.clock = clock
            $0.responseStore = store
            $0.rateLimit = nil
            $0.maxTransferCountPerHost = 1
        }
    }

    private func load(_ path: String) -> PendingImage {
        PendingImage(ImageRequest(ImageSource("http://test/\(path)")), in: pipeline)
    }

    /// Stores images that are stale, and may be shown so.
    private func store(_ paths: [String]) async throws {
        for path in paths {
            let image = load(path)
            try await transport.started(count: transport.transfers.count + 1).succeed(
                TestPicture(1).bytes, headers: [.cacheControl: "max-age=1, stale-while-revalidate=600", .eTag: "\"1\""])
            _ = try await image.image
        }
        await pipeline.finishWriting()
        clock.advance(by: .seconds(2))
    }

    /// They began at once, as many as there were stale images.
    @Test func `they wait for a place, behind what a view waits for`() async throws {
        try await store(["a", "b"])
        for path in ["a", "b"] { #expect(try await load(path).image.info.origin == .stale) }
        let first = try await transport.started(count: 3)
        let image = PendingImage(ImageRequest("http://test/c"), in: pipeline, isOnScreen: true)
        first.succeed([], status: 304)
        let second = try await transport.started(count: 4)
        try #require(second.request.address.string == "http://test/c")
        second.succeed(TestPicture(2).bytes)
        #expect(try await image.image.content == 2)
        let third = try await transport.started(count: 5)
        #expect(third.request.headers[.ifNoneMatch] == "\"1\"")
        third.succeed([], status: 304)
        await pipeline.finishWriting()
        #expect(transport.transfers.count == 5)
        #expect(pipeline.context.board.jobCount == 0)
        #expect(try await load("a").image.info.origin == .disk)
    }

    @Test func `they end with the pipeline, whether they run or wait`() async throws {
        try await store(["a", "b"])
        for path in ["a", "b"] { #expect(try await load(path).image.info.origin == .stale) }
        let running = try await transport.started(count: 3)
        pipeline.context.board.cancelAll()
        try await running.cancelled()
        await pipeline.finishWriting()
        #expect(transport.transfers.count == 3)
    }
}
