import HTTPTypes
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// How long loaded images answer, for which requests, and which of them are kept.
@Suite(.timeLimit(.minutes(5)), .endsInTime)
struct RetentionTests {
    let transport = FakeTransport()
    let clock = TestClock()
    let memory = MemoryCache()

    private func pipeline(configure: (inout ImagePipeline.Configuration) -> Void = { _ in }) -> ImagePipeline {
        .test(transport, memoryCache: memory) { configuration in
            configuration.clock = clock
            configure(&configuration)
        }
    }

    private func request(
        policy: CachePolicy = .http, processors: [ImageProcessor] = [], expiry: Duration? = nil,
        control: String? = nil
    ) -> ImageRequest {
        var options = ImageOptions()
        options.headers[.cacheControl] = control
        options.cachePolicy = policy
        options.processors = processors
        options.expiry = expiry
        return ImageRequest("http://test/a", options: options)
    }

    private func load(
        _ request: ImageRequest, in pipeline: ImagePipeline, _ control: String, content: UInt8 = 1
    ) async throws -> LoadedImage {
        let count = transport.transfers.count + 1
        let pending = PendingImage(request, in: pipeline)
        try await transport.started(count: count).succeed(
            TestImage(content).bytes, headers: [.cacheControl: control])
        return try await pending.image
    }

    // MARK: Processed images

    @Test(arguments: [false, true])
    func `a processed image is fresh as long as its response`(isMadeOfMemory: Bool) async throws {
        let pipeline = pipeline()
        if isMadeOfMemory { _ = try await load(request(), in: pipeline, "max-age=10") }
        let processed = request(processors: [.grayscale])
        if isMadeOfMemory {
            _ = try await pipeline.image(for: processed)
        } else {
            _ = try await load(processed, in: pipeline, "max-age=10")
        }
        #expect(pipeline.cachedImage(for: processed) != nil)
        clock.advance(by: .seconds(11))
        #expect(pipeline.cachedImage(for: processed) == nil)
        #expect(transport.transfers.count == 1)
        _ = try await load(processed, in: pipeline, "max-age=10", content: 2)
        #expect(pipeline.cachedImage(for: processed) != nil)
    }

    @Test func `a request that says no-store keeps its image only while it is shown (RFC 9111 section 5.2.1.5)`()
        async throws
    {
        let pipeline = pipeline()
        let request = request(control: "no-store")
        let image = try await load(request, in: pipeline, "max-age=60")
        #expect(memory.count == 0)
        #expect(memory.contains(pipeline.cacheKey(for: request)), "while it is referenced")
        withExtendedLifetime(image) {}
    }

    @Test(arguments: ["no-cache", "max-age=0", "max-age=5"])
    func `a request limits the use of an image in memory (RFC 9111 section 5.2.1)`(control: String) async throws {
        let pipeline = pipeline()
        let request = request(control: control)
        _ = try await load(request, in: pipeline, "max-age=60")
        clock.advance(by: .seconds(5))
        #expect(pipeline.cachedImage(for: request) == nil)
        #expect(try await load(request, in: pipeline, "max-age=60", content: 2).content == 2)
    }

    @Test func `a processed image of a no-store response is kept only while it is shown`() async throws {
        let pipeline = pipeline()
        let processed = request(processors: [.grayscale])
        let image = try await load(processed, in: pipeline, "no-store")
        #expect(memory.count == 0)
        #expect(memory.contains(pipeline.cacheKey(for: processed)), "while it is referenced")
        withExtendedLifetime(image) {}
    }

    // MARK: Policies

    @Test func `the stored policies answer from memory at any age`() async throws {
        let pipeline = pipeline()
        _ = try await load(request(), in: pipeline, "max-age=10")
        clock.advance(by: .seconds(11))
        #expect(pipeline.cachedImage(for: request()) == nil)
        #expect(try await pipeline.image(for: request(policy: .cacheOnly)).content == 1)
        #expect(try await pipeline.image(for: request(policy: .cacheElseLoad)).content == 1)
        #expect(transport.transfers.count == 1)
    }

    /// The image used to be fresh in memory for ever, also for requests with the default policy.
    @Test(arguments: [CachePolicy.cacheElseLoad, .cacheOnly])
    func `an image that a stored policy loads is stale in memory as HTTP says`(policy: CachePolicy) async throws {
        let pipeline = pipeline { $0.responseStore = DictionaryStore() }
        _ = try await load(request(policy: .cacheElseLoad), in: pipeline, "max-age=10")
        await pipeline.finishWriting()
        #expect(pipeline.cachedImage(for: request()) != nil)
        clock.advance(by: .seconds(11))
        #expect(pipeline.cachedImage(for: request()) == nil, "from the network")
        memory.removeAll()
        #expect(try await pipeline.image(for: request(policy: policy)).info.origin == .stale)
        #expect(pipeline.cachedImage(for: request(policy: policy)) != nil)
        try #require(pipeline.cachedImage(for: request()) == nil, "from disk")
        #expect(try await load(request(), in: pipeline, "max-age=10", content: 2).content == 2)
    }

    @Test func `the program's expiry applies under each policy`() async throws {
        let pipeline = pipeline()
        _ = try await load(request(), in: pipeline, "max-age=60")
        let policies: [CachePolicy] = [.http, .cacheElseLoad, .cacheOnly]
        for policy in policies {
            #expect(pipeline.cachedImage(for: request(policy: policy, expiry: .seconds(5))) != nil)
        }
        clock.advance(by: .seconds(5))
        for policy in policies {
            #expect(pipeline.cachedImage(for: request(policy: policy, expiry: .seconds(5))) == nil)
        }
        await #expect(throws: ImageError.self) {
            try await pipeline.image(for: request(policy: .cacheOnly, expiry: .seconds(5)))
        }
    }

    // MARK: Accounts

    @Test func `pipelines with different accounts share no images in memory`() async throws {
        let first = pipeline { $0.headers[.authorization] = "one" }
        let second = pipeline { $0.headers[.authorization] = "two" }
        _ = try await load(request(), in: first, "max-age=60")
        #expect(second.cachedImage(for: request()) == nil)
        _ = try await load(request(), in: second, "max-age=60", content: 2)
        #expect(first.cachedImage(for: request())?.content == 1)
        #expect(second.cachedImage(for: request())?.content == 2)

        let processed = request(processors: [.grayscale])
        _ = try await first.image(for: processed)
        #expect(first.cachedImage(for: processed) != nil)
        #expect(second.cachedImage(for: processed) == nil)
        #expect(transport.transfers.count == 2)
    }

    // MARK: Bodies that are not images

    @Test func `a 200 page does not replace a stored image`() async throws {
        let folder = try TemporaryFolder()
        let store = DiskCache(path: folder.path)
        let pipeline = pipeline { $0.responseStore = store }
        _ = try await load(request(), in: pipeline, "max-age=10")
        await pipeline.finishWriting()
        clock.advance(by: .seconds(11))

        let page = Array("<html>Log in here.</html>".utf8)
        async let data = pipeline.data(for: request())
        try await transport.started(count: 2).succeed(page, headers: [.cacheControl: "max-age=60"])
        #expect(try await data.bytes == page)
        await pipeline.finishWriting()

        let outcomes = Watched<[ImagePrefetcher.Outcome]>([])
        let prefetcher = ImagePrefetcher(pipeline: pipeline, destination: .disk) { _, outcome in
            outcomes.update { $0.append(outcome) }
        }
        prefetcher.start([request()])
        try await transport.started(count: 3).succeed(page, headers: [.cacheControl: "max-age=60"])
        let outcome = try await outcomes.first { $0.first }
        if case .failed(let error) = outcome {
            #expect(error.code == .notAnImage)
        } else {
            Issue.record("\(outcome)")
        }
        await pipeline.finishWriting()
        memory.removeAll()
        #expect(try await pipeline.image(for: request(policy: .cacheOnly)).content == 1)
    }

    /// The head of a login page used to remove the stored image.
    @Test(arguments: [false, true])
    func `a no-store response removes the stored image only if it is an image`(isData: Bool) async throws {
        let pipeline = pipeline { $0.responseStore = DictionaryStore() }
        _ = try await load(request(), in: pipeline, "max-age=10")
        await pipeline.finishWriting()
        clock.advance(by: .seconds(11))
        let wanted = request()
        let bodies: [([UInt8], stored: UInt8?)] = [
            (Array("<html>Log in here.</html>".utf8), stored: 1), (TestImage(2).bytes, stored: nil),
        ]
        for (body, content) in bodies {
            memory.removeAll()
            let count = transport.transfers.count + 1
            let ended = Task {
                if isData {
                    _ = try await pipeline.data(for: wanted)
                } else {
                    _ = try await pipeline.image(for: wanted)
                }
            }
            try await transport.started(count: count).succeed(body, headers: [.cacheControl: "no-store"])
            _ = await ended.result
            await pipeline.finishWriting()
            memory.removeAll()
            let stored = try? await pipeline.image(for: request(policy: .cacheOnly))
            #expect(stored?.content == content)
        }
    }

    // MARK: Cancellation

    /// Cancels the task while the task looks up the next source in memory.
    private final class CancellingCache: ImageCache {
        let task = Watched<ImageTask?>(nil)

        func entry(for key: ImageCacheKey) -> CachedImage? {
            task.value?.cancel()
            return nil
        }

        func store(_ entry: CachedImage, for key: ImageCacheKey) {}
        func remove(_ key: ImageCacheKey) {}
        func removeAll() {}
        func observe(_ key: ImageCacheKey, _ body: @escaping @Sendable (ImageCacheChange) -> Void) -> ObservationToken {
            ObservationToken()
        }
    }

    @Test func `a task that is cancelled between two sources is released`() async throws {
        let cache = CancellingCache()
        let pipeline = ImagePipeline.test(transport, memoryCache: cache)
        weak var left: ImageTask?
        do {
            let task = pipeline.start(ImageRequest(.fallbacks(["http://test/a", "http://test/b"])))
            left = task
            cache.task.update { $0 = task }
            try await transport.started(count: 1).fail(ImageError(.connection, "gone"))
            await #expect(throws: ImageError.self) { try await task.image }
            cache.task.update { $0 = nil }
        }
        #expect(transport.transfers.count == 1)
        for _ in 0..<1000 where left != nil { await Task.yield() }
        #expect(left == nil)
    }
}
