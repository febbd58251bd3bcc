import HTTPTypes
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// Storing, sharing and `Vary` follow the request that a hook sends.
///
/// They used to follow the request before the hook: after a change of account, one user saw the
/// images of another.
@Suite(.timeLimit(.minutes(2)))
struct HookedRequestTests {
    private static let address = "http://test/a"
    private let transport: FakeTransport
    private let store = DictionaryStore()
    /// The number of the user who is signed in; the hooks of these tests send it as the token.
    private let user = Watched<UInt8>(1)
    /// The headers of every response.
    private let headers = Watched<HTTPFields>([.cacheControl: "max-age=60"])

    init() {
        let headers = headers
        transport = FakeTransport { request in
            // The image of the user whose token is in the request: in a header or in the address.
            let texts: [String?] = [
                request.headers[.authorization], request.headers[.acceptLanguage], request.address.string,
            ]
            let content = texts.compactMap { $0?.last?.wholeNumberValue }.first ?? 9
            return .ok(TestImage(UInt8(content)).bytes, headers: headers.value)
        }
    }

    private func pipeline(
        _ cache: (any ImageCache)? = MemoryCache(), _ transport: (any Transport)? = nil
    ) -> ImagePipeline {
        .test(transport ?? self.transport, memoryCache: cache) { [store] in $0.responseStore = store }
    }

    private func request(account: String? = nil) -> ImageRequest {
        request(RequestHook("token", account: account) { [user] in $0.headers[.authorization] = "\(user.value)" })
    }

    private func request(_ hook: RequestHook) -> ImageRequest {
        var options = ImageOptions()
        options.requestHook = hook
        return ImageRequest(Self.address, options: options)
    }

    private func load(
        as user: UInt8? = nil, _ request: ImageRequest, in pipeline: ImagePipeline
    ) async throws -> LoadedImage {
        if let user { self.user.update { $0 = user } }
        let image = try await pipeline.image(for: request)
        await pipeline.finishWriting()
        return image
    }

    // MARK: A hook without an account

    @Test func `memory does not answer for another account`() async throws {
        let pipeline = pipeline()
        let mine = try await load(as: 1, request(), in: pipeline)
        #expect(pipeline.cachedImage(for: request()) == nil)
        #expect(try await load(as: 2, request(), in: pipeline).content == 2)
        withExtendedLifetime(mine) {}
    }

    @Test func `a running transfer does not answer for another account`() async throws {
        // The first user's transfer waits for the test.
        let transport = FakeTransport { request in
            request.headers[.authorization] == "1" ? nil : .ok(TestImage(2).bytes)
        }
        let pipeline = pipeline(MemoryCache(), transport)
        let mine = PendingImage(request(), in: pipeline)
        let transfer = try await transport.started(count: 1)
        user.update { $0 = 2 }
        let theirs = PendingImage(request(), in: pipeline)
        transfer.succeed(TestImage(1).bytes)
        #expect(try await mine.image.content == 1)
        #expect(try await theirs.image.content == 2)
    }

    @Test(arguments: [nil, "Authorization"])
    func `the store does not answer for another account`(_ vary: String?) async throws {
        headers.update { $0[.vary] = vary }
        #expect(try await load(as: 1, request(), in: pipeline()).content == 1)
        #expect(try await load(as: 2, request(), in: pipeline()).content == 2)
        let stored = try await load(as: 1, request(), in: pipeline())
        #expect(stored.content == 1)
        #expect(stored.info.origin == .disk)
        #expect(transport.transfers.count == 2)
    }

    @Test func `addresses signed by a hook are stored separately`() async throws {
        func signed(_ token: String) -> ImageRequest {
            request(RequestHook("signature") { $0.address = try WebAddress("\(Self.address)?token=\(token)") })
        }
        #expect(try await load(signed("1"), in: pipeline()).content == 1)
        #expect(try await load(signed("2"), in: pipeline()).content == 2)
        #expect(pipeline().diskCacheKey(for: signed("1")) == nil)
    }

    // MARK: A hook with an account

    @Test func `an account with a new token finds its stored images`() async throws {
        let pipeline = pipeline()
        let mine = try await load(as: 1, request(account: "anna"), in: pipeline)
        user.update { $0 = 9 }
        #expect(pipeline.cachedImage(for: request(account: "anna"))?.content == 1)
        let stored = try await load(request(account: "anna"), in: self.pipeline())
        #expect(stored.info.origin == .disk)
        #expect(transport.transfers.count == 1)
        withExtendedLifetime(mine) {}
    }

    /// Each token was a variant of its own.
    @Test(arguments: ["Authorization", "cookie, authorization"], [0, 60])
    func `Vary does not tell the tokens of an account apart`(vary: String, lifetime: Int) async throws {
        headers.update { $0 = [.vary: vary, .eTag: "\"1\"", .cacheControl: "max-age=\(lifetime)"] }
        _ = try await load(as: 1, request(account: "anna"), in: pipeline(nil))
        let next = try await load(as: 2, request(account: "anna"), in: pipeline(nil))
        if lifetime > 0 {
            #expect(next.info.origin == .disk)
        } else {
            #expect(transport.transfers.last?.request.headers[.ifNoneMatch] == "\"1\"")
        }
        let key = try #require(pipeline().diskCacheKey(for: request(account: "anna")))
        #expect(store.responses(for: key).count == 1)
    }

    @Test func `Vary tells credentials apart under a hook whose images are shared by all users`() async throws {
        headers.update { $0[.vary] = "Authorization" }
        #expect(try await load(as: 1, request(account: ""), in: pipeline(nil)).content == 1)
        #expect(try await load(as: 2, request(account: ""), in: pipeline(nil)).content == 2)
    }

    @Test func `accounts share no images in memory or stored responses`() async throws {
        let pipeline = pipeline()
        let mine = try await load(as: 1, request(account: "anna"), in: pipeline)
        #expect(pipeline.cachedImage(for: request(account: "ben")) == nil)
        let theirs = try await load(as: 2, request(account: "ben"), in: pipeline)
        #expect([mine.content, theirs.content] == [1, 2])
        #expect(RequestHook("token", account: "anna") { _ in } != RequestHook("token", account: "ben") { _ in })
        // Names and accounts that are equal when they are joined.
        #expect(
            pipeline.cacheKey(for: request(RequestHook("a", account: "b|c") { _ in }))
                != pipeline.cacheKey(for: request(RequestHook("a|b", account: "c") { _ in })))
    }

    @Test func `accounts share no running transfer`() async throws {
        let transport = FakeTransport()
        let pipeline = pipeline(nil, transport)
        let mine = PendingImage(request(account: "anna"), in: pipeline)
        let first = try await transport.started(count: 1)
        user.update { $0 = 2 }
        let theirs = PendingImage(request(account: "ben"), in: pipeline)
        let second = try await transport.started(count: 2)
        second.succeed(TestImage(2).bytes)
        #expect(try await theirs.image.content == 2)
        first.succeed(TestImage(1).bytes)
        #expect(try await mine.image.content == 1)
    }

    @Test func `the stored image answers when a hook has no connection`() async throws {
        _ = try await load(as: 1, request(account: "anna"), in: pipeline())
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

    @Test func `the stored image answers when a hook times out`() async throws {
        _ = try await load(as: 1, request(account: "anna"), in: pipeline())
        let (clock, calls, never) = (TestClock(), Watched(0), Watched(false))
        defer { never.update { $0 = true } }
        let pipeline = ImagePipeline.test(transport) { [store] in ($0.responseStore, $0.clock) = (store, clock) }
        var hanging = request(
            RequestHook("token", account: "anna") { _ in
                calls.update { $0 += 1 }
                try await never.wait { $0 }
            })
        hanging.options.timeout = .seconds(5)
        let image = PendingImage(hanging, in: pipeline)
        try await calls.wait { $0 == 1 }
        clock.advance(by: .seconds(5))
        #expect(try await image.image.content == 1)
    }

    @Test func `the stored-only policy runs no hook`() async throws {
        _ = try await load(as: 1, request(account: "anna"), in: pipeline())
        let calls = Watched(0)
        func cacheOnly(_ account: String?) -> ImageRequest {
            var request = request(RequestHook("token", account: account) { _ in calls.update { $0 += 1 } })
            request.options.cachePolicy = .cacheOnly
            return request
        }
        #expect(try await load(cacheOnly("anna"), in: pipeline()).content == 1)
        let error = await #expect(throws: ImageError.self) { try await load(cacheOnly(nil), in: pipeline()) }
        #expect(error?.code == .notStored)
        #expect(calls.value == 0)
    }

    /// Leads to another provider instead of an image.
    private struct Link: ImageProvider {
        let identity: String
        let target: String

        func image() async throws -> ProvidedImage {
            .source(.provider(Link(identity: target, target: identity)))
        }
    }

    @Test func `providers that lead to each other fail under a hook without an account`() async throws {
        var request = request()
        request.source = .provider(Link(identity: "one", target: "two"))
        let error = await #expect(throws: ImageError.self) { try await pipeline().image(for: request) }
        #expect(error?.code == .source)
    }

    @Test func `Vary is compared with the headers that the hook sends`() async throws {
        headers.update { $0[.vary] = "Accept-Language" }
        func localized(_ name: String) -> ImageRequest {
            request(RequestHook("language", account: "") { $0.headers[.acceptLanguage] = name })
        }
        #expect(try await load(localized("de;1"), in: pipeline(nil)).content == 1)
        #expect(try await load(localized("en;2"), in: pipeline(nil)).content == 2)
        let stored = try await load(localized("de;1"), in: pipeline(nil))
        #expect(stored.content == 1)
        #expect(stored.info.origin == .disk)
    }

    @Test func `a hook can forbid storing`() async throws {
        let secret = request(RequestHook("secret", account: "anna") { $0.headers[.cacheControl] = "no-store" })
        _ = try await load(secret, in: pipeline())
        #expect(pipeline().diskCacheKey(for: secret).map(store.responses(for:))?.isEmpty == true)
    }

    /// The key used to be computed from the request before the hook.
    @Test func `a damaged entry of a hooked request is replaced`() async throws {
        _ = try await load(as: 1, request(), in: pipeline())
        let decoder = BrokenOnceDecoder()
        let damaged = ImagePipeline.test(transport, decoder: decoder) { [store] in $0.responseStore = store }
        #expect(try await load(request(), in: damaged).info.origin == .network)
        #expect(transport.transfers.count == 2)
        #expect(try await load(request(), in: pipeline()).info.origin == .disk)
    }
}

/// Reports the first file as corrupt, as if its stored bytes were damaged.
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
