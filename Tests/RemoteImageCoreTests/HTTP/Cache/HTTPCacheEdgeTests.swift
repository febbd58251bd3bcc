import HTTPTypes
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// Misbehaving servers, and the cache's work in the background.
@Suite(.timeLimit(.minutes(5)), .endsInTime)
struct HTTPCacheEdgeTests {
    let transport = FakeTransport()
    let clock = TestClock()
    let store: DiskCache
    let client: HTTPCache
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        store = DiskCache(path: folder.path)
        client = HTTPCache(store: store, transport: transport, clock: clock)
    }

    private func get(
        _ policy: CachePolicy = .http, headers: HTTPFields = [:]
    ) throws -> Task<LoadedData, any Error> {
        let request = TransferRequest(try WebAddress("http://test/a"), headers: headers)
        return Task { try await client.response(for: request, policy: policy) }
    }

    /// Loads this response, so that it is stored.
    private func store(_ body: [UInt8] = [1], headers: HTTPFields) async throws {
        let count = transport.transfers.count + 1
        let first = try get()
        try await transport.started(count: count).succeed(body, headers: headers)
        _ = try await first.value
        await client.finished()
    }

    private func pipeline() -> ImagePipeline {
        .test(transport, memoryCache: nil) { configuration in
            configuration.responseStore = store
            configuration.clock = clock
        }
    }

    // MARK: Pending writes

    @Test func `a request finds a response that is still being stored`() async throws {
        let held = HeldStore(holding: .write, of: store)
        let client = HTTPCache(store: held, transport: transport, clock: clock)
        @Sendable func body(_ policy: CachePolicy) async throws -> [UInt8] {
            let request = TransferRequest(try WebAddress("http://test/a"))
            return try await client.response(for: request, policy: policy).bytes
        }
        let first = Task { try await body(.http) }
        try await transport.started(count: 1).succeed([1], headers: [.cacheControl: "max-age=60"])
        #expect(try await first.value == [1])
        let second = Task { try await body(.cacheOnly) }
        held.release()
        #expect(try await second.value == [1])
    }

    @Test func `a lookup waits for all writes of its key and for no others`() async throws {
        let background = PendingCacheWork()
        for _ in 0..<2 { background.beginWrite(of: "a") }
        await background.writesEnded(of: "b")
        let isOver = Watched(false)
        let lookup = Task {
            await background.writesEnded(of: "a")
            isOver.update { $0 = true }
        }
        background.endWrite(of: "a")
        for _ in 0..<100 { await Task.yield() }
        #expect(!isOver.value)
        background.endWrite(of: "a")
        await lookup.value
        await background.writesEnded(of: "a")
    }

    // MARK: 304

    @Test func `a 304 about another version repeats the request without conditions (RFC 9111 section 4.3.4)`()
        async throws
    {
        try await store(headers: [.cacheControl: "max-age=0", .eTag: "\"1\""])
        let second = try get()
        try await transport.started(count: 2).succeed([], status: 304, headers: [.eTag: "\"2\""])
        let again = try await transport.started(count: 3)
        #expect(again.request.headers[.ifNoneMatch] == nil)
        again.succeed([2], headers: [.eTag: "\"2\""])
        #expect(try await second.value.bytes == [2])
    }

    @Test func `a 304 response to an unconditional request is an error (RFC 9110 section 15.4.5)`() async throws {
        let answer = try get()
        try await transport.started(count: 1).succeed([], status: 304)
        let error = await #expect(throws: ImageError.self) { try await answer.value }
        #expect(error?.code == .protocol)
    }

    @Test func `a 304 with no-store removes the stored response (RFC 9111 section 5.2.2.5)`() async throws {
        try await store(headers: [.cacheControl: "max-age=0", .eTag: "\"1\""])
        let second = try get()
        try await transport.started(count: 2).succeed([], status: 304, headers: [.cacheControl: "no-store, max-age=60"])
        #expect(try await second.value.bytes == [1])
        await client.finished()
        #expect(store.all().isEmpty)
    }

    @Test func `a 304 without a date counts its age from its arrival (RFC 9110 section 6.6.1)`() async throws {
        try await store(headers: [
            .cacheControl: "max-age=0", .eTag: "\"1\"", .date: "Thu, 01 Jan 2015 00:00:00 GMT",
        ])
        let second = try get()
        try await transport.started(count: 2).succeed([], status: 304, headers: [.cacheControl: "max-age=60"])
        #expect(try await second.value.origin == .revalidated)
        #expect(try await get().value.origin == .disk)
    }

    @Test func `a body that is removed during its validation is fetched again after the 304`() async throws {
        try await store(headers: [.cacheControl: "max-age=0", .eTag: "\"1\""])
        let second = try get()
        let validation = try await transport.started(count: 2)
        store.removeAll()
        validation.succeed([], status: 304)
        let again = try await transport.started(count: 3)
        #expect(again.request.headers[.ifNoneMatch] == nil)
        again.succeed([2])
        #expect(try await second.value.bytes == [2])
    }

    /// The missing body of the old response used to remove the new one.
    @Test(arguments: [304, nil])
    func `a response that is replaced during its validation does not remove its replacement`(
        status: Int?
    ) async throws {
        try await store(headers: [.cacheControl: "max-age=0", .eTag: "\"1\""])
        let second = try get()
        let validation = try await transport.started(count: 2)
        let reload = try get(.reload)
        try await transport.started(count: 3).succeed([2], headers: [.cacheControl: "max-age=60", .eTag: "\"2\""])
        _ = try await reload.value
        await client.finished()
        if let status {
            validation.succeed([], status: status)
            try await transport.started(count: 4).fail(ImageError(.connection))
        } else {
            validation.fail(ImageError(.connection))
        }
        _ = await second.result
        #expect(try await get(.cacheOnly).value.bytes == [2])
    }

    // MARK: Errors

    /// The head of the response used to remove the stored one.
    @Test(arguments: [ImageError(.incomplete), .cancelled])
    func `a no-store response that is cut off does not remove the stored response`(error: ImageError) async throws {
        try await store(headers: [.cacheControl: "max-age=0"])
        let second = try get()
        let transfer = try await transport.started(count: 2)
        transfer.respond(headers: [.cacheControl: "no-store"], expected: 2)
        transfer.send([2])
        transfer.fail(error)
        await #expect(throws: error) { try await second.value }
        await client.finished()
        #expect(try await get(.cacheOnly).value.bytes == [1])
    }

    @Test func `a stale response answers before the body of an error ends (RFC 5861 section 4)`() async throws {
        try await store(headers: [.cacheControl: "max-age=0, stale-if-error=60"])
        let second = try get()
        let error = try await transport.started(count: 2)
        error.respond(status: 503)
        #expect(try await second.value.origin == .stale)
        try await error.cancelled()
    }

    @Test func `a forced revalidation is answered with a stale response when the server is unreachable`() async throws {
        try await store(headers: [.cacheControl: "max-age=60", .eTag: "\"1\""])
        let second = try get(.revalidate)
        try await transport.started(count: 2).fail(ImageError(.connection))
        #expect(try await second.value.origin == .stale)
    }

    @Test(arguments: [CachePolicy.cacheElseLoad, .cacheOnly])
    func `a stored policy does not answer with an error that has no lifetime`(policy: CachePolicy) async throws {
        let first = try get()
        try await transport.started(count: 1).succeed([], status: 404)
        _ = try await first.value
        await client.finished()
        let second = try get(policy)
        if policy == .cacheElseLoad {
            try await transport.started(count: 2).succeed([7])
            #expect(try await second.value.bytes == [7])
        } else {
            await #expect(throws: ImageError.self) { try await second.value }
        }
    }

    @Test func `a stored body above the limit of the request is a miss`() async throws {
        try await store([UInt8](repeating: 1, count: 500), headers: [.cacheControl: "max-age=60"])
        var request = TransferRequest(try WebAddress("http://test/a"))
        request.limits.maxBodyByteCount = 100
        let second = Task { [client, request] in try await client.response(for: request, policy: .http) }
        try await transport.started(count: 2).succeed([7])
        #expect(try await second.value.bytes == [7])
    }

    // MARK: Background work

    @Test func `waiting for pending work includes background validation`() async throws {
        try await store(headers: [.cacheControl: "max-age=0, stale-while-revalidate=60", .eTag: "\"1\""])
        for round in 2..<20 {
            clock.advance(by: .seconds(1))
            let answer = try get()
            let validation = Task {
                try await transport.started(count: round).succeed(
                    [], status: 304, headers: [.cacheControl: "max-age=0, stale-while-revalidate=60"])
            }
            #expect(try await answer.value.origin == .stale)
            await client.finished()
            #expect(transport.transfers.count == round)
            try await validation.value
        }
    }

    @Test(arguments: [200, 404, 500])
    func `a background validation that returns no image does not replace the stored image`(status: Int) async throws {
        let request = ImageRequest("http://test/a")
        let pipeline = pipeline()
        let first = PendingImage(request, in: pipeline)
        try await transport.started(count: 1).succeed(
            TestImage(1).bytes, headers: [.cacheControl: "max-age=0, stale-while-revalidate=60"])
        _ = try await first.image
        await pipeline.finishWriting()
        #expect(try await pipeline.image(for: request).info.origin == .stale)
        try await transport.started(count: 2).succeed(
            Array("<html>".utf8), status: status, headers: [.cacheControl: "max-age=60"])
        await pipeline.finishWriting()
        let body = try #require(store.all().first.flatMap { store.body(of: $0.responses[0], for: $0.key) })
        #expect(body == TestImage(1).bytes)
    }

    // MARK: Accounts

    @Test func `pipelines with different accounts share no stored responses`() async throws {
        func pipeline(_ token: String) -> ImagePipeline {
            .test(transport, memoryCache: nil) { configuration in
                configuration.responseStore = store
                configuration.headers[.authorization] = token
            }
        }
        let request = ImageRequest("http://test/a")
        for (number, token) in ["one", "two"].enumerated() {
            let pipeline = pipeline(token)
            let pending = PendingImage(request, in: pipeline)
            try await transport.started(count: number + 1).succeed(
                TestImage(UInt8(number + 1)).bytes, headers: [.cacheControl: "max-age=60"])
            _ = try await pending.image
            await pipeline.finishWriting()
        }
        #expect(try await pipeline("one").image(for: request).content == 1)
        #expect(try await pipeline("two").image(for: request).content == 2)
    }

    // MARK: Without a store

    @Test func `without a store a forced validation bypasses the caches on the way`() async throws {
        let transport = FakeTransport { _ in .ok([1]) }
        let client = HTTPCache(store: nil, transport: transport, clock: clock)
        let request = TransferRequest(try WebAddress("http://test/a"))
        #expect(try await client.response(for: request, policy: .revalidate).bytes == [1])
        #expect(transport.transfers.last?.request.headers[.cacheControl] == "max-age=0")
    }

    @Test func `without a store an only-if-cached request is not sent (section 5.2.1.7)`()
        async throws
    {
        let transport = FakeTransport { _ in .ok(TestImage(1).bytes) }
        let client = HTTPCache(store: nil, transport: transport, clock: clock)
        let headers: HTTPFields = [.cacheControl: "only-if-cached"]
        let request = TransferRequest(try WebAddress("http://test/a"), headers: headers)
        let response = try await client.response(for: request, policy: .http)
        #expect(response.status == 504)
        #expect(response.origin == .generated)
        var options = ImageOptions()
        options.headers = headers
        let pipeline = ImagePipeline.test(transport, memoryCache: nil)
        let picture = ImageRequest("http://test/a", options: options)
        let error = await #expect(throws: ImageError.self) { try await pipeline.image(for: picture) }
        #expect(error?.code == .notStored)
        #expect(transport.transfers.isEmpty)
    }
}

/// Redirects on the loopback interface, through the cache (RFC 9111 section 4).
@Suite(.timeLimit(.minutes(5)), .endsInTime)
struct RedirectCachingTests {
    private let folder: TemporaryFolder
    private let origin: RawOrigin
    private let client: HTTPCache

    init() throws {
        folder = try TemporaryFolder()
        origin = try RawOrigin()
        client = HTTPCache(store: DiskCache(path: folder.path), transport: CurlTransport(.direct))
        origin.respond(to: "/target", with: .ok([1], headers: [("Cache-Control", "max-age=3600")]))
    }

    @Test(arguments: [
        (302, "no-store", 4), (302, "", 4), (302, "max-age=0", 4), (302, "max-age=60", 2), (301, "", 2), (308, "", 2),
        (301, "no-cache", 4),
    ])
    func `a response is fresh only as long as the redirects that led to it`(
        status: Int, control: String, requestCount: Int
    ) async throws {
        let headers = [("Location", "/target")] + (control.isEmpty ? [] : [("Cache-Control", control)])
        origin.respond(to: "/first", with: .status(status, headers: headers))
        let request = TransferRequest(try origin.address("/first"))
        for _ in 0..<2 {
            #expect(try await client.response(for: request, policy: .http).bytes == [1])
            await client.finished()
        }
        #expect(origin.requests.count == requestCount)
    }

    /// The age of the response counted for the redirect, whose own age was ignored.
    @Test(arguments: [("0", "100000", 3600.0), ("3590", "0", 10), ("4000", "0", 0)])
    func `a redirect has its own age (RFC 9111 section 4.2.3)`(
        age: String, targetAge: String, lifetime: Double
    ) async throws {
        let clock = TestClock()
        let client = HTTPCache(store: DictionaryStore(), transport: CurlTransport(.direct), clock: clock)
        origin.respond(
            to: "/first",
            with: .status(302, headers: [("Location", "/target"), ("Cache-Control", "max-age=3600"), ("Age", age)]))
        origin.respond(
            to: "/target", with: .ok([1], headers: [("Cache-Control", "max-age=31536000"), ("Age", targetAge)]))
        let request = TransferRequest(try origin.address("/first"))
        _ = try await client.response(for: request, policy: .http)
        await client.finished()
        if lifetime > 0 {
            clock.advance(by: .seconds(lifetime - 1))
            #expect(try await client.response(for: request, policy: .http).origin == .disk)
            clock.advance(by: .seconds(1))
        }
        #expect(try await client.response(for: request, policy: .http).origin == .network)
    }

    /// The 304 used to renew the stored response under the terms of the earlier redirect.
    @Test(arguments: [("max-age=0", ImageOrigin.revalidated), ("no-store", ImageOrigin.network)])
    func `a 304 renews the terms of the redirects that led to it (RFC 9111 section 4.3.4)`(
        control: String, next: ImageOrigin
    ) async throws {
        let clock = TestClock()
        let client = HTTPCache(store: DictionaryStore(), transport: CurlTransport(.direct), clock: clock)
        origin.respond(to: "/target") { request in
            let headers = [("Cache-Control", "max-age=36000"), ("ETag", "\"1\"")]
            return request.value("If-None-Match") == nil ? .ok([1], headers: headers) : .status(304, headers: headers)
        }
        let request = TransferRequest(try origin.address("/first"))
        let steps = [
            ("max-age=3600", ImageOrigin.network, 2), (control, ImageOrigin.revalidated, 4), (control, next, 6),
        ]
        for (control, expected, requestCount) in steps {
            let headers = [("Location", "/target"), ("Cache-Control", control)]
            origin.respond(to: "/first", with: .status(302, headers: headers))
            #expect(try await client.response(for: request, policy: .http).origin == expected)
            await client.finished()
            #expect(origin.requests.count == requestCount)
            if requestCount == 2 { clock.advance(by: .seconds(3600)) }
        }
    }
}
