import Glibc
import HTTPTypes
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

private let address = "http://test/a"

/// The pipeline over a disk store, a fake network and a test clock.
@Suite(.timeLimit(.minutes(5)), .endsInTime)
struct HTTPCacheTests {
    let transport = FakeTransport()
    let clock = TestClock()
    let decoder = FakeDecoder()
    let store: DiskCache
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        store = DiskCache(path: folder.path)
    }

    /// A pipeline with an empty memory, as in a new process.
    private func pipeline(_ options: ImageOptions = ImageOptions()) -> ImagePipeline {
        .test(transport, decoder: decoder, memoryCache: nil) { configuration in
            configuration.responseStore = store
            configuration.clock = clock
            configuration.options = options
        }
    }

    private func policy(_ policy: CachePolicy) -> ImageOptions {
        var options = ImageOptions()
        options.cachePolicy = policy
        return options
    }

    /// Loads this response from the network and waits until it is stored.
    private func load(
        _ picture: TestImage = TestImage(1), headers: HTTPFields, _ request: ImageRequest = ImageRequest(address)
    ) async throws {
        let pipeline = pipeline()
        let count = transport.transfers.count + 1
        let pending = PendingImage(request, in: pipeline)
        try await transport.started(count: count).succeed(picture.bytes, headers: headers)
        _ = try await pending.image
        await pipeline.finishWriting()
    }

    private let fresh: HTTPFields = [.cacheControl: "max-age=60", .eTag: "\"1\""]

    /// Keeps the receivers of its transfers, and passes a body of 1 MiB to them.
    private final class KeepingTransport: Transport {
        let receivers = Lock<[any TransferReceiver]>([])

        func load(_ request: TransferRequest, into receiver: any TransferReceiver) async throws(ImageError) {
            receivers.withLock { $0.append(receiver) }
            try receiver.receive(TransferHead(status: 200, address: request.address))
            try receiver.receive([UInt8](repeating: 1, count: 1 << 20))
        }
    }

    /// `get --jsonl` kept every response until its end.
    @Test func `a receiver that its transport keeps does not keep the body`() async throws {
        let transport = KeepingTransport()
        let cache = HTTPCache(store: store, transport: transport, clock: clock)
        let data = try await cache.load(
            TransferRequest(try WebAddress(address)),
            HTTPCache.Lookup(key: address, policy: .http, keepsAnyStatus: true))
        #expect(data.bytes.count == 1 << 20)
        let answer = try #require(transport.receivers.withLock { $0.first } as? ServerAnswer)
        #expect(answer.body.isEmpty)
        try answer.receive([1])
        #expect(answer.body.isEmpty)
    }

    // MARK: Answers from the store

    @Test func `a fresh response answers without the network (RFC 9111 section 4)`() async throws {
        try await load(headers: fresh)
        let image = try await pipeline().image(for: address)
        #expect(image.content == 1)
        #expect(image.info.origin == .disk)
        #expect(transport.transfers.count == 1)
    }

    @Test func `a stale response is validated, and a 304 makes it fresh (section 4.3)`() async throws {
        try await load(headers: fresh)
        clock.advance(by: .seconds(61))
        let pipeline = pipeline()
        let pending = PendingImage(ImageRequest(address), in: pipeline)
        let validation = try await transport.started(count: 2)
        #expect(validation.request.headers[.ifNoneMatch] == "\"1\"")
        validation.succeed([], status: 304, headers: [.cacheControl: "max-age=1000"])
        let image = try await pending.image
        #expect(image.content == 1)
        #expect(image.info.origin == .revalidated)
        clock.advance(by: .seconds(500))
        #expect(try await self.pipeline().image(for: address).info.origin == .disk)
        #expect(transport.transfers.count == 2)
    }

    /// The 304 counted as that of another resource, and the whole image was requested again.
    @Test func `a 304 from an address that is signed anew is accepted (section 4.3.4)`() async throws {
        func signed(_ token: Int) -> ImageRequest {
            ImageRequest(ImageSource("\(address)?token=\(token)").ignoringQueryItems(["token"]))
        }
        try await load(headers: fresh, signed(1))
        clock.advance(by: .seconds(61))
        let pending = PendingImage(signed(2), in: pipeline())
        try await transport.started(count: 2).succeed([], status: 304, headers: fresh)
        #expect(try await pending.image.info.origin == .revalidated)
        #expect(transport.transfers.count == 2)
    }

    @Test func `a new response replaces the stale response (section 4.3.3)`() async throws {
        try await load(headers: fresh)
        clock.advance(by: .seconds(61))
        try await load(TestImage(2), headers: fresh)
        let image = try await pipeline().image(for: address)
        #expect(image.content == 2)
        #expect(image.info.origin == .disk)
    }

    @Test func `stale-while-revalidate answers stale and validates in the background (RFC 5861 section 3)`()
        async throws
    {
        try await load(headers: [.cacheControl: "max-age=60, stale-while-revalidate=60", .eTag: "\"1\""])
        clock.advance(by: .seconds(61))
        let pipeline = pipeline()
        #expect(try await pipeline.image(for: address).info.origin == .stale)
        try await transport.started(count: 2).succeed(
            TestImage(2).bytes, headers: [.cacheControl: "max-age=60", .eTag: "\"2\""])
        await pipeline.finishWriting()
        #expect(try await pipeline.image(for: address).content == 2)
        #expect(transport.transfers.count == 2)
    }

    @Test func `a stale response answers for a server error under stale-if-error (RFC 5861 section 4)`() async throws {
        try await load(headers: [.cacheControl: "max-age=60, stale-if-error=1000"])
        clock.advance(by: .seconds(100))
        let pending = PendingImage(ImageRequest(address), in: pipeline())
        try await transport.started(count: 2).succeed([], status: 503)
        #expect(try await pending.image.info.origin == .stale)
    }

    @Test func `a stale response answers when the server is unreachable (RFC 9111 section 4.2.4)`() async throws {
        try await load(headers: fresh)
        clock.advance(by: .seconds(1000))
        let pending = PendingImage(ImageRequest(address), in: pipeline())
        try await transport.started(count: 2).fail(ImageError(.connection))
        #expect(try await pending.image.info.origin == .stale)
    }

    @Test func `a stale response with must-revalidate never answers (section 5.2.2.2)`() async throws {
        try await load(headers: [.cacheControl: "max-age=60, must-revalidate", .eTag: "\"1\""])
        clock.advance(by: .seconds(61))
        let pending = PendingImage(ImageRequest(address), in: pipeline())
        try await transport.started(count: 2).fail(ImageError(.connection))
        await #expect(throws: ImageError(.connection)) { try await pending.image }
    }

    @Test func `the variant that matches the request answers (section 4.1)`() async throws {
        func request(_ language: String) -> TransferRequest? {
            (try? WebAddress(address)).map { TransferRequest($0, headers: [.acceptLanguage: language]) }
        }
        let client = HTTPCache(store: store, transport: transport, clock: clock)
        let (german, french) = (try #require(request("de")), try #require(request("fr")))
        for (number, asked) in [german, french].enumerated() {
            async let response = client.response(for: asked, policy: .http)
            try await transport.started(count: number + 1).succeed(
                [UInt8(number)], headers: [.cacheControl: "max-age=60", .vary: "Accept-Language"])
            _ = try await response
            await client.finished()
        }
        #expect(try await client.response(for: german, policy: .http).bytes == [0])
        #expect(try await client.response(for: french, policy: .http).bytes == [1])
        #expect(transport.transfers.count == 2)
    }

    // MARK: Responses that are not stored

    @Test func `a no-store response is not stored (section 5.2.2.5)`() async throws {
        try await load(headers: [.cacheControl: "no-store"])
        #expect(store.all().isEmpty)
    }

    @Test func `a 200 response that is not an image is not stored`() async throws {
        let pipeline = pipeline()
        let pending = PendingImage(ImageRequest(address), in: pipeline)
        try await transport.started(count: 1).succeed(Array("<html>".utf8), headers: fresh)
        await #expect(throws: ImageError.self) { try await pending.image }
        await pipeline.finishWriting()
        #expect(store.all().isEmpty)
    }

    @Test func `requests that differ in Authorization never share a stored body`() async throws {
        func request(_ token: String) -> ImageRequest {
            var options = ImageOptions()
            options.headers[.authorization] = token
            return ImageRequest(address, options: options)
        }
        try await load(TestImage(1), headers: fresh, request("one"))
        try await load(TestImage(2), headers: fresh, request("two"))
        #expect(try await pipeline().image(for: request("one")).content == 1)
        #expect(try await pipeline().image(for: request("two")).content == 2)
        #expect(transport.transfers.count == 2)
        #expect(!store.all().contains { $0.key.contains("one") || $0.key.contains("two") }, "no secret in a file")
    }

    @Test func `store keys contain no user name or password`() async throws {
        try await load(headers: fresh, ImageRequest("http://user:secret@test/a"))
        #expect(store.all().count == 1)
        #expect(!store.all().contains { $0.key.contains("secret") })
        let other = PendingImage(ImageRequest("http://other:word@test/a"), in: pipeline())
        try await transport.started(count: 2).succeed(TestImage(2).bytes)
        #expect(try await other.image.content == 2)
    }

    // MARK: Policies

    @Test func `the stored policy answers at any age, up to the program's expiry`() async throws {
        var options = policy(.cacheElseLoad)
        try await load(headers: [.cacheControl: "max-age=0"], ImageRequest(address, options: options))
        clock.advance(by: .seconds(1_000_000))
        #expect(try await pipeline(options).image(for: address).info.origin == .stale)
        options.expiry = .seconds(10)
        let expired = PendingImage(ImageRequest(address), in: pipeline(options))
        try await transport.started(count: 2).succeed(TestImage(2).bytes)
        #expect(try await expired.image.content == 2)
    }

    @Test func `the stored-only policy answers from the store and fails at once for other images`() async throws {
        try await load(headers: [.cacheControl: "max-age=0"])
        clock.advance(by: .seconds(100))
        let pipeline = pipeline(policy(.cacheOnly))
        #expect(try await pipeline.image(for: address).content == 1)
        let error = await #expect(throws: ImageError.self) { try await pipeline.image(for: "http://test/b") }
        #expect(error?.code == .notStored)
        #expect(transport.transfers.count == 1)
    }

    @Test func `the reload policy asks the network and stores the response`() async throws {
        try await load(headers: fresh)
        try await load(TestImage(2), headers: fresh, ImageRequest(address, options: policy(.reload)))
        #expect(transport.transfers[1].request.headers[.ifNoneMatch] == nil)
        #expect(try await pipeline().image(for: address).content == 2)
    }

    @Test func `the revalidate policy validates a fresh response, as a browser's reload does`() async throws {
        try await load(headers: fresh)
        let pending = PendingImage(ImageRequest(address), in: pipeline(policy(.revalidate)))
        let validation = try await transport.started(count: 2)
        #expect(validation.request.headers[.ifNoneMatch] == "\"1\"")
        #expect(validation.request.headers[.cacheControl] == "max-age=0")
        validation.succeed([], status: 304)
        #expect(try await pending.image.info.origin == .revalidated)
    }

    // MARK: Damage

    @Test func `a stored body that no longer decodes is dropped and fetched again`() async throws {
        try await load(headers: fresh)
        let (key, responses) = try #require(store.all().first)
        store.store(try #require(responses.first), body: TestImage(0).bytes, for: key) { _ in true }
        let pipeline = pipeline()
        let pending = PendingImage(ImageRequest(address), in: pipeline)
        try await transport.started(count: 2).succeed(TestImage(9).bytes, headers: fresh)
        #expect(try await pending.image.content == 9)
        await pipeline.finishWriting()
        #expect(try await self.pipeline().image(for: address).content == 9)
        #expect(transport.transfers.count == 2)
    }

    /// A pipeline without a decoder for SVG used to remove the stored drawings of another one.
    @Test func `a stored image without a matching decoder is fetched again and stays stored`() async throws {
        try await load(headers: fresh)
        let (key, responses) = try #require(store.all().first)
        store.store(try #require(responses.first), body: SampleImage.animatedGIF, for: key) { _ in true }
        let refused = PendingImage(ImageRequest(address), in: self.pipeline())
        try await transport.started(count: 2).fail(ImageError(.connection))
        await #expect(throws: ImageError(.connection)) { try await refused.image }
        let stored = try #require(store.responses(for: key).first)
        #expect(store.body(of: stored, for: key) == SampleImage.animatedGIF)
        // An image that the decoder can read replaces it.
        let pipeline = pipeline()
        let pending = PendingImage(ImageRequest(address), in: pipeline)
        try await transport.started(count: 3).succeed(TestImage(9).bytes, headers: fresh)
        #expect(try await pending.image.content == 9)
        await pipeline.finishWriting()
        #expect(try await self.pipeline().image(for: address).content == 9)
        #expect(transport.transfers.count == 3)
    }

    @Test func `a stored response without its body is fetched again`() async throws {
        try await load(headers: fresh)
        let (key, responses) = try #require(store.all().first)
        let path = try #require(responses.first.flatMap { store.path(of: $0, for: key) })
        try TemporaryFolder.remove(path)
        let pending = PendingImage(ImageRequest(address), in: pipeline())
        try await transport.started(count: 2).succeed(TestImage(4).bytes)
        #expect(try await pending.image.content == 4)
    }

    // MARK: Memory

    @Test func `an image in memory is fresh as long as its response says`() async throws {
        let pipeline = ImagePipeline.test(transport) { $0.clock = clock }
        let request = ImageRequest(address)
        let pending = PendingImage(request, in: pipeline)
        try await transport.started(count: 1).succeed(TestImage().bytes, headers: fresh)
        _ = try await pending.image
        clock.advance(by: .seconds(59))
        #expect(pipeline.cachedImage(for: request) != nil)
        clock.advance(by: .seconds(2))
        #expect(pipeline.cachedImage(for: request) == nil)
    }

    @Test func `a no-store image stays in memory only while it is in use`() async throws {
        let pipeline = ImagePipeline.test(transport)
        let request = ImageRequest(address)
        var shown: LoadedImage?
        do {
            let pending = PendingImage(request, in: pipeline)
            try await transport.started(count: 1).succeed(
                TestImage().bytes, headers: [.cacheControl: "no-store, max-age=60"])
            shown = try await pending.image
        }
        #expect(pipeline.configuration.memoryCache?.contains(pipeline.cacheKey(for: request)) == true)
        shown = nil
        try await waitUntil("its end in memory") {
            pipeline.configuration.memoryCache?.contains(pipeline.cacheKey(for: request)) != true
        }
        #expect(shown == nil)
    }

    @Test func `a 304 reuses the decoded pixels of the image in memory`() async throws {
        let pipeline = ImagePipeline.test(transport) { configuration in
            configuration.clock = clock
            configuration.responseStore = store
        }
        let request = ImageRequest(address)
        let first = PendingImage(request, in: pipeline)
        try await transport.started(count: 1).succeed(TestImage().bytes, headers: fresh)
        let pixels = try await first.image.pixels
        await pipeline.finishWriting()
        clock.advance(by: .seconds(61))
        let second = PendingImage(request, in: pipeline)
        try await transport.started(count: 2).succeed([], status: 304, headers: fresh)
        #expect(try await second.image.pixels === pixels)
        #expect(pipeline.cachedImage(for: request) != nil, "fresh again")
    }

    // MARK: Any status

    @Test func `a stale response that may not be used yields a 504 (section 5.2.2.2)`() async throws {
        let client = HTTPCache(store: store, transport: transport, clock: clock)
        let request = TransferRequest(try WebAddress(address))
        async let first = client.response(for: request, policy: .http)
        try await transport.started(count: 1).succeed(
            [1], headers: [.cacheControl: "max-age=1, must-revalidate", .eTag: "\"1\""])
        _ = try await first
        await client.finished()
        clock.advance(by: .seconds(2))
        async let second = client.response(for: request, policy: .http)
        try await transport.started(count: 2).fail(ImageError(.connection))
        let response = try await second
        #expect(response.status == 504)
        #expect(response.origin == .generated)
        var onlyCached = request
        onlyCached.headers[.cacheControl] = "only-if-cached"
        #expect(try await client.response(for: onlyCached, policy: .http).status == 504)
    }

    @Test func `a 304 response to a condition of the request goes to the caller (section 4.3.2)`() async throws {
        let client = HTTPCache(store: store, transport: transport, clock: clock)
        let request = TransferRequest(try WebAddress(address), headers: [.ifNoneMatch: "\"mine\""])
        async let response = client.response(for: request, policy: .http)
        try await transport.started(count: 1).succeed([], status: 304)
        #expect(try await response.status == 304)
    }

    @Test func `a stored response of any status answers with its age (section 5.1)`() async throws {
        let client = HTTPCache(store: store, transport: transport, clock: clock)
        let request = TransferRequest(try WebAddress(address))
        async let first = client.response(for: request, policy: .http)
        try await transport.started(count: 1).succeed([7], status: 404, headers: [.cacheControl: "max-age=60"])
        #expect(try await first.status == 404)
        await client.finished()
        clock.advance(by: .seconds(20))
        let second = try await client.response(for: request, policy: .http)
        #expect(second.status == 404)
        #expect(second.headers[.age] == "20")
        #expect(second.origin == .disk)
    }
}

extension TemporaryFolder {
    fileprivate static func remove(_ path: String) throws {
        try #require(unlink(path) == 0)
    }
}
