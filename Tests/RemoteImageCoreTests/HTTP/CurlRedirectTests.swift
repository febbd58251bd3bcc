import HTTPTypes
import RemoteImageCore
import RemoteImageTestSupport
import Testing

@Suite("Redirects", .timeLimit(.minutes(5)))
struct CurlRedirectTests {
    let origin: RawOrigin
    let transport = CurlTransport(.direct)

    init() throws {
        origin = try RawOrigin()
        origin.respond(to: "/end", with: .ok("end"))
    }

    @Test("Each redirect status is followed", arguments: [301, 302, 303, 307, 308])
    func statuses(status: Int) async throws {
        origin.respond(to: "/start", with: .redirect(status, to: "/end"))
        let record = try await transport.load(try origin.address("/start"))
        #expect(record.isSuccess)
        #expect(record.heads.map(\.status) == [200])
        #expect(record.head?.address == (try origin.address("/end")))
        #expect(record.text == "end")
        #expect(origin.connectionCount == 1)
    }

    @Test(
        "A Location is resolved against the address of its response",
        arguments: [
            ("end", "/dir/end"), ("../end", "/end"), ("/end", "/end"), ("?q=1", "/dir/start?q=1"),
            ("./x/../end#f", "/dir/end"), ("/a b", "/a%20b"), ("/\u{E4}", "/%C3%A4"),
            ("//127.0.0.1:PORT/x", "/x"), ("http://127.0.0.1:PORT/end", "/end"),
            // As in browsers (the URL standard).
            (" end\t", "/dir/end"), ("\\end", "/end"), ("x\\..\\end?a\\b", "/dir/end?a\\b"), ("http:end", "/dir/end"),
            ("HTTP:/end", "/end"), ("http:?q", "/dir/start?q"), ("///127.0.0.1:PORT/end", "/end"),
            ("http:///127.0.0.1:PORT/end", "/end"), ("1:2", "/dir/1:2"), ("./a:b", "/dir/a:b"), ("%2e%2E/end", "/end"),
            ("/../end", "/end"), ("?'{}", "/dir/start?%27{}"), ("e\u{1}nd", "/dir/e%01nd"),
        ])
    func resolution(location: String, path: String) async throws {
        let location = location.replacing("PORT", with: "\(origin.port)")
        origin.respond(to: "/dir/start", with: .redirect(to: location))
        origin.respond(to: path, with: .ok("end"))
        let record = try await transport.load(try origin.address("/dir/start"))
        #expect(record.isSuccess)
        #expect(record.text == "end")
        #expect(record.head?.address == (try origin.address(path)))
    }

    /// The fragment was taken for a reference to the folder.
    @Test(
        "A Location without an address keeps the address",
        arguments: [
            ("#f", "/dir/start?q"), ("#", "/dir/start?q"), ("http:#f", "/dir/start?q"), ("?x#f", "/dir/start?x"),
        ])
    func emptyReference(location: String, path: String) async throws {
        let count = Watched(0)
        for path in ["/dir/start?q", "/dir/start?x"] {
            origin.respond(to: path) { request in
                count.update { $0 += 1 }
                return count.value == 1 ? .redirect(to: location) : .ok(request.path)
            }
        }
        let record = try await transport.load(try origin.address("/dir/start?q"))
        #expect(record.text == path)
        #expect(origin.requests.map(\.path) == ["/dir/start?q", path])
    }

    @Test("A chain of redirects is followed up to the limit")
    func chain() async throws {
        for hop in 1...10 { origin.respond(to: "/\(hop)", with: .redirect(to: hop == 1 ? "/end" : "/\(hop - 1)")) }
        #expect(try await transport.load(try origin.address("/10")).isSuccess)

        let limits = TransferLimits.limits { $0.maxRedirects = 9 }
        let record = try await transport.load(try origin.address("/10"), limits: limits)
        #expect(record.errorCode == .tooManyRedirects)
        #expect(record.heads.isEmpty)
    }

    @Test("A redirect loop ends at the limit")
    func loop() async throws {
        origin.respond(to: "/a", with: .redirect(to: "/b"))
        origin.respond(to: "/b", with: .redirect(to: "/a"))
        let record = try await transport.load(try origin.address("/a"))
        #expect(record.errorCode == .tooManyRedirects)
        #expect(origin.requests.count == 11)
    }

    @Test("A limit of zero follows no redirect")
    func none() async throws {
        origin.respond(to: "/a", with: .redirect(to: "/end"))
        let record = try await transport.load(
            try origin.address("/a"), limits: .limits { $0.maxRedirects = 0 })
        #expect(record.errorCode == .tooManyRedirects)
        #expect(origin.requests.count == 1)
    }

    @Test(
        "A redirect to another scheme is refused, and the error names it",
        arguments: ["ftp://example.com/cat", "file:///etc/passwd", "javascript:alert(1)", "data:image/png;base64,AA"])
    func scheme(location: String) async throws {
        origin.respond(to: "/a", with: .redirect(to: location))
        let record = try await transport.load(try origin.address("/a"))
        #expect(record.errorCode == .forbiddenScheme)
        #expect(record.error?.description.contains(location) == true)
        #expect(record.heads.isEmpty)
    }

    @Test(
        "A redirect to an invalid address is a protocol error",
        arguments: [
            "http://", "http:///", "http://exa mple/", "//", "///", "http://example.com:99999/", "\\\\127.0.0.1\\end",
            "/\\127.0.0.1/end", "\\/127.0.0.1/end", "http:\\\\127.0.0.1\\end", "//127.0.0.1\\end", "https:\\end",
        ])
    func badLocation(location: String) async throws {
        origin.respond(to: "/a", with: .redirect(to: location))
        let record = try await transport.load(try origin.address("/a"))
        #expect(record.errorCode == .protocol)
    }

    @Test("An error after a redirect names the redirect's host")
    func errorNamesHop() async throws {
        let refusing = try RefusingPort()
        origin.respond(to: "/a", with: .redirect(to: "http://127.0.0.1:\(refusing.port)/x"))
        let record = try await transport.load(try origin.address("/a"))
        #expect(record.errorCode == .connection)
        #expect(record.error?.description.contains("127.0.0.1:\(refusing.port)") == true)
    }

    // MARK: Credentials

    private static let credentials: HTTPFields = {
        var headers: HTTPFields = [.authorization: "Bearer secret", .cookie: "a=secret", .accept: "image/*"]
        for name in ["X-Api-Key", "X-Auth-Token"] {
            if let name = HTTPField.Name(name) { headers[name] = "secret" }
        }
        return headers
    }()

    /// An absolute location lost the credentials of the address.
    @Test(
        "Credentials are sent along a redirect within the origin",
        arguments: ["/end", "//127.0.0.1:PORT/end", "http://127.0.0.1:PORT/end"])
    func sameOrigin(location: String) async throws {
        origin.respond(to: "/a", with: .redirect(to: location.replacing("PORT", with: "\(origin.port)")))
        _ = try await transport.load(try origin.address("/a", userInfo: "me:pass"), headers: [.cookie: "a=secret"])
        let request = try await origin.received(count: 2)
        #expect(request.value("Cookie") == "a=secret")
        #expect(request.value("Authorization") == "Basic bWU6cGFzcw==")
    }

    @Test("The credentials of a location take precedence over those of the address")
    func ownUserInfo() async throws {
        origin.respond(to: "/a", with: .redirect(to: try origin.address("/end", userInfo: "you:pass").string))
        _ = try await transport.load(try origin.address("/a", userInfo: "me:pass"))
        #expect(try await origin.received(count: 2).value("Authorization") == "Basic eW91OnBhc3M=")
    }

    @Test("Credentials are not sent to another origin, whatever their field name")
    func otherOrigin() async throws {
        let other = try RawOrigin()
        origin.respond(to: "/a", with: .redirect(to: try other.address("/end").string))
        other.respond(to: "/end", with: .ok("end"))
        let record = try await transport.load(try origin.address("/a"), headers: Self.credentials)
        #expect(record.isSuccess)
        #expect(try await origin.received(count: 1).head.contains("secret"))
        let request = try await other.received(count: 1)
        #expect(!request.head.contains("secret"))
        #expect(request.value("Accept") == "image/*")
    }

    /// None of them tells who asks.
    @Test("The headers that select the response are sent to another origin")
    func selectionAtAnotherOrigin() async throws {
        let other = try RawOrigin()
        origin.respond(to: "/a", with: .redirect(to: try other.address("/end").string))
        other.respond(to: "/end", with: .ok("end"))
        let selection: HTTPFields = [
            .accept: "image/*", .acceptEncoding: "gzip", .acceptLanguage: "de", .cacheControl: "no-cache",
            .ifMatch: "\"1\"", .ifModifiedSince: "Sun, 06 Nov 1994 08:49:37 GMT", .ifNoneMatch: "\"2\"",
            .ifRange: "\"3\"", .ifUnmodifiedSince: "Sun, 06 Nov 1994 08:49:38 GMT", .range: "bytes=0-99",
            .userAgent: "viewer/1.0",
        ]
        _ = try await transport.load(try origin.address("/a"), headers: selection)
        let request = try await other.received(count: 1)
        for field in selection { #expect(request.value(field.name.rawName) == field.value) }
    }

    @Test("The password of an address is not sent to another origin")
    func otherOriginWithUserInfo() async throws {
        let other = try RawOrigin()
        origin.respond(to: "/a", with: .redirect(to: "//127.0.0.1:\(other.port)/end"))
        _ = try await transport.load(try origin.address("/a", userInfo: "me:pass"))
        #expect(try await other.received(count: 1).value("Authorization") == nil)
    }

    @Test("Dropped credentials stay dropped on a redirect back to the origin")
    func wayBack() async throws {
        let other = try RawOrigin()
        origin.respond(to: "/a", with: .redirect(to: try other.address("/b").string))
        other.respond(to: "/b", with: .redirect(to: try origin.address("/end").string))
        _ = try await transport.load(try origin.address("/a"), headers: Self.credentials)
        #expect(!(try await origin.received(count: 2).head.contains("secret")))
    }

    // MARK: The body of a redirect

    @Test("The short body of a redirect is skipped and the connection is reused")
    func shortBody() async throws {
        origin.respond(
            to: "/a", with: .status(302, headers: [("Location", "/end")], body: Array("moved".utf8)))
        #expect(try await transport.load(try origin.address("/a")).text == "end")
        #expect(origin.connectionCount == 1)
    }

    @Test("The long, endless or truncated body of a redirect is ignored")
    func longBody() async throws {
        let long = [UInt8](repeating: 0, count: 1 << 20)
        let head = "HTTP/1.1 302 Found\r\nLocation: /end\r\n"
        origin.respond(to: "/long", with: .status(302, headers: [("Location", "/end")], body: long))
        origin.respond(
            to: "/endless", with: RawResponse(Array("\(head)Transfer-Encoding: chunked\r\n\r\n100000\r\n".utf8) + long))
        origin.respond(to: "/broken", with: .raw("\(head)Content-Length: 10\r\n\r\n", then: .close))
        for path in ["/long", "/endless", "/broken"] {
            let record = try await transport.load(try origin.address(path))
            #expect(record.isSuccess)
            #expect(record.text == "end")
        }
    }

    @Test("The timeout covers all redirects together")
    func timeout() async throws {
        origin.respond(to: "/a", with: .redirect(to: "/silent"))
        origin.respond(to: "/silent", with: .silence)
        let record = try await transport.load(
            try origin.address("/a"), limits: .limits { $0.timeout = .milliseconds(200) })
        #expect(record.errorCode == .timeout)
    }
}
