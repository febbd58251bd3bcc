import Foundation
import HTTPTypes
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// The time at which the responses arrived: 2026-01-01 00:00:00 GMT.
private let origin = 1_767_225_600.0
private let originDate = "Thu, 01 Jan 2026 00:00:00 GMT"

private func response(
    _ headers: HTTPFields, status: Int = 200, delay: Double = 0, redirect: RedirectTerms? = nil
) throws -> StoredResponse {
    StoredResponse(
        status: status, headers: headers, address: try WebAddress("http://test/a"), requestTime: origin - delay,
        responseTime: origin, redirect: redirect)
}

/// Both sides of each limit of a cache: lifetimes, ages, statuses and conditions.
@Suite struct CacheLimitTests {
    // MARK: Freshness

    @Test(
        arguments: [
            // The heuristic lifetime is at most a week.
            ([.lastModified: "Thu, 01 Jan 2015 00:00:00 GMT"], 200, 604_800),
            ([.lastModified: "Wed, 31 Dec 2025 00:00:00 GMT"], 200, 8640),
            ([.lastModified: "Thu, 01 Jan 2026 00:10:00 GMT"], 200, 0),
            ([.lastModified: "Wed, 31 Dec 2025 00:00:00 GMT", .cacheControl: "public"], 503, 8640),
            ([.lastModified: "Wed, 31 Dec 2025 00:00:00 GMT", .date: "Wed, 31 Dec 2025 12:00:00 GMT"], 200, 4320),
            ([.expires: "Thu, 01 Jan 2026 01:00:00 GMT"], 200, 3600),
            ([.expires: "Thu, 01 Jan 2026 01:00:00 GMT", .date: "Wed, 31 Dec 2025 23:59:00 GMT"], 200, 3660),
            ([.expires: "Wed, 31 Dec 2025 23:59:00 GMT"], 200, 0),
            // A date with two digits is at most 50 years after the response.
            ([.expires: "Wednesday, 01-Jan-76 00:00:00 GMT"], 200, 1_577_836_800),
            ([.expires: "Friday, 01-Jan-77 00:00:00 GMT"], 200, 0),
        ] as [(HTTPFields, Int, Double)])
    func `a lifetime follows from dates (RFC 9111 sections 4.2.1 and 4.2.2)`(
        headers: HTTPFields, status: Int, lifetime: Double
    ) throws {
        #expect(Freshness(of: try response(headers, status: status), now: origin).lifetime == lifetime)
    }

    @Test func `several Expires fields must agree (section 4.2.1)`() throws {
        let (one, two) = ("Thu, 01 Jan 2026 01:00:00 GMT", "Thu, 01 Jan 2026 02:00:00 GMT")
        for (dates, lifetime) in [([one, one], 3600.0), ([one, two], 0), ([two, one], 0)] {
            let headers = HTTPFields(dates.map { HTTPField(name: .expires, value: $0) })
            #expect(Freshness(of: try response(headers), now: origin).lifetime == lifetime)
        }
    }

    @Test(
        arguments: [
            ([.age: "50"], 4, 10, 64), ([.age: "50"], -4, 10, 60), ([:], 4, 10, 14), ([.age: "7, 9"], 0, 0, 7),
            ([.date: "Wed, 31 Dec 2025 23:59:00 GMT", .age: "10"], 4, 1, 61),
            ([.date: "Wed, 31 Dec 2025 23:59:50 GMT", .age: "10"], 4, 1, 15),
            ([.date: "Thu, 01 Jan 2026 00:05:00 GMT"], 0, 3, 3), ([:], 0, -0.5, .infinity),
        ] as [(HTTPFields, Double, Double, Double)])
    func `the age has a part before the arrival and a part after it (section 4.2.3)`(
        headers: HTTPFields, delay: Double, seconds: Double, age: Double
    ) throws {
        #expect(Freshness(of: try response(headers, delay: delay), now: origin + seconds).age == age)
    }

    /// The redirect was received with the request's start, four seconds before the response.
    @Test(arguments: [(1.0, 5.0, 0.0), (5, 1, 0), (6, 0, 0), (8, 0, 2), (60, 0, 54)])
    func `a redirect ends the freshness of its target`(seconds: Double, remaining: Double, staleness: Double) throws {
        let redirect = RedirectTerms(lifetime: 10, isSpecified: true)
        let stored = try response([.cacheControl: "max-age=1000"], delay: 4, redirect: redirect)
        let freshness = Freshness(of: stored, now: origin + seconds)
        #expect(freshness.remaining == remaining)
        #expect(freshness.staleness == staleness)
        #expect(freshness.isFresh == (remaining > 0) && freshness.areRedirectsValid == (remaining > 0))
    }

    @Test(
        arguments: [
            ([:], nil, 300), ([.expires: "Thu, 01 Jan 2026 00:01:00 GMT"], nil, 50),
            ([.lastModified: "Wed, 31 Dec 2025 23:50:00 GMT"], nil, 50), ([.cacheControl: "max-age=60"], nil, 50),
            ([.cacheControl: "max-age=5"], nil, 0), ([.cacheControl: "no-cache, max-age=60"], nil, 0),
            ([.cacheControl: "max-age=600"], RedirectTerms(lifetime: 0, isSpecified: false), 300),
            ([.cacheControl: "max-age=600"], RedirectTerms(lifetime: 0, isSpecified: true), 0),
            ([.cacheControl: "max-age=600"], RedirectTerms(lifetime: 0, isSpecified: false, mustRevalidate: true), 0),
            ([.cacheControl: "max-age=600"], RedirectTerms(lifetime: 500, isSpecified: false), 490),
        ] as [(HTTPFields, RedirectTerms?, Double)])
    func `an image in memory keeps its stated lifetime (section 4.2.2)`(
        headers: HTTPFields, redirect: RedirectTerms?, remaining: Double
    ) throws {
        let stored = try response(headers, redirect: redirect)
        #expect(Freshness.remainingInMemory(of: stored, now: origin + 10) == remaining)
    }

    // MARK: Redirects

    private func terms(
        _ lifetime: Double, _ isSpecified: Bool, _ mustRevalidate: Bool = false, stored: Bool = true
    )
        -> RedirectTerms
    {
        var terms = RedirectTerms(lifetime: lifetime, isSpecified: isSpecified, mustRevalidate: mustRevalidate)
        terms.isStorable = stored
        return terms
    }

    @Test func `redirects limit how long their target may be used`() throws {
        let address = try WebAddress("http://test/a")
        let date = "Thu, 01 Jan 2026 00:10:00 GMT"
        let cases: [([(Int, HTTPFields)], RedirectTerms?)] = [
            ([], nil), ([(301, [:])], nil), ([(308, [:]), (301, [:])], nil),
            ([(302, [:])], terms(0, false)), ([(307, [.expires: date])], terms(0, true)),
            ([(301, [.expires: date])], terms(0, true)), ([(302, [.expires: date]), (302, [:])], terms(0, false)),
            ([(302, [:]), (302, [.expires: date])], terms(0, false)),
            ([(302, [.cacheControl: "max-age=60", .age: "20"])], terms(40, true)),
            ([(301, [.cacheControl: "max-age=60", .age: "70"])], terms(0, true)),
            ([(302, [.cacheControl: "max-age=60"]), (302, [.cacheControl: "max-age=30"])], terms(30, true)),
            ([(302, [.cacheControl: "max-age=30"]), (308, [:])], terms(30, true)),
            ([(302, [.cacheControl: "max-age=30, must-revalidate"])], terms(30, true, true)),
            ([(302, [.cacheControl: "max-age=30, no-cache"])], terms(0, true, true)),
            ([(301, [.cacheControl: "no-store"])], terms(0, true, stored: false)),
            ([(302, [.cacheControl: "no-store, max-age=9"]), (301, [:])], terms(9, true, stored: false)),
        ]
        for (hops, expected) in cases {
            let hops = hops.map { RedirectTerms.Hop(address: address, status: $0.0, headers: $0.1) }
            #expect(RedirectTerms(hops) == expected, "\(hops)")
        }
    }

    // MARK: Storing

    @Test(
        arguments: [
            (200, [:], [:], true), (199, [.cacheControl: "max-age=9"], [:], false),
            (302, [.cacheControl: "private"], [:], true), (302, [.cacheControl: "public"], [:], true),
            (302, [.cacheControl: "immutable"], [:], false),
            (200, [.cacheControl: "no-store, must-understand"], [:], true),
            (599, [.cacheControl: "no-store, must-understand, max-age=9"], [:], false),
            (599, [.cacheControl: "must-understand, max-age=9"], [:], false),
            (599, [.cacheControl: "max-age=9"], [:], true), (200, [:], [.cacheControl: "no-store"], false),
            (200, [.cacheControl: "no-store, must-understand"], [.cacheControl: "no-store"], false),
        ] as [(Int, HTTPFields, HTTPFields, Bool)])
    func `what may be stored depends on status and directives (section 3)`(
        status: Int, headers: HTTPFields, request: HTTPFields, isStorable: Bool
    ) {
        #expect(Storability.isStorable(status: status, headers, request: request) == isStorable)
    }

    enum Write: Equatable { case none, removal, storing }

    /// A response that must not be stored removes the stored one that it replaces.
    @Test(
        arguments: [
            (200, [:], .http, .storing), (200, [.cacheControl: "no-store"], .http, .removal),
            (404, [:], .http, .storing),
            (404, [.cacheControl: "no-store"], .http, .none), (500, [:], .http, .none), (206, [:], .http, .none),
            (304, [:], .http, .none), (201, [:], .http, .removal), (302, [:], .http, .removal),
            (399, [:], .http, .removal), (400, [:], .http, .none), (200, [:], .noStore, .none),
            (201, [:], .cacheElseLoad, .storing), (299, [:], .cacheElseLoad, .storing),
            (302, [:], .cacheElseLoad, .removal), (206, [:], .cacheElseLoad, .none),
            (201, [.cacheControl: "no-store"], .cacheElseLoad, .removal),
            (201, [.vary: "*"], .cacheElseLoad, .removal), (200, [.vary: "*"], .http, .removal),
        ] as [(Int, HTTPFields, CachePolicy, Write)])
    func `a response is stored, or removes what it replaces, or neither (sections 3 and 4.3.3)`(
        status: Int, headers: HTTPFields, policy: CachePolicy, write: Write
    ) throws {
        let cache = HTTPCache(store: DictionaryStore(), transport: FakeTransport(), clock: TestClock())
        let request = TransferRequest(try WebAddress("http://test/a"))
        let lookup = HTTPCache.Lookup(key: "key", policy: policy)
        func pendingWrite(_ request: TransferRequest, _ redirect: RedirectTerms? = nil) throws -> PendingWrite? {
            let stored = try response(headers, status: status, redirect: redirect)
            return cache.pendingWrite(for: stored, request, lookup, continuing: nil)
        }
        let pending = try pendingWrite(request)
        #expect((pending != nil) == (write != .none))
        #expect(pending?.storedKey == (write == .storing ? "key" : nil))
        #expect(pending?.isResumed != true)
        // Neither a request nor a redirect with `no-store` lets the response be stored.
        let uncached = TransferRequest(try WebAddress("http://test/a"), headers: [.cacheControl: "no-store"])
        #expect(try pendingWrite(uncached)?.storedKey == nil)
        #expect(try pendingWrite(request, terms(0, true, stored: false))?.storedKey == nil)
        let none = HTTPCache(store: nil, transport: FakeTransport(), clock: TestClock())
        #expect(
            none.pendingWrite(for: try response(headers, status: status), request, lookup, continuing: nil) == nil)
    }

    @Test(
        arguments: [
            (200, 65_536, [.eTag: "\"1\""], true), (200, 65_535, [.eTag: "\"1\""], false),
            (206, 65_536, [.eTag: "\"1\""], false), (203, 65_536, [.eTag: "\"1\""], false),
            (200, 65_536, [.eTag: "\"1\"", .acceptRanges: "NONE"], false),
            (200, 65_536, [.eTag: "\"1\"", .acceptRanges: "bytes"], true),
            (
                200, 65_536, [.eTag: "W/\"1\"", .lastModified: originDate, .date: "Thu, 01 Jan 2026 01:00:00 GMT"],
                false
            ),
            (200, 65_536, [.lastModified: originDate, .date: "Thu, 01 Jan 2026 00:01:00 GMT"], true),
            (200, 65_536, [.lastModified: originDate, .date: "Thu, 01 Jan 2026 00:00:59 GMT"], false),
            (200, 65_536, [.lastModified: originDate], false),
        ] as [(Int, Int, HTTPFields, Bool)])
    func `a partial body is kept with a strong validator (RFC 9110 section 8.8.2.2)`(
        status: Int, byteCount: Int, headers: HTTPFields, isKept: Bool
    ) throws {
        #expect(PartialResponse.isWorthKeeping(try response(headers, status: status), byteCount: byteCount) == isKept)
    }

    @Test func `a joined response has the fields of its last part (section 15.3.7.3)`() throws {
        let (own, other) = (try #require(HTTPField.Name("X-Own")), try #require(HTTPField.Name("X-Other")))
        var headers: HTTPFields = [.eTag: "\"1\"", .contentLength: "9", other: "kept"]
        for value in ["a", "b"] { headers.append(HTTPField(name: own, value: value)) }
        let partial = PartialResponse(response: try response(headers), body: [1, 2, 3])
        var part: HTTPFields = [.eTag: "\"1\"", .contentRange: "bytes 3-8/9", .contentLength: "6"]
        for value in ["c", "d"] { part.append(HTTPField(name: own, value: value)) }
        let address = try WebAddress("http://test/a?2")
        let whole = try #require(
            partial.whole(continuedBy: TransferHead(status: 206, headers: part, address: address), maxByteCount: 9))
        #expect(whole.status == 200 && whole.address == address && whole.expectedByteCount == 9)
        #expect(whole.headers[values: own] == ["c", "d"])
        #expect(whole.headers[other] == "kept" && whole.headers[.contentRange] == nil)
        #expect(whole.headers[values: .contentLength] == ["9"])
        for status in [200, 416] {
            let head = TransferHead(status: status, headers: part, address: address)
            #expect(partial.whole(continuedBy: head, maxByteCount: 9) == nil)
        }
    }
}

/// What a cache does with each stored response and each request.
@Suite struct CacheChoiceTests {
    /// The choice, with the response that may stand in for a failed server.
    private func choice(
        _ stored: StoredResponse?, after seconds: Double, _ asked: HTTPFields = [:], _ policy: CachePolicy = .http,
        expiry: Double? = nil
    ) -> String {
        switch CacheDecision(for: asked, policy: policy, stored: stored, expiry: expiry, now: origin + seconds) {
        case .use(_, let origin): "\(origin)"
        case .useAndValidate: "use and validate"
        case .validate: "validate"
        case .fetch(let fallback): fallback == nil ? "fetch" : "fetch or stale"
        case .refuse: "refuse"
        }
    }

    private let lasting: HTTPFields = [.cacheControl: "max-age=60", .eTag: "\"1\""]
    private let graceful: HTTPFields = [.cacheControl: "max-age=60, stale-while-revalidate=60", .eTag: "\"1\""]

    @Test func `directives of the request are combined with those of the response (RFC 9111 section 5.2.1)`() throws {
        let pragma = try #require(HTTPField.Name("Pragma"))
        let cases: [(HTTPFields, Double, HTTPFields, String)] = [
            (lasting, 1, [.cacheControl: "no-store"], "fetch"),
            (lasting, 1, [.cacheControl: "no-store, only-if-cached"], "refuse"),
            (lasting, 1, [.cacheControl: "max-age=100", pragma: "no-cache"], "disk"),
            (lasting, 1, [pragma: "foo, No-Cache"], "validate"), (lasting, 1, [pragma: "foo"], "disk"),
            (lasting, 30, [.cacheControl: "max-age=20, max-stale"], "disk"),
            (lasting, 70, [.cacheControl: "max-age=20, max-stale"], "validate"),
            (lasting, 70, [.cacheControl: "max-age=80, max-stale"], "stale"),
            (lasting, 70, [.cacheControl: "max-age=80"], "validate"),
            (graceful, 80, [:], "use and validate"), (graceful, 80, [.cacheControl: "max-age=1000"], "validate"),
            (graceful, 80, [.cacheControl: "min-fresh=0"], "validate"),
            (graceful, 80, [.cacheControl: "no-cache"], "validate"),
            (graceful, 80, [.cacheControl: "only-if-cached"], "use and validate"),
            ([.cacheControl: "max-age=60"], 61, [:], "fetch or stale"),
            ([.cacheControl: "max-age=60"], 61, [.cacheControl: "only-if-cached"], "refuse"),
            ([.cacheControl: "max-age=60, no-cache"], 1, [:], "fetch or stale"),
            ([.cacheControl: "max-age=60", .lastModified: originDate], 61, [:], "validate"),
        ]
        for (headers, seconds, asked, expected) in cases {
            #expect(choice(try response(headers), after: seconds, asked) == expected, "\(headers) \(asked)")
        }
        #expect(choice(nil, after: 0) == "fetch")
        #expect(choice(nil, after: 0, [.cacheControl: "only-if-cached"]) == "refuse")
    }

    @Test func `any staleness includes that of a response from the future`() throws {
        for (control, expected) in [("max-stale", "stale"), ("max-stale=2147483647", "validate")] {
            #expect(choice(try response(lasting), after: -5, [.cacheControl: control]) == expected)
        }
    }

    @Test func `an expiry of the request limits every policy`() throws {
        let immutable: HTTPFields = [.cacheControl: "max-age=60, immutable", .eTag: "\"1\""]
        let cases: [(HTTPFields, CachePolicy, String, String)] = [
            (lasting, .http, "disk", "validate"), (graceful, .staleWhileRevalidate, "disk", "validate"),
            (lasting, .cacheElseLoad, "disk", "fetch or stale"), (lasting, .cacheOnly, "disk", "refuse"),
            (immutable, .revalidate, "disk", "validate"), (lasting, .revalidate, "validate", "validate"),
            (lasting, .reload, "fetch", "fetch"), (lasting, .noStore, "fetch", "fetch"),
        ]
        for (headers, policy, before, after) in cases {
            let stored = try response(headers)
            #expect(choice(stored, after: 39, policy, expiry: 40) == before, "\(policy)")
            #expect(choice(stored, after: 40, policy, expiry: 40) == after, "\(policy)")
        }
        #expect(choice(try response([.cacheControl: "max-age=9"]), after: 1, .revalidate) == "fetch or stale")
        #expect(choice(nil, after: 1, .revalidate) == "fetch")
        #expect(choice(nil, after: 1, .cacheOnly) == "refuse" && choice(nil, after: 1, .cacheElseLoad) == "fetch")
    }

    private func choice(
        _ stored: StoredResponse?, after seconds: Double, _ policy: CachePolicy, expiry: Double? = nil
    ) -> String {
        choice(stored, after: seconds, [:], policy, expiry: expiry)
    }

    @Test(arguments: [(199, false), (200, true), (299, true), (300, false), (404, false)])
    func `an error response is used only while it is fresh`(status: Int, isUsed: Bool) throws {
        let stored = try response([.cacheControl: "max-age=60"], status: status)
        for (policy, refused) in [(CachePolicy.cacheElseLoad, "fetch"), (.cacheOnly, "refuse")] {
            #expect(choice(stored, after: 59, policy) == "disk")
            #expect(choice(stored, after: 60, policy) == (isUsed ? "stale" : refused))
        }
    }

    @Test(
        arguments: [
            ("", true), ("no-cache", false), ("max-age=1000", false), ("min-fresh=0", false), ("max-stale", true),
        ])
    func `a request can forbid a stale answer for an unreachable server (section 4.2.4)`(
        asked: String, isAllowed: Bool
    ) throws {
        let stored = try response([.cacheControl: "max-age=60"])
        #expect(
            StaleAnswer.isAllowedWhenDisconnected(stored, [.cacheControl: asked], now: origin + 80) == isAllowed)
    }

    @Test(arguments: [(499, false), (500, true), (501, false), (502, true), (503, true), (504, true), (505, false)])
    func `stale-if-error names its statuses (RFC 5861 section 4)`(status: Int, isAllowed: Bool) throws {
        let stored = try response([.cacheControl: "max-age=60, stale-if-error=100"])
        #expect(StaleAnswer.isAllowed(stored, [:], afterStatus: status, now: origin + 80) == isAllowed)
        let plain = try response([.cacheControl: "max-age=60"])
        #expect(!StaleAnswer.isAllowed(plain, [:], afterStatus: status, now: origin + 80))
        let asked: HTTPFields = [.cacheControl: "stale-if-error=30"]
        #expect(StaleAnswer.isAllowed(plain, asked, afterStatus: status, now: origin + 89) == isAllowed)
        #expect(!StaleAnswer.isAllowed(plain, asked, afterStatus: status, now: origin + 90))
        // The response's own time takes precedence.
        #expect(StaleAnswer.isAllowed(stored, asked, afterStatus: status, now: origin + 100) == isAllowed)
    }

    @Test(
        arguments: [
            (.cacheOnly, "", true), (.revalidate, "", true), (.http, "", false), (.http, "only-if-cached", true),
            (.http, "max-age=0", false), (.staleWhileRevalidate, "only-if-cached", true),
            (.staleWhileRevalidate, "", false), (.cacheElseLoad, "only-if-cached", false),
            (.reload, "only-if-cached", false), (.noStore, "only-if-cached", false),
        ] as [(CachePolicy, String, Bool)])
    func `some requests are answered by a cache without a store`(
        policy: CachePolicy, control: String, applies: Bool
    ) throws {
        var request = TransferRequest(try WebAddress("http://test/a"))
        if !control.isEmpty { request.headers[.cacheControl] = control }
        #expect(HTTPCache.appliesWithoutStore(to: request, policy) == applies)
    }
}
