import HTTPTypes
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// What a load makes of the answers of a server, and of the stored responses beside them.
@Suite(.timeLimit(.minutes(2)), .endsInTime)
struct ServerAnswerTests {
    private let transport = FakeTransport()
    private let clock = TestClock()
    private let store = DictionaryStore()
    private let cache: HTTPCache
    private let progress = Watched<[[UInt8]]>([])
    private let reports = Watched<[String]>([])

    init() {
        cache = HTTPCache(store: store, transport: transport, clock: clock)
    }

    private func load(
        _ address: String = "http://test/a", headers: HTTPFields = [:],
        _ change: (inout HTTPCache.Lookup) -> Void = { _ in }
    ) throws -> Task<LoadedData, any Error> {
        var lookup = HTTPCache.Lookup(key: "key", policy: .http)
        lookup.report = { [reports] result in reports.update { $0.append("\(result)") } }
        change(&lookup)
        let request = TransferRequest(try WebAddress(address), headers: headers)
        return Task { [cache, lookup, progress] in
            try await cache.load(request, lookup) { _, body in progress.update { $0.append(body) } }
        }
    }

    /// The data of a load, which is stored if that is allowed.
    private func stored(_ loading: Task<LoadedData, any Error>) async throws -> LoadedData {
        let data = try await loading.value
        await data.pendingWrite?.finish(.accepted(data.bytes))
        await cache.finished()
        return data
    }

    /// Stores a response beside those that are stored already.
    private func fill(body: [UInt8] = [1], status: Int = 200, _ headers: HTTPFields) throws {
        let now = clock.secondsSince1970
        let response = StoredResponse(
            status: status, headers: headers, address: try WebAddress("http://test/a"), requestTime: now,
            responseTime: now)
        store.store(response, body: body, for: "key") { _ in false }
    }

    // MARK: Bodies

    @Test(
        arguments: [
            (200, [:], [[], [1], [1, 2, 3]], [1, 2, 3]), (404, [.cacheControl: "max-age=60"], [[]], [1, 2, 3]),
            (404, [.cacheControl: "no-store"], [[]], []), (206, [:], [[]], []), (500, [:], [[]], []),
        ] as [(Int, HTTPFields, [[UInt8]], [UInt8])])
    func `only an image has a progress, and an error is collected if it may be stored`(
        status: Int, headers: HTTPFields, progress: [[UInt8]], bytes: [UInt8]
    ) async throws {
        let loading = try load()
        let transfer = try await transport.started(count: 1)
        transfer.respond(status: status, headers: headers)
        for piece in [[1], [], [2, 3]] as [[UInt8]] { transfer.send(piece) }
        transfer.finish()
        let data = try await loading.value
        #expect(data.status == status && data.bytes == bytes)
        #expect(self.progress.value == progress)
    }

    /// The pipeline stores no error response above the limit, so more of it must be collected than
    /// the limit.
    @Test(arguments: [([65_536, 1], 65_537), ([65_537, 5], 65_537), ([65_535, 5, 5], 65_540)])
    func `the body of an error is collected until it is above its limit`(pieces: [Int], byteCount: Int) async throws {
        let loading = try load()
        let transfer = try await transport.started(count: 1)
        transfer.respond(status: 404, headers: [.cacheControl: "max-age=60"])
        for count in pieces { transfer.send([UInt8](repeating: 1, count: count)) }
        transfer.finish()
        #expect(try await loading.value.bytes.count == byteCount)
    }

    @Test func `an error response whose body breaks off keeps its status and is not stored`() async throws {
        for (status, isError) in [(404, false), (200, true)] {
            let count = transport.transfers.count + 1
            let loading = try load()
            let transfer = try await transport.started(count: count)
            transfer.respond(status: status, headers: [.cacheControl: "max-age=60"], expected: 9)
            transfer.send([7])
            transfer.fail(ImageError(.incomplete, "7"))
            if isError {
                await #expect(throws: ImageError(.incomplete, "7")) { try await loading.value }
            } else {
                let data = try await stored(loading)
                #expect(data.status == status && data.bytes == [7] && data.pendingWrite == nil)
            }
            await cache.finished()
            #expect(store.responses(for: "key").isEmpty)
        }
    }

    @Test func `a transport that ends without a response is an error`() async throws {
        struct Silence: Transport {
            func load(_ request: TransferRequest, into receiver: any TransferReceiver) async throws(ImageError) {}
        }
        let cache = HTTPCache(store: store, transport: Silence(), clock: clock)
        let request = TransferRequest(try WebAddress("http://test/a"))
        await #expect(throws: ImageError(.protocol, "no response")) {
            try await cache.load(request, HTTPCache.Lookup(key: "key", policy: .http))
        }
    }

    @Test(arguments: [
        (199, false), (200, true), (205, true), (206, false), (207, true), (299, true), (300, false),
    ])
    func `a status from 200 to 299 is a success, apart from that of a part`(status: Int, isSuccess: Bool) throws {
        #expect(TransferHead(status: status, address: try WebAddress("http://test/a")).isSuccess == isSuccess)
        #expect(LoadedData(bytes: [], status: status, origin: .network).isSuccess == isSuccess)
        #expect(LoadedData(bytes: [], origin: .network).isSuccess)
    }

    // MARK: 304

    @Test(arguments: [
        (false, ImageError.httpStatus(304)), (true, ImageError(.protocol, "304 to an unconditional request")),
    ])
    func `a 304 response to an unconditional request is an error`(
        keepsAnyStatus: Bool, error: ImageError
    ) async throws {
        let loading = try load { $0.keepsAnyStatus = keepsAnyStatus }
        try await transport.started(count: 1).succeed([], status: 304)
        await #expect(throws: error) { try await loading.value }
        #expect(transport.transfers.count == 1)
    }

    @Test func `a stored response answers for a server that fails after a wrong 304`() async throws {
        try fill([.cacheControl: "max-age=0", .eTag: "\"1\""])
        let loading = try load()
        try await transport.started(count: 1).succeed([], status: 304, headers: [.eTag: "\"2\""])
        let again = try await transport.started(count: 2)
        #expect(again.request.headers[.ifNoneMatch] == nil)
        again.fail(ImageError(.connection))
        let data = try await loading.value
        #expect(data.bytes == [1] && data.origin == .stale)
        #expect(reports.value.count == 2 && reports.value[0] == "validating")
    }

    @Test func `a new credential of an account finds its responses, also after a 304`() async throws {
        func load(_ credential: String) throws -> Task<LoadedData, any Error> {
            try self.load(headers: [.authorization: credential]) { $0.hasAccount = true }
        }
        let headers: HTTPFields = [.cacheControl: "max-age=0", .eTag: "\"1\"", .vary: "Authorization"]
        let first = try load("one")
        try await transport.started(count: 1).succeed([1], headers: headers)
        _ = try await stored(first)
        let second = try load("two")
        try await transport.started(count: 2).succeed([], status: 304, headers: [.cacheControl: "max-age=60"])
        #expect(try await stored(second).origin == .revalidated)
        #expect(try await load("three").value.origin == .disk)
        #expect(reports.value == ["miss", "validating", "validated", "fresh"])
    }

    // MARK: Stored responses

    @Test func `of several stored responses that match, the newest is used`() async throws {
        for body in 1...3 as ClosedRange<UInt8> { try fill(body: [body], [.cacheControl: "max-age=60"]) }
        #expect(try await load().value.bytes == [3])
    }

    /// An error response may be used while it is fresh, and only then.
    @Test(
        arguments: [
            (199, 59, [:], "fresh"), (199, 60, [:], "miss"), (200, 60, [:], "validating"), (299, 60, [:], "validating"),
            (300, 60, [:], "miss"), (404, 59, [:], "fresh"), (404, 60, [.cacheControl: "max-stale"], "miss"),
            (200, 60, [.cacheControl: "max-stale"], "stale"),
        ] as [(Int, Int, HTTPFields, String)])
    func `only a successful response is used once it is stale`(
        status: Int, seconds: Int, headers: HTTPFields, report: String
    ) async throws {
        try fill(status: status, [.cacheControl: "max-age=60", .eTag: "\"1\""])
        clock.advance(by: .seconds(seconds))
        let loading = try load(headers: headers)
        let isAsked = report == "miss" || report == "validating"
        if isAsked { try await transport.started(count: 1).succeed([2]) }
        #expect(try await loading.value.bytes == (isAsked ? [2] : [1]))
        #expect(reports.value == [report])
    }

    @Test func `a response from the future is stale and has the largest age`() async throws {
        try fill([.cacheControl: "max-age=60"])
        clock.setBack(by: 100)
        let data = try await load { $0.policy = .cacheOnly }.value
        #expect(data.origin == .stale && data.headers[.age] == "2147483648")
    }

    @Test func `a load waits for the writes of its key only if it reads the store`() async throws {
        cache.background.beginWrite(of: "key")
        let waiting = try load { $0.policy = .cacheOnly }
        for (count, policy) in [CachePolicy.reload, .noStore].enumerated() {
            let loading = try load { $0.policy = policy }
            try await transport.started(count: count + 1).succeed([2])
            #expect(try await loading.value.bytes == [2])
        }
        try fill([.cacheControl: "max-age=60"])
        cache.background.endWrite(of: "key")
        #expect(try await waiting.value.bytes == [1])
    }

    @Test func `a program may name headers that separate responses, but none of a cache`() async throws {
        let own = try #require(HTTPField.Name("X-Own"))
        let transport = FakeTransport { _ in .ok([1], headers: [.cacheControl: "max-age=60"]) }
        let cache = HTTPCache(store: store, transport: transport, clock: clock)
        var origins: [ImageOrigin] = []
        for (headers, separating) in [
            ([own: "1"], [own: ""]), ([own: "2"], [own: ""]), ([own: "1"], [own: ""]), ([own: "2"], [:]),
            ([own: "3"], [:]), ([.cacheControl: "max-age=50"], [.cacheControl: "", own: ""]), ([:], [own: ""]),
        ] as [(HTTPFields, HTTPFields)] {
            let request = TransferRequest(try WebAddress("http://test/a"), headers: headers)
            origins.append(try await cache.response(for: request, policy: .http, separating: separating).origin)
            await cache.finished()
        }
        #expect(origins == [.network, .network, .disk, .network, .disk, .disk, .disk])
    }

    @Test func `the address of data has no user name and no password`() async throws {
        let address = "http://me:pass@test/a"
        let first = try load(address)
        let transfer = try await transport.started(count: 1)
        #expect(transfer.request.address.string == address)
        transfer.succeed([1], headers: [.cacheControl: "max-age=60"])
        let sources = [
            try await stored(first), try await load(address).value,
            try await load(address, headers: [.cacheControl: "only-if-cached"]) {
                $0.key = "other"
                $0.keepsAnyStatus = true
            }.value,
        ]
        #expect(sources.map(\.origin) == [.network, .disk, .generated])
        #expect(sources.map { $0.address?.string } == ["http://test/a", "http://test/a", "http://test/a"])
    }
}
