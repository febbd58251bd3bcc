import HTTPTypes
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// Credentials, their refusal and their replacement.
@Suite(.timeLimit(.minutes(2)), .endsInTime)
struct AuthorizationTests {
    private static let origin = "https://test"
    /// The token that the server accepts; `nil` accepts none.
    private let valid = Watched<String?>("1")
    private let clock = TestClock()
    private let store = DictionaryStore()
    private let session = Session()
    private let transport: FakeTransport

    /// The tokens of a user, as a program keeps them. Each replacement counts up.
    private final class Session: Sendable {
        let token = Watched<String?>("1")
        /// The refusals that the provider was told of.
        let refusals = Watched<[AuthorizationRequest.Refusal]>([])
        let callCount = Watched(0)
        /// Opened by the test to let replacements continue.
        let gate = Watched(true)

        func provider(account: String = "anna", origins: [String] = [origin]) -> AuthorizationProvider {
            AuthorizationProvider(account: account, origins: origins) { [self] request in
                callCount.update { $0 += 1 }
                if let refusal = request.refusal {
                    refusals.update { $0.append(refusal) }
                    try await gate.wait { $0 }
                    token.update { $0 = $0.flatMap { Int($0) }.map { "\($0 + 1)" } }
                }
                return token.value
            }
        }
    }

    init() {
        transport = FakeTransport { [valid] request in
            guard request.address.host == "test", request.headers[.authorization] != valid.value else {
                return .ok(TestImage(4).bytes, headers: [.cacheControl: "max-age=60", .vary: "Authorization"])
            }
            return .status(401, headers: [.wwwAuthenticate: "Bearer error=\"invalid_token\""])
        }
    }

    private func pipeline(
        _ transport: FakeTransport? = nil, transferCount: Int = 16, cache: (any ImageCache)? = MemoryCache()
    ) -> ImagePipeline {
        .test(transport ?? self.transport, memoryCache: cache) {
            $0.clock = clock
            $0.responseStore = store
            $0.rateLimit = nil
            $0.maxConcurrentTransfers = transferCount
            $0.maxConcurrentTransfersPerHost = transferCount
            // Tests advance the clock while images are being loaded and decoded.
            $0.transferLimits.timeout = .seconds(3600)
            $0.decodeLimits.timeout = .seconds(3600)
        }
    }

    /// The token of one server was sent to the other.
    @Test func `accounts of the same name at two servers share no credential`() async throws {
        let transport = FakeTransport { request in
            request.headers[.authorization] == "of \(request.address.host)"
                ? .ok(TestImage(4).bytes) : .status(401, headers: [.wwwAuthenticate: "Bearer"])
        }
        let pipeline = pipeline(transport)
        for host in ["one", "two"] {
            let provider = AuthorizationProvider(account: "anna", origins: ["https://\(host)"]) { request in
                request.refusal == nil ? nil : "of \(host)"
            }
            let request = ImageRequest("https://\(host)/a", options: ImageOptions(authorization: provider))
            #expect(try await pipeline.image(for: request).content == 4)
        }
        let sent = transport.transfers.map { "\($0.request.address.host) \($0.request.headers[.authorization] ?? "-")" }
        #expect(sent == ["one -", "one of one", "two -", "two of two"])
    }

    /// A provider whose first replacement fails with `error`, and the number of its replacements.
    private func providerFailingOnce(with error: ImageError) -> (AuthorizationProvider, Watched<Int>) {
        let count = Watched(0)
        let provider = AuthorizationProvider(account: "anna", origins: [Self.origin]) { request in
            if request.refusal == nil { return "1" }
            count.update { $0 += 1 }
            if count.value == 1 { throw error }
            return "2"
        }
        return (provider, count)
    }

    private func request(_ name: String = "a", _ provider: AuthorizationProvider? = nil) -> ImageRequest {
        ImageRequest(
            ImageSource("\(Self.origin)/\(name)"),
            options: ImageOptions(authorization: provider ?? session.provider()))
    }

    /// The tokens of all requests so far.
    private var tokens: [String?] { transport.transfers.map { $0.request.headers[.authorization] } }

    // MARK: Refusals

    @Test func `a request carries the credential`() async throws {
        #expect(try await pipeline().image(for: request()).content == 4)
        #expect(tokens == ["1"])
        #expect(session.refusals.value.isEmpty)
    }

    @Test func `one replacement serves 100 requests that are refused at once`() async throws {
        let transport = FakeTransport()
        let pipeline = pipeline(transport, transferCount: 100)
        let images = (0..<100).map { PendingImage(request("\($0)"), in: pipeline) }
        try await transport.started(count: 100)
        for transfer in transport.transfers {
            transfer.succeed([1], status: 401, headers: [.wwwAuthenticate: "Bearer error=\"invalid_token\""])
        }
        try await transport.started(count: 200)
        for transfer in transport.transfers.dropFirst(100) { transfer.succeed(TestImage(4).bytes) }
        for image in images { #expect(try await image.image.content == 4) }
        #expect(session.refusals.value.count == 1)
        #expect(session.refusals.value[0].credential == "1")
        #expect(session.refusals.value[0].challenges == ["Bearer error=\"invalid_token\""])
        #expect(transport.transfers.map { $0.request.headers[.authorization] }.count { $0 == "2" } == 100)
    }

    @Test func `a refusal that arrives after the replacement uses it`() async throws {
        let transport = FakeTransport()
        let pipeline = pipeline(transport)
        let images = ["a", "b"].map { PendingImage(request($0), in: pipeline) }
        try await transport.started(count: 2)
        transport.transfers[0].succeed([], status: 401)
        try await transport.started(count: 3).succeed(TestImage(4).bytes)
        transport.transfers[1].succeed([], status: 401)
        let repeated = try await transport.started(count: 4)
        #expect(repeated.request.headers[.authorization] == "2")
        repeated.succeed(TestImage(4).bytes)
        for image in images { #expect(try await image.image.content == 4) }
        #expect(session.refusals.value.count == 1)
    }

    @Test func `requests that start during a replacement wait for it`() async throws {
        valid.update { $0 = "2" }
        session.gate.update { $0 = false }
        let pipeline = pipeline(transferCount: 6)
        let images = (0..<100).map { PendingImage(request("\($0)"), in: pipeline) }
        try await session.refusals.wait { !$0.isEmpty }
        session.gate.update { $0 = true }
        for image in images { #expect(try await image.image.content == 4) }
        #expect(session.refusals.value.count == 1)
        #expect(tokens.count { $0 == "1" } <= 6)
        #expect(tokens.count { $0 == "2" } == 100)
    }

    @Test func `the second refusal is the failure, after one replacement for all`() async throws {
        valid.update { $0 = nil }
        let pipeline = pipeline(transferCount: 6)
        let images = (0..<100).map { PendingImage(request("\($0)"), in: pipeline) }
        for image in images {
            let error = await #expect(throws: ImageError.self) { try await image.image }
            #expect(error?.status == 401)
        }
        #expect(session.refusals.value.count == 1)
    }

    /// It used to cause one replacement for each host, which a single-use token does not survive.
    @Test func `one replacement serves several origins with one credential`() async throws {
        let transport = FakeTransport()
        let provider = session.provider(origins: ["https://a.test", "https://*.b.test"])
        let pipeline = pipeline(transport)
        let images = ["a.test", "1.b.test", "2.b.test"].map { host in
            PendingImage(
                ImageRequest(ImageSource("https://\(host)/a"), options: ImageOptions(authorization: provider)),
                in: pipeline)
        }
        try await transport.started(count: 3)
        for transfer in transport.transfers { transfer.succeed([], status: 401) }
        try await transport.started(count: 6)
        for transfer in transport.transfers.dropFirst(3) { transfer.succeed(TestImage(4).bytes) }
        for image in images { #expect(try await image.image.content == 4) }
        #expect(session.refusals.value.count == 1)
    }

    /// The failure used to be remembered for a minute, so that each retry failed with it.
    @Test func `a retry asks again after a replacement that failed for want of a network`() async throws {
        valid.update { $0 = "2" }
        let (provider, replacementCount) = providerFailingOnce(with: ImageError(.connection, "no route"))
        var request = request("a", provider)
        request.options.retryPolicy = .standard(baseDelay: .zero)
        #expect(try await ImagePipeline.test(transport).image(for: request).content == 4)
        #expect(replacementCount.value == 2)
    }

    @Test func `a later request replaces a credential that was refused before`() async throws {
        valid.update { $0 = nil }
        let pipeline = pipeline()
        _ = try? await pipeline.image(for: request())
        valid.update { $0 = "3" }
        clock.advance(by: .seconds(1))
        #expect(try await pipeline.image(for: request()).content == 4)
        #expect(session.refusals.value.map(\.credential) == ["1", "2"])
    }

    @Test func `a long queue may need several replacements`() async throws {
        let transport = FakeTransport()
        let pipeline = pipeline(transport, transferCount: 1)
        let images = ["a", "b"].map { PendingImage(request($0), in: pipeline) }
        try await transport.started(count: 1).succeed([], status: 401)
        try await transport.started(count: 2).succeed(TestImage(1).bytes)
        clock.advance(by: CredentialRefresher.sharedOutcomeLifetime)
        let third = try await transport.started(count: 3)
        #expect(third.request.headers[.authorization] == "2")
        third.succeed([], status: 401)
        let fourth = try await transport.started(count: 4)
        #expect(fourth.request.headers[.authorization] == "3")
        fourth.succeed(TestImage(1).bytes)
        for image in images { #expect(try await image.image.content == 1) }
    }

    @Test func `a failed replacement fails the loads that were requested before, and no later ones`() async throws {
        valid.update { $0 = "2" }
        let (provider, replacementCount) = providerFailingOnce(with: ImageError(.source, "signed out"))
        let pipeline = pipeline(transferCount: 2)
        let images = (0..<10).map { PendingImage(request("\($0)", provider), in: pipeline) }
        for image in images {
            let error = await #expect(throws: ImageError.self) { try await image.image }
            #expect(error?.detail == "signed out")
        }
        #expect(replacementCount.value == 1)
        clock.advance(by: .seconds(1))
        #expect(try await pipeline.image(for: request("0", provider)).content == 4)
        #expect(replacementCount.value == 2)
    }

    @Test func `a credential that is known to be refused is not sent again`() async throws {
        valid.update { $0 = "2" }
        let provider = AuthorizationProvider(account: "anna", origins: [Self.origin]) { request in
            request.refusal == nil ? "1" : "2"
        }
        let pipeline = pipeline()
        _ = try await pipeline.image(for: request("a", provider))
        _ = try await pipeline.image(for: request("b", provider))
        #expect(tokens == ["1", "2", "2"])
    }

    @Test func `403 is a refusal only with a challenge`() async throws {
        let transport = FakeTransport()
        let pipeline = pipeline(transport)
        let refused = PendingImage(request("a"), in: pipeline)
        try await transport.started(count: 1).succeed([1], status: 403, headers: [.wwwAuthenticate: "Bearer"])
        try await transport.started(count: 2).succeed(TestImage(1).bytes)
        #expect(try await refused.image.content == 1)
        #expect(session.refusals.value.map(\.status) == [403])
        clock.advance(by: .seconds(1))
        let forbidden = PendingImage(request("b"), in: pipeline)
        try await transport.started(count: 3).succeed([1], status: 403)
        let error = await #expect(throws: ImageError.self) { try await forbidden.image }
        #expect(error?.status == 403)
        #expect(session.refusals.value.count == 1)
    }

    @Test func `a refusal by another origin, after a redirect, replaces nothing`() async throws {
        let transport = FakeTransport()
        let image = PendingImage(request(), in: pipeline(transport))
        let transfer = try await transport.started(count: 1)
        transfer.respond(status: 401, from: try WebAddress("https://other/a"))
        transfer.finish()
        let error = await #expect(throws: ImageError.self) { try await image.image }
        #expect(error?.status == 401)
        #expect(session.refusals.value.isEmpty)
    }

    /// Refuses each request after redirects.
    private struct DetourTransport: Transport {
        let hops: [String]

        func load(_ request: TransferRequest, into receiver: any TransferReceiver) async throws(ImageError) {
            var head = TransferHead(status: 401, address: request.address)
            for hop in hops {
                head.redirects.append(RedirectTerms.Hop(address: try WebAddress(hop), status: 302, headers: [:]))
            }
            try receiver.receive(head)
        }
    }

    @Test func `a refusal after a detour through another origin replaces nothing`() async throws {
        let pipeline = ImagePipeline.test(DetourTransport(hops: ["https://test/a", "https://other/sign-on"]))
        let error = await #expect(throws: ImageError.self) { try await pipeline.image(for: request()) }
        #expect(error?.status == 401)
        #expect(session.refusals.value.isEmpty)
    }

    // MARK: Cancellation

    @Test func `cancelling a load does not cancel the replacement that others wait for`() async throws {
        valid.update { $0 = "2" }
        session.gate.update { $0 = false }
        let pipeline = pipeline()
        let first = PendingImage(request("a"), in: pipeline)
        try await session.refusals.wait { $0.count == 1 }
        let second = PendingImage(request("b"), in: pipeline)
        first.task?.cancel()
        await #expect(throws: ImageError.cancelled) { try await first.image }
        session.gate.update { $0 = true }
        #expect(try await second.image.content == 4)
        #expect(session.refusals.value.count == 1)
    }

    @Test func `a load that is cancelled alone leaves the new credential for the next one`() async throws {
        valid.update { $0 = "2" }
        session.gate.update { $0 = false }
        let pipeline = pipeline()
        let first = PendingImage(request("a"), in: pipeline)
        try await session.refusals.wait { $0.count == 1 }
        first.task?.cancel()
        await #expect(throws: ImageError.cancelled) { try await first.image }
        #expect(pipeline.context.jobs.jobCount == 0)
        session.gate.update { $0 = true }
        #expect(try await pipeline.image(for: request("b")).content == 4)
        #expect(session.refusals.value.count == 1)
    }

    @Test func `a load that is cancelled before it has a credential sends nothing`() async throws {
        let callCount = Watched(0)
        let isCancelled = Watched(false)
        let provider = AuthorizationProvider(account: "anna", origins: [Self.origin]) { _ in
            callCount.update { $0 += 1 }
            // Yields nothing, and ends when the task is cancelled.
            let (nothing, source) = AsyncStream<Void>.makeStream()
            for await _ in nothing {}
            withExtendedLifetime(source) {}
            isCancelled.update { $0 = Task.isCancelled }
            return "1"
        }
        let image = PendingImage(request("a", provider), in: pipeline())
        try await callCount.wait { $0 == 1 }
        image.task?.cancel()
        try await isCancelled.wait { $0 }
        await #expect(throws: ImageError.cancelled) { try await image.image }
        #expect(transport.transfers.isEmpty)
    }

    @Test func `a cancelled load closes its repeated transfer`() async throws {
        let transport = FakeTransport()
        let image = PendingImage(request(), in: pipeline(transport))
        try await transport.started(count: 1).succeed([], status: 401)
        let second = try await transport.started(count: 2)
        image.task?.cancel()
        try await second.cancelled()
        #expect(image.answerCount == 1)
    }

    // MARK: Origins

    @Test(arguments: [
        ("https://test", true), ("https://other", false), ("http://test", false), ("https://test:8443", false),
        ("https://a.wide", true), ("https://a.b.wide", true), ("https://wide", false), ("https://notwide", false),
    ])
    func `only covered origins receive the credential`(origin: String, isCovered: Bool) async throws {
        let transport = FakeTransport { _ in .ok(TestImage(4).bytes) }
        let provider = session.provider(origins: [Self.origin, "https://*.wide"])
        let request = ImageRequest(ImageSource("\(origin)/a"), options: ImageOptions(authorization: provider))
        _ = try await pipeline(transport).image(for: request)
        #expect(transport.transfers[0].request.headers[.authorization] == (isCovered ? "1" : nil))
        #expect(session.callCount.value == (isCovered ? 1 : 0))
    }

    @Test(arguments: [
        "test", "*", "https://", "ftp://test", "https://a:b@test", "https://test/api/", "https://test?a",
        "https://*.*.test", "",
    ])
    func `a text that is no origin is a clear error`(text: String) async throws {
        let request = request("a", session.provider(origins: [Self.origin, text]))
        let error = await #expect(throws: ImageError.self) { try await pipeline().image(for: request) }
        #expect(error?.code == .invalidURL)
        #expect(error?.detail?.contains("“\(text)” is not an origin") == true)
        #expect(transport.transfers.isEmpty)
    }

    @Test func `a hook that moves a request to a covered origin does not authorize it`() async throws {
        let hook = RequestHook("move", account: "") { $0.address = try WebAddress("https://test/a") }
        let options = ImageOptions(authorization: session.provider(), requestHook: hook)
        _ = try? await pipeline().image(for: ImageRequest("https://other/a", options: options))
        #expect(tokens == [nil])
    }

    @Test func `a hook that moves a request to another origin sends no credential`() async throws {
        let hook = RequestHook("move", account: "") { $0.address = try WebAddress("https://other/a") }
        let options = ImageOptions(authorization: session.provider(), requestHook: hook)
        _ = try await pipeline().image(for: ImageRequest("https://test/a", options: options))
        #expect(transport.addresses == ["https://other/a"])
        #expect(tokens == [nil])
    }

    @Test func `steps of a sized source belong to the account`() async throws {
        let source = ImageSource.sized(identity: "photo") { "https://test/\($0)" }
        func request(_ account: String, _ side: Int) -> ImageRequest {
            ImageRequest(
                source, target: .longestSide(side),
                options: ImageOptions(authorization: session.provider(account: account)))
        }
        let pipeline = pipeline()
        _ = try await pipeline.image(for: request("anna", 64))
        #expect(tokens == ["1"])
        #expect(pipeline.cachedImage(for: request("anna", 64)) != nil)
        #expect(pipeline.cachedImage(for: request("bob", 64)) == nil)
        await pipeline.finishWriting()
        _ = try await self.pipeline().image(for: request("bob", 64))
        #expect(transport.transfers.count == 2)
    }

    // MARK: What is stored

    @Test func `the next start finds all images with another token, and asks for none`() async throws {
        let first = pipeline()
        for name in ["a", "b"] { _ = try await first.image(for: request(name)) }
        await first.finishWriting()
        session.token.update { $0 = "7" }
        let next = pipeline()
        for name in ["a", "b"] { #expect(try await next.image(for: request(name)).info.origin == .disk) }
        #expect(transport.transfers.count == 2)
        #expect(session.callCount.value == 2)
    }

    @Test func `a validation carries the credential`() async throws {
        let transport = FakeTransport { request in
            request.headers[.ifNoneMatch] == nil
                ? .ok(TestImage(4).bytes, headers: [.cacheControl: "no-cache", .eTag: "\"1\""]) : .status(304)
        }
        let first = pipeline(transport)
        _ = try await first.image(for: request())
        await first.finishWriting()
        let next = pipeline(transport)
        #expect(try await next.image(for: request()).info.origin == .revalidated)
        #expect(transport.transfers.map { $0.request.headers[.authorization] } == ["1", "1"])
    }

    @Test func `accounts share nothing, neither with each other nor with requests without one`() async throws {
        let shared = MemoryCache()
        let pipeline = pipeline(cache: shared)
        _ = try await pipeline.image(for: request())
        await pipeline.finishWriting()
        let others = [
            request("a", session.provider(account: "bob")), request("a", session.provider(account: "")),
            ImageRequest("https://test/a"),
        ]
        for other in others {
            #expect(pipeline.cachedImage(for: other) == nil)
            var stored = other
            stored.options.cachePolicy = .cacheOnly
            let error = await #expect(throws: ImageError.self) { try await pipeline.image(for: stored) }
            #expect(error?.code == .notStored)
        }
        let waiting = FakeTransport()
        let busy = self.pipeline(waiting, cache: nil)
        let loads = ([request("b")] + [request("b", session.provider(account: "bob")), ImageRequest("https://test/b")])
            .map { PendingImage($0, in: busy) }
        try await waiting.started(count: 3)
        for load in loads { load.task?.cancel() }
    }

    @Test func `without a network, a stored image is shown although no token can be had`() async throws {
        let first = pipeline()
        _ = try await first.image(for: request())
        await first.finishWriting()
        let next = pipeline()
        clock.advance(by: .seconds(120))
        let offline = AuthorizationProvider(account: "anna", origins: [Self.origin]) { _ in
            throw ImageError(.connection, "no route")
        }
        #expect(try await next.image(for: request("a", offline)).info.origin == .stale)
    }

    // MARK: Providers that fail

    @Test func `an error of the provider is the error of the load`() async throws {
        struct SignedOut: Error {}
        let own = AuthorizationProvider(account: "a", origins: [Self.origin]) { _ in throw ImageError(.tls, "own") }
        let error = await #expect(throws: ImageError.self) { try await pipeline().image(for: request("a", own)) }
        #expect(error == ImageError(.tls, "own"))
        let other = AuthorizationProvider(account: "a", origins: [Self.origin]) { _ in throw SignedOut() }
        let source = await #expect(throws: ImageError.self) { try await pipeline().image(for: request("a", other)) }
        #expect(source?.code == .source)
        #expect(transport.transfers.isEmpty)
    }

    @Test(arguments: ["a\r\nX-Evil: 1", "a\nb", "a\u{0}", "ü"])
    func `a credential that is no header value is refused`(text: String) async throws {
        let provider = AuthorizationProvider(account: "a", origins: [Self.origin]) { _ in text }
        let error = await #expect(throws: ImageError.self) { try await pipeline().image(for: request("a", provider)) }
        #expect(error?.code == .source)
        #expect(error?.detail?.contains(text) == false)
        #expect(transport.transfers.isEmpty)
    }

    @Test func `a provider that hangs times out, also as it replaces, and frees its place`() async throws {
        valid.update { $0 = "2" }
        session.gate.update { $0 = false }
        let pipeline = pipeline(transferCount: 1)
        var hanging = request("a")
        hanging.options.timeout = .seconds(5)
        let image = PendingImage(hanging, in: pipeline)
        try await session.refusals.wait { $0.count == 1 }
        try await clock.scheduled(count: 3)
        clock.advance(by: .seconds(5))
        let error = await #expect(throws: ImageError.self) { try await image.image }
        #expect(error?.code == .timeout)
        #expect(error?.detail == "the authorization provider took longer than 5.0 seconds")
        session.gate.update { $0 = true }
        clock.advance(by: .seconds(1))
        #expect(try await pipeline.image(for: request("b")).content == 4)
    }

    @Test func `a load that times out does not end the replacement that others wait for`() async throws {
        valid.update { $0 = "2" }
        session.gate.update { $0 = false }
        let pipeline = pipeline()
        var short = request("a")
        short.options.timeout = .seconds(1)
        let first = PendingImage(short, in: pipeline)
        try await session.refusals.wait { $0.count == 1 }
        // The limits of the first credential, of the replacement, and of the wait for it.
        try await clock.scheduled(count: 3)
        let second = PendingImage(request("b"), in: pipeline)
        clock.advance(by: .seconds(2))
        let error = await #expect(throws: ImageError.self) { try await first.image }
        #expect(error?.code == .timeout)
        session.gate.update { $0 = true }
        #expect(try await second.image.content == 4)
        #expect(session.refusals.value.count == 1)
    }

    @Test func `without a credential, a request is sent without the field, and may be refused`() async throws {
        session.token.update { $0 = nil }
        let error = await #expect(throws: ImageError.self) { try await pipeline().image(for: request()) }
        #expect(error?.status == 401)
        #expect(tokens == [nil])
        #expect(session.refusals.value.map(\.credential) == [nil])
    }

    @Test func `another field is possible`() async throws {
        let key = try #require(HTTPField.Name("X-Api-Key"))
        let provider = AuthorizationProvider(account: "a", origins: [Self.origin], field: key) { _ in "k" }
        let transport = FakeTransport { _ in .ok(TestImage(4).bytes) }
        _ = try await pipeline(transport).image(for: request("a", provider))
        #expect(transport.transfers[0].request.headers[key] == "k")
        #expect(transport.transfers[0].request.headers[.authorization] == nil)
    }
}
