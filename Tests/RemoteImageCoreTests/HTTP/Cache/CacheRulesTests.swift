import HTTPTypes
import Testing

@testable import RemoteImageCore

/// The time at which the responses arrived: 2026-01-01 00:00:00 GMT.
private let origin = 1_767_225_600.0
private let originDate = "Thu, 01 Jan 2026 00:00:00 GMT"

private func fields(_ pairs: [(String, String)]) -> HTTPFields {
    var fields = HTTPFields()
    for (name, value) in pairs {
        if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
    }
    return fields
}

private func response(
    _ headers: [(String, String)], status: Int = 200, delay: Double = 0, varying: [String: String] = [:]
) throws -> StoredResponse {
    StoredResponse(
        status: status, headers: fields(headers), address: try WebAddress("http://test/a"), requestTime: origin - delay,
        responseTime: origin, varying: varying)
}

@Suite struct CacheControlTests {
    @Test func `directives on several lines are combined, in any case (RFC 9111 section 5.2)`() {
        let control = CacheControl(fields([("Cache-Control", "Max-Age=60, NO-CACHE"), ("Cache-Control", "private")]))
        #expect(control.maxAge == 60)
        #expect(control.noCache && control.isPrivate)
        #expect(!control.noStore)
    }

    @Test(arguments: [
        ("max-age=60, max-age=10", 10), ("max-age=abc", 0), ("max-age=", 0), ("max-age", 0), ("max-age=-5", 0),
        ("max-age=1.5", 0), ("max-age=\"30\"", 30), ("max-age=99999999999999999999", 1 << 31), ("max-age = 5", 0),
        ("max-age=3600, x=\"y, max-age=1", 1), ("max-age=\"30\" , public", 30),
    ])
    func `an invalid max-age takes the conservative value (sections 1.2.2 and 4.2.1)`(text: String, seconds: Int) {
        let control = CacheControl(fields([("Cache-Control", text)]))
        #expect(control.maxAge == seconds)
    }

    @Test func `an unterminated quote does not hide the directives after it`() {
        #expect(CacheControl(fields([("Cache-Control", "max-age=3600, ext=\"x, no-store")])).noStore)
    }

    @Test func `an invalid name in Vary matches no request (section 4.1)`() {
        #expect(VaryMatching.names(in: fields([("Vary", "Accept Language")])) == nil)
        #expect(VaryMatching.names(in: fields([("Vary", " Accept , ,Cookie")])) == ["accept", "cookie"])
    }

    @Test(arguments: [
        "Foo, 06 Nov 1994 08:49:37 GMT", "Sun, +6 Nov 1994 08:49:37 GMT", "Thu, 31 Feb 2026 00:00:00 GMT",
        "Sun, 29 Feb 2026 00:00:00 GMT", "Sun,  06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994  08:49:37 GMT",
        "Sun, 06 Nov 1994 08:49:37 UTC", "Sunday,  06-Nov-94 08:49:37 GMT", "Sun Nov 6 08:49:37 1994",
        "Sun Nov  06 08:49:37 1994", "Sun  Nov  6 08:49:37 1994", "Sun, Nov  6 08:49:37 1994",
    ])
    func `an invalid date is rejected (RFC 9110 section 5.6.7)`(text: String) {
        #expect(HTTPDate(text, currentYear: 2026) == nil)
    }

    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT", "SUN, 06 nov 1994 08:49:37 gmt", "sunday, 06-NOV-94 08:49:37 Gmt",
        "Sun Nov  6 08:49:37 1994", "sun nov  6 08:49:37 1994",
    ])
    func `a date is parsed in each of its formats, in any case (RFC 9110 section 5.6.7)`(text: String) {
        #expect(HTTPDate(text, currentYear: 2026)?.secondsSince1970 == 784_111_777)
    }

    @Test func `commas and directives within quotes are ignored`() {
        let control = CacheControl(fields([("Cache-Control", "extension=\"no-store, max-age=1\", max-age=5")]))
        #expect(!control.noStore)
        #expect(control.maxAge == 5)
    }

    @Test func `no-cache with field names counts as plain no-cache (section 5.2.2.4)`() {
        #expect(CacheControl(fields([("Cache-Control", "no-cache=\"Set-Cookie\"")])).noCache)
    }

    @Test func `max-stale without a number accepts any age (section 5.2.1.2)`() {
        #expect(CacheControl(fields([("Cache-Control", "max-stale")])).maxStale == .max)
        #expect(CacheControl(fields([("Cache-Control", "max-stale=7")])).maxStale == 7)
    }
}

@Suite struct FreshnessTests {
    private func lifetime(_ headers: [(String, String)], status: Int = 200) throws -> Double {
        Freshness(of: try response(headers, status: status), now: origin).lifetime
    }

    @Test func `max-age takes precedence over Expires (section 5.3)`() throws {
        #expect(
            try lifetime([("Cache-Control", "max-age=60"), ("Expires", "Thu, 01 Jan 2026 01:00:00 GMT")]) == 60)
        #expect(try lifetime([("Date", originDate), ("Expires", "Thu, 01 Jan 2026 01:00:00 GMT")]) == 3600)
    }

    @Test(arguments: ["0", "-1", "", "tomorrow", "Thu, 01 Jan 2026 01:00:00"])
    func `an invalid Expires counts as a date in the past (section 5.3)`(text: String) throws {
        #expect(
            try lifetime([("Date", originDate), ("Expires", text), ("Last-Modified", "Thu, 01 Jan 2015 00:00:00 GMT")])
                == 0)
    }

    @Test func `the heuristic lifetime is a tenth of the time since Last-Modified (section 4.2.2)`() throws {
        #expect(
            try lifetime([("Date", originDate), ("Last-Modified", "Wed, 31 Dec 2025 00:00:00 GMT")]) == 8640)
        #expect(try lifetime([("Date", originDate)]) == 0)
        #expect(
            try lifetime([("Date", originDate), ("Last-Modified", "Wed, 31 Dec 2025 00:00:00 GMT")], status: 503) == 0)
    }

    @Test func `the age is the largest known age and grows with time (section 4.2.3)`() throws {
        let plain = try response([("Date", originDate)])
        #expect(Freshness(of: plain, now: origin + 100).age == 100)
        let aged = try response([("Date", originDate), ("Age", "50")], delay: 4)
        #expect(Freshness(of: aged, now: origin + 10).age == 64)
        let slow = try response([("Date", "Wed, 31 Dec 2025 23:59:00 GMT")])
        #expect(Freshness(of: slow, now: origin).age == 60)
        let several = try response([("Age", "5, 100"), ("Age", "7")])
        #expect(Freshness(of: several, now: origin).age == 5)
        #expect(Freshness(of: try response([("Age", "-3")]), now: origin).age == 0)
    }

    /// A redirect without a lifetime made any response fresh for five minutes.
    @Test(
        arguments: [
            ("", nil, 300), ("max-age=10", nil, 10), ("no-cache", nil, 0), ("", "", 300), ("max-age=0", "", 0),
            ("max-age=120", "", 120), ("max-age=3600", "", 300), ("no-cache", "", 0), ("", "max-age=10", 10),
            ("max-age=3600", "max-age=600", 600), ("", "no-cache", 0),
        ] as [(String, String?, Double)])
    func `an image in memory is fresh for five minutes where the server states no lifetime (section 4.2.2)`(
        control: String, redirect: String?, lifetime: Double
    ) throws {
        func headers(_ control: String) -> [(String, String)] { control.isEmpty ? [] : [("Cache-Control", control)] }
        var stored = try response([("Date", originDate)] + headers(control))
        if let redirect {
            stored.redirect = RedirectTerms([
                RedirectTerms.Hop(address: stored.address, status: 302, headers: fields(headers(redirect)))
            ])
        }
        #expect(Freshness.remainingInMemory(of: stored, now: origin) == lifetime)
    }

    @Test func `a clock that is set back does not keep a response fresh`() throws {
        let fresh = try response([("Cache-Control", "max-age=60"), ("Date", originDate)])
        #expect(!Freshness(of: fresh, now: origin - 1000).isFresh)
    }
}

@Suite struct StorabilityTests {
    private func isStorable(
        _ headers: [(String, String)], status: Int = 200, request: [(String, String)] = []
    ) -> Bool {
        Storability.isStorable(status: status, fields(headers), request: fields(request))
    }

    @Test func `a response is not stored if it or its request says no-store (sections 5.2.1.5 and 5.2.2.5)`() {
        #expect(!isStorable([("Cache-Control", "no-store, max-age=60")]))
        #expect(!isStorable([("Cache-Control", "max-age=60")], request: [("Cache-Control", "no-store")]))
    }

    @Test(arguments: [100, 206, 304, 412, 416])
    func `an interim response and the answer to a condition or a range are not stored (section 3)`(status: Int) {
        #expect(!isStorable([("Cache-Control", "max-age=60")], status: status))
    }

    @Test func `cacheable statuses are stored by default, others only with a lifetime (section 3)`() {
        for status in [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501] {
            #expect(isStorable([], status: status))
        }
        for status in [201, 302, 307, 400, 403, 500, 502, 503, 599] {
            #expect(!isStorable([], status: status))
            #expect(isStorable([("Cache-Control", "max-age=60")], status: status))
            #expect(isStorable([("Expires", originDate)], status: status))
        }
    }

    @Test func `a response that varies by * is not stored (section 4.1)`() {
        #expect(!isStorable([("Cache-Control", "max-age=60"), ("Vary", "Accept, *")]))
        #expect(isStorable([("Cache-Control", "max-age=60"), ("Vary", "Accept")]))
    }

    @Test func `fields of the connection are not stored (section 3.1)`() {
        let stored = fields([
            ("Connection", "close, X-Hop"), ("X-Hop", "1"), ("Keep-Alive", "5"), ("Transfer-Encoding", "chunked"),
            ("Content-Type", "image/png"), ("X-Kept", "yes"), ("X-Kept", "twice"),
        ]).storable
        #expect(stored.map(\.name.canonicalName) == ["content-type", "x-kept", "x-kept"])
    }
}

@Suite struct VariationTests {
    private func matches(_ vary: String, stored: [(String, String)], asked: [(String, String)]) throws -> Bool {
        let headers = fields([("Vary", vary)])
        let kept = try response([("Vary", vary)], varying: VaryMatching.values(of: fields(stored), for: headers))
        return VaryMatching.matches(kept, fields(asked))
    }

    @Test func `a variant matches when the fields named by Vary are equal (section 4.1)`() throws {
        #expect(try matches("Accept", stored: [("Accept", "image/webp")], asked: [("Accept", "image/webp")]))
        #expect(try !matches("Accept", stored: [("Accept", "image/webp")], asked: [("Accept", "image/png")]))
        #expect(try matches("Accept", stored: [("Foo", "1")], asked: [("Foo", "2")]))
        #expect(try matches("ACCEPT ,Foo", stored: [("accept", "a, b")], asked: [("Accept", "a"), ("Accept", "b")]))
    }

    @Test(arguments: [
        ("en, de", "de, en", true), ("en, de", "eN, De", true), ("en,de;q=0.5", "de; q=0.500 , EN;q=1.0", true),
        ("en, de", "en", false), ("en, de", "en, de;q=0.5", false), ("en, de", "en-US, de", false),
        ("en;q=2", "EN;q=2", false), ("en;q=2", "en;q=2", true), ("en", "", false),
    ])
    func `languages in another order or case match (RFC 9110 section 12.5.4)`(
        stored: String, asked: String, isSame: Bool
    ) throws {
        #expect(
            try matches(
                "Accept-Language", stored: [("Accept-Language", stored)], asked: [("Accept-Language", asked)])
                == isSame)
    }

    @Test(arguments: [
        ("fr;q=0.5, de;q=1.0", true), ("DE", true), ("fr, de", false), ("fr, de;q=0.5", false), ("de;q=0", false),
        ("fr", false), ("de-AT", false), ("*, de", false), ("de, de", false),
    ])
    func `a response in the preferred language matches (RFC 9110 section 12.5.4)`(
        asked: String, isAnswer: Bool
    ) throws {
        let headers = [("Vary", "Accept-Language"), ("Content-Language", "de")]
        let varying = VaryMatching.values(of: fields([("Accept-Language", "en, de")]), for: fields(headers))
        let kept = try response(headers, varying: varying)
        #expect(VaryMatching.matches(kept, fields([("Accept-Language", asked)])) == isAnswer)
        let unnamed = try response([("Vary", "Accept-Language")], varying: varying)
        #expect(!VaryMatching.matches(unnamed, fields([("Accept-Language", asked)])))
    }

    @Test(arguments: [
        ("a, b", "a,b", true), ("a,b", "b,a", false), ("a,b", "ab", false), ("a,,b", "a,b", false), ("a", "a,", false),
        ("a b", "ab", false), ("a", "A", false),
    ])
    func `the values of a field are compared without the spaces around commas (section 4.1)`(
        stored: String, asked: String, isSame: Bool
    ) throws {
        #expect(try matches("Accept", stored: [("Accept", stored)], asked: [("Accept", asked)]) == isSame)
    }

    @Test func `an absent field does not match a present field (section 4.1)`() throws {
        #expect(try matches("Accept", stored: [], asked: []))
        #expect(try !matches("Accept", stored: [], asked: [("Accept", "image/png")]))
        #expect(try !matches("Accept", stored: [("Accept", "")], asked: []))
    }
}

@Suite struct CacheDecisionTests {
    private enum Outcome: Equatable { case disk, stale, staleAndValidate, validate, fetch, refuse }

    private func decision(
        _ headers: [(String, String)], after seconds: Double, asked: [(String, String)] = [],
        policy: CachePolicy = .http, expiry: Double? = nil
    ) throws -> Outcome {
        let stored = try response([("Date", originDate)] + headers)
        let decision = CacheDecision(
            for: fields(asked), policy: policy, stored: stored, expiry: expiry, now: origin + seconds)
        return switch decision {
        case .use(_, .disk): .disk
        case .use: .stale
        case .useAndValidate: .staleAndValidate
        case .validate: .validate
        case .fetch: .fetch
        case .refuse: .refuse
        }
    }

    @Test func `a fresh response is used, a stale response is validated or fetched (section 4)`() throws {
        #expect(try decision([("Cache-Control", "max-age=60")], after: 59) == .disk)
        #expect(try decision([("Cache-Control", "max-age=60"), ("ETag", "\"1\"")], after: 60) == .validate)
        #expect(try decision([("Cache-Control", "max-age=60")], after: 60) == .fetch)
    }

    @Test func `time limits take effect exactly at their second`() throws {
        let stored = [("Cache-Control", "max-age=60, stale-while-revalidate=30")]
        #expect(try decision(stored, after: 89.5) == .staleAndValidate)
        #expect(try decision(stored, after: 90) == .fetch)
        let fresh = [("Cache-Control", "max-age=60")]
        #expect(try decision(fresh, after: 30, asked: [("Cache-Control", "max-age=30")]) == .fetch)
        #expect(try decision(fresh, after: 30, asked: [("Cache-Control", "min-fresh=30")]) == .disk)
        #expect(try decision(fresh, after: 100, asked: [("Cache-Control", "max-stale=40")]) == .stale)
        #expect(try decision(fresh, after: 59, policy: .cacheElseLoad, expiry: 60) == .disk)
        #expect(try decision(fresh, after: 60, policy: .cacheElseLoad, expiry: 60) == .fetch)
        #expect(try decision(fresh, after: 60, policy: .cacheOnly, expiry: 60) == .refuse)
        // A clock that was set back does not make an image younger.
        #expect(try decision(fresh, after: -1, policy: .cacheElseLoad, expiry: 60) == .fetch)
        #expect(try decision(fresh, after: 0, policy: .cacheElseLoad, expiry: 60) == .disk)
        let forgiving = try response([("Date", originDate), ("Cache-Control", "max-age=60, stale-if-error=100")])
        #expect(!StaleAnswer.isAllowed(forgiving, fields([]), afterStatus: 503, now: origin + 160))
    }

    @Test func `no-cache validates a fresh response (sections 5.2.1.4 and 5.2.2.4)`() throws {
        #expect(try decision([("Cache-Control", "max-age=60, no-cache"), ("ETag", "\"1\"")], after: 1) == .validate)
        let fresh = [("Cache-Control", "max-age=60"), ("ETag", "\"1\"")]
        #expect(try decision(fresh, after: 1, asked: [("Cache-Control", "no-cache")]) == .validate)
        #expect(try decision(fresh, after: 1, asked: [("Pragma", "no-cache")]) == .validate)
    }

    @Test func `a request may limit the age and require remaining freshness (sections 5.2.1.1 and 5.2.1.3)`() throws {
        let fresh = [("Cache-Control", "max-age=60")]
        #expect(try decision(fresh, after: 30, asked: [("Cache-Control", "max-age=20")]) == .fetch)
        #expect(try decision(fresh, after: 30, asked: [("Cache-Control", "max-age=40")]) == .disk)
        #expect(try decision(fresh, after: 30, asked: [("Cache-Control", "min-fresh=40")]) == .fetch)
        #expect(try decision(fresh, after: 30, asked: [("Cache-Control", "min-fresh=20")]) == .disk)
    }

    @Test func `a request may accept a stale response, unless the response forbids it (sections 5.2.1.2 and 5.2.2.2)`()
        throws
    {
        let stale = [("Cache-Control", "max-age=60")]
        #expect(try decision(stale, after: 100, asked: [("Cache-Control", "max-stale")]) == .stale)
        #expect(try decision(stale, after: 100, asked: [("Cache-Control", "max-stale=40")]) == .stale)
        #expect(try decision(stale, after: 101, asked: [("Cache-Control", "max-stale=40")]) == .fetch)
        #expect(
            try decision(
                [("Cache-Control", "max-age=60, must-revalidate")], after: 100, asked: [("Cache-Control", "max-stale")])
                == .fetch)
    }

    @Test func `only-if-cached never uses the network (section 5.2.1.7)`() throws {
        let asked = [("Cache-Control", "only-if-cached")]
        #expect(try decision([("Cache-Control", "max-age=60")], after: 1, asked: asked) == .disk)
        #expect(try decision([("Cache-Control", "max-age=60"), ("ETag", "\"1\"")], after: 61, asked: asked) == .refuse)
    }

    @Test func `stale-while-revalidate allows a stale answer within its time (RFC 5861 section 3)`() throws {
        let headers = [("Cache-Control", "max-age=60, stale-while-revalidate=30"), ("ETag", "\"1\"")]
        #expect(try decision(headers, after: 80) == .staleAndValidate)
        #expect(try decision(headers, after: 91) == .validate)
        let strict = [("Cache-Control", "max-age=60, stale-while-revalidate=30, must-revalidate"), ("ETag", "\"1\"")]
        #expect(try decision(strict, after: 80) == .validate)
    }

    @Test func `a user's reload does not validate a fresh immutable response (RFC 8246 section 2)`() throws {
        let immutable = [("Cache-Control", "max-age=60, immutable"), ("ETag", "\"1\"")]
        #expect(try decision(immutable, after: 1, policy: .revalidate) == .disk)
        #expect(try decision(immutable, after: 61, policy: .revalidate) == .validate)
        #expect(
            try decision([("Cache-Control", "max-age=60"), ("ETag", "\"1\"")], after: 1, policy: .revalidate)
                == .validate)
    }

    @Test func `the cache policy takes precedence over the headers`() throws {
        let stale = [("Cache-Control", "max-age=0"), ("ETag", "\"1\"")]
        #expect(try decision(stale, after: 1e6, policy: .cacheElseLoad) == .stale)
        #expect(try decision(stale, after: 1e6, policy: .cacheOnly) == .stale)
        #expect(try decision(stale, after: 100, policy: .cacheElseLoad, expiry: 60) == .fetch)
        #expect(try decision(stale, after: 100, policy: .cacheOnly, expiry: 60) == .refuse)
        #expect(try decision([("Cache-Control", "max-age=60")], after: 1, policy: .reload) == .fetch)
        #expect(try decision([("Cache-Control", "max-age=60")], after: 1, policy: .noStore) == .fetch)
    }

    @Test func `a stale response may answer for an unreachable server, unless forbidden (section 4.2.4)`() throws {
        #expect(
            StaleAnswer.isAllowedWhenDisconnected(
                try response([("Cache-Control", "max-age=1")]), fields([]), now: origin))
        for directive in ["must-revalidate", "no-cache"] {
            let stored = try response([("Cache-Control", directive)])
            #expect(!StaleAnswer.isAllowedWhenDisconnected(stored, fields([]), now: origin))
        }
    }

    @Test func `stale-if-error allows a stale answer for server errors within its time (RFC 5861 section 4)`() throws {
        let stored = try response([("Date", originDate), ("Cache-Control", "max-age=60, stale-if-error=100")])
        for (status, seconds, isAllowed) in [
            (500, 100.0, true), (503, 159, true), (503, 161, false), (404, 100, false),
        ] {
            #expect(
                StaleAnswer.isAllowed(stored, fields([]), afterStatus: status, now: origin + seconds) == isAllowed)
        }
    }
}

/// The directives of a response do not extend the redirects that led to it.
@Suite struct RedirectedDecisionTests {
    private func redirected(_ control: String, through hops: [(Int, String)]) throws -> StoredResponse {
        var stored = try response([("Date", originDate), ("Cache-Control", control), ("ETag", "\"1\"")])
        stored.redirect = RedirectTerms(
            hops.map { status, control in
                RedirectTerms.Hop(
                    address: stored.address, status: status, headers: control.isEmpty ? [:] : [.cacheControl: control])
            })
        return stored
    }

    @Test(arguments: [
        ([(302, "max-age=1000")], true), ([(301, "")], true), ([(302, "max-age=1000, must-revalidate")], true),
        ([(302, "max-age=70")], false), ([(302, "")], false), ([(302, "no-cache")], false),
        ([(302, "no-cache, max-age=1000"), (302, "max-age=1000")], false),
    ])
    func `stale-while-revalidate is valid as long as the redirects (RFC 5861 section 3)`(
        hops: [(Int, String)], isGranted: Bool
    ) throws {
        let stored = try redirected("max-age=60, stale-while-revalidate=100", through: hops)
        let decision = CacheDecision(for: [:], policy: .http, stored: stored, now: origin + 80)
        if case .useAndValidate = decision { #expect(isGranted) } else { #expect(!isGranted) }
    }

    @Test(arguments: [
        ([(302, "max-age=1000")], true), ([(301, "")], true), ([(302, "max-age=70")], false), ([(302, "")], false),
        ([(302, "max-age=1000, must-revalidate")], true), ([(302, "max-age=70, must-revalidate")], false),
        ([(302, "no-cache")], false),
    ])
    func `stale-if-error is valid as long as the redirects (RFC 5861 section 4)`(
        hops: [(Int, String)], isGranted: Bool
    ) throws {
        let stored = try redirected("max-age=60, stale-if-error=100", through: hops)
        #expect(StaleAnswer.isAllowed(stored, [:], afterStatus: 503, now: origin + 80) == isGranted)
    }

    @Test(arguments: [
        ([(302, "max-age=70")], true), ([(302, "")], true), ([(301, "")], true),
        ([(302, "max-age=1000, must-revalidate")], true), ([(302, "max-age=70, must-revalidate")], false),
        ([(302, "no-cache")], false), ([(302, "no-cache"), (302, "")], false),
    ])
    func `a request may accept a stale answer unless a redirect forbids it (RFC 9111 sections 4.2.4 and 5.2.2.2)`(
        hops: [(Int, String)], isAllowed: Bool
    ) throws {
        let stored = try redirected("max-age=60", through: hops)
        #expect(StaleAnswer.isAllowedWhenDisconnected(stored, [:], now: origin + 80) == isAllowed)
        #expect(
            StaleAnswer.isAllowed(stored, [.cacheControl: "stale-if-error=100"], afterStatus: 503, now: origin + 80)
                == isAllowed)
        let decision = CacheDecision(
            for: [.cacheControl: "max-stale"], policy: .http, stored: stored, now: origin + 80)
        if case .use(_, .stale) = decision { #expect(isAllowed) } else { #expect(!isAllowed) }
    }
}

@Suite struct ValidationTests {
    @Test func `a 304 replaces the fields that it carries, except those of the body (sections 3.2 and 4.3.4)`() throws {
        let stored = try response([
            ("Date", originDate), ("Cache-Control", "max-age=1"), ("X-Old", "kept"), ("X-New", "old"),
            ("Content-Length", "5"), ("Content-Type", "image/png"), ("ETag", "\"1\""), ("Age", "9"),
        ])
        let updated = Validation.update(
            stored,
            with: fields([
                ("Cache-Control", "max-age=60"), ("X-New", "new"), ("X-New", "twice"), ("Content-Length", "0"),
                ("Content-Type", "text/html"), ("Connection", "close"), ("Date", "Thu, 01 Jan 2026 01:00:00 GMT"),
            ]), requestTime: origin + 3600, responseTime: origin + 3600)
        #expect(updated.headers[.cacheControl] == "max-age=60")
        #expect(updated.headers[values: try #require(HTTPField.Name("X-New"))] == ["new", "twice"])
        #expect(updated.headers[try #require(HTTPField.Name("X-Old"))] == "kept")
        #expect(updated.headers[.contentLength] == "5")
        #expect(updated.headers[.contentType] == "image/png")
        #expect(updated.headers[.connection] == nil)
        #expect(Freshness(of: updated, now: origin + 3630).age == 30)
    }

    @Test func `a conditional request carries both validators (section 4.3.1)`() throws {
        var request = fields([("Accept", "*/*")])
        Validation.makeConditional(&request, on: try response([("ETag", "W/\"1\""), ("Last-Modified", originDate)]))
        #expect(request[.ifNoneMatch] == "W/\"1\"")
        #expect(request[.ifModifiedSince] == originDate)
    }

    @Test func `a 304 with another validator concerns another response (section 4.3.4)`() throws {
        let stored = try response([("ETag", "\"1\"")])
        func head(_ headers: HTTPFields) -> TransferHead {
            TransferHead(status: 304, headers: headers, address: stored.address)
        }
        #expect(Validation.concerns(stored, head(fields([("ETag", "W/\"1\"")]))))
        #expect(Validation.concerns(stored, head([:])))
        #expect(!Validation.concerns(stored, head(fields([("ETag", "\"2\"")]))))
        for tag in [[:], [.eTag: "\"1\""], [.eTag: "W/\"1\""]] as [HTTPFields] {
            let elsewhere = TransferHead(status: 304, headers: tag, address: try WebAddress("http://elsewhere/"))
            #expect(!Validation.concerns(stored, elsewhere))
            let signed = TransferHead(status: 304, headers: tag, address: try WebAddress("http://test/a?token=2"))
            #expect(Validation.concerns(stored, signed) == (tag[.eTag] == "\"1\""))
        }
        let weak = try response([("ETag", "W/\"1\"")])
        let signed = TransferHead(
            status: 304, headers: fields([("ETag", "W/\"1\"")]), address: try WebAddress("http://test/a?token=2"))
        #expect(!Validation.concerns(weak, signed), "a weak tag may be a version number")
    }
}
