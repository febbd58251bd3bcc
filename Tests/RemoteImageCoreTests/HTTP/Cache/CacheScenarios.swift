// The cases, by RFC and section. The clock starts at midnight on Thursday, 1 January 2026.

extension CacheScenario {
    static let all = freshness + age + storing + selecting + validating + requested

    private static let midnight = "Thu, 01 Jan 2026 00:00:00 GMT"
    private static let dayBefore = "Wed, 31 Dec 2025 00:00:00 GMT"

    private static let freshness: [CacheScenario] = [
        CacheScenario(
            "fresh answers without the network, stale does not (RFC 9111 section 4)",
            .store(["Cache-Control": "max-age=60"]),
            .ask(after: 59, gives: .disk("1")),
            .ask(after: 1, server: .ok("2"), gives: .network("2"))),
        CacheScenario(
            "Expires counts from Date (section 4.2.1)",
            .store(["Date": midnight, "Expires": "Thu, 01 Jan 2026 00:01:00 GMT"]),
            .ask(after: 59, gives: .disk("1")),
            .ask(after: 1, server: .ok("2"), gives: .network("2"))),
        CacheScenario(
            "the dates of older servers are read too (RFC 9110 section 5.6.7)",
            .store(["Date": "Thursday, 01-Jan-26 00:00:00 GMT", "Expires": "Thu Jan  1 00:01:00 2026"]),
            .ask(after: 59, gives: .disk("1")),
            .ask(after: 1, server: .ok("2"), gives: .network("2"))),
        CacheScenario(
            "max-age goes before Expires (section 5.3)",
            .store(["Cache-Control": "max-age=10", "Expires": "Fri, 01 Jan 2027 00:00:00 GMT"]),
            .ask(after: 11, server: .ok("2"), gives: .network("2"))),
        CacheScenario(
            "an Expires that cannot be read is in the past (section 5.3)",
            .store(["Expires": "0", "Last-Modified": "Thu, 01 Jan 2015 00:00:00 GMT"]),
            .ask(server: .ok("2"), gives: .network("2"))),
        CacheScenario(
            "Expires that differ are stale (section 4.2.1)",
            .store(["Expires": "Fri, 01 Jan 2027 00:00:00 GMT", "expires": "Sat, 01 Jan 2028 00:00:00 GMT"]),
            .ask(server: .ok("2"), gives: .network("2"))),
        CacheScenario(
            "without a lifetime a tenth of the time since the last change counts (section 4.2.2)",
            .store(["Date": midnight, "Last-Modified": dayBefore]),
            .ask(after: 8639, gives: .disk("1")),
            .ask(after: 1, server: .notModified(), gives: .revalidated("1"), telling: ["If-Modified-Since": dayBefore])),
        CacheScenario(
            "without a lifetime or a last change the server is asked each time (section 4.2.2)",
            .store(["Date": midnight]),
            .ask(server: .ok("2"), gives: .network("2"))),
        CacheScenario(
            "a lifetime that is too large is one of 68 years (section 1.2.2)",
            .store(["Cache-Control": "max-age=99999999999999999999"]),
            .ask(after: 31_536_000, gives: .disk("1"))),
        CacheScenario(
            "a lifetime that is no number is none (section 4.2.1)",
            .store(["Cache-Control": "max-age=1h"]),
            .ask(server: .ok("2"), gives: .network("2"))),
        CacheScenario(
            "of two lifetimes the smaller counts (section 4.2.1)",
            .store(["Cache-Control": "max-age=3600", "cache-control": "Max-Age=10"]),
            .ask(after: 11, server: .ok("2"), gives: .network("2"))),
        CacheScenario(
            "what is immutable is not asked about when a user reloads, while it is fresh (RFC 8246 section 2)",
            .store(["Cache-Control": "max-age=60, immutable", "ETag": "\"1\""]),
            .ask(after: 59, policy: .revalidate, gives: .disk("1")),
            .ask(after: 1, policy: .revalidate, server: .notModified(), gives: .revalidated("1"))),
        CacheScenario(
            "stale for a while answers, and is validated behind that (RFC 5861 section 3)",
            .store(["Cache-Control": "max-age=60, stale-while-revalidate=30", "ETag": "\"1\""]),
            .ask(
                after: 61, server: .ok("2", ["Cache-Control": "max-age=60"]), gives: .stale("1"),
                telling: ["If-None-Match": "\"1\""]),
            .ask(gives: .disk("2"))),
        CacheScenario(
            "a while is over when it is over (RFC 5861 section 3)",
            .store(["Cache-Control": "max-age=60, stale-while-revalidate=30", "ETag": "\"1\""]),
            .ask(after: 91, server: .notModified(), gives: .revalidated("1"))),
        CacheScenario(
            "where a response must be validated nothing answers stale for a while (section 5.2.2.2)",
            .store(["Cache-Control": "max-age=60, stale-while-revalidate=30, must-revalidate", "ETag": "\"1\""]),
            .ask(after: 61, server: .notModified(), gives: .revalidated("1"))),
        CacheScenario(
            "stale answers for a server that fails, as long as that is allowed (RFC 5861 section 4)",
            .store(["Cache-Control": "max-age=60, stale-if-error=100"]),
            .ask(after: 100, server: .response(500, [:], "?"), gives: .stale("1")),
            .ask(server: .response(502, [:], "?"), gives: .stale("1")),
            .ask(server: .response(503, [:], "?"), gives: .stale("1")),
            .ask(server: .response(504, [:], "?"), gives: .stale("1")),
            .ask(server: .response(404, [:], "?"), gives: .network("?", status: 404))),
        CacheScenario(
            "when that is over the server's error is the answer (RFC 5861 section 4)",
            .store(["Cache-Control": "max-age=60, stale-if-error=100"]),
            .ask(after: 161, server: .response(503, [:], "?"), gives: .network("?", status: 503))),
        CacheScenario(
            "the request may allow it too (RFC 5861 section 4)",
            .store(["Cache-Control": "max-age=60"]),
            .ask(
                after: 100, ["Cache-Control": "stale-if-error=100"], server: .response(503, [:], "?"),
                gives: .stale("1"))),
        CacheScenario(
            "where a response must be validated a server's error is the answer (section 5.2.2.2)",
            .store(["Cache-Control": "max-age=60, stale-if-error=100, must-revalidate"]),
            .ask(after: 100, server: .response(503, [:], "?"), gives: .network("?", status: 503))),
        CacheScenario(
            "stale answers when the server is unreachable (section 4.2.4)",
            .store(["Cache-Control": "max-age=60"]),
            .ask(after: 10_000, server: .silence, gives: .stale("1"))),
        CacheScenario(
            "but not what must be validated (section 5.2.2.2)",
            .store(["Cache-Control": "max-age=60, must-revalidate"]),
            .ask(after: 100, server: .silence, gives: .generated)),
        CacheScenario(
            "and not what must never answer by itself (section 5.2.2.4)",
            .store(["Cache-Control": "max-age=60, no-cache"]),
            .ask(server: .silence, gives: .generated)),
        CacheScenario(
            "with nothing stored it is an error",
            .ask(server: .silence, gives: .failure(.connection))),
    ]

    private static let age: [CacheScenario] = [
        CacheScenario(
            "an age on the way counts (section 4.2.3)",
            .store(["Cache-Control": "max-age=60", "Age": "50"]),
            .ask(after: 9, gives: .disk("1")),
            .ask(after: 1, server: .ok("2"), gives: .network("2"))),
        CacheScenario(
            "so does a date in the past (section 4.2.3)",
            .store(["Cache-Control": "max-age=60", "Date": "Wed, 31 Dec 2025 23:59:10 GMT"]),
            .ask(after: 9, gives: .disk("1")),
            .ask(after: 1, server: .ok("2"), gives: .network("2"))),
        CacheScenario(
            "an age that cannot be read is none (section 5.1)",
            .store(["Cache-Control": "max-age=60", "Age": "-5"]),
            .ask(after: 59, gives: .disk("1"))),
        CacheScenario(
            "a stored response says how old it is (section 5.1)",
            .store(["Cache-Control": "max-age=60", "Age": "5"]),
            .ask(after: 20, gives: .disk("1"), saying: ["Age": "25"])),
        CacheScenario(
            "a clock that is set back makes nothing immortal (section 4.2.3)",
            .store(["Cache-Control": "max-age=60", "Date": midnight]),
            .ask(after: -100_000, server: .ok("2"), gives: .network("2"))),
        CacheScenario(
            "a date from the future makes nothing younger than it is (section 4.2.3)",
            .store(["Cache-Control": "max-age=60", "Date": "Fri, 01 Jan 2027 00:00:00 GMT"]),
            .ask(after: 59, gives: .disk("1")),
            .ask(after: 1, server: .ok("2"), gives: .network("2"))),
    ]

    private static let requested: [CacheScenario] = [
        CacheScenario(
            "a request may ask for a younger response (section 5.2.1.1)",
            .store(["Cache-Control": "max-age=60"]),
            .ask(after: 30, ["Cache-Control": "max-age=40"], gives: .disk("1")),
            .ask(["Cache-Control": "max-age=20"], server: .ok("2"), gives: .network("2"))),
        CacheScenario(
            "a request may accept a stale response (section 5.2.1.2)",
            .store(["Cache-Control": "max-age=60"]),
            .ask(after: 100, ["Cache-Control": "max-stale=40"], gives: .stale("1")),
            .ask(["Cache-Control": "max-stale"], gives: .stale("1")),
            .ask(after: 1, ["Cache-Control": "max-stale=40"], server: .ok("2"), gives: .network("2"))),
        CacheScenario(
            "unless the response forbids that (section 5.2.2.2)",
            .store(["Cache-Control": "max-age=60, must-revalidate"]),
            .ask(after: 61, ["Cache-Control": "max-stale"], server: .ok("2"), gives: .network("2"))),
        CacheScenario(
            "a request may ask for a response that stays fresh (section 5.2.1.3)",
            .store(["Cache-Control": "max-age=60"]),
            .ask(after: 30, ["Cache-Control": "min-fresh=20"], gives: .disk("1")),
            .ask(["Cache-Control": "min-fresh=40"], server: .ok("2"), gives: .network("2"))),
        CacheScenario(
            "a request may ask for validation (sections 5.2.1.4 and 5.4)",
            .store(["Cache-Control": "max-age=60", "ETag": "\"1\""]),
            .ask(["Cache-Control": "no-cache"], server: .notModified(), gives: .revalidated("1")),
            .ask(["Pragma": "no-cache"], server: .notModified(), gives: .revalidated("1")),
            .ask(["Pragma": "no-cache", "Cache-Control": "max-age=50"], gives: .disk("1"))),
        CacheScenario(
            "a request may forbid to store its response (section 5.2.1.5)",
            .ask(
                ["Cache-Control": "no-store"], server: .ok("1", ["Cache-Control": "max-age=60"]),
                gives: .network("1")),
            .ask(server: .ok("2"), gives: .network("2"))),
        CacheScenario(
            "a request may forbid the network (section 5.2.1.7)",
            .ask(["Cache-Control": "only-if-cached"], gives: .generated),
            .store(["Cache-Control": "max-age=60"]),
            .ask(["Cache-Control": "only-if-cached"], gives: .disk("1")),
            .ask(after: 61, ["Cache-Control": "only-if-cached"], gives: .generated)),
        CacheScenario(
            "stored: a stored copy whatever its age, else the network",
            .ask(policy: .cacheElseLoad, server: .ok("1", ["Cache-Control": "max-age=0"]), gives: .network("1")),
            .ask(after: 1_000_000, policy: .cacheElseLoad, gives: .stale("1"))),
        CacheScenario(
            "stored: where the server is gone too what was not stored is not stored",
            .ask(policy: .cacheElseLoad, server: .silence, gives: .failure(.notStored))),
        CacheScenario(
            "stored-only: a stored copy or nothing",
            .ask(policy: .cacheOnly, gives: .failure(.notStored)),
            .store(["Cache-Control": "max-age=0"]),
            .ask(after: 1_000_000, policy: .cacheOnly, gives: .stale("1"))),
        CacheScenario(
            "reload: the network, without conditions, and what comes is stored",
            .store(["Cache-Control": "max-age=60", "ETag": "\"1\""]),
            .ask(
                policy: .reload, server: .ok("2", ["Cache-Control": "max-age=60"]), gives: .network("2"),
                telling: ["If-None-Match": ""]),
            .ask(gives: .disk("2"))),
        CacheScenario(
            "no-store: the network, and what is stored stays",
            .store(["Cache-Control": "max-age=60"]),
            .ask(policy: .noStore, server: .ok("2", ["Cache-Control": "max-age=60"]), gives: .network("2")),
            .ask(gives: .disk("1"))),
        CacheScenario(
            "revalidate: the server is asked though it be fresh, as a browser's reload does",
            .store(["Cache-Control": "max-age=60", "ETag": "\"1\""]),
            .ask(
                policy: .revalidate, server: .notModified(), gives: .revalidated("1"),
                telling: ["If-None-Match": "\"1\"", "Cache-Control": "max-age=0"])),
    ]
}
