import HTTPTypes
import TestSupport
import Testing

@testable import RemoteImageCore

/// Storing, sharing and `Vary` follow the request that a hook sends, not the one that it was given.
///
/// They were computed before the hook ran: after a change of account, one user saw the images of another.
@Suite(.timeLimit(.minutes(2)))
struct HookedRequestTests {
    private static let address = "http://test/a"
    private let transport = FakeTransport()
    private let store = MemoryStore()
    /// The user who is signed in, by number; the hooks of these tests send it as the token.
    private let user = Watched<UInt8>(1)

    private func pipeline(_ cache: (any ImageCache)? = MemoryCache()) -> ImagePipeline {
        .test(transport, memoryCache: cache) { [store] in $0.responseStore = store }
    }

    private func request(account: String? = nil) -> ImageRequest {
        request(RequestHook("token", account: account) { [user] in $0.headers[.authorization] = "\(user.value)" })
    }

    private func request(_ hook: RequestHook) -> ImageRequest {
        var options = ImageOptions()
        options.requestHook = hook
        return ImageRequest(Self.address, options: options)
    }

    /// Answers the transfer of a number with the image of the user whose token it has.
    private func answer(_ number: Int, headers: HTTPFields = [.cacheControl: "max-age=60"]) async throws {
        let transfer = try await transport.started(count: number)
        let content = transfer.request.headers[.authorization].flatMap { UInt8($0) } ?? 0
        transfer.succeed(TestPicture(content).bytes, headers: headers)
    }

    private func load(_ request: ImageRequest, in pipeline: ImagePipeline) async throws -> LoadedImage {
        let image = try await pipeline.image(for: request)
        await pipeline.finishWriting()
        return image
    }

    /// Loads the image of a user over the network.
    private func load(
        as user: UInt8, _ request: ImageRequest, in pipeline: ImagePipeline, transfer: Int,
        headers: HTTPFields = [.cacheControl: "max-age=60"]
    ) async throws -> LoadedImage {
        self.user.update { $0 = user }
        async let image = load(request, in: pipeline)
        try await answer(transfer, headers: headers)
        return try await image
    }

    // MARK: A hook without an account

    @Test func `memory does not answer another account`() async throws {
        let pipeline = pipeline()
        let mine = try await load(as: 1, request(), in: pipeline, transfer: 1)
        #expect(pipeline.cachedImage(for: request()) == nil)
        #expect(try await load(as: 2, request(), in: pipeline, transfer: 2).content == 2)
        withExtendedLifetime(mine) {}
    }

    @Test func `a running transfer does not answer another account`() async throws {
        let pipeline = pipeline()
        let mine = PendingImage(request(), in: pipeline)
        try await transport.started(count: 1)
        user.update { $0 = 2 }
        let theirs = PendingImage(request(), in: pipeline)
        try await answer(1)
        try await answer(2)
        #expect(try await mine.image.content == 1)
        #expect(try await theirs.image.content == 2)
    }

    @Test(arguments: [[:], [.vary: "Authorization"]] as [HTTPFields])
    func `the store does not answer another account`(_ headers: HTTPFields) async throws {
        var headers = headers
        headers[.cacheControl] = "max-age=60"
        let first = try await load(as: 1, request(), in: pipeline(), transfer: 1, headers: headers)
        let second = try await load(as: 2, request(), in: pipeline(), transfer: 2, headers: headers)
        #expect(first.content == 1)
        #expect(second.content == 2)
        user.update { $0 = 1 }
        let stored = try await load(request(), in: pipeline())
        #expect(stored.content == 1)
        #expect(stored.info.origin == .disk)
        #expect(transport.transfers.count == 2)
    }

    @Test func `an address that a hook signs is told apart in the store`() async throws {
        func signed(_ token: String) -> ImageRequest {
            request(RequestHook("signature") { $0.address = try WebAddress("\(Self.address)?token=\(token)") })
        }
        for (number, token) in ["1", "2"].enumerated() {
            async let image = load(signed(token), in: pipeline())
            try await transport.started(count: number + 1)
                .succeed(TestPicture(UInt8(number + 1)).bytes, headers: [.cacheControl: "max-age=60"])
            #expect(try await image.content == UInt8(number + 1))
        }
        #expect(pipeline().storeKey(for: signed("1")) == nil)
    }

    // MARK: A hook with an account

    @Test func `an account finds its images again with another token`() async throws {
        let pipeline = pipeline()
        let mine = try await load(as: 1, request(account: "anna"), in: pipeline, transfer: 1)
        user.update { $0 = 9 }
        #expect(pipeline.cachedImage(for: request(account: "anna"))?.content == 1)
        let stored = try await load(request(account: "anna"), in: self.pipeline())
        #expect(stored.info.origin == .disk)
        #expect(transport.transfers.count == 1)
        withExtendedLifetime(mine) {}
    }

    @Test func `accounts share neither memory nor transfers nor the store`() async throws {
        let pipeline = pipeline()
        let mine = try await load(as: 1, request(account: "anna"), in: pipeline, transfer: 1)
        #expect(pipeline.cachedImage(for: request(account: "ben")) == nil)
        let theirs = try await load(as: 2, request(account: "ben"), in: pipeline, transfer: 2)
        #expect([mine.content, theirs.content] == [1, 2])
        #expect(RequestHook("token", account: "anna") { _ in } != RequestHook("token", account: "ben") { _ in })
        // A name and an account that run together.
        #expect(
            pipeline.cacheKey(for: request(RequestHook("a", account: "b|c") { _ in }))
                != pipeline.cacheKey(for: request(RequestHook("a|b", account: "c") { _ in })))
    }

    @Test func `a hook that cannot reach its server leaves what is stored`() async throws {
        _ = try await load(as: 1, request(account: "anna"), in: pipeline(), transfer: 1)
        let offline = request(RequestHook("token", account: "anna") { _ in throw ImageError(.connection, "offline") })
        #expect(try await load(offline, in: pipeline()).content == 1)
        let signedOut = request(RequestHook("token", account: "anna") { _ in throw ImageError(.source, "signed out") })
        let error = await #expect(throws: ImageError.self) { try await pipeline().image(for: signedOut) }
        #expect(error?.code == .source)
        let unnamed = request(RequestHook("token") { _ in throw ImageError(.connection, "offline") })
        let other = await #expect(throws: ImageError.self) { try await pipeline().image(for: unnamed) }
        #expect(other?.code == .connection)
        #expect(transport.transfers.count == 1)
    }

    @Test func `Vary is compared with what the hook sends`() async throws {
        let theme = try #require(HTTPField.Name("X-Theme"))
        func themed(_ name: String) -> ImageRequest {
            request(RequestHook("theme", account: "everyone") { $0.headers[theme] = name })
        }
        let headers: HTTPFields = [.cacheControl: "max-age=60", .vary: "X-Theme"]
        for (number, name) in ["dark", "light"].enumerated() {
            async let image = load(themed(name), in: pipeline(nil))
            try await transport.started(count: number + 1)
                .succeed(TestPicture(UInt8(number + 1)).bytes, headers: headers)
            #expect(try await image.content == UInt8(number + 1))
        }
        let stored = try await load(themed("dark"), in: pipeline(nil))
        #expect(stored.content == 1)
        #expect(stored.info.origin == .disk)
    }

    @Test func `a hook that forbids storing is obeyed`() async throws {
        let private_ = request(RequestHook("private", account: "anna") { $0.headers[.cacheControl] = "no-store" })
        async let image = load(private_, in: pipeline())
        try await transport.started(count: 1).succeed(TestPicture(1).bytes, headers: [.cacheControl: "max-age=60"])
        _ = try await image
        #expect(pipeline().storeKey(for: private_).map(store.responses(for:))?.isEmpty == true)
    }

    /// Its key was computed from the request before the hook.
    @Test func `a damaged entry of a hooked request is replaced`() async throws {
        _ = try await load(as: 1, request(), in: pipeline(), transfer: 1)
        let decoder = BrokenOnceDecoder()
        let damaged = ImagePipeline.test(transport, decoder: decoder) { [store] in $0.responseStore = store }
        async let image = load(request(), in: damaged)
        try await answer(2)
        #expect(try await image.info.origin == .network)
        #expect(try await load(request(), in: pipeline()).info.origin == .disk)
    }
}

/// Finds the first file corrupt, as if its stored bytes were damaged.
private final class BrokenOnceDecoder: ImageDecoder {
    let formats: Set<ImageFormat> = [.png]
    private let decoder = FakeDecoder()
    private let isBroken = Watched(true)

    func decode(_ bytes: [UInt8], _ request: DecodeRequest) throws(ImageError) -> DecodedImage {
        let isBroken = isBroken.update { isBroken in
            defer { isBroken = false }
            return isBroken
        }
        if isBroken { throw ImageError(.corrupt, "damaged") }
        return try decoder.decode(bytes, request)
    }
}
