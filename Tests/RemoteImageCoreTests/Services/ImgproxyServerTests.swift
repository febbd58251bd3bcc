import Testing

@testable import RemoteImageCore

@Suite(.endsInTime)
struct ImgproxyServerTests {
    /// The example of the documentation of imgproxy, page *Signing a URL*: key `secret`, salt
    /// `hello`.
    @Test func `the signature has the published value`() {
        let path = "/rs:fill:300:400:0/g:sm/aHR0cDovL2V4YW1w/bGUuY29tL2ltYWdl/cy9jdXJpb3NpdHku/anBn.png"
        #expect(
            ImgproxyServer.signature(of: path, key: Array("secret".utf8), salt: Array("hello".utf8))
                == "oKfUtW34Dvo2BGQehJFR4Nr0_rIjOtdtzJ3QFsUcXH8")
    }

    /// The vector of imgproxy's own tests.
    @Test func `the signature has the value of the server's tests`() {
        #expect(
            ImgproxyServer.signature(of: "asd", key: Array("test-key".utf8), salt: Array("test-salt".utf8))
                == "dtLwhdnPPiu_epMl1LrzheLpvHas-4mwvY6L3Z8WwlY")
    }

    /// The key and the salt of the examples of imgproxy; the value is that of Python's `hmac`.
    @Test func `a signed address has the signature of its path`() throws {
        let server = ImgproxyServer(
            "http://img.test",
            key: "943b421c9eb07c830af81030552c86009268de4e532ba2ee2eab8247c6da0881",
            salt: "520f986b998545b4785e0defbc4f3c1203f22de2374a3d53cb7a7fe9fea309c5")
        let source = server.image("http://img.example.com/pretty/image.jpg", encodesAddress: false, largest: 300)
        #expect(
            try source.address(300)
                == "http://img.test/kwECrnj4MalTJxzMPlMh5eedH79nZ_UP42PfCaotoQk/rs:fit:300:300:0/plain/http://img.example.com/pretty/image.jpg"
        )
    }

    private let server = ImgproxyServer("http://img.test/")

    @Test func `the original is written in Base64, with its format after a point`() throws {
        #expect(
            try server.image("http://img.example.com/pretty/image.jpg", format: "webp").address(216)
                == "http://img.test/unsafe/rs:fit:216:216:0/"
                + "aHR0cDovL2ltZy5leGFtcGxlLmNvbS9wcmV0dHkvaW1hZ2UuanBn.webp")
    }

    @Test func `a plain original has its format after an at sign`() throws {
        #expect(
            try server.image("s3://bucket/a@2x.jpg?v=1", format: "avif", encodesAddress: false).address(216)
                == "http://img.test/unsafe/rs:fit:216:216:0/plain/s3://bucket/a%402x.jpg%3Fv%3D1@avif")
    }

    @Test(arguments: [
        (ServerCrop.center(aspectRatio: 1), "rs:fill:216:216:0"),
        (.smart(aspectRatio: 2), "rs:fill:216:108:0/g:sm"),
    ])
    func `the crop decides the options`(crop: ServerCrop, options: String) throws {
        #expect(try server.image("a", crop: crop).address(216) == "http://img.test/unsafe/\(options)/YQ")
    }

    @Test func `the size is in points if the pixels per point are given`() throws {
        #expect(try server.image("a", dpr: 2).address(216) == "http://img.test/unsafe/rs:fit:108:108:0/dpr:2/YQ")
        #expect(try server.image("a", dpr: -3).address(216) == "http://img.test/unsafe/rs:fit:216:216:0/YQ")
    }

    @Test(arguments: [("12", "zz"), ("1", ""), ("xyz", "")])
    func `a key or a salt that is not hexadecimal is an error`(key: String, salt: String) {
        #expect(ImgproxyServer("http://img.test", key: key, salt: salt).image("a").refusal?.code == .source)
    }

    @Test(arguments: ["../a.jpg", "http://a/../b", "a\r\nb"])
    func `a plain original that could leave its place is an error`(address: String) {
        #expect(server.image(address, encodesAddress: false).refusal?.code == .invalidURL)
        #expect(server.image(address).refusal == nil)
    }

    @Test func `an empty original is an error`() {
        #expect(server.image("").refusal?.code == .invalidURL)
        #expect(server.image("", encodesAddress: false).refusal?.code == .invalidURL)
    }

    @Test func `a format cannot add a path`() throws {
        #expect(
            try server.image("a", format: "../x?y").address(64)
                == "http://img.test/unsafe/rs:fit:64:64:0/YQ...%2Fx%3Fy")
    }
}
