import HTTPTypes
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// What a cache reports to observers about each request, and the data that it returns.
@Suite(.timeLimit(.minutes(5)), .endsInTime)
struct CacheReportTests {
    private let transport = FakeTransport()
    private let clock = TestClock()
    private let store = DictionaryStore()
    private let reports = Watched<[String]>([])

    private func cache(isStored: Bool = true) -> HTTPCache {
        HTTPCache(store: isStored ? store : nil, transport: transport, clock: clock)
    }

    private func lookup(_ policy: CachePolicy) -> HTTPCache.Lookup {
        var lookup = HTTPCache.Lookup(key: "key", policy: policy)
        lookup.report = { [reports] result in reports.update { $0.append("\(result)") } }
        return lookup
    }

    private func request() throws -> TransferRequest { TransferRequest(try WebAddress("http://test/a")) }

    /// Stores `[1]` with these headers.
    private func fill(_ headers: HTTPFields) throws {
        let stored = StoredResponse(
            status: 200, headers: headers, address: try WebAddress("http://test/a"),
            requestTime: clock.secondsSince1970,
            responseTime: clock.secondsSince1970)
        store.store(stored, body: [1], for: "key") { _ in true }
    }

    /// Loads, answers the transfers in order, and returns the reports.
    private func load(
        _ policy: CachePolicy = .http, in cache: HTTPCache? = nil, asking control: String? = nil,
        _ answers: FakeAnswer...
    ) async throws -> (data: LoadedData?, reports: [String]) {
        var request = try request()
        request.headers[.cacheControl] = control
        let (cache, lookup) = (cache ?? self.cache(), lookup(policy))
        let first = transport.transfers.count
        let running = Task { [request] in
            await Result { () async throws(ImageError) in try await cache.load(request, lookup) }
        }
        for (index, answer) in answers.enumerated() {
            let transfer = try await transport.started(count: first + index + 1)
            switch answer {
            case .response(let status, let headers, let body): transfer.succeed(body, status: status, headers: headers)
            case .failure(let error): transfer.fail(error)
            }
        }
        let result = await running.value
        await cache.finished()
        #expect(transport.transfers.count == first + answers.count)
        return (try? result.get(), reports.value)
    }

    @Test func `without a store, each request is sent`() async throws {
        let loaded = try await load(in: cache(isStored: false), .ok([2]))
        #expect(loaded.reports == ["disabled"] && loaded.data?.bytes == [2])
    }

    @Test(arguments: [
        (CachePolicy.http, "miss"), (.cacheElseLoad, "miss"), (.reload, "bypassed"), (.noStore, "bypassed"),
    ])
    func `an empty store is a miss where the policy reads it`(policy: CachePolicy, report: String) async throws {
        let loaded = try await load(policy, .ok([2]))
        #expect(loaded.reports == [report])
        #expect(loaded.data?.origin == .network)
    }

    @Test func `a store that may not be left refuses what it lacks`() async throws {
        #expect(try await load(.cacheOnly).reports == ["refused"])
        #expect(try await load(.cacheOnly, in: cache(isStored: false)).reports == ["refused", "disabled", "refused"])
    }

    @Test func `a fresh response is used with its age`() async throws {
        try fill([.cacheControl: "max-age=60", .age: "5"])
        clock.advance(by: .seconds(20))
        let loaded = try await load()
        #expect(loaded.reports == ["fresh"])
        let data = try #require(loaded.data)
        #expect(data.bytes == [1] && data.origin == .disk && data.status == 200 && data.storeKey == "key")
        #expect(data.headers[.age] == "25")
        #expect(data.retention.freshUntil == .seconds(55))
        #expect(data.retention.storedAt == clock.secondsSince1970 - 20)
        #expect(!data.retention.isKeptOnlyWhileInUse)
    }

    @Test func `a stale response is used as the policy allows`() async throws {
        try fill([.cacheControl: "max-age=60, no-store"])
        clock.advance(by: .seconds(61))
        let loaded = try await load(.cacheOnly)
        #expect(loaded.reports == ["stale"])
        #expect(loaded.data?.origin == .stale && loaded.data?.retention.isKeptOnlyWhileInUse == true)
    }

    @Test func `a response without a validator is requested again`() async throws {
        try fill([.cacheControl: "max-age=60"])
        clock.advance(by: .seconds(60))
        #expect(try await load(.http, .ok([2])).reports == ["expired"])
    }

    @Test func `a stale response is validated`() async throws {
        try fill([.cacheControl: "max-age=60", .eTag: "\"1\"", .lastModified: "Wed, 31 Dec 2025 00:00:00 GMT"])
        clock.advance(by: .seconds(60))
        let loaded = try await load(.http, .status(304, headers: [.cacheControl: "max-age=7"]))
        #expect(loaded.reports == ["validating", "validated"])
        #expect(loaded.data?.origin == .revalidated && loaded.data?.bytes == [1])
        let sent = transport.transfers[0].request.headers
        #expect(sent[.ifNoneMatch] == "\"1\"" && sent[.ifModifiedSince] == "Wed, 31 Dec 2025 00:00:00 GMT")
        #expect(sent[.cacheControl] == nil)
        let stored = try #require(store.responses(for: "key").first)
        #expect(stored.requestTime == clock.secondsSince1970 && stored.responseTime == clock.secondsSince1970)
        #expect(stored.headers[.cacheControl] == "max-age=7" && stored.headers[.eTag] == "\"1\"")
        clock.advance(by: .seconds(6))
        #expect(try await load().reports.last == "fresh")
    }

    @Test func `a user's reload says so to caches on the way (section 5.2.1.1)`() async throws {
        try fill([.cacheControl: "max-age=60", .eTag: "\"1\""])
        #expect(try await load(.revalidate, .status(304)).reports == ["validating", "validated"])
        #expect(transport.transfers[0].request.headers[.cacheControl] == "max-age=0")
        var own = try request()
        own.headers[.cacheControl] = "no-transform"
        let (cache, lookup) = (cache(), lookup(.revalidate))
        let reload = Task { [own] in try await cache.load(own, lookup) }
        let transfer = try await transport.started(count: 2)
        #expect(transfer.request.headers[.cacheControl] == "no-transform")
        transfer.succeed([3])
        #expect(try await reload.value.bytes == [3])
    }

    @Test func `a 304 response that forbids storing removes the stored response (section 4.3.4)`() async throws {
        try fill([.cacheControl: "max-age=0", .eTag: "\"1\""])
        let loaded = try await load(.http, .status(304, headers: [.cacheControl: "no-store"]))
        #expect(loaded.data?.bytes == [1] && loaded.data?.retention.isKeptOnlyWhileInUse == true)
        #expect(store.responses(for: "key").isEmpty)
    }

    @Test func `a stale response stands in for a failed server`() async throws {
        try fill([.cacheControl: "max-age=60, stale-if-error=60", .eTag: "\"1\""])
        clock.advance(by: .seconds(61))
        let failed = try await load(.http, .status(503))
        #expect(failed.reports.count == 2 && failed.reports[0] == "validating")
        #expect(failed.reports[1].hasPrefix("staleAfterError") && failed.data?.origin == .stale)
        let unreachable = try await load(.http, .failure(ImageError(.connection)))
        #expect(unreachable.reports.count == 4 && unreachable.reports[3].hasPrefix("staleAfterError"))
        #expect(unreachable.data?.bytes == [1])
        #expect(try await load(.http, .failure(ImageError(.tooLarge))).data == nil)
    }

    @Test func `a stale response is used and validated in the background`() async throws {
        try fill([.cacheControl: "max-age=60, stale-while-revalidate=60", .eTag: "\"1\""])
        clock.advance(by: .seconds(61))
        let started = Watched(0)
        var cache = cache()
        cache.startInBackground = { validation in
            started.update { $0 += 1 }
            validation.abandon()
        }
        for count in 1...2 {
            let loaded = try await load(.http, in: cache)
            #expect(loaded.reports == Array(repeating: "staleWhileRevalidate", count: count))
            #expect(loaded.data?.origin == .stale && loaded.data?.headers[.age] == "61")
            #expect(started.value == count, "an abandoned validation may be repeated")
        }
    }

    @Test func `a body that is missing is a miss, and its entry is removed`() async throws {
        let store = BodilessStore(store)
        try fill([.cacheControl: "max-age=60", .eTag: "\"1\""])
        let cache = HTTPCache(store: store, transport: transport, clock: clock)
        let loaded = try await load(.http, in: cache, .failure(ImageError(.tooLarge)))
        #expect(loaded.reports == ["fresh", "miss"])
        #expect(self.store.responses(for: "key").isEmpty)
        #expect(!Validation.isConditional(transport.transfers[0].request.headers))
    }

    @Test(arguments: [(CachePolicy.cacheOnly, nil), (.http, "only-if-cached")] as [(CachePolicy, String?)])
    func `a body that is missing is not requested where the network may not be used`(
        policy: CachePolicy, control: String?
    ) async throws {
        try fill([.cacheControl: "max-age=60"])
        let cache = HTTPCache(store: BodilessStore(store), transport: transport, clock: clock)
        let loaded = try await load(policy, in: cache, asking: control)
        #expect(loaded.reports == ["fresh", "miss", "refused"] && loaded.data == nil)
    }

    @Test func `a validated response without its body is requested again`() async throws {
        let store = BodilessStore(store)
        try fill([.cacheControl: "max-age=0", .eTag: "\"1\""])
        let cache = HTTPCache(store: store, transport: transport, clock: clock)
        let loaded = try await load(.http, in: cache, .status(304), .ok([2]))
        #expect(loaded.reports == ["validating", "miss"] && loaded.data?.bytes == [2])
        #expect(Validation.isConditional(transport.transfers[0].request.headers))
        #expect(!Validation.isConditional(transport.transfers[1].request.headers))
    }

    @Test(arguments: [(1, [1] as [UInt8]?), (0, nil)])
    func `a stored body above the limit of the request is not used`(limit: Int, bytes: [UInt8]?) async throws {
        var stored = StoredResponse(
            status: 200, headers: [.cacheControl: "max-age=60"], address: try WebAddress("http://test/a"),
            requestTime: clock.secondsSince1970, responseTime: clock.secondsSince1970)
        stored.body.byteCount = 1
        store.store(stored, body: [1], for: "key") { _ in true }
        var request = try request()
        request.limits.maxBodyByteCount = limit
        let data = try? await cache().load(request, lookup(.cacheOnly))
        #expect(data?.bytes == bytes)
    }
}

/// A store whose bodies have been lost.
private final class BodilessStore: ResponseStore {
    private let base: DictionaryStore

    init(_ base: DictionaryStore) { self.base = base }

    func responses(for key: String) -> [StoredResponse] { base.responses(for: key) }
    func body(of response: StoredResponse, for key: String) -> [UInt8]? { nil }
    func store(
        _ response: StoredResponse, body: [UInt8], for key: String, replacing replaces: (StoredResponse) -> Bool
    ) {}
    func update(_ response: StoredResponse, for key: String) {}
    func remove(_ key: String) { base.remove(key) }
    func removeAll() {}
}
