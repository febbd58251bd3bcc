import HTTPTypes
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// Direct use of a store by an application.
@Suite(.timeLimit(.minutes(5)), .endsInTime)
struct StoreAdministrationTests {
    private let transport = FakeTransport()
    private let folder: TemporaryFolder
    private let store: DiskCache
    private let pipeline: ImagePipeline

    init() throws {
        folder = try TemporaryFolder()
        store = DiskCache(path: folder.path)
        pipeline = .test(transport, memoryCache: nil) { [store] in $0.responseStore = store }
    }

    private func load(_ request: ImageRequest) async throws {
        let count = transport.transfers.count + 1
        let pending = PendingImage(request, in: pipeline)
        try await transport.started(count: count).succeed(
            TestImage(7).bytes, headers: [.cacheControl: "max-age=60", .contentType: "image/png"])
        _ = try await pending.image
        await pipeline.finishWriting()
    }

    private func stored(_ request: ImageRequest) throws -> StoredResponse? {
        let key = try #require(pipeline.diskCacheKey(for: request))
        return store.responses(for: key).first
    }

    @Test func `a loaded response is found by its request, and its file has its bytes`() async throws {
        let request = ImageRequest("http://test/a")
        #expect(try stored(request) == nil)
        try await load(request)
        let response = try #require(try stored(request))
        #expect(response.headers[.contentType] == "image/png")
        let key = try #require(pipeline.diskCacheKey(for: request))
        let path = try #require(store.path(of: response, for: key))
        #expect(try FileBytes.read(FilePath(path), limit: 1000).bytes == TestImage(7).bytes)
    }

    @Test func `a stored body above the limit of a request is not read, and stays for other requests`() async throws {
        let request = ImageRequest("http://test/a")
        try await load(request)
        var limited = request
        limited.options.transferLimits = TransferLimits(maxBodyByteCount: 10)
        let pending = PendingImage(limited, in: pipeline)
        try await transport.started(count: 2).fail(ImageError(.tooLarge))
        let error = await #expect(throws: ImageError.self) { try await pending.image }
        #expect(error?.code == .tooLarge)
        #expect(try stored(request) != nil)
    }

    @Test func `removing an address removes the entries of every account`() async throws {
        var options = ImageOptions()
        options.headers[.authorization] = "one"
        let requests = [ImageRequest("http://test/a"), ImageRequest("http://test/a", options: options)]
        for request in requests { try await load(request) }
        try await load(ImageRequest("http://test/b"))
        try store.remove(named: "http://test/a")
        for request in requests { #expect(try stored(request) == nil) }
        #expect(try stored(ImageRequest("http://test/b")) != nil)
    }

    @Test func `removing a source from a pipeline removes it from memory and disk, and no other`() async throws {
        let pipeline = ImagePipeline.test(transport) { [store] in $0.responseStore = store }
        var round = ImageOptions(headers: [.authorization: "one"])
        round.processors = [.circle()]
        let sources = ["http://test/a", "http://test/a", "http://test/b", "http://anna:1@test/c"]
        for (number, source) in sources.enumerated() {
            let options = number % 2 == 1 ? round : ImageOptions()
            let pending = PendingImage(ImageRequest(source, options: options), in: pipeline)
            try await transport.started(count: number + 1).succeed(
                TestImage(7).bytes, headers: [.cacheControl: "max-age=60"])
            _ = try await pending.image
        }
        try await pipeline.remove("HTTP://test:80/a")
        #expect(pipeline.cachedImage(for: "http://test/a") == nil)
        #expect(pipeline.cachedImage(for: "http://test/a", options: round) == nil)
        #expect(store.all().count == 2)
        try await pipeline.remove("http://anna:1@test/c")
        #expect(store.all().map(\.key) == ["http://test/b"])
        #expect(pipeline.cachedImage(for: "http://test/b") != nil)
        try await pipeline.removeAll()
        #expect(pipeline.cachedImage(for: "http://test/b") == nil)
        #expect(store.all().isEmpty)
    }

    /// Its key alone, without headers, used to stay.
    @Test(arguments: ["http://anna:1@test/c", "http://test/c"])
    func `the image of an address with a password is removed`(name: String) async throws {
        let pipeline = ImagePipeline.test(transport) { [store] in $0.responseStore = store }
        let address = "http://anna:1@test/c"
        let sized = ImageSource.sized(identity: address) { "\(address)?\($0)" }
        for (number, source) in [ImageSource(address), sized].enumerated() {
            let pending = PendingImage(ImageRequest(source), in: pipeline)
            try await transport.started(count: number + 1).succeed(
                TestImage(7).bytes, headers: [.cacheControl: "max-age=60"])
            _ = try await pending.image
            await pipeline.finishWriting()
        }
        #expect(store.all().count == 2)
        #expect(try await pipeline.remove(named: name) == 2)
        #expect(store.all().isEmpty)
        for source in [ImageSource(address), sized] {
            #expect(pipeline.cachedImage(for: ImageRequest(source)) == nil)
        }
    }

    @Test func `a choice is removed with all its sources, and an invalid source is an error`() async throws {
        for name in ["a", "b", "c", "d"] { try await load(ImageRequest("http://test/\(name)")) }
        let choice = ImageSource.adaptive(regular: "http://test/b", lowData: "http://test/d")
        try await pipeline.remove(ImageSource.fallbacks(["http://test/a", choice]))
        #expect(store.all().map(\.key) == ["http://test/c"])
        await #expect(throws: ImageError.self) { try await pipeline.remove("not an address") }
    }

    @Test func `the limits of a pipeline can be changed while it runs`() async throws {
        let pipeline = ImagePipeline.test(transport) { [store] in $0.responseStore = store }
        (pipeline.memoryLimit, pipeline.diskLimit) = (1 << 20, 2 << 20)
        #expect((pipeline.configuration.memoryCache as? MemoryCache)?.costLimit == 1 << 20)
        #expect(store.byteLimit == 2 << 20)
        try await load(ImageRequest("http://test/a"))
        pipeline.diskLimit = 0
        while !store.all().isEmpty { try await Task.sleep(for: .milliseconds(2)) }
        try await load(ImageRequest("http://test/b"))
        #expect(store.all().isEmpty)
        #expect(ImagePipeline.test(transport, memoryCache: nil).memoryLimit == nil)
    }

    @Test func `removing the identity of a sized source removes its sizes and no other image`() async throws {
        let sized = ImageSource.sized(identity: "photo") { "http://test/\($0)" }
        var requests = [ImageRequest(sized), ImageRequest(sized), ImageRequest("http://test/b")]
        requests[0].target = TargetSize(PixelSize(width: 64, height: 64), fit: .contain)
        for identity in ["photo 2", "photo#", "photo#2x"] {
            requests.append(ImageRequest(ImageSource("http://test/c?\(identity.utf8.count)").identified(by: identity)))
        }
        for request in requests { try await load(request) }
        #expect(try store.remove(named: "photo") == 2)
        #expect(store.all().count == 4)
    }

    @Test func `an entry with an identity is removed by a request with a new address`() async throws {
        func request(_ signature: String) throws -> ImageRequest {
            let address = try WebAddress("http://test/a?signature=\(signature)")
            return ImageRequest(ImageSource(address).identified(by: "image 1"))
        }
        try await load(request("old"))
        let renewed = try request("new")
        let key = try #require(pipeline.diskCacheKey(for: renewed))
        #expect(store.responses(for: key).count == 1)
        store.remove(key)
        #expect(store.usage().entryCount == 0)
    }

    @Test func `a response stored by the application answers a request`() async throws {
        var options = ImageOptions()
        options.cachePolicy = .cacheOnly
        let request = ImageRequest("http://test/a", options: options)
        let response = StoredResponse(
            status: 200, headers: [.contentType: "image/png"], address: try WebAddress("http://test/a"), requestTime: 1,
            responseTime: 1)
        let key = try #require(pipeline.diskCacheKey(for: request))
        store.store(response, body: TestImage(9).bytes, for: key) { _ in true }
        #expect(try await pipeline.image(for: request).content == 9)
        #expect(transport.transfers.isEmpty)
    }

    @Test func `a request without HTTP has no store key`() throws {
        #expect(pipeline.diskCacheKey(for: ImageRequest(.file("/a.png"))) == nil)
        #expect(pipeline.diskCacheKey(for: ImageRequest(.bytes([1], identity: "a"))) == nil)
    }
}
