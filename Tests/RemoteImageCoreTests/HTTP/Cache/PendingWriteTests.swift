import HTTPTypes
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// When the response of an image is stored, and what the cache notes of it.
@Suite(.timeLimit(.minutes(5)), .endsInTime)
struct PendingWriteTests {
    private let store = DictionaryStore()
    private let background = PendingCacheWork()
    private let partialKey = PartialResponse.key(beside: "key")
    /// A body whose first part is worth keeping.
    private let large = [UInt8](repeating: 1, count: 65_536)

    private func response(
        _ status: Int = 200, headers: HTTPFields = [.eTag: "\"1\""], varying: [String: String] = [:]
    ) throws -> StoredResponse {
        StoredResponse(
            status: status, headers: headers, address: try WebAddress("http://test/a"), requestTime: 1000,
            responseTime: 1000, varying: varying)
    }

    private func write(
        _ response: StoredResponse? = nil, key: String = "key", isStorable: Bool = true, asked: HTTPFields = [:],
        wasPartial: Bool = false, continuing byteCount: Int = 0, generation: Int? = nil
    ) throws -> PendingWrite {
        PendingWrite(
            try response ?? self.response(), key: key, isStorable: isStorable, store: store, requestHeaders: asked,
            wasPartial: wasPartial, continuing: byteCount, accountGeneration: generation, background: background)
    }

    /// Finishes the write with each outcome, and returns the stored bodies.
    private func bodies(_ write: PendingWrite, _ outcomes: PendingWrite.Outcome...) async -> [[UInt8]] {
        for outcome in outcomes {
            await write.finish(outcome)
            await background.finished()
        }
        return bodies()
    }

    private func bodies(_ key: String = "key") -> [[UInt8]] {
        store.responses(for: key).compactMap { store.body(of: $0, for: key) }
    }

    // MARK: Outcomes

    @Test func `a body is stored once, by the first image that accepts it`() async throws {
        #expect(await bodies(try write(), .accepted([1]), .accepted([2])) == [[1]])
        store.removeAll()
        #expect(await bodies(try write(), .unused, .unacceptable, .accepted([3])) == [[3]])
        store.removeAll()
        #expect(await bodies(try write(), .damaged, .accepted([4])).isEmpty)
        #expect(await bodies(try write(), .unused).isEmpty)
        #expect(await bodies(try write(), .unacceptable).isEmpty)
    }

    @Test(arguments: [
        (ImageError(.connection), true), (ImageError(.timeout), true), (ImageError(.incomplete), true),
        (.cancelled, true), (ImageError(.tooLarge), false), (ImageError(.protocol), false),
    ])
    func `the part before an interruption is stored`(error: ImageError, isStored: Bool) async throws {
        let write = try write()
        await write.finish(.failed(error, after: large))
        await background.finished()
        #expect(bodies(partialKey) == (isStored ? [large] : []) && bodies().isEmpty)
    }

    @Test func `a part that is short, without a validator or not storable is not stored`() async throws {
        let cases: [(PendingWrite, [UInt8])] = [
            (try write(), large.dropLast()), (try write(try response(headers: [:])), large),
            (try write(try response(206)), large), (try write(isStorable: false), large),
        ]
        for (write, body) in cases {
            await write.finish(.failed(ImageError(.incomplete), after: body))
            await background.finished()
            #expect(bodies(partialKey).isEmpty)
        }
    }

    @Test(arguments: [0, 100])
    func `a resumed body that is no image removes the part that it continues`(byteCount: Int) async throws {
        for outcome in [PendingWrite.Outcome.damaged, .unacceptable] {
            store.store(try response(), body: [7], for: partialKey) { _ in true }
            let write = try write(continuing: byteCount)
            #expect(write.isResumed == (byteCount > 0))
            await write.finish(outcome)
            #expect(bodies(partialKey).isEmpty == (byteCount > 0))
        }
        store.store(try response(), body: [7], for: partialKey) { _ in true }
        await (try write(continuing: byteCount)).finish(.unused)
        await background.finished()
        #expect(bodies(partialKey) == [[7]])
    }

    @Test(arguments: [false, true])
    func `the whole of a range request removes the part`(wasPartial: Bool) async throws {
        store.store(try response(), body: [7], for: partialKey) { _ in true }
        #expect(await bodies(try write(wasPartial: wasPartial), .accepted([1, 2])) == [[1, 2]])
        #expect(bodies(partialKey) == (wasPartial ? [] : [[7]]))
    }

    @Test func `a response replaces the variant of its request`() async throws {
        let vary: HTTPFields = [.vary: "Accept"]
        func variant(_ type: String) throws -> StoredResponse {
            try response(headers: vary, varying: VaryMatching.values(of: [.accept: type], for: vary))
        }
        for (body, type) in [(1, "image/png"), (2, "image/webp")] as [(UInt8, String)] {
            store.store(try variant(type), body: [body], for: "key") { _ in false }
        }
        let asked: HTTPFields = [.accept: "image/png"]
        #expect(await bodies(try write(try variant("image/png"), asked: asked), .accepted([3])) == [[3], [2]])
        // One that must not be stored removes all variants, if one of them is that of the request.
        let other = try write(isStorable: false, asked: [.accept: "image/gif"])
        #expect(other.storedKey == nil)
        #expect(await bodies(other, .accepted([4])) == [[3], [2]])
        #expect(await bodies(try write(isStorable: false, asked: asked), .accepted([4])).isEmpty)
    }

    @Test func `nothing is written for an account that was removed since the request`() async throws {
        let hash = SHA256.name(of: "one")
        let key = "http://test/a\naccount \(hash)"
        let (early, anonymous) = (try write(key: key, generation: 0), try write(generation: 0))
        background.removeAccount(hash)
        let late = try write(key: key, generation: 1)
        _ = await bodies(early, .accepted([1]))
        #expect(bodies(key).isEmpty)
        #expect(await bodies(anonymous, .accepted([2])) == [[2]])
        _ = await bodies(late, .accepted([3]))
        #expect(bodies(key) == [[3]])
    }

    @Test func `a lookup waits for the decision of an image`() async throws {
        let write = try write()
        let mayEnd = Watched(false)
        write.finish(on: nil) {
            try? await mayEnd.wait { $0 }
            return .accepted([1])
        }
        let read = Task { [background, store] in
            await background.writesEnded(of: "key")
            return store.responses(for: "key").count
        }
        let end = Task { [background, store] in
            await background.finished()
            return store.responses(for: "key").count
        }
        for _ in 0..<100 { await Task.yield() }
        mayEnd.update { $0 = true }
        #expect(await read.value == 1)
        #expect(await end.value == 1)
    }

    // MARK: Absence

    @Test(
        arguments: [
            (404, [.cacheControl: "max-age=60"], 59, true), (404, [.cacheControl: "max-age=60"], 60, false),
            (410, [.cacheControl: "max-age=60"], 1, true), (403, [.cacheControl: "max-age=60"], 1, false),
            (404, [:], 0, false), (404, [.cacheControl: "max-age=60, no-cache"], 1, false),
            (404, [.expires: "Thu, 01 Jan 1970 01:00:00 GMT"], 1, true),
            (404, [.lastModified: "Thu, 01 Jan 1970 00:00:00 GMT"], 1, false),
        ] as [(Int, HTTPFields, Double, Bool)])
    func `an image is absent for the lifetime of the response`(
        status: Int, headers: HTTPFields, seconds: Double, isAbsent: Bool
    ) throws {
        let write = try write(try response(status, headers: headers))
        #expect(write.isLastingAbsence(now: 1000 + seconds) == isAbsent)
    }
}

/// The pieces of a large body that were written before its end.
@Suite(.timeLimit(.minutes(2)), .endsInTime)
struct WrittenPieceTests {
    private let folder: TemporaryFolder
    private let store: DiskCache
    private let background = PendingCacheWork()
    private let account = SHA256.name(of: "one")
    /// A piece, and a rest that is not written before the end.
    private let body = [UInt8](repeating: 1, count: BodyStream.pieceByteCount + 5)

    init() throws {
        folder = try TemporaryFolder()
        store = DiskCache(path: folder.path, byteLimit: 64 << 20)
    }

    private var key: String { "http://test/a\naccount \(account)" }
    private var fileCount: Int { StoreScan.files(in: folder.path).count }

    /// A write whose first piece is in a file, with metadata.
    private func write(isStorable: Bool = true) async throws -> PendingWrite {
        let response = StoredResponse(
            status: 200, headers: [.eTag: "\"1\""], address: try WebAddress("http://test/a"), requestTime: 1,
            responseTime: 1)
        let write = PendingWrite(
            response, key: key, isStorable: isStorable, store: store, requestHeaders: [:], wasPartial: false,
            continuing: 0, accountGeneration: 0, background: background)
        write.receive(body)
        await background.finished()
        #expect(fileCount == (isStorable ? 2 : 0))
        return write
    }

    @Test func `an outcome without a use of the body removes its pieces`() async throws {
        let failure = PendingWrite.Outcome.failed(ImageError(.tooLarge), after: body)
        for (number, outcome) in [.unused, .unacceptable, .damaged, failure].enumerated() {
            let write = try await write()
            await write.finish(outcome)
            await background.finished()
            withExtendedLifetime(write) { #expect(fileCount == 0, "outcome \(number)") }
        }
    }

    @Test func `a write that is released without an outcome removes its pieces`() async throws {
        var write: PendingWrite? = try await write()
        #expect(write?.storedKey == key)
        write = nil
        await background.finished()
        #expect(fileCount == 0)
    }

    @Test func `the pieces of an account that was removed are removed`() async throws {
        let write = try await write()
        background.removeAccount(account)
        await write.finish(.accepted(body))
        await background.finished()
        withExtendedLifetime(write) { #expect(fileCount == 0) }
    }

    @Test func `another image stores the body whole after one has no use for it`() async throws {
        let write = try await write()
        await write.finish(.unused)
        await write.finish(.accepted(body))
        await background.finished()
        let response = try #require(store.responses(for: key).first)
        #expect(store.body(of: response, for: key) == body && fileCount == 2)
    }

    @Test func `a body that must not be stored has no pieces`() async throws {
        let write = try await write(isStorable: false)
        await write.finish(.failed(ImageError(.incomplete), after: body))
        await background.finished()
        #expect(fileCount == 0)
    }
}

/// The requests of a cache, and the facts that come with its data.
@Suite(.timeLimit(.minutes(5)), .endsInTime)
struct CacheDataTests {
    private let transport = FakeTransport()
    private let clock = TestClock()
    private let store = DictionaryStore()
    private let cache: HTTPCache
    private let start = 1_767_225_600.0

    init() {
        cache = HTTPCache(store: store, transport: transport, clock: clock)
    }

    private func load(
        _ policy: CachePolicy = .http, headers: HTTPFields = [:]
    ) throws -> Task<LoadedData, any Error> {
        let request = TransferRequest(try WebAddress("http://test/a"), headers: headers)
        let cache = cache
        return Task { try await cache.load(request, HTTPCache.Lookup(key: "key", policy: policy)) }
    }

    private func finish(_ loading: Task<LoadedData, any Error>) async throws -> LoadedData {
        let data = try await loading.value
        await data.pendingWrite?.finish(.accepted(data.bytes))
        await cache.finished()
        return data
    }

    @Test func `the times of a request and of its response are stored, and a 304 renews them`() async throws {
        let first = try load()
        let transfer = try await transport.started(count: 1)
        clock.advance(by: .seconds(7))
        transfer.succeed([1], headers: [.cacheControl: "max-age=60", .eTag: "\"1\""])
        let data = try await finish(first)
        #expect(data.retention.freshUntil == .seconds(60) && data.retention.storedAt == start + 7)
        #expect(!data.retention.isKeptOnlyWhileInUse && data.origin == .network)
        var stored = try #require(store.responses(for: "key").first)
        #expect(stored.requestTime == start && stored.responseTime == start + 7)

        clock.advance(by: .seconds(100))
        let second = try load()
        let validation = try await transport.started(count: 2)
        clock.advance(by: .seconds(5))
        validation.succeed([], status: 304)
        let confirmed = try await finish(second)
        #expect(confirmed.origin == .revalidated && confirmed.storeKey == "key")
        #expect(confirmed.retention.storedAt == start + 112)
        stored = try #require(store.responses(for: "key").first)
        #expect(stored.requestTime == start + 107 && stored.responseTime == start + 112)
    }

    @Test(arguments: [nil, 1]) func `the data says whether the server announced its length`(expected: Int?) async throws
    {
        let loading = try load()
        let transfer = try await transport.started(count: 1)
        transfer.respond(expected: expected)
        transfer.send([1])
        transfer.finish()
        #expect(try await finish(loading).hasKnownLength == (expected != nil))
    }

    @Test(arguments: [false, true])
    func `a response that may be truncated is not stored`(mayBeTruncated: Bool) async throws {
        struct Loader: Transport {
            let mayBeTruncated: Bool

            func load(_ request: TransferRequest, into receiver: any TransferReceiver) async throws(ImageError) {
                var head = TransferHead(
                    status: 200, headers: [.cacheControl: "max-age=60"], address: request.address)
                head.mayBeTruncated = mayBeTruncated
                try receiver.receive(head)
                try receiver.receive([1])
            }
        }
        let cache = HTTPCache(store: store, transport: Loader(mayBeTruncated: mayBeTruncated), clock: clock)
        let data = try await cache.load(
            TransferRequest(try WebAddress("http://test/a")), HTTPCache.Lookup(key: "key", policy: .http))
        #expect(data.bytes == [1] && data.retention.isKeptOnlyWhileInUse == mayBeTruncated)
        #expect((data.pendingWrite == nil) == mayBeTruncated)
    }

    @Test(
        arguments: [
            ([.cacheControl: "no-store"], .http, true), ([:], .noStore, true), ([:], .http, false),
            ([.vary: "*"], .http, true), ([.vary: "Accept"], .reload, false),
        ] as [(HTTPFields, CachePolicy, Bool)])
    func `an image that must not be stored is kept while it is in use`(
        headers: HTTPFields, policy: CachePolicy, isKeptOnlyWhileInUse: Bool
    ) async throws {
        let loading = try load(policy)
        try await transport.started(count: 1).succeed([1], headers: headers)
        #expect(try await finish(loading).retention.isKeptOnlyWhileInUse == isKeptOnlyWhileInUse)
    }

    @Test func `the fields of the connection are not stored (RFC 9111 section 3.1)`() async throws {
        let connection = try #require(HTTPField.Name("Connection"))
        var headers: HTTPFields = [.cacheControl: "max-age=60", .contentType: "image/png"]
        headers.append(HTTPField(name: connection, value: "close,\tX-One , x-two"))
        headers.append(HTTPField(name: connection, value: "X-Three"))
        for name in ["X-One", "X-Two", "X-Three", "X-Four", "Keep-Alive", "Trailer"] {
            headers.append(HTTPField(name: try #require(HTTPField.Name(name)), value: "1"))
        }
        let loading = try load()
        try await transport.started(count: 1).succeed([1], headers: headers)
        _ = try await finish(loading)
        let stored = try #require(store.responses(for: "key").first)
        #expect(stored.headers.map(\.name.rawName) == ["Cache-Control", "Content-Type", "X-Four"])
    }

    @Test(arguments: [CachePolicy.http, .cacheElseLoad])
    func `an unreachable server is reported as the policy says`(policy: CachePolicy) async throws {
        for error in [ImageError(.connection, "refused"), ImageError(.timeout, "slow"), ImageError(.tls, "expired")] {
            let count = transport.transfers.count + 1
            let loading = try load(policy)
            try await transport.started(count: count).fail(error)
            let isNotStored = policy == .cacheElseLoad && error.code != .tls
            let expected = isNotStored ? ImageError(.notStored, error.detail, underlying: [error]) : error
            let found = await #expect(throws: ImageError.self) { try await loading.value }
            #expect(found == expected && found?.underlying == expected.underlying)
        }
    }

    @Test(
        arguments: [
            (.cacheOnly, nil, true), (.revalidate, nil, true), (.http, nil, false), (.http, "only-if-cached", true),
            (.http, "max-age=0", false), (.staleWhileRevalidate, "only-if-cached", true),
            (.staleWhileRevalidate, nil, false), (.cacheElseLoad, "only-if-cached", false),
            (.reload, "only-if-cached", false), (.noStore, "only-if-cached", false),
        ] as [(CachePolicy, String?, Bool)])
    func `a cache without a store takes part where it has to refuse or to ask anew`(
        policy: CachePolicy, control: String?, isApplied: Bool
    ) throws {
        var headers = HTTPFields()
        headers[.cacheControl] = control
        let request = TransferRequest(try WebAddress("http://test/a"), headers: headers)
        #expect(HTTPCache.appliesWithoutStore(to: request, policy) == isApplied)
    }

    @Test func `a header that takes time is found out when it is needed`() throws {
        let calls = Watched(0)
        var lookup = HTTPCache.Lookup(key: "key", policy: .http)
        lookup.lateHeader = (
            .accept,
            {
                calls.update { $0 += 1 }
                return "image/webp"
            }
        )
        let bare = TransferRequest(try WebAddress("http://test/a"), headers: [.authorization: "a", .cookie: "b=c"])
        var own = bare
        own.headers[.accept] = "image/png"
        #expect(lookup.complete(own).headers[.accept] == "image/png" && calls.value == 0)
        #expect(lookup.complete(bare).headers[.accept] == "image/webp" && calls.value == 1)

        func stored(_ headers: HTTPFields, _ request: HTTPFields) throws -> StoredResponse {
            StoredResponse(
                status: 200, headers: headers, address: bare.address, requestTime: 1, responseTime: 1,
                varying: VaryMatching.values(of: request, for: headers))
        }
        let (type, language) = (HTTPFields([HTTPField(name: .vary, value: "Accept")]), [.vary: "Range"] as HTTPFields)
        #expect(lookup.matches(try stored(language, [:]), bare) && calls.value == 1)
        #expect(lookup.matches(try stored(type, [.accept: "image/webp"]), bare) && calls.value == 2)
        #expect(!lookup.matches(try stored(type, [.accept: "image/png"]), bare) && calls.value == 3)
        #expect(lookup.matches(try stored(type, [.accept: "image/png"]), own) && calls.value == 3)

        // With an account in the key, its credentials may change.
        let credentials: HTTPFields = [.vary: "Authorization, Cookie, Accept"]
        let other = try stored(credentials, [.accept: "image/png"])
        #expect(!lookup.matches(other, own))
        lookup.hasAccount = true
        #expect(lookup.matches(other, own))
        #expect(lookup.headersForVary(own.headers).map(\.name) == [.accept])
    }

    @Test func `an image is fresh for the time that is left, or for ever`() throws {
        clock.advance(by: .seconds(10))
        func freshUntil(_ headers: HTTPFields, _ asked: HTTPFields = [:]) throws -> Duration? {
            cache.freshUntil(
                StoredResponse(
                    status: 200, headers: headers, address: try WebAddress("http://test/a"), requestTime: start,
                    responseTime: start), asked)
        }
        #expect(try freshUntil([.cacheControl: "max-age=60"]) == .seconds(60))
        #expect(try freshUntil([.cacheControl: "max-age=5"]) == .seconds(10))
        #expect(try freshUntil([.cacheControl: "max-age=2147483648"]) == .seconds(2_147_483_648))
        #expect(try freshUntil([.expires: "Fri, 31 Dec 9999 23:59:59 GMT"]) == nil)
        // The response is 10 seconds old. The request limits its use (RFC 9111 section 5.2.1).
        for (asked, seconds) in [
            ("max-age=30", 30), ("max-age=90", 60), ("max-age=9", 10), ("no-cache", 10), ("min-fresh=20", 40),
            ("min-fresh=51", 10), ("max-age=30, min-fresh=5", 25), ("no-store", 10),
        ] {
            #expect(
                try freshUntil([.cacheControl: "max-age=60"], [.cacheControl: asked]) == .seconds(seconds), "\(asked)")
        }
        let pragma = try #require(HTTPField.Name("Pragma"))
        #expect(try freshUntil([.cacheControl: "max-age=60"], [pragma: "no-cache"]) == .seconds(10))
    }
}
