import Testing

@testable import RemoteImageCore

@Suite(.endsInTime)
struct MatrixServerTests {
    private let server = MatrixServer("https://matrix.test/")
    private let base = "https://matrix.test/_matrix/client/v1/media"

    @Test func `a thumbnail has the size of the step`() throws {
        #expect(
            try server.thumbnail("mxc://example.org/SEsfnsuifSDFSSEF").address(160)
                == "\(base)/thumbnail/example.org/SEsfnsuifSDFSSEF?width=216&height=216&method=scale")
    }

    @Test func `a crop has its aspect ratio`() throws {
        #expect(
            try server.thumbnail("mxc://example.org/a", crop: .center(aspectRatio: 2)).address(160)
                == "\(base)/thumbnail/example.org/a?width=216&height=108&method=crop")
    }

    @Test func `the largest step and a download are the original`() throws {
        #expect(try server.thumbnail("mxc://example.org/a").address(2000) == "\(base)/download/example.org/a")
        #expect(server.download("mxc://example.org/a").webAddress?.string == "\(base)/download/example.org/a")
    }

    @Test(arguments: [
        ("mxc://example.org:8448/a_-9", "example.org:8448/a_-9"), ("mxc://1.2.3.4/a", "1.2.3.4/a"),
        ("mxc://[::1]:80/a", "%5B::1%5D:80/a"), ("mxc://EXAMPLE.org/a", "EXAMPLE.org/a"),
    ])
    func `server names may have a port or be addresses`(address: String, path: String) throws {
        #expect(try MatrixServer.path(of: address) == path)
    }

    @Test(arguments: [
        "", "mxc://", "mxc:///", "mxc://a", "mxc://a/", "mxc:///a", "mxc://a/b/c", "mxc://a/b/", "mxc://a//b",
        "https://a/b", "MXC://a/b", " mxc://a/b", "mxc://a/..", "mxc://../b", "mxc://a/../../b", "mxc://a/b?c",
        "mxc://a?b/c", "mxc://a/b#c", "mxc://a/b%2F..", "mxc://a/b\r\nX: y", "mxc://a\r\n/b", "mxc://a/b\n",
        "mxc://a/b c",
        "mxc://user@a/b", "mxc://a/b@c", "mxc://a\\b/c", "mxc://é/b", "mxc://a/é", "mxc://a/b\u{0}", "mxc://.../b",
        "mxc://a/b;c", "mxc://a/.", "mxc://-:-/b",
    ])
    func `an address that could leave its place is an error`(address: String) {
        #expect(server.thumbnail(address).refusal?.code == .invalidURL)
        #expect(server.download(address).refusal?.code == .invalidURL)
    }

    @Test func `a huge address is an error`() {
        let huge = String(repeating: "a", count: 1 << 20)
        #expect(server.download("mxc://\(huge)/a").refusal?.code == .invalidURL)
        #expect(server.download("mxc://a/\(huge)").refusal?.code == .invalidURL)
    }

    @Test func `thumbnails of different crops have different identities`() {
        let sources = [
            server.thumbnail("mxc://a/b"), server.thumbnail("mxc://a/b", largest: 3_693),
            server.thumbnail("mxc://a/b", crop: .center(aspectRatio: 1)),
            server.thumbnail("mxc://a/b", crop: .center(aspectRatio: 2)), server.thumbnail("mxc://a/c"),
            MatrixServer("https://other.test").thumbnail("mxc://a/b"),
        ]
        #expect(Set(sources).count == sources.count)
    }
}
