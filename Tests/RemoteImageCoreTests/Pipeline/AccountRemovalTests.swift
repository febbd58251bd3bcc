import Dispatch
import HTTPTypes
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// The removal of an account's images.
@Suite(.timeLimit(.minutes(2)), .endsInTime)
struct AccountRemovalTests {
    private let folder: TemporaryFolder
    private let store: DiskCache
    private let transport = FakeTransport()
    private let cache = MemoryCache()

    init() throws {
        folder = try TemporaryFolder()
        store = DiskCache(path: folder.path("store"))
    }

    private func pipeline() -> ImagePipeline {
        .test(transport, memoryCache: cache) { $0.responseStore = store }
    }

    private func request(_ account: String, isHooked: Bool = false) -> ImageRequest {
        let hook = RequestHook("token", account: account) { _ in }
        let provider = AuthorizationProvider(account: account, origins: ["https://test"]) { _ in account }
        return ImageRequest(
            "https://test/a",
            options: isHooked ? ImageOptions(requestHook: hook) : ImageOptions(authorization: provider))
    }

    private func load(_ request: ImageRequest, _ content: UInt8, in pipeline: ImagePipeline) async throws {
        let count = transport.transfers.count
        let image = PendingImage(request, in: pipeline)
        try await transport.started(count: count + 1)
            .succeed(TestImage(content).bytes, headers: [.cacheControl: "max-age=60"])
        #expect(try await image.image.content == content)
        await pipeline.finishWriting()
    }

    private func isStored(_ request: ImageRequest) async -> Bool {
        var request = request
        request.options.cachePolicy = .cacheOnly
        let pipeline = ImagePipeline.test(FakeTransport(), memoryCache: nil) { $0.responseStore = store }
        return (try? await pipeline.image(for: request)) != nil
    }

    @Test(arguments: [false, true])
    func `the images of the account disappear, and no others`(isHooked: Bool) async throws {
        let pipeline = pipeline()
        let (anna, bob) = (request("anna", isHooked: isHooked), request("bob", isHooked: isHooked))
        let everyone = ImageRequest("https://test/a")
        try await load(anna, 1, in: pipeline)
        try await load(bob, 2, in: pipeline)
        try await load(everyone, 3, in: pipeline)
        try await pipeline.removeAll(ofAccount: "anna")
        #expect(pipeline.cachedImage(for: anna) == nil)
        #expect(pipeline.cachedImage(for: bob)?.content == 2)
        #expect(pipeline.cachedImage(for: everyone)?.content == 3)
        #expect(await !isStored(anna))
        #expect(await isStored(bob))
        #expect(await isStored(everyone))
    }

    @Test func `an image that is in use and was evicted disappears from memory too`() async throws {
        let pipeline = pipeline()
        let anna = request("anna")
        try await load(anna, 1, in: pipeline)
        let shown = pipeline.cachedImage(for: anna)
        cache.trim(toCount: 0)
        #expect(pipeline.cachedImage(for: anna) != nil)
        try await pipeline.removeAll(ofAccount: "anna")
        #expect(pipeline.cachedImage(for: anna) == nil)
        withExtendedLifetime(shown) {}
    }

    @Test func `a running load ends and is not stored`() async throws {
        let pipeline = pipeline()
        let image = PendingImage(request("anna"), in: pipeline)
        let other = PendingImage(request("bob"), in: pipeline)
        try await transport.started(count: 2)
        try await pipeline.removeAll(ofAccount: "anna")
        await #expect(throws: ImageError.cancelled) { try await image.image }
        for transfer in transport.transfers {
            transfer.succeed(TestImage(2).bytes, headers: [.cacheControl: "max-age=60"])
        }
        #expect(try await other.image.content == 2)
        await pipeline.finishWriting()
        #expect(await !isStored(request("anna")))
        #expect(store.all().count == 1)
    }

    /// The load had no job yet that the removal could cancel, and started its transfer after it.
    @Test(arguments: [false, true])
    func `a load that waits for the disk ends, sends nothing and is not stored`(isOfData: Bool) async throws {
        let transport = FakeTransport { _ in .ok(TestImage(1).bytes, headers: [.cacheControl: "max-age=60"]) }
        let held = HeldStore(holding: .lookUp, of: store)
        let cache = ObservedCache()
        let pipeline = ImagePipeline.test(transport, memoryCache: cache) { $0.responseStore = held }
        let source = ImageSource.sized(identity: "photo", largest: 96) { "https://test/\($0)" }
        let anna = ImageRequest(source, target: .longestSide(64), options: request("anna").options)
        let load = Task {
            if isOfData { _ = try await pipeline.data(for: anna) } else { _ = try await pipeline.image(for: anna) }
        }
        try await held.steps.wait { !$0.isEmpty }
        let removal = Task { try await pipeline.removeAll(ofAccount: "anna") }
        try await cache.emptyings.wait { $0 == 1 }
        // The lookups of both steps, and that of a transfer.
        for _ in 0..<3 { held.release() }
        await #expect(throws: ImageError.cancelled) { try await load.value }
        try await removal.value
        await pipeline.finishWriting()
        #expect(transport.transfers.isEmpty)
        #expect(store.all().isEmpty)
    }

    @Test @MainActor func `the load of a view that waits for its delay ends`() async throws {
        let clock = TestClock()
        let pipeline = ImagePipeline.test(transport) { $0.clock = clock }
        var options = request("anna").options
        options.delay = .seconds(1)
        let model = NetworkImageModel("https://test/a", pipeline: pipeline, options: options)
        model.load()
        try await pipeline.removeAll(ofAccount: "anna")
        clock.advance(by: .seconds(1))
        await LoadQueue.shared.settled()
        #expect(pipeline.context.jobs.jobCount == 0)
        _ = await model.reached(.empty)
        #expect(model.phase.kind == .empty)
    }

    /// The model would have kept the few pixels, as if the larger image had failed.
    @Test @MainActor func `a refinement that the removal ended may be repeated`() async throws {
        let pipeline = ImagePipeline.test(transport, memoryCache: nil)
        let model = NetworkImageModel("https://test/a", pipeline: pipeline, options: request("anna").options)
        model.target = .longestSide(50)
        model.load()
        try await transport.started(count: 1).succeed(TestImage(width: 1000, height: 800).bytes)
        #expect(await model.reached(.success) != nil)
        model.target = .longestSide(500)
        model.refine()
        try await transport.started(count: 2)
        try await pipeline.removeAll(ofAccount: "anna")
        try await waitUntil("the end of the refinement") { !model.isRefining }
        #expect(model.needsMorePixels)
        model.refine()
        try await transport.started(count: 3).succeed(TestImage(2, width: 1000, height: 800).bytes)
        try await waitUntil("the larger image") { model.image?.info.decodedSize.width == 500 }
    }

    @Test(arguments: [ImagePrefetcher.Destination.memory, .disk], [false, true])
    func `a request that waits in a prefetcher ends and sends nothing`(
        to destination: ImagePrefetcher.Destination, isAccountOfPipeline: Bool
    ) async throws {
        let anna = request("anna")
        let pipeline = ImagePipeline.test(transport) {
            $0.responseStore = store
            if isAccountOfPipeline { $0.options.authorization = anna.options.authorization }
        }
        let outcomes = Watched<[ImagePrefetcher.Outcome]>([])
        let prefetcher = ImagePrefetcher(pipeline: pipeline, destination: destination) { _, outcome in
            outcomes.update { $0.append(outcome) }
        }
        prefetcher.isPaused = true
        prefetcher.start([isAccountOfPipeline ? ImageRequest("https://test/a") : anna])
        try await pipeline.removeAll(ofAccount: "anna")
        prefetcher.isPaused = false
        try await outcomes.wait { $0.count == 1 }
        guard case .failed(.cancelled) = outcomes.value[0] else {
            Issue.record("\(outcomes.value)")
            return
        }
        #expect(transport.transfers.isEmpty)
    }

    @Test func `a prefetch that is requested again after the removal runs`() async throws {
        let pipeline = pipeline()
        let outcomes = Watched<[ImagePrefetcher.Outcome]>([])
        let prefetcher = ImagePrefetcher(pipeline: pipeline) { _, outcome in outcomes.update { $0.append(outcome) } }
        prefetcher.isPaused = true
        prefetcher.start([request("anna")])
        try await pipeline.removeAll(ofAccount: "anna")
        prefetcher.start([request("anna")])
        prefetcher.isPaused = false
        try await transport.started(count: 1).succeed(TestImage(5).bytes)
        try await outcomes.wait { $0.count == 1 }
        guard case .completed = outcomes.value[0] else {
            Issue.record("\(outcomes.value)")
            return
        }
    }

    @Test func `a request that a prefetcher reports runs again after the removal`() async throws {
        let pipeline = pipeline()
        let reports = Watched<[(request: ImageRequest, outcome: ImagePrefetcher.Outcome)]>([])
        let prefetcher = ImagePrefetcher(pipeline: pipeline) { request, outcome in
            reports.update { $0.append((request, outcome)) }
        }
        prefetcher.isPaused = true
        prefetcher.start([request("anna")])
        try await pipeline.removeAll(ofAccount: "anna")
        prefetcher.isPaused = false
        try await reports.wait { $0.count == 1 }
        #expect(transport.transfers.isEmpty)
        prefetcher.start([reports.value[0].request])
        try await transport.started(count: 1).succeed(TestImage(5).bytes)
        try await reports.wait { $0.count == 2 }
        guard case .completed = reports.value[1].outcome else {
            Issue.record("\(reports.value)")
            return
        }
    }

    /// It used to end with `cancelled`.
    @Test func `a request that an observer receives runs again after the removal`() async throws {
        let requests = Watched<[ImageRequest]>([])
        let pipeline = ImagePipeline.test(transport) {
            $0.observers = [{ event in if let request = event.request { requests.update { $0.append(request) } } }]
        }
        let prefetcher = ImagePrefetcher(pipeline: pipeline)
        prefetcher.start([request("anna")])
        try await transport.started(count: 1)
        try await pipeline.removeAll(ofAccount: "anna")
        let again = PendingImage(try #require(requests.value.first), in: pipeline)
        try await transport.started(count: 2).succeed(TestImage(5).bytes)
        #expect(try await again.image.content == 5)
        withExtendedLifetime(prefetcher) {}
    }

    @Test func `requests of a series that have not started end and send nothing`() async throws {
        let pipeline = ImagePipeline.test(transport, memoryCache: cache) {
            $0.responseStore = store
            $0.maxConcurrentTransfers = 1
        }
        let requests = ["a", "b"].map { ImageRequest("https://test/\($0)", options: request("anna").options) }
        var results: [Result<LoadedImage, ImageError>] = []
        var series = pipeline.images(for: requests).makeAsyncIterator()
        try await transport.started(count: 1).succeed(TestImage(5).bytes)
        try await pipeline.removeAll(ofAccount: "anna")
        while let element = await series.next() { results.append(element.result) }
        #expect(results.count == 2)
        guard case .failure(.cancelled) = results.last else {
            Issue.record("\(results)")
            return
        }
        #expect(transport.transfers.count == 1)
    }

    /// The job has ended, so the removal cannot cancel it, and its pixels are stored after that.
    @Test func `pixels that enter memory after the removal disappear`() async throws {
        let cache = ObservedCache()
        let pipeline = ImagePipeline.test(transport, memoryCache: cache)
        let pixels = TestImage(1).decoded.pixels
        let source = ImageSource.pixels(identity: "drawn") { pixels }
        let anna = ImageRequest(source, options: request("anna").options)
        let thread = WorkerThreads("test removal", count: 1)
        cache.willStore.update {
            $0 = {
                let removed = DispatchSemaphore(value: 0)
                // The blocked thread may be the only one of the cooperative pool.
                Task(executorPreference: thread) {
                    try? await pipeline.removeAll(ofAccount: "anna")
                    removed.signal()
                }
                removed.wait()
            }
        }
        defer { cache.willStore.update { $0 = nil } }
        await #expect(throws: ImageError.cancelled) { try await pipeline.image(for: anna) }
        #expect(cache.emptyings.value == 1)
        #expect(pipeline.cachedImage(for: anna) == nil)
    }

    @Test func `an image that is being decoded is kept neither in memory nor on disk`() async throws {
        let decoder = HeldDecoder()
        let resources = DecodeResources.own(threadCount: 1)
        let pipeline = ImagePipeline.test(transport, decoder: decoder, memoryCache: cache) {
            $0.responseStore = store
            $0.decodeResources = resources
        }
        let image = PendingImage(request("anna"), in: pipeline)
        try await transport.started(count: 1)
            .succeed(HeldDecoder.bytes(.slow, 1), headers: [.cacheControl: "max-age=60"])
        try await decoder.begun.wait { $0 == [1] }
        try await pipeline.removeAll(ofAccount: "anna")
        await #expect(throws: ImageError.cancelled) { try await image.image }
        decoder.release(1)
        // The only decode thread has ended the first decode when it has decoded the next image.
        let next = PendingImage(ImageRequest("https://test/b"), in: pipeline)
        try await transport.started(count: 2).succeed(HeldDecoder.bytes(.innocent, 2))
        _ = try await next.image
        await pipeline.finishWriting()
        #expect(pipeline.cachedImage(for: request("anna")) == nil)
        #expect(await !isStored(request("anna")))
    }

    /// The part of a cancelled transfer is stored when the transport reports the end, which may be
    /// after the removal.
    @Test func `the received part of a running load is not stored, also after the removal`() async throws {
        let background = PendingCacheWork()
        let hash = SHA256.name(of: "anna")
        let headers: HTTPFields = [.eTag: "\"1\"", .cacheControl: "max-age=60"]
        let response = StoredResponse(
            status: 200, headers: headers, address: try WebAddress("https://test/a"), requestTime: 0, responseTime: 0)
        let body = [UInt8](repeating: 7, count: 3 << 20)
        func write(_ key: String) -> PendingWrite {
            PendingWrite(
                response, key: key, store: store, requestHeaders: [:], wasPartial: false, continuing: 0,
                accountGeneration: background.accountGeneration, background: background)
        }
        let (removed, kept) = (write("https://test/a\naccount \(hash)\nheaders 0"), write("https://test/a"))
        for write in [removed, kept] { write.receive(Array(body[..<(2 << 20)])) }
        background.removeAccount(hash)
        for write in [removed, kept] { await write.finish(.failed(.cancelled, after: body)) }
        await background.finished()
        #expect(store.everything().map(\.key) == [PartialResponse.key(beside: "https://test/a")])
    }

    @Test func `a stored part of an earlier load is removed`() async throws {
        let pipeline = pipeline()
        let image = PendingImage(request("anna"), in: pipeline)
        let transfer = try await transport.started(count: 1)
        transfer.respond(headers: [.eTag: "\"1\"", .cacheControl: "max-age=60"], expected: 3 << 20)
        transfer.send([UInt8](repeating: 7, count: 2 << 20))
        transfer.fail(ImageError(.connection))
        _ = try? await image.image
        await pipeline.finishWriting()
        #expect(store.everything().count == 1)
        try await pipeline.removeAll(ofAccount: "anna")
        #expect(store.everything().isEmpty)
    }

    @Test func `the next load of the account starts anew`() async throws {
        let pipeline = pipeline()
        try await load(request("anna"), 1, in: pipeline)
        try await pipeline.removeAll(ofAccount: "anna")
        try await load(request("anna"), 2, in: pipeline)
        #expect(await isStored(request("anna")))
    }

    @Test func `a store without accounts removes everything`() async throws {
        let store = DictionaryStore()
        let pipeline = ImagePipeline.test(transport) { $0.responseStore = store }
        try await load(request("anna"), 1, in: pipeline)
        let key = try #require(pipeline.diskCacheKey(for: request("anna")))
        try await pipeline.removeAll(ofAccount: "bob")
        #expect(store.responses(for: key).isEmpty)
    }

    @Test func `a response that cannot be removed is an error`() async throws {
        let pipeline = ImagePipeline.test(transport) { $0.responseStore = FailingStore() }
        let error = await #expect(throws: ImageError.self) { try await pipeline.removeAll(ofAccount: "anna") }
        #expect(error?.code == .io)
    }

    @Test func `the name of a stored image does not contain its account`() async throws {
        let pipeline = pipeline()
        let key = try #require(pipeline.diskCacheKey(for: request("anna")))
        #expect(DiskCache.name(of: key) == "https://test/a")
        #expect(!key.contains("anna"))
    }
}

/// A memory cache whose calls the test observes.
private final class ObservedCache: ImageCache {
    private let cache = MemoryCache()
    /// Called before an image is stored.
    let willStore = Watched<(@Sendable () -> Void)?>(nil)
    /// How often the images of an account were removed.
    let emptyings = Watched(0)

    func entry(for key: ImageCacheKey) -> CachedImage? { cache.entry(for: key) }

    func store(_ entry: CachedImage, for key: ImageCacheKey) {
        willStore.value?()
        cache.store(entry, for: key)
    }

    func remove(_ key: ImageCacheKey) { cache.remove(key) }

    func removeAll() { cache.removeAll() }

    func removeAll(where matches: (ImageCacheKey) -> Bool) {
        cache.removeAll(where: matches)
        emptyings.update { $0 += 1 }
    }

    func observe(
        _ key: ImageCacheKey, _ body: @escaping @Sendable (ImageCacheChange) -> Void
    ) -> ObservationToken {
        cache.observe(key, body)
    }
}

/// A store whose files cannot be removed.
private final class FailingStore: ResponseStore {
    func responses(for key: String) -> [StoredResponse] { [] }
    func body(of response: StoredResponse, for key: String) -> [UInt8]? { nil }
    func store(
        _ response: StoredResponse, body: [UInt8], for key: String, replacing replaces: (StoredResponse) -> Bool
    ) {}
    func update(_ response: StoredResponse, for key: String) {}
    func remove(_ key: String) {}
    func removeAll() {}
    func removeAll(ofAccount account: String) throws(ImageError) { throw ImageError(.io, "read-only") }
}
