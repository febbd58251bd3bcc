// The cases of storing, selecting and validating responses.

extension CacheScenario {
    private static let midnight = "Thu, 01 Jan 2026 00:00:00 GMT"

    static let storing: [CacheScenario] = [
        CacheScenario(
            "no-store is not stored (section 5.2.2.5)",
            .store(["Cache-Control": "max-age=60, no-store"]),
            .ask(server: .ok("2"), gives: .network("2"))),
        CacheScenario(
            "and takes away what it would replace (section 5.2.2.5)",
            .store(["Cache-Control": "max-age=10"]),
            .ask(after: 11, server: .ok("2", ["Cache-Control": "no-store"]), gives: .network("2")),
            .ask(policy: .cacheOnly, gives: .failure(.notStored))),
        CacheScenario(
            "private is stored, for this cache is (section 5.2.2.7)",
            .store(["Cache-Control": "private, max-age=60"]),
            .ask(gives: .disk("1"))),
        CacheScenario(
            "what must be understood is stored where it is, though it says no-store too (section 5.2.2.3)",
            .store(["Cache-Control": "must-understand, no-store, max-age=60", "ETag": "\"1\""]),
            .ask(gives: .disk("1")),
            .ask(after: 61, server: .notModified(), gives: .revalidated("1")),
            .ask(gives: .disk("1"))),
        CacheScenario(
            "a status that is not understood is not (section 5.2.2.3)",
            .ask(
                server: .response(599, ["Cache-Control": "must-understand, max-age=60"], "?"),
                gives: .network("?", status: 599)),
            .ask(server: .ok("2"), gives: .network("2"))),
        CacheScenario(
            "any final status is stored that has a lifetime (section 3)",
            .ask(
                server: .response(503, ["Cache-Control": "max-age=60"], "?"),
                gives: .network("?", status: 503)),
            .ask(gives: .disk("?", status: 503))),
        CacheScenario(
            "some are without being asked (section 3 and RFC 9110 section 15.1)",
            .ask(
                server: .response(404, ["Date": midnight, "Last-Modified": "Wed, 31 Dec 2025 00:00:00 GMT"], "?"),
                gives: .network("?", status: 404)),
            .ask(after: 60, gives: .disk("?", status: 404))),
        CacheScenario(
            "others are not (section 3)",
            .ask(
                server: .response(403, ["Date": midnight, "Last-Modified": "Wed, 31 Dec 2025 00:00:00 GMT"], "?"),
                gives: .network("?", status: 403)),
            .ask(server: .ok("2"), gives: .network("2"))),
        CacheScenario(
            "a response without content is stored like any (RFC 9110 section 15.3.5)",
            .ask(server: .response(204, ["Cache-Control": "max-age=60"], ""), gives: .network("", status: 204)),
            .ask(gives: .disk("", status: 204))),
        CacheScenario(
            "a part is not stored as the whole (section 3.3)",
            .ask(
                ["Range": "bytes=0-0"],
                server: .response(206, ["Cache-Control": "max-age=60", "Content-Range": "bytes 0-0/2"], "a"),
                gives: .network("a", status: 206)),
            .ask(server: .ok("ab"), gives: .network("ab"))),
        CacheScenario(
            "the answer to a range that the resource does not have is not that of the resource",
            .store(["Cache-Control": "max-age=60"]),
            .ask(
                ["Range": "bytes=5-"], server: .response(416, ["Cache-Control": "max-age=60"], "?"),
                gives: .network("?", status: 416)),
            .ask(gives: .disk("1"))),
        CacheScenario(
            "a part without a range request is not stored either (section 3.3)",
            .ask(
                server: .response(206, ["Cache-Control": "max-age=60", "Content-Range": "bytes 0-0/2"], "a"),
                gives: .network("a", status: 206)),
            .ask(server: .ok("ab"), gives: .network("ab"))),
        CacheScenario(
            "fields of the connection are not stored (section 3.1)",
            .store(["Cache-Control": "max-age=60", "Connection": "X-Hop", "X-Hop": "1", "X-End": "2"]),
            .ask(gives: .disk("1"), saying: ["X-Hop": "", "Connection": "", "X-End": "2"])),
        CacheScenario(
            "every other field is, unknown ones too",
            .store(["Cache-Control": "max-age=60", "Content-Type": "image/x-own", "X-Own": "\u{E4}, b"]),
            .ask(gives: .disk("1"), saying: ["Content-Type": "image/x-own", "X-Own": "\u{E4}, b"])),
        CacheScenario(
            "one account's response is not another's (section 3.5)",
            .ask(
                ["Authorization": "Bearer one"], server: .ok("1", ["Cache-Control": "max-age=60"]),
                gives: .network("1")),
            .ask(
                ["Authorization": "Bearer two"], server: .ok("2", ["Cache-Control": "max-age=60"]),
                gives: .network("2")),
            .ask(server: .ok("3", ["Cache-Control": "max-age=60"]), gives: .network("3")),
            .ask(["Authorization": "Bearer one"], gives: .disk("1"))),
    ]

    static let selecting: [CacheScenario] = [
        CacheScenario(
            "a variant answers the requests that are like its own (section 4.1)",
            .ask(
                ["Accept-Language": "de"],
                server: .ok("de", ["Cache-Control": "max-age=60", "Vary": "Accept-Language"]),
                gives: .network("de")),
            .ask(
                ["Accept-Language": "fr"],
                server: .ok("fr", ["Cache-Control": "max-age=60", "Vary": "accept-language"]),
                gives: .network("fr")),
            .ask(["Accept-Language": "de"], gives: .disk("de")),
            .ask(["Accept-Language": "fr"], gives: .disk("fr"))),
        CacheScenario(
            "absent is unlike present (section 4.1)",
            .store(["Cache-Control": "max-age=60", "Vary": "X-Own"]),
            .ask(
                ["X-Own": "1"], server: .ok("2", ["Cache-Control": "max-age=60", "Vary": "X-Own"]),
                gives: .network("2")),
            .ask(gives: .disk("1"))),
        CacheScenario(
            "fields on several lines are like one with commas (section 4.1)",
            .ask(
                ["X-Own": "a, b"], server: .ok("1", ["Cache-Control": "max-age=60", "Vary": "X-Own"]),
                gives: .network("1")),
            .ask(["X-Own": "a", "x-own": "b"], gives: .disk("1"))),
        CacheScenario(
            "each field that is named counts, on whichever line (section 4.1)",
            .ask(
                ["X-A": "1", "X-B": "1"],
                server: .ok("1", ["Cache-Control": "max-age=60", "Vary": "X-A", "vary": "X-B"]), gives: .network("1")),
            .ask(["X-A": "1", "X-B": "2"], server: .ok("2"), gives: .network("2"))),
        CacheScenario(
            "what varies by anything answers nothing (section 4.1)",
            .store(["Cache-Control": "max-age=60", "Vary": "Accept, *"]),
            .ask(server: .ok("2"), gives: .network("2"))),
    ]

    static let validating: [CacheScenario] = [
        CacheScenario(
            "a 304 makes a stale response fresh (section 4.3.4)",
            .store(["Cache-Control": "max-age=10", "ETag": "\"1\""]),
            .ask(
                after: 11, server: .notModified(["Cache-Control": "max-age=100"]), gives: .revalidated("1"),
                telling: ["If-None-Match": "\"1\""]),
            .ask(after: 99, gives: .disk("1"))),
        CacheScenario(
            "both validators are sent (section 4.3.1)",
            .store(["Cache-Control": "max-age=0", "ETag": "W/\"1\"", "Last-Modified": midnight]),
            .ask(
                server: .notModified(), gives: .revalidated("1"),
                telling: ["If-None-Match": "W/\"1\"", "If-Modified-Since": midnight])),
        CacheScenario(
            "without a validator no condition is sent (section 4.3.1)",
            .store(["Cache-Control": "max-age=0"]),
            .ask(
                server: .ok("2"), gives: .network("2"), telling: ["If-None-Match": "", "If-Modified-Since": ""])),
        CacheScenario(
            "a 304 changes the fields that it has, but none of the body's (section 3.2)",
            .store([
                "Cache-Control": "max-age=0", "ETag": "\"1\"", "Content-Type": "image/png", "X-Old": "a", "X-New": "a",
            ]),
            .ask(
                server: .notModified(["Cache-Control": "max-age=60", "Content-Type": "text/html", "X-New": "b"]),
                gives: .revalidated("1")),
            .ask(
                gives: .disk("1"),
                saying: ["Content-Type": "image/png", "X-Old": "a", "X-New": "b", "ETag": "\"1\""])),
        CacheScenario(
            "a 304 without a date is as old as its arrival (RFC 9110 section 6.6.1)",
            .store([
                "Cache-Control": "max-age=0", "ETag": "\"1\"", "Date": "Thu, 01 Jan 2015 00:00:00 GMT", "Age": "99",
            ]),
            .ask(server: .notModified(["Cache-Control": "max-age=60"]), gives: .revalidated("1")),
            .ask(after: 10, gives: .disk("1"), saying: ["Age": "10"])),
        CacheScenario(
            "a field that only the 304 names in Vary has the value of the validated request (section 4.1)",
            .ask(
                ["X-Own": "1"], server: .ok("1", ["Cache-Control": "max-age=0", "ETag": "\"1\""]),
                gives: .network("1")),
            .ask(
                ["X-Own": "1"], server: .notModified(["Cache-Control": "max-age=60", "Vary": "X-Own"]),
                gives: .revalidated("1")),
            .ask(["X-Own": "1"], gives: .disk("1")),
            .ask(["X-Own": "2"], server: .ok("2"), gives: .network("2"))),
        CacheScenario(
            "a new response takes the place of the old one (section 4.3.3)",
            .store(["Cache-Control": "max-age=0", "ETag": "\"1\""]),
            .ask(server: .ok("2", ["Cache-Control": "max-age=60"]), gives: .network("2")),
            .ask(gives: .disk("2"))),
        CacheScenario(
            "a server's error is the answer and leaves what is stored alone (section 4.3.3)",
            .store(["Cache-Control": "max-age=0", "ETag": "\"1\""]),
            .ask(server: .response(500, [:], "?"), gives: .network("?", status: 500)),
            .ask(server: .notModified(), gives: .revalidated("1"))),
        CacheScenario(
            "a 304 about another response is asked again without conditions (section 4.3.4)",
            .store(["Cache-Control": "max-age=0", "ETag": "\"1\""]),
            .ask(
                server: .notModified(["ETag": "\"2\""]), .ok("2", ["ETag": "\"2\""]), gives: .network("2"),
                telling: ["If-None-Match": ""])),
        CacheScenario(
            "a weak validator may confirm a strong one (RFC 9110 section 13.1.2)",
            .store(["Cache-Control": "max-age=0", "ETag": "\"1\""]),
            .ask(server: .notModified(["ETag": "W/\"1\""]), gives: .revalidated("1"))),
        CacheScenario(
            "what a 304 forbids to store is gone (section 5.2.2.5)",
            .store(["Cache-Control": "max-age=0", "ETag": "\"1\""]),
            .ask(server: .notModified(["Cache-Control": "no-store"]), gives: .revalidated("1")),
            .ask(policy: .cacheOnly, gives: .failure(.notStored))),
        CacheScenario(
            "what must never answer by itself is validated each time (section 5.2.2.4)",
            .store(["Cache-Control": "max-age=60, no-cache", "ETag": "\"1\""]),
            .ask(server: .notModified(), gives: .revalidated("1")),
            .ask(server: .notModified(), gives: .revalidated("1"))),
        CacheScenario(
            "not even by its name in capitals or with a list of fields (section 5.2.2.4)",
            .store(["Cache-Control": "max-age=60, NO-CACHE=\"Set-Cookie\"", "ETag": "\"1\""]),
            .ask(server: .notModified(), gives: .revalidated("1"))),
        CacheScenario(
            "a condition of the caller gets its 304 response (section 4.3.2)",
            .store(["Cache-Control": "max-age=60", "ETag": "\"1\""]),
            .ask(
                ["If-None-Match": "\"own\""], server: .notModified(["ETag": "\"own\""]),
                gives: .network("", status: 304), telling: ["If-None-Match": "\"own\""]),
            .ask(gives: .disk("1"))),
        CacheScenario(
            "a 304 response to an unconditional request is an error (RFC 9110 section 15.4.5)",
            .ask(server: .notModified(), gives: .failure(.protocol))),
        CacheScenario(
            "the variant that is stale is validated, the others stay (section 4.3.1)",
            .ask(
                ["X-Own": "1"],
                server: .ok("1", ["Cache-Control": "max-age=10", "Vary": "X-Own", "ETag": "\"1\""]),
                gives: .network("1")),
            .ask(
                ["X-Own": "2"],
                server: .ok("2", ["Cache-Control": "max-age=60", "Vary": "X-Own", "ETag": "\"2\""]),
                gives: .network("2")),
            .ask(
                after: 11, ["X-Own": "1"], server: .notModified(["Cache-Control": "max-age=60"]),
                gives: .revalidated("1"), telling: ["If-None-Match": "\"1\""]),
            .ask(["X-Own": "2"], gives: .disk("2")),
            .ask(["X-Own": "1"], gives: .disk("1"))),
    ]
}
