import Glibc
import RemoteImageCore
import Testing

@Suite("Addresses")
struct WebAddressTests {
    @Test(
        "An address is normalised",
        arguments: [
            ("http://example.com", "http://example.com/"),
            ("HTTP://EXAMPLE.com/A", "http://example.com/A"),
            ("http://example.com:80/a", "http://example.com/a"),
            ("https://example.com:443/a", "https://example.com/a"),
            ("http://example.com:443/a", "http://example.com:443/a"),
            ("http://example.com:/a", "http://example.com/a"),
            ("http://example.com/a/./b/../c.png", "http://example.com/a/c.png"),
            ("http://example.com/../a", "http://example.com/a"),
            ("http://example.com?q=1", "http://example.com/?q=1"),
            ("http://example.com/a#part", "http://example.com/a"),
            ("http://example.com/a#a part", "http://example.com/a"),
            ("http://example.com#part", "http://example.com/"),
            ("http://example.com/a b?c d", "http://example.com/a%20b?c%20d"),
            ("http://example.com/ä?ö", "http://example.com/%C3%A4?%C3%B6"),
            ("http://example.com/\"<>^`{|}", "http://example.com/%22%3C%3E%5E%60%7B%7C%7D"),
            ("http://example.com/?\"<>'^`{|}\\", "http://example.com/?%22%3C%3E%27^`{|}\\"),
            // As in browsers: white space, slashes, backslashes and dot segments.
            (" http://example.com/ ", "http://example.com/"),
            ("\n\t http://example.com/a\r\n", "http://example.com/a"),
            ("\0\u{1F}http://example.com/a\u{1}", "http://example.com/a"),
            ("ht\ntp:/\r/exam\tple.com/a\nb?c\td", "http://example.com/ab?cd"),
            ("http://example.com/\n  a", "http://example.com/%20%20a"),
            ("http://example.com/a\u{1}b?\u{7F}#\u{2}", "http://example.com/a%01b?%7F"),
            ("http://example.com/a\0", "http://example.com/a"),
            ("http://example.com/a\0b", "http://example.com/a%00b"),
            ("http://example.com/images\\a.png", "http://example.com/images/a.png"),
            ("http://example.com/a\\..\\b\\", "http://example.com/b/"),
            ("http://example.com/a?b\\c#d\\e", "http://example.com/a?b\\c"),
            ("http:example.com/a", "http://example.com/a"),
            ("http:/example.com/a", "http://example.com/a"),
            ("http:///example.com/a", "http://example.com/a"),
            ("http:////example.com", "http://example.com/"),
            ("http://example.com/a/%2e%2E/b/.%2e/%2E/c/%2e", "http://example.com/c/"),
            ("http://example.com/a%2e/..%2e", "http://example.com/a%2e/..%2e"),
            ("http://example.com/%7Ea%zz?b[]=+", "http://example.com/%7Ea%zz?b[]=+"),
            ("http://e%58ample.com/", "http://example.com/"),
            ("http://me:secret@example.com/", "http://me:secret@example.com/"),
            ("http://m%40e@example.com/", "http://m%40e@example.com/"),
            ("http://mé@example.com/", "http://m%C3%A9@example.com/"),
            ("http://127.0.0.1:8080/", "http://127.0.0.1:8080/"),
            ("http://127.1/", "http://127.0.0.1/"),
            ("http://[FE80::0:1]:81/", "http://[fe80::1]:81/"),
        ])
    func normalisation(text: String, normalised: String) throws {
        let address = try WebAddress(text)
        #expect(address.string == normalised)
        #expect(try WebAddress(address.string) == address)
    }

    @Test(
        "Text that is not an absolute address is invalid",
        arguments: [
            "", " ", "\n", "cat.jpg", "/cat.jpg", "//example.com/cat.jpg", "?q", "#f", ":", "://",
            "1http://example.com/",
            "http:", "http:/", "http://", "http:///", "http://?q", "http://#f",
            "http://exa mple/", "http://exa%20mple/", "http://a<b>/", "http://a|b/", "http://a@b@c/", "http://*/",
            "http://example.com:99999/", "http://example.com:0/", "http://example.com:80a/", "http://example.com:-1/",
            "http://[::g]/", "http://[::1/", "http://:80/", "http://%00/", "http://example.com\0/", "http://a\u{1}b/",
            "http://me:pass word@example.com/", "\u{A0}http://example.com/",
            // Parsers disagree on the host.
            "http://example.com\\@other.com/", "http://example.com\\a", "http:\\\\example.com/a",
            "http:/\\example.com/a",
            "http:\\/example.com/a",
        ])
    func invalid(text: String) {
        #expect(errorCode(of: text) == .invalidURL)
    }

    @Test(
        "An address with another scheme is forbidden",
        arguments: [
            "ftp://example.com/cat.jpg", "file:///etc/passwd", "FILE:/etc/passwd", "javascript:alert(1)",
            "javascript://example.com/%0aalert(1)", "data:image/png;base64,AA", "blob:http://example.com/1",
            "mailto:me@example.com", "about:blank", "httpx://example.com/", "view-source:http://example.com/",
        ])
    func forbidden(text: String) {
        #expect(errorCode(of: text) == .forbiddenScheme)
    }

    @Test("The components are those of the normalised address")
    func parts() throws {
        let address = try WebAddress("HTTPS://me:secret@Example.COM/a?b")
        #expect(address.scheme == .https)
        #expect(address.host == "example.com")
        #expect(address.port == 443)
        #expect(try WebAddress("http://[::1]:8080/").host == "[::1]")
        #expect(try WebAddress("http://[::1]:8080/").port == 8080)
    }

    @Test("Different spellings of one address are equal")
    func equality() throws {
        let address = try WebAddress("http://example.com/b.png")
        #expect(try WebAddress("HTTP://EXAMPLE.COM:80/a/../b.png#c") == address)
        #expect(try WebAddress("http://example.com/B.png") != address)
    }

    @Test("The origin consists of scheme, host and port")
    func origin() throws {
        let address = try WebAddress("http://example.com/a")
        #expect(address.hasSameOrigin(as: try WebAddress("http://me@EXAMPLE.com:80/b?c")))
        #expect(!address.hasSameOrigin(as: try WebAddress("https://example.com/a")))
        #expect(!address.hasSameOrigin(as: try WebAddress("http://example.com:81/a")))
        #expect(!address.hasSameOrigin(as: try WebAddress("http://www.example.com/a")))
    }

    @Test("The displayed address contains no user info")
    func shown() throws {
        #expect(try WebAddress("http://me:secret@example.com/a?b").stringWithoutUserInfo == "http://example.com/a?b")
        #expect(try WebAddress("http://example.com/a@b").stringWithoutUserInfo == "http://example.com/a@b")
        #expect(try WebAddress("http://example.com?a@b").stringWithoutUserInfo == "http://example.com/?a@b")
    }

    @Test("An international host name is converted to ASCII in a UTF-8 locale")
    func international() throws {
        try inLocale("C.UTF-8") {
            let address = try WebAddress("http://Bücher.example/ü")
            #expect(address.string == "http://xn--bcher-kva.example/%C3%BC")
            #expect(address.host == "xn--bcher-kva.example")
            #expect(errorCode(of: "http://a\u{2028}b/") == .invalidURL)
        }
        try inLocale("C") {
            #expect(errorCode(of: "http://Bücher.example/") == .invalidURL)
        }
    }

    /// Sets the locale of this thread only: other tests run at the same time.
    private func inLocale(_ name: String, _ body: () throws -> Void) throws {
        let locale = try #require(newlocale(1 << LC_CTYPE, name, nil))
        let before = uselocale(locale)
        defer {
            uselocale(before)
            freelocale(locale)
        }
        try body()
    }

    @Test("A long text is shortened in the error")
    func longText() {
        let error = #expect(throws: ImageError.self) {
            try WebAddress("data:image/png;base64," + String(repeating: "A", count: 1 << 20))
        }
        #expect((error?.description.utf8.count ?? .max) < 400)
    }

    @Test("No text crashes the parser", arguments: 0..<8)
    func garbage(seed: UInt64) {
        var random = SmallGenerator(seed: seed)
        let pieces = [
            "http", "https", ":", "/", "//", "@", "[", "]", "?", "#", "%", "%2", "..", "a", "ä", " ", "\\", "80", "\0",
        ]
        for _ in 0..<2_000 {
            let text = (0..<Int.random(in: 0..<12, using: &random)).map { _ in
                pieces[Int.random(in: 0..<pieces.count, using: &random)]
            }.joined()
            guard let address = try? WebAddress(text) else { continue }
            // An accepted address is accepted again in its normalised form, and is equal to itself.
            #expect((try? WebAddress(address.string)) == address, "\(text)")
        }
    }
}

/// The error of parsing `text`, or `nil` if it is an address.
private func errorCode(of text: String) -> ImageError.Code? {
    do {
        _ = try WebAddress(text)
        return nil
    } catch {
        return error.code
    }
}

/// A generator with the same numbers in every run (SplitMix64).
struct SmallGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
