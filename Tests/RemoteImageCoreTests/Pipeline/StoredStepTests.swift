import HTTPTypes
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// A stored larger step serves a smaller request of the same image.
@Suite(.timeLimit(.minutes(5)), .endsInTime)
struct StoredStepTests {
    let transport = FakeTransport { request in
        let pixels = Int(request.address.string.split(separator: "/").last ?? "") ?? 1
        return .ok(
            TestImage(UInt8(pixels % 251 + 1), width: pixels, height: pixels).bytes,
            headers: [.cacheControl: "max-age=100", .vary: "Accept"])
    }
    let store = DictionaryStore()
    let clock = TestClock()

    private let source = ImageSource.sized(identity: "photo") { "http://test/\($0)" }

    /// A pipeline with an empty memory cache, as after a restart of the program.
    private func pipeline(_ headers: HTTPFields = [:]) -> ImagePipeline {
        .test(transport) {
            $0.responseStore = store
            $0.clock = clock
            $0.headers = headers
        }
    }

    private func load(
        _ target: Int, _ options: ImageOptions = ImageOptions(), _ headers: HTTPFields = [:]
    )
        async throws
    {
        let pipeline = pipeline(headers)
        _ = try await pipeline.image(
            for: ImageRequest(source, target: .longestSide(target), options: options))
        await pipeline.finishWriting()
    }

    private var paths: [String] { transport.addresses.map { String($0.dropFirst("http://test/".count)) } }

    @Test func `a larger step in the store is not downloaded again`() async throws {
        try await load(400)
        let image = try await pipeline().image(for: ImageRequest(source, target: .longestSide(100)))
        #expect(paths == ["486"])
        #expect(image.info.origin == .disk)
        #expect(image.info.size.width == 486)
        #expect(image.info.decodedSize.width == 100)
    }

    @Test func `a stored step is preferred to larger stored ones`() async throws {
        try await load(100)
        try await load(400)
        let image = try await pipeline().image(for: ImageRequest(source, target: .longestSide(100)))
        #expect(paths == ["144", "486"])
        #expect(image.info.size.width == 144)
    }

    @Test func `a smaller step in the store does not serve a larger request`() async throws {
        try await load(100)
        try await load(400)
        #expect(paths == ["144", "486"])
    }

    @Test func `a larger step that is not fresh is not used`() async throws {
        try await load(400)
        clock.advance(by: .seconds(101))
        try await load(100)
        #expect(paths == ["486", "144"])
    }

    @Test func `a larger step that is not fresh serves a request that allows it`() async throws {
        try await load(400)
        clock.advance(by: .seconds(101))
        var options = ImageOptions()
        options.cachePolicy = .cacheOnly
        try await load(100, options)
        #expect(paths == ["486"])
    }

    @Test(arguments: [CachePolicy.reload, .noStore, .revalidate])
    func `a reload loads the step for the target`(policy: CachePolicy) async throws {
        try await load(400)
        var options = ImageOptions()
        options.cachePolicy = policy
        try await load(100, options)
        #expect(paths == ["486", "144"])
    }

    @Test func `a larger step that has expired for the program is not used`() async throws {
        try await load(400)
        clock.advance(by: .seconds(20))
        var options = ImageOptions()
        options.expiry = .seconds(10)
        try await load(100, options)
        #expect(paths == ["486", "144"])
    }

    @Test func `the stored step of another account is not used`() async throws {
        try await load(400, ImageOptions(), [.authorization: "Bearer ann"])
        try await load(100, ImageOptions(), [.authorization: "Bearer bob"])
        var options = ImageOptions()
        options.headers = [.authorization: "Bearer cid"]
        try await load(100, options)
        #expect(paths == ["486", "144", "144"])
    }

    @Test func `stored errors are not used as larger steps`() async throws {
        let transport = FakeTransport { request in
            request.address.string.hasSuffix("486")
                ? .status(404, headers: [.cacheControl: "max-age=100"]) : .ok(TestImage(1).bytes)
        }
        func pipeline() -> ImagePipeline { .test(transport) { $0.responseStore = store } }
        await #expect(throws: ImageError.self) {
            _ = try await pipeline().image(for: ImageRequest(source, target: .longestSide(400)))
        }
        _ = try await pipeline().image(for: ImageRequest(source, target: .longestSide(100)))
        #expect(transport.addresses.last == "http://test/144")
    }

    @Test func `data without a target is that of the largest step`() async throws {
        _ = try await pipeline().data(for: ImageRequest(source))
        #expect(paths == ["3693"])
    }

    @Test func `data with a target takes a larger stored step`() async throws {
        try await load(400)
        _ = try await pipeline().data(for: ImageRequest(source, target: .longestSide(100)))
        #expect(paths == ["486"])
    }

    /// A prefetch is cancelled as soon as the view that replaces it has started its load.
    @Test func `a load joins a running load of its step at once`() async throws {
        let transport = FakeTransport()
        let pipeline = ImagePipeline.test(transport) { $0.responseStore = store }
        let request = ImageRequest(source, target: .longestSide(100))
        let first = PendingImage(request, in: pipeline)
        let transfer = try await transport.started(count: 1)
        let second = PendingImage(request, in: pipeline)
        first.task?.cancel()
        transfer.succeed(TestImage(1, width: 144, height: 144).bytes)
        #expect(try await second.image.content == 1)
        #expect(transport.transfers.count == 1)
    }

    /// The store is not asked again: data would wait for the disk while the download goes on.
    @Test func `data joins a running load of its step at once`() async throws {
        let transport = FakeTransport()
        let store = HeldStore(holding: .body, of: store)
        let pipeline = ImagePipeline.test(transport) { $0.responseStore = store }
        let request = ImageRequest(source, target: .longestSide(100))
        let first = Task { try await pipeline.data(for: request) }
        let transfer = try await transport.started(count: 1)
        let steps = store.steps.value
        let second = Task { try await pipeline.data(for: request) }
        try await waitUntil("the second subscriber") {
            pipeline.context.jobs.state.withLock { $0.jobs.values.map(\.subscribers.count) } == [2]
        }
        first.cancel()
        transfer.succeed(TestImage(1, width: 144, height: 144).bytes)
        #expect(try await second.value.bytes == TestImage(1, width: 144, height: 144).bytes)
        #expect(transport.transfers.count == 1)
        #expect(store.steps.value.filter { $0 == .lookUp } == steps)
    }

    @Test func `a request that is cancelled while the store is asked sends nothing`() async throws {
        try await load(400)
        let pipeline = pipeline()
        let pending = PendingImage(ImageRequest(source, target: .longestSide(1000)), in: pipeline)
        pending.task?.cancel()
        await #expect(throws: ImageError.cancelled) { _ = try await pending.image }
        // The threads of the store run in the order of calls.
        _ = try await pipeline.image(for: ImageRequest(source, target: .longestSide(100)))
        #expect(pending.answerCount == 1)
    }
}
