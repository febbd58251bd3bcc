import HTTPTypes
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// Cookies of one transfer, for servers that redirect until a cookie comes back.
@Suite(.timeLimit(.minutes(2)), .endsInTime)
struct TransferCookiesTests {
    /// The cookies that a request for `address` sends after these `Set-Cookie` lines.
    private func sent(
        _ lines: [String], from origin: String = "http://www.test/dir/a", to address: String = "http://www.test/dir/a",
        now: Double = 1_800_000_000, later: Double = 0
    ) throws -> String? {
        var cookies = TransferCookies(for: [.accept: "*/*"])
        cookies.receive(Self.fields(lines), from: try WebAddress(origin), now: now)
        return cookies.added(to: [:], for: try WebAddress(address), now: now + later)[.cookie]
    }

    private static func fields(_ lines: [String]) -> HTTPFields {
        HTTPFields(lines.map { HTTPField(name: .setCookie, value: $0) })
    }

    @Test(arguments: [
        ("a=b", "a=b"), (" a = b ; Path=/", "a=b"), ("a=\"b c\"", "a=\"b c\""), ("a=b=c", "a=b=c"), ("a=", "a="),
        ("a", "a"), ("=a", "a"), ("a=\u{E9}", "a=\u{E9}"), ("a=b;;;x; y=z; HttpOnly; SameSite=Lax", "a=b"),
    ])
    func `a cookie is sent with its name and its value`(line: String, cookie: String) throws {
        #expect(try sent([line]) == cookie)
    }

    @Test(arguments: [
        "", "=", ";Path=/", "a=\(String(repeating: "b", count: 4096))",
        "a=b; Secure", "a=b; SameSite=None", "a=b; Partitioned", "__Secure-a=b", "__Host-a=b; Path=/",
        "a=b; Max-Age=0", "a=b; Max-Age=-1", "a=b; Max-Age=-99999999999999999999", "a=b; Max-Age=60; Max-Age=0",
        "a=b; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "a=b; expires=Thu, 01-Jan-1970 00:00:00 GMT",
        "a=b; Expires=Sunday, 06-Nov-94 08:49:37 GMT", "a=b; Expires=Fri, 01 Jan 2100 00:00:00 GMT; Max-Age=0",
        "a=b; Domain=other", "a=b; Domain=test.other", "a=b; Domain=ww.test", "a=b; Domain=a.www.test",
    ])
    func `cookies that are malformed, insecure, expired or of another domain are ignored`(line: String) throws {
        #expect(try sent([line]) == nil)
    }

    @Test(arguments: [
        "", "; Max-Age=60", "; Max-Age=x", "; Max-Age=", "; Max-Age=99999999999999999999", "; Max-Age=0; Max-Age=60",
        "; Expires=x", "; Expires=Fri, 01 Jan 2100 00:00:00 GMT", "; Expires=Fri, 01-Jan-2100 00:00:00 GMT",
        "; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Max-Age=60", "; Domain=www.test", "; Domain=.WWW.test",
        "; Domain=test",
        "; Domain=", "; Path=\(String(repeating: "/x", count: 600))",
    ])
    func `other cookies are sent`(attributes: String) throws {
        #expect(try sent(["a=b\(attributes)"]) == "a=b")
    }

    @Test func `a cookie ends while the transfer runs`() throws {
        #expect(try sent(["a=b; Max-Age=5"], later: 4) == "a=b")
        #expect(try sent(["a=b; Max-Age=5"], later: 5) == nil)
        #expect(try sent(["a=b; Expires=Fri, 15 Jan 2027 08:00:05 GMT"], later: 4) == "a=b")
        #expect(try sent(["a=b; Expires=Fri, 15 Jan 2027 08:00:05 GMT"], later: 5) == nil)
    }

    @Test(arguments: ["Secure", "Secure; SameSite=None", "Secure; Partitioned"])
    func `a secure cookie is set and sent by https only`(attributes: String) throws {
        #expect(try sent(["a=b; \(attributes)"], from: "https://www.test/a", to: "https://www.test/a") == "a=b")
        #expect(try sent(["a=b; \(attributes)"], from: "https://www.test/a", to: "http://www.test/a") == nil)
    }

    @Test func `prefixes of names demand attributes`() throws {
        func sent(_ line: String) throws -> String? {
            try self.sent([line], from: "https://www.test/a", to: "https://www.test/a")
        }
        #expect(try sent("__Secure-a=b; Secure") == "__Secure-a=b")
        #expect(try sent("__Host-a=b; Secure; Path=/") == "__Host-a=b")
        #expect(try sent("__Host-a=b; Secure") == nil)
        #expect(try sent("__host-a=b; Secure; Path=/; Domain=www.test") == nil)
    }

    @Test(arguments: [
        "https://www.test/dir/a", "http://www.test:81/dir/a", "http://test/dir/a", "http://a.www.test/dir/a",
        "http://www.test.other/dir/a",
    ])
    func `a cookie is sent to no other origin, whatever its domain`(address: String) throws {
        #expect(try sent(["a=b; Path=/", "c=d; Domain=test; Path=/"], to: address) == nil)
    }

    @Test func `a suffix of an IP address is no domain`() throws {
        #expect(try sent(["a=b; Domain=0.0.1"], from: "http://127.0.0.1/a", to: "http://127.0.0.1/a") == nil)
        #expect(try sent(["a=b; Domain=127.0.0.1"], from: "http://127.0.0.1/a", to: "http://127.0.0.1/a") == "a=b")
    }

    @Test(arguments: [
        ("", "/dir/b", true), ("", "/dir/b/c?d", true), ("", "/dir", true), ("", "/other", false),
        ("", "/director", false),
        ("/", "/other", true), ("/dir", "/dir/a", true), ("/dir", "/dirt", false), ("/dir/", "/dir", false),
        ("/dir/", "/dir/a", true), ("/dir/a", "/dir/a?b", true), ("/dir/a", "/dir/ab", false), ("dir", "/dir/b", true),
    ])
    func `a cookie is sent below its path`(path: String, requested: String, isSent: Bool) throws {
        let line = path.isEmpty ? "a=b" : "a=b; Path=\(path)"
        #expect(try sent([line], to: "http://www.test\(requested)") == (isSent ? "a=b" : nil))
    }

    @Test func `a later cookie replaces one of the same name and path`() throws {
        #expect(try sent(["a=1", "b=2", "a=3", "a=4; Path=/"]) == "a=3; b=2; a=4")
        #expect(try sent(["a=1", "b=2", "a=; Max-Age=0"]) == "b=2")
    }

    @Test func `the number and the size of cookies are limited, and the oldest are dropped`() throws {
        let many = try #require(try sent((0..<190).map { "a\($0)=" }))
        #expect(many.split(separator: "; ").map(String.init) == (10..<190).map { "a\($0)=" })
        let value = String(repeating: "x", count: 3000)
        let large = try #require(try sent((0..<4).map { "a\($0)=\(value)" }))
        #expect(large == "a2=\(value); a3=\(value)")
    }

    @Test func `a cookie, its attributes and all cookies together have a size limit`() throws {
        func text(_ count: Int) -> String { String(repeating: "x", count: count) }
        for (count, isSent) in [(4095, true), (4096, false)] {
            #expect(try sent(["a=\(text(count))"]) == (isSent ? "a=\(text(count))" : nil))
            #expect(try sent([text(count + 1)]) == (isSent ? text(4096) : nil))
        }
        // A path that is too long is ignored, and so the cookie is sent.
        for (count, isSent) in [(1024, false), (1025, true)] {
            #expect(try sent(["a=b; Path=/\(text(count - 1))"]) == (isSent ? "a=b" : nil))
        }
        let (first, second) = (text(4094), text(4095))
        #expect(try sent(["a=\(first)", "b=\(first)"]) == "a=\(first); b=\(first)")
        #expect(try sent(["a=\(first)", "b=\(second)"]) == "b=\(second)")
        for count in [180, 181] {
            let all = try sent((0..<count).map { "a\($0)=" })?.split(separator: "; ").map(String.init)
            #expect(all == ((count - 180)..<count).map { "a\($0)=" })
        }
    }

    @Test func `cookies with longer paths come first, then older ones (RFC 6265 section 5.4)`() throws {
        let lines = ["a=1; Path=/", "b=2; Path=/dir", "c=3; Path=/dir/a", "d=4; Path=/", "e=5; Path=/dir/a"]
        #expect(try sent(lines) == "c=3; e=5; b=2; a=1; d=4")
        // A cookie that is set again keeps its place.
        #expect(try sent(lines + ["a=6; Path=/"]) == "c=3; e=5; b=2; a=6; d=4")
    }

    @Test(arguments: [
        ("Domain=test", "www.test", true), ("Domain=.test", "www.test", true), ("Domain=est", "www.test", false),
        ("Domain=ww.test", "www.test", false), ("Domain=www.test", "www.test", true), ("Domain=test", "test", true),
        ("Domain=1", "[::1]", false), ("Domain=[::1]", "[::1]", true), ("Domain=..test", "www.test", false),
        ("Domain=0.1", "127.0.0.1", false), ("Domain=intranet1", "cdn.intranet1", true),
        ("Domain=1", "cdn.intranet1", false), ("Domain=test.10x", "www.test.10x", true),
    ])
    func `a domain is the host or a suffix of its name`(attribute: String, host: String, isSent: Bool) throws {
        let address = "http://\(host)/a"
        #expect(try sent(["a=b; \(attribute)"], from: address, to: address) == (isSent ? "a=b" : nil))
    }

    // MARK: In transfers

    /// Answers `end` if the request has all cookies, and redirects to the same address otherwise.
    private static func guardian(
        _ lines: [String], needed: String, count: Watched<Int>
    ) -> @Sendable (RawRequest) -> RawResponse {
        { request in
            count.update { $0 += 1 }
            if request.values("Cookie") == [needed] { return .ok("end") }
            return .status(302, headers: [("Location", request.path)] + lines.map { ("Set-Cookie", $0) }, body: [])
        }
    }

    /// The redirect was followed until its limit, without the cookie.
    @Test func `a redirect to itself that sets cookies ends`() async throws {
        let (origin, count) = (try RawOrigin(), Watched(0))
        origin.respond(to: "/a?b", with: Self.guardian(["c=d; Path=/", "e=f"], needed: "c=d; e=f", count: count))
        let record = try await CurlTransport(.direct).load(try origin.address("/a?b"))
        #expect(record.text == "end")
        #expect(count.value == 2)
    }

    @Test func `cookies are not shared between transfers`() async throws {
        let (origin, count) = (try RawOrigin(), Watched(0))
        origin.respond(to: "/a", with: Self.guardian(["c=d"], needed: "c=d", count: count))
        let transport = CurlTransport(.direct)
        for _ in 0..<2 { #expect(try await transport.load(try origin.address("/a")).isSuccess) }
        #expect(count.value == 4)
        #expect(origin.requests.map { $0.values("Cookie") } == [[], ["c=d"], [], ["c=d"]])
    }

    @Test func `cookies go to no other origin, and come back to theirs`() async throws {
        let (origin, other) = (try RawOrigin(), try RawOrigin())
        origin.respond(
            to: "/a",
            with: .status(
                302, headers: [("Location", try other.address("/b").string), ("Set-Cookie", "c=d; Path=/")], body: []))
        other.respond(
            to: "/b",
            with: .status(
                302, headers: [("Location", try origin.address("/end").string), ("Set-Cookie", "e=f")], body: []))
        origin.respond(to: "/end", with: .ok("end"))
        #expect(try await CurlTransport(.direct).load(try origin.address("/a")).text == "end")
        #expect(other.requests.map { $0.values("Cookie") } == [[]])
        #expect(origin.requests.map { $0.values("Cookie") } == [[], ["c=d"]])
    }

    @Test func `a Cookie header of the request takes precedence, also after a redirect has dropped it`() async throws {
        let (origin, other) = (try RawOrigin(), try RawOrigin())
        let target = try other.address("/b").string
        origin.respond(to: "/a", with: .status(302, headers: [("Location", "/c"), ("Set-Cookie", "own=x")], body: []))
        origin.respond(to: "/c", with: .status(302, headers: [("Location", target)], body: []))
        other.respond(to: "/b", with: .status(302, headers: [("Location", "/d"), ("Set-Cookie", "own=y")], body: []))
        other.respond(to: "/d", with: .ok("end"))
        let record = try await CurlTransport(.direct).load(try origin.address("/a"), headers: [.cookie: "own=z"])
        #expect(record.text == "end")
        #expect(origin.requests.map { $0.values("Cookie") } == [["own=z"], ["own=z"]])
        #expect(other.requests.map { $0.values("Cookie") } == [[], []])
    }

    @Test func `a transport that leaves redirects receives their cookies`() async throws {
        struct Loader: Transport {
            let leavesRedirects = true
            let cookies = Watched<[String?]>([])

            func load(_ request: TransferRequest, into receiver: any TransferReceiver) async throws(ImageError) {
                cookies.update { $0.append(request.headers[.cookie]) }
                var head = TransferHead(status: 200, address: request.address)
                if request.headers[.cookie] == nil {
                    head.status = 302
                    head.headers = [.location: "#f", .setCookie: "a=b"]
                }
                try receiver.receive(head)
                try receiver.receive([1])
            }
        }
        let (loader, receiver) = (Loader(), RecordingReceiver())
        RedirectingTransport(loader, SystemClock())
            .start(TransferRequest(try WebAddress("http://test/a")), receiver: receiver)
        #expect(try await receiver.ended().body == [1])
        #expect(loader.cookies.value == [nil, "a=b"])
    }

    /// The store, the memory cache and shared transfers know nothing of the cookies.
    @Test func `a response behind a cookie is stored for requests without it`() async throws {
        let (origin, count) = (try RawOrigin(), Watched(0))
        origin.respond(to: "/a") { request in
            count.update { $0 += 1 }
            guard request.value("Cookie") == "c=d" else {
                return .status(
                    302, headers: [("Location", "/a"), ("Set-Cookie", "c=d"), ("Cache-Control", "max-age=60")], body: []
                )
            }
            return .ok(TestImage(1).bytes, headers: [("Cache-Control", "max-age=60"), ("Vary", "Cookie")])
        }
        let pipeline = ImagePipeline.test(CurlTransport(.direct)) {
            ($0.responseStore, $0.memoryCache) = (DictionaryStore(), nil)
        }
        let request = ImageRequest(ImageSource(try origin.address("/a")))
        #expect(try await pipeline.image(for: request).content == 1)
        await pipeline.finishWriting()
        #expect(try await pipeline.image(for: request).info.origin == .disk)
        #expect(count.value == 2)
    }
}
