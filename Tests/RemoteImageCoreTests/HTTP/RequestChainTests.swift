import HTTPTypes
import Testing

@testable import RemoteImageCore

/// The requests of a transfer that is redirected, without a network.
@Suite struct RequestChainTests {
    private func chain(
        _ address: String = "http://test/a", _ headers: HTTPFields = [:], maxRedirects: Int = 10
    ) throws -> RequestChain {
        var limits = TransferLimits()
        limits.maxRedirects = maxRedirects
        return RequestChain(TransferRequest(try WebAddress(address), headers: headers, limits: limits))
    }

    private func follow(
        _ location: String?, status: Int = 302, _ headers: HTTPFields = [:], allowingInsecure: Bool = false,
        in chain: inout RequestChain
    ) throws(ImageError) -> Bool {
        try chain.follow(
            status: status, headers, to: location.map { Array($0.utf8) }, allowingInsecure: allowingInsecure)
    }

    @Test(arguments: [
        (200, false), (300, false), (301, true), (302, true), (303, true), (304, false), (305, false), (306, false),
        (307, true), (308, true), (309, false),
    ])
    func `five statuses redirect, if they name an address (RFC 9110 section 15.4)`(
        status: Int, isRedirect: Bool
    ) throws {
        for (location, isNamed) in [("/b", true), ("", false), (nil, false)] as [(String?, Bool)] {
            var chain = try chain()
            let isFollowed = try follow(location, status: status, [.age: "1"], in: &chain)
            #expect(isFollowed == (isRedirect && isNamed))
            #expect(chain.request.address.string == (isFollowed ? "http://test/b" : "http://test/a"))
            #expect(chain.redirects.map(\.status) == (isFollowed ? [status] : []))
            #expect(chain.redirects.map { $0.headers[.age] } == (isFollowed ? ["1"] : []))
            #expect(chain.redirects.map(\.address.string) == (isFollowed ? ["http://test/a"] : []))
        }
    }

    @Test(arguments: [0, 1, 3])
    func `redirects end at their limit`(limit: Int) throws {
        var chain = try chain(maxRedirects: limit)
        for number in 0..<limit {
            let isFollowed = try follow("/\(number)", in: &chain)
            #expect(isFollowed)
        }
        var last = chain
        let error = #expect(throws: ImageError.self) { try follow("/end", in: &last) }
        #expect(error?.code == .tooManyRedirects)
        let isFollowed = try follow("/end", status: 200, in: &chain)
        #expect(!isFollowed && chain.redirects.count == limit)
    }

    @Test func `another origin receives only headers that name no account`() throws {
        let harmless: [HTTPField.Name] = [
            .accept, .acceptEncoding, .acceptLanguage, .cacheControl, .ifMatch, .ifModifiedSince, .ifNoneMatch,
            .ifRange,
            .ifUnmodifiedSince, .range, .userAgent,
        ]
        let own = [.authorization, .cookie, .proxyAuthorization, .referer, try #require(HTTPField.Name("X-Own"))]
        let headers = HTTPFields((harmless + own).map { HTTPField(name: $0, value: "1") })
        for (target, expected) in [
            ("/b", harmless + own), ("http://test:80/b", harmless + own), ("http://test:81/b", harmless),
            ("http://other/b", harmless), ("https://test/b", harmless),
        ] {
            var chain = try chain("http://test/a", headers)
            _ = try follow(target, in: &chain)
            #expect(Set(chain.headers.map(\.name)) == Set(expected), "\(target)")
        }
        // Coming back does not bring them back.
        var there = try chain("http://test/a", headers)
        for target in ["http://other/b", "http://test/c"] { _ = try follow(target, in: &there) }
        #expect(Set(there.headers.map(\.name)) == Set(harmless) && there.redirects.count == 2)
    }

    @Test func `the user of an address is kept within its origin`() throws {
        for (target, expected) in [
            ("/b", "http://anna:1@test/b"), ("http://test/b", "http://anna:1@test/b"),
            ("http://other/b", "http://other/b"),
        ] {
            var chain = try chain("http://anna:1@test/a")
            _ = try follow(target, in: &chain)
            #expect(chain.request.address.string == expected)
        }
    }

    @Test(
        arguments: [
            ("https://test/a", "http://test/b", .forbiddenScheme), ("https://test/a", "https://test/b", nil),
            ("http://test/a", "https://test/b", nil), ("http://test/a", "http://other/b", nil),
            ("http://test/a", "ftp://test/b", .forbiddenScheme), ("http://test/a", "http://", .protocol),
            ("https://test/a", "//other/b", nil),
        ] as [(String, String, ImageError.Code?)])
    func `a redirect leads to no other protocol and to none without encryption`(
        from: String, to target: String, code: ImageError.Code?
    ) throws {
        var chain = try chain(from)
        var error: ImageError?
        do throws(ImageError) { _ = try follow(target, in: &chain) } catch let thrown { error = thrown }
        #expect(error?.code == code)
        #expect(chain.redirects.count == (code == nil ? 1 : 0))
        if from.hasPrefix("https"), target.hasPrefix("http:") {
            let isFollowed = try follow(target, allowingInsecure: true, in: &chain)
            #expect(isFollowed && chain.request.address.string == target)
        }
    }

    @Test func `a range is requested of the body as it is`() throws {
        for (headers, coding) in [
            ([:], nil), ([.range: "bytes=5-"], "identity"), ([.range: "bytes=5-", .acceptEncoding: "gzip"], "gzip"),
            ([.acceptEncoding: "br"], "br"), ([.ifRange: "\"1\""], nil),
        ] as [(HTTPFields, String?)] {
            #expect(try chain("http://test/a", headers).headers[.acceptEncoding] == coding)
        }
    }

    @Test(
        arguments: [
            (.zero, 1), (.microseconds(1), 1), (.milliseconds(1), 1), (.microseconds(1_999), 1),
            (.milliseconds(1500), 1500), (.seconds(2), 2000), (.seconds(-5), 1), (.seconds(2_147_482), 2_147_482_000),
            (.seconds(2_147_483), 2_147_483_647), (.seconds(1 << 40), 2_147_483_647),
        ] as [(Duration, Int)])
    func `a duration is at least a millisecond and at most what libcurl takes`(duration: Duration, milliseconds: Int) {
        #expect(duration.milliseconds == milliseconds)
    }
}
