import Testing

@testable import RemoteImageCore

/// References, parts and texts of addresses.
@Suite(.endsInTime)
struct AddressResolutionTests {
    /// RFC 3986 section 5.4, without empty paths and fragments, which are left out.
    @Test(arguments: [
        ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
        ("//g", "http://g/"), ("///g", "http://g/"), ("\\\\g", "no host"), ("/\\g", "no host"),
        ("?y", "http://a/b/c/d;p?y"),
        ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q"), ("g#s", "http://a/b/c/g"),
        (";x", "http://a/b/c/;x"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("..", "http://a/b/"),
        ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../../g", "http://a/g"),
        ("g;x=1/../y", "http://a/b/c/y"),
        ("http:g", "http://a/b/c/g"), ("HTTP:/g", "http://a/g"), ("http:?y", "http://a/b/c/d;p?y"),
        ("http://g/h", "http://g/h"), ("https:g", "https://g/"), ("https://g/?y", "https://g/?y"),
        ("\\g", "http://a/g"),
        (" g\n", "http://a/b/c/g"), ("g\\h", "http://a/b/c/g/h"), ("g?h\\i", "http://a/b/c/g?h\\i"),
        ("g h?i j", "http://a/b/c/g%20h?i%20j"), ("%2e%2E/g", "http://a/b/g"), ("//u:p@g:81/h", "http://u:p@g:81/h"),
    ])
    func `a reference is resolved against its base`(reference: String, expected: String) throws {
        let base = try WebAddress("http://a/b/c/d;p?q")
        let resolved = try? AddressParser.resolve(Array(reference.utf8), against: base)
        #expect(resolved?.string ?? "no host" == expected)
    }

    @Test(arguments: [
        ("http://a", "g", "http://a/g"), ("http://a?q", "g", "http://a/g"), ("http://a/?q/r", "g", "http://a/g"),
        ("http://a/b?q/r?s", "?y", "http://a/b?y"), ("https://u@a:8443/b/", "/c", "https://u@a:8443/c"),
        ("https://a/b/", "c/d", "https://a/b/c/d"), ("https://a/b", "http:c", "http://c/"),
        ("https://a/b", "//c", "https://c/"),
    ])
    func `a base may lack a path or have a query with slashes`(base: String, reference: String, expected: String) throws
    {
        #expect(try AddressParser.resolve(Array(reference.utf8), against: WebAddress(base)).string == expected)
    }

    @Test(arguments: ["ftp://g/", "javascript:alert(1)", "data:,a", "http://", "http://g:0/", "//", "http://a b/"])
    func `a reference to another scheme or without a host is an error`(reference: String) throws {
        let base = try WebAddress("http://a/b")
        #expect(throws: ImageError.self) { try AddressParser.resolve(Array(reference.utf8), against: base) }
    }

    // MARK: Encoding

    @Test(arguments: [
        ("\u{19}", "%19"), ("\u{1F}", "%1F"), (" ", "%20"), ("!", "!"), ("~", "~"), ("\u{7F}", "%7F"),
        ("\u{80}", "%C2%80"),
        ("\u{659}", "%D9%99"), ("\u{6AA}", "%DA%AA"), ("'", "'"), ("|", "%7C"),
    ])
    func `bytes that an address may not contain are encoded in a path`(text: String, encoded: String) throws {
        #expect(try WebAddress("http://a/x\(text)y").string == "http://a/x\(encoded)y")
    }

    @Test(arguments: [
        ("'", "%27"), ("|", "|"), ("\u{1F}", "%1F"), ("\u{7F}", "%7F"), ("~", "~"), ("\\", "\\"), ("\"", "%22"),
    ])
    func `a query has its own set of encoded bytes`(text: String, encoded: String) throws {
        #expect(try WebAddress("http://a/?x\(text)y").string == "http://a/?x\(encoded)y")
    }

    @Test(
        arguments: [
            ("http:", "http"), ("HTTP:a", "http"), ("a+1-.b:c", "a+1-.b"), ("1a:b", nil), ("+a:b", nil), ("a_b:c", nil),
            (":a", nil), ("", nil), ("a", nil), ("a/b:c", nil), ("z:", "z"), ("@:a", nil), ("[:a", nil), ("{:", nil),
        ] as [(String, String?)])
    func `a scheme begins with a letter and ends with the first colon`(text: String, scheme: String?) {
        #expect(AddressText.scheme(of: text.utf8) == scheme)
    }

    @Test(arguments: [
        (" a ", "a"), ("a b", "a b"), ("\u{1}a", "a"), ("a\u{1F}", "a"), ("!a!", "!a!"), ("a\tb\nc\rd", "abcd"),
        ("\t \n", ""),
        ("", ""), ("a\u{B}b", "a\u{B}b"), ("é ", "é"),
    ])
    func `white space around text and line breaks within it are removed`(text: String, trimmed: String) {
        #expect(AddressText.trimmed(text) == trimmed)
    }

    @Test(arguments: [(199, 199), (200, 200), (201, 201), (5000, 201)])
    func `an error quotes at most 200 bytes`(count: Int, length: Int) {
        let text = "x:" + String(repeating: "a", count: count - 2)
        let error = #expect(throws: ImageError.self) { try WebAddress(text) }
        #expect(error?.detail == (count > 200 ? "\(text.prefix(200))…" : text))
        #expect(error?.detail?.count == length)
    }

    @Test func `control characters are replaced in an error`() {
        let error = #expect(throws: ImageError.self) { try WebAddress("x:a\u{1F}b\u{7F}c ~d") }
        #expect(error?.detail == "x:a?b?c ~d")
    }

    @Test(arguments: [(65_535, true), (65_536, false), (1, true), (0, false)])
    func `a port has 16 bits and is not zero`(port: Int, isValid: Bool) {
        let address = try? WebAddress("http://a:\(port)/")
        #expect((address != nil) == isValid)
        if isValid { #expect(address?.port == UInt16(port)) }
    }

    @Test(arguments: [
        ("%2e/g", "http://a/b/g"), ("c/%2E", "http://a/b/c/"), (".%2e/g", "http://a/g"), ("%2E./g", "http://a/g"),
        ("%2e%2e", "http://a/"), ("%2e%2e%2e/g", "http://a/b/%2e%2e%2e/g"), ("%2eg", "http://a/b/%2eg"),
        ("c%2f%2e/g", "http://a/b/c%2f%2e/g"), ("g?%2e/%2e%2e", "http://a/b/g?%2e/%2e%2e"),
    ])
    func `encoded dots are those of dot segments, and no others`(reference: String, expected: String) throws {
        let base = try WebAddress("http://a/b/x")
        #expect(try AddressParser.resolve(Array(reference.utf8), against: base).string == expected)
    }

    // MARK: Parts

    @Test(arguments: [
        ("http://a", "/", "a"), ("http://a/b/c?d/e", "/b/c", "a"), ("https://u:p@a:444/x%20y?z", "/x%20y", "a:444"),
        ("https://a:443/", "/", "a"), ("http://a:443/", "/", "a:443"), ("https://a:80/", "/", "a:80"),
        ("http://[::1]:80/b", "/b", "[::1]"),
    ])
    func `an address has a path and an authority`(text: String, path: String, authority: String) throws {
        let address = try WebAddress(text)
        #expect(address.path == path)
        #expect(address.authority == authority)
    }

    @Test(
        arguments: [
            ("http://u:p@a/b@c", "u:p"), ("https://u@a/", "u"), ("http://a/b@c", nil), ("http://a?b@c", nil),
            ("https://a/", nil), ("http://u%40v:p@a/", "u%40v:p"),
        ] as [(String, String?)])
    func `user information is what precedes the host`(text: String, userInfo: String?) throws {
        #expect(try WebAddress(text).userInfo.map(String.init) == userInfo)
    }

    @Test func `the user information of another address is taken unless there is one`() throws {
        func combined(_ text: String, _ other: String) throws -> String {
            try WebAddress(text).withUserInfo(of: WebAddress(other)).string
        }
        #expect(try combined("https://a/b", "http://u:p@c/d") == "https://u:p@a/b")
        #expect(try combined("http://v@a/b", "http://u:p@c/d") == "http://v@a/b")
        #expect(try combined("http://a/b", "http://c/d") == "http://a/b")
        #expect(try WebAddress("https://u@a:8/b").withoutUserInfo == WebAddress("https://a:8/b"))
        #expect(try WebAddress("https://u@a:8/b").withoutUserInfo.port == 8)
    }

    @Test(arguments: [
        ("http://a/b?x", "http://a/b?y", true), ("http://u@a/b", "http://a/b?y", true),
        ("http://a/b", "http://a/c", false),
        ("http://a/b", "https://a/b", false), ("http://a/b?x", "http://a:81/b?x", false),
    ])
    func `signed addresses are compared without their query`(left: String, right: String, isSame: Bool) throws {
        #expect(try WebAddress(left).isSame(exceptQuery: WebAddress(right)) == isSame)
    }

    @Test(
        arguments: [
            (["token"], "http://a/b?x=1&y"), (["x", "y"], "http://a/b?token=2"), (["x", "y", "token"], "http://a/b"),
            ([], "http://a/b?x=1&token=2&y"), (["tok", "X"], "http://a/b?x=1&token=2&y"),
        ] as [(Set<String>, String)])
    func `query items are left out by their names`(names: Set<String>, expected: String) throws {
        #expect(try WebAddress("http://a/b?x=1&token=2&y").string(withoutQueryItems: names) == expected)
        #expect(try WebAddress("http://a/b").string(withoutQueryItems: names) == "http://a/b")
    }

    // MARK: User information

    @Test(arguments: [
        ("http://u:p@a/b", "http://a/b"), ("//u:p@a/b", "//a/b"), ("u:p@a/b", "a/b"), ("http://a/b@c", "http://a/b@c"),
        ("http://a:80/b@c", "http://a:80/b@c"), ("http://a:8x/b@c", "http://c"),
        ("http://[a:b]/c@d", "http://[a:b]/c@d"),
        ("http://u@v@a/", "http://a/"), ("http://a?b@c", "http://a?b@c"), ("http://a#b@c", "http://a#b@c"),
        ("a b", "a b"), ("a/b:c@d", "a/b:c@d"), ("http:\\\\u:p@a", "http:\\\\a"), ("http://a:/b@c", "http://a:/b@c"),
    ])
    func `user information is removed from any text`(text: String, removed: String) {
        #expect(UserInformation.removed(from: text) == removed)
    }

    @Test(arguments: [
        ("at http://u:p@a/b and https://v@c", "at http://a/b and https://c"), ("a@b", "a@b"), ("x://u@v@a", "x://a"),
        ("http://a b@c", "http://a b@c"), ("'http://u@a'@b", "'http://a'@b"), ("\"http://a\"@b", "\"http://a\"@b"),
        ("http://a/u@b", "http://a/u@b"), ("//u@a", "//u@a"), ("://@a", "://a"),
    ])
    func `user information is removed from the addresses in a message`(message: String, removed: String) {
        #expect(UserInformation.removed(fromMessage: message) == removed)
    }

    // MARK: Files

    @Test func `a path that is not UTF-8 is percent-encoded in its identity`() throws {
        let path = try #require(FilePath(fileAddress: "file:///%FF%20%21~%7f%25%0a%10A"))
        #expect(path.identity == "file:///%FF%20!~%7F%25%0A%10A")
        #expect(FilePath("/a b%").identity == "file:/a b%")
        #expect(path.cString.last == 0 && path.cString.count == 11)
    }

    @Test(
        arguments: [
            ("file:/a", "/a"), ("file:///a", "/a"), ("file://localhost/a", "/a"), ("file:////a", "//a"),
            ("file:///%41", "/A"),
            ("file:///%4", "/%4"), ("file:///%", "/%"), ("file:///%4G1", "/%4G1"), ("file:///%G4", "/%G4"),
            ("file:///a%2Fb", "/a/b"),
            ("file://remote/a", nil), ("file:a", nil), ("file:///%00", nil), ("http:///a", nil),
            ("file://localhost", nil),
        ] as [(String, String?)])
    func `a file address of this machine has a path`(address: String, path: String?) {
        #expect(FilePath(fileAddress: address)?.description == path)
    }
}
