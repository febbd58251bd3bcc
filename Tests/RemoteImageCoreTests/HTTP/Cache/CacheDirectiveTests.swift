import HTTPTypes
import Testing

@testable import RemoteImageCore

/// How header fields that a cache reads are parsed: each directive, and each way to spell it.
@Suite struct CacheDirectiveTests {
    /// All directives that are set, flags first.
    private func directives(_ text: String) -> String {
        let control = CacheControl([.cacheControl: text])
        let flags = [
            ("no-store", control.noStore), ("no-cache", control.noCache), ("must-revalidate", control.mustRevalidate),
            ("private", control.isPrivate), ("public", control.isPublic), ("immutable", control.immutable),
            ("only-if-cached", control.onlyIfCached), ("must-understand", control.mustUnderstand),
        ].filter(\.1).map(\.0)
        let numbers = [
            ("max-age", control.maxAge), ("min-fresh", control.minFresh), ("max-stale", control.maxStale),
            ("stale-while-revalidate", control.staleWhileRevalidate), ("stale-if-error", control.staleIfError),
        ].compactMap { name, value in value.map { "\(name)=\($0)" } }
        return (flags + numbers).joined(separator: " ")
    }

    @Test(arguments: [
        "no-store", "no-cache", "must-revalidate", "private", "public", "immutable", "only-if-cached",
        "must-understand",
        "max-age=7", "min-fresh=7", "max-stale=7", "stale-while-revalidate=7", "stale-if-error=7", "no-store max-age=0",
    ])
    func `each directive sets its own value and no other (RFC 9111 section 5.2)`(text: String) {
        #expect(directives(text.replacing(" ", with: ",")) == text)
    }

    @Test(arguments: [
        ("max-age=9, max-age=5, max-age=7", "max-age=5"), ("min-fresh=5, min-fresh=9, min-fresh=7", "min-fresh=9"),
        ("max-stale=9, max-stale=5, max-stale", "max-stale=5"),
        ("stale-while-revalidate=9, stale-while-revalidate=5", "stale-while-revalidate=5"),
        ("stale-if-error=9, stale-if-error=5", "stale-if-error=5"),
        ("min-fresh=x", "min-fresh=2147483648"), ("min-fresh", "min-fresh=2147483648"),
        ("max-stale=x", "max-stale=0"), ("max-stale=", "max-stale=0"), ("max-stale=1=2", "max-stale=0"),
        ("stale-while-revalidate=x", "stale-while-revalidate=0"), ("stale-if-error", "stale-if-error=0"),
        ("max-age=2147483647", "max-age=2147483647"), ("max-age=2147483649", "max-age=2147483648"),
        ("max-age=\"30", "max-age=0"), ("max-age=30\"", "max-age=0"), ("max-age=\"30\"", "max-age=30"),
        ("=5, max-age=1", "max-age=1"), ("\tmax-age=60\t,\tno-cache\t", "no-cache max-age=60"), (" , ,", ""),
    ])
    func `repeated and invalid numbers take the conservative value (section 4.2.1)`(text: String, expected: String) {
        #expect(directives(text) == expected)
    }

    @Test(arguments: [
        (#"x="\"a, no-store, b\"", max-age=5"#, "max-age=5"), (#"x=\"a, no-store, b""#, ""),
        (#"x="\a", no-store"#, "no-store"), (#"x="a\\", no-store"#, "no-store"),
        (#"x="a, no-cache", public"#, "public"),
    ])
    func `a backslash escapes a quote within quotes only (RFC 9110 section 5.6.4)`(text: String, expected: String) {
        #expect(directives(text) == expected)
    }

    @Test(arguments: [
        ("en", "en;1000"), ("en;q=0.5", "en;500"), ("en;\tq=0.5", "en;500"), ("en;q=1.000", "en;1000"),
        ("en;q=0.001", "en;1"), ("en;q=0", "en;0"), ("en;q=1.", "en;1000"), ("EN;Q=0.25", "en;250"),
        ("b,a", "a;1000,b;1000"), ("a,b;q=0.2,c;q=0.7", "a;1000,c;700,b;200"), (",, ;,en", "en;1000"),
    ])
    func `languages are ordered by weight, then by name (RFC 9110 section 12.5.4)`(text: String, normalized: String) {
        #expect(AcceptLanguage([.acceptLanguage: text]).normalized == normalized)
    }

    @Test(arguments: [
        "en;q=1.001", "en;q=0.0001", "en;q=.5", "en;q=0..5", "en;q=05", "en;q=", "en;q=2", "en;x=1", "en;q=0.5;q=1",
        ";q=1", "en;", "a, a",
    ])
    func `an invalid weight or language has no normal form`(text: String) {
        #expect(AcceptLanguage([.acceptLanguage: text]).normalized == nil)
    }

    @Test func `a stored response that varies by * matches no request (RFC 9111 section 4.1)`() throws {
        let address = try WebAddress("http://test/a")
        for (vary, isMatched) in [("*", false), ("Accept, *", false), ("", true)] {
            let response = StoredResponse(
                status: 200, headers: [.vary: vary], address: address, requestTime: 0, responseTime: 0)
            #expect(VaryMatching.matches(response, [:]) == isMatched)
        }
    }

    // MARK: Ranges and codings

    @Test(
        arguments: [
            ("bytes 0-0/1", [0, 0, 1]), ("bytes 5-9/10", [5, 9, 10]), ("BYTES  5-5/6", [5, 5, 6]),
            ("bytes 5-10/10", nil),
            ("bytes 9-5/10", nil), ("bytes 0-1/*", nil), ("bytes */2", nil), ("items 0-1/2", nil),
            ("bytes 0-1-2/3", nil), ("bytes 0-1/2/3", nil), ("bytes -1/2", nil), ("bytes 0-/2", nil),
            ("bytes 0-1/2 x", nil), ("bytes +0-1/2", nil), ("0-1/2", nil), ("", nil),
        ] as [(String, [Int]?)])
    func `a range has two ends within the total (RFC 9110 section 14.4)`(text: String, numbers: [Int]?) {
        #expect(ContentRange(text).map { [$0.first, $0.last, $0.total] } == numbers)
    }

    @Test(
        arguments: [
            ([:], nil), ([.contentEncoding: "gzip"], nil), ([.contentEncoding: "GZIP,\tbr x-gzip"], nil),
            ([.contentEncoding: "identity, deflate, zstd"], nil), ([.contentEncoding: "gzip, aes128gcm"], "aes128gcm"),
            ([.contentEncoding: "Pack200,foo"], "pack200"),
        ] as [(HTTPFields, String?)])
    func `the first unknown content coding is named`(headers: HTTPFields, coding: String?) {
        #expect(ContentCoding.unknown(in: headers) == coding)
    }

    @Test(
        arguments: [
            (200, [:], 5), (206, [.contentEncoding: "Identity"], 5), (404, [:], 5), (204, [:], nil), (304, [:], nil),
            (203, [:], 5), (305, [:], 5), (200, [.contentEncoding: "gzip"], nil),
            (200, [.transferEncoding: "chunked"], nil),
        ] as [(Int, HTTPFields, Int?)])
    func `the length of a body is known if no coding changes it (RFC 9110 section 8.6)`(
        status: Int, headers: HTTPFields, byteCount: Int?
    ) {
        #expect(ContentCoding.decodedByteCount(5, status: status, headers) == byteCount)
    }
}
