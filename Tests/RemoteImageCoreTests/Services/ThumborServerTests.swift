import Testing

@testable import RemoteImageCore

@Suite(.endsInTime)
struct ThumborServerTests {
    private let server = ThumborServer("http://thumbor.test/", key: "my-security-key")
    private let unsafe = ThumborServer("http://thumbor.test")

    /// The documentation of thumbor, page *Libraries*, scenarios 1 and 3.
    @Test(arguments: [
        ("300x200/my.server.com/some/path/to/image.jpg", "8ammJH8D-7tXy6kU3lTvoXlhu4o="),
        ("meta/my.server.com/some/path/to/image.jpg", "Ps3ORJDqxlSQ8y00T29GdNAh2CY="),
    ])
    func `signatures have the published values`(rest: String, signature: String) {
        #expect(ThumborServer.signature(of: rest, key: "my-security-key") == signature)
    }

    @Test func `a signed address has the signature of its path`() throws {
        let address = try server.image("my.server.com/some/path/to/image.jpg", crop: .center(aspectRatio: 1.5))
            .address(324)
        let rest = "324x216/my.server.com/some/path/to/image.jpg"
        let signature = ThumborServer.signature(of: rest, key: "my-security-key")
        #expect(address == "http://thumbor.test/\(signature)/\(rest)")
    }

    @Test(arguments: [
        (ServerCrop.none, "fit-in/216x216/a.jpg"), (.center(aspectRatio: 1), "216x216/a.jpg"),
        (.smart(aspectRatio: 1), "216x216/smart/a.jpg"), (.smart(aspectRatio: 0.5), "108x216/smart/a.jpg"),
    ])
    func `the crop decides the path`(crop: ServerCrop, path: String) throws {
        #expect(try unsafe.image("a.jpg", crop: crop).address(216) == "http://thumbor.test/unsafe/\(path)")
    }

    @Test func `filters follow the size`() throws {
        let address = try unsafe.image("a.jpg", filters: ["format(webp)", "quality(80)"]).address(64)
        #expect(address == "http://thumbor.test/unsafe/fit-in/64x64/filters:format(webp):quality(80)/a.jpg")
    }

    @Test func `the address of an original is one part of the path`() throws {
        let address = try unsafe.image("https://example.org/a b.jpg?x=1&y=ü#z%20").address(64)
        #expect(
            address
                == "http://thumbor.test/unsafe/fit-in/64x64/https://example.org/a%20b.jpg%3Fx%3D1%26y%3D%C3%BC%23z%2520"
        )
    }

    /// The signature would be that of another path than the one that is requested.
    @Test(arguments: ["../secret.jpg", "a/../../b.jpg", "a/./b.jpg", "..", "", "a\r\nHost: b", "a\u{0}", "a\u{7F}"])
    func `a path that could leave its place is an error`(path: String) {
        #expect(server.image(path).refusal?.code == .invalidURL)
    }

    @Test(arguments: ["%2e%2e/a.jpg", "..a/b", "a..", "\\..\\a.jpg", "a//b.jpg", String(repeating: "é", count: 10_000)])
    func `the requested path is the signed one`(path: String) throws {
        let address = try server.image(path).address(64)
        let parts = address.dropFirst("http://thumbor.test/".count).split(separator: "/", maxSplits: 1)
        #expect(ThumborServer.signature(of: String(parts[1]), key: "my-security-key") == parts[0])
    }

    @Test func `sources that differ in what they show have different identities`() {
        let sources = [
            server.image("a.jpg"), server.image("b.jpg"), server.image("a.jpg", crop: .center(aspectRatio: 1)),
            server.image("a.jpg", crop: .smart(aspectRatio: 1)), server.image("a.jpg", crop: .smart(aspectRatio: 2)),
            server.image("a.jpg", filters: ["grayscale()"]), ThumborServer("http://other.test").image("a.jpg"),
        ]
        #expect(Set(sources).count == sources.count)
    }

    @Test func `the key is not part of the identity`() {
        #expect(server.image("a.jpg") == unsafe.image("a.jpg"))
        #expect(!server.image("a.jpg").identity.contains("key"))
    }

    @Test func `an invalid server is an error`() {
        #expect(ThumborServer("").image("a.jpg").refusal?.code == .invalidURL)
        #expect(ThumborServer("file:///etc").image("a.jpg").refusal?.code == .forbiddenScheme)
    }

    @Test(arguments: [Double.nan, 0, -1, .infinity])
    func `an impossible aspect ratio makes a possible size`(aspectRatio: Double) throws {
        _ = try unsafe.image("a.jpg", crop: .center(aspectRatio: aspectRatio)).address(64)
    }
}
