import HTTPTypes
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// Work that has ended or was cancelled leaves no objects behind.
@Suite(.timeLimit(.minutes(5)), .endsInTime)
struct TaskLifetimeTests {
    private let transport = FakeTransport()
    private let memory = MemoryCache()
    private let store = DictionaryStore()

    private func pipeline(_ store: (any ResponseStore)? = nil) -> ImagePipeline {
        .test(transport) {
            $0.memoryCache = memory
            $0.responseStore = store ?? self.store
        }
    }

    /// Puts an image into memory and the store.
    private func load(_ address: String, content: UInt8) async throws {
        let count = transport.transfers.count
        let pipeline = pipeline()
        let pending = PendingImage(ImageRequest(address), in: pipeline)
        try await transport.started(count: count + 1).succeed(
            TestImage(content).bytes, headers: [.cacheControl: "max-age=60"])
        _ = try await pending.image
        await pipeline.finishWriting()
    }

    // MARK: Released tasks

    @Test func `the release of its cancellable cancels a task`() async throws {
        let pipeline = pipeline()
        var cancellable: ObservationToken? = pipeline.start(ImageRequest("http://test/a")).cancellable
        pipeline.start(ImageRequest("http://test/b"))
        let transfer = try await transport.started(count: 2)
        #expect(cancellable != nil && transport.transfers.allSatisfy { !$0.isCancelled })
        cancellable = nil
        try await waitUntil("the cancellation") { transport.transfers.contains { $0.isCancelled } }
        #expect(transport.transfers.filter(\.isCancelled).map(\.request.address.string) == ["http://test/a"])
        transfer.succeed(TestImage().bytes)
    }

    // MARK: Reading stored responses

    @Test func `a request that is cancelled during the lookup does not read the stored body`() async throws {
        try await load("http://test/a", content: 1)
        let held = HeldStore(holding: .lookUp, of: store)
        let http = HTTPCache(store: held, transport: transport, clock: TestClock())
        let address = try WebAddress("http://test/a")
        let load = Task {
            try await http.load(TransferRequest(address), HTTPCache.Lookup(key: address.string, policy: .http))
        }
        try await held.steps.wait { $0 == [.lookUp] }
        load.cancel()
        held.release()
        await #expect(throws: ImageError.cancelled) { try await load.value }
        #expect(held.steps.value == [.lookUp])
    }

    @Test @MainActor func `a stored image that its view no longer needs does not enter memory`() async throws {
        try await load("http://test/a", content: 1)
        try await load("http://test/b", content: 2)
        memory.removeAll()
        let held = HeldStore(holding: .body, of: store)
        let pipeline = pipeline(held)
        let model = NetworkImageModel("http://test/a", pipeline: pipeline)
        model.appear()
        try await held.steps.wait { $0.last == .body }
        model.source = "http://test/b"
        try await held.steps.wait { $0.filter { $0 == .body }.count == 2 }
        // The first load is cancelled after the second has started.
        await LoadQueue.shared.settled()
        held.release()
        held.release()
        for await phase in model.phases where phase.kind == .success { break }
        #expect(model.image?.content == 2)
        try await waitUntil("the end of all jobs") { pipeline.context.jobs.jobCount == 0 }
        #expect(memory.contains(pipeline.cacheKey(for: ImageRequest("http://test/b"))))
        #expect(!memory.contains(pipeline.cacheKey(for: ImageRequest("http://test/a"))))
    }

    @Test func `cancelling a stored image while it is read answers this and the next request once`() async throws {
        try await load("http://test/a", content: 1)
        try await load("http://test/b", content: 2)
        memory.removeAll()
        let held = HeldStore(holding: .body, of: store)
        let pipeline = pipeline(held)
        let first = PendingImage(ImageRequest("http://test/a"), in: pipeline)
        try await held.steps.wait { $0.last == .body }
        first.task?.cancel()
        let second = PendingImage(ImageRequest("http://test/b"), in: pipeline)
        // Released before the second body is read: a test that blocks one thread and waits for
        // another delays the other tests.
        held.release()
        held.release()
        #expect(try await second.image.content == 2)
        await #expect(throws: ImageError.cancelled) { try await first.image }
        try await waitUntil("the end of all jobs") { pipeline.context.jobs.jobCount == 0 }
        #expect(first.answerCount == 1 && second.answerCount == 1)
    }

    // MARK: Tasks that end early

    enum Ending: CaseIterable {
        case memoryHit, storedBody, nothingStored, malformedAddress, missingFile, dataAddress, cancelled
    }

    @Test(arguments: Ending.allCases)
    func `a task that has ended is released`(ending: Ending) async throws {
        try await load("http://test/a", content: 1)
        if ending == .storedBody { memory.removeAll() }
        let pipeline = pipeline()
        var request =
            switch ending {
            case .memoryHit, .storedBody: ImageRequest("http://test/a")
            case .nothingStored, .cancelled: ImageRequest("http://test/b")
            case .malformedAddress: ImageRequest("http://")
            case .missingFile: ImageRequest("file:///there/is/none")
            case .dataAddress: ImageRequest("data:image/png;base64,AAAA")
            }
        if ending == .nothingStored { request.options.cachePolicy = .cacheOnly }
        weak var last: ImageTask?
        for _ in 0..<20 {
            let task = pipeline.start(request)
            if ending == .cancelled { task.cancel() }
            _ = try? await task.image
            last = task
        }
        try await waitUntil("the end of the last object") { last == nil }
        #expect(pipeline.context.jobs.jobCount == 0)
    }
}
