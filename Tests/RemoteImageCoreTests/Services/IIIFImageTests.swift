import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

@Suite(.timeLimit(.minutes(5)), .endsInTime)
struct IIIFImageTests {
    private let image = IIIFImage("http://test/iiif/page-7/")

    /// An `info.json`; `more` is added to its members.
    private func text(
        width: String = "6000", height: String = "4000", profile: String = "level2", _ more: String = ""
    ) -> [UInt8] {
        Array(
            """
            {"@context": "http://iiif.io/api/image/3/context.json", "id": "http://evil/iiif", "type": "ImageService3",
             "protocol": "http://iiif.io/api/image", "profile": "\(profile)",
             "width": \(width), "height": \(height)\(more.isEmpty ? "" : ", " + more)}
            """.utf8)
    }

    private func info(profile: String = "level2", _ more: String = "") throws(ImageError) -> IIIFImageInfo {
        try IIIFImageInfo(text(profile: profile, more))
    }

    // MARK: Addresses

    @Test func `without a description a size within a box is requested`() throws {
        #expect(try image.source().address(160) == "http://test/iiif/page-7/full/!216,216/0/default.jpg")
    }

    @Test func `quality and format are part of the address, and nothing else`() throws {
        #expect(
            try image.source(quality: "gray", format: "png").address(64)
                == "http://test/iiif/page-7/full/!64,64/0/gray.png")
        #expect(
            try image.source(quality: "../x", format: "a?b").address(64)
                == "http://test/iiif/page-7/full/!64,64/0/..%2Fx.a%3Fb")
    }

    @Test func `an identifier is percent-encoded with its slashes`() throws {
        let image = IIIFImage(identifier: "ark:/12025/654xz321 é?", server: "http://test/iiif/")
        #expect(
            try image.source().address(64)
                == "http://test/iiif/ark%3A%2F12025%2F654xz321%20%C3%A9%3F/full/!64,64/0/default.jpg")
    }

    @Test func `with a description sizes are canonical`() throws {
        let source = image.source(with: try info())
        #expect(try source.address(160) == "http://test/iiif/page-7/full/216,144/0/default.jpg")
        #expect(try source.address(6000) == "http://test/iiif/page-7/full/max/0/default.jpg")
        #expect(try source.address(9000) == "http://test/iiif/page-7/full/max/0/default.jpg")
    }

    @Test(arguments: [
        ("\"maxWidth\": 600", 600, 400), ("\"maxWidth\": 6000, \"maxHeight\": 400", 600, 400),
        ("\"maxArea\": 240000", 600, 400), ("\"maxWidth\": 9000", 6000, 4000), ("\"maxWidth\": 1", 1, 1),
    ])
    func `the limits of the server bound the largest size`(limits: String, width: Int, height: Int) throws {
        let info = try info(limits)
        #expect(info.largestSize == PixelSize(width: width, height: height))
        #expect(try image.source(with: info).address(9000) == "http://test/iiif/page-7/full/max/0/default.jpg")
    }

    @Test func `a server of level 0 is asked for its sizes only`() throws {
        let info = try info(
            profile: "level0", "\"sizes\": [{\"width\": 600, \"height\": 400}, {\"width\": 150, \"height\": 100}]")
        let source = image.source(with: info)
        #expect(try source.address(100) == "http://test/iiif/page-7/full/150,100/0/default.jpg")
        #expect(try source.address(151) == "http://test/iiif/page-7/full/600,400/0/default.jpg")
        #expect(try source.address(601) == "http://test/iiif/page-7/full/max/0/default.jpg")
    }

    // MARK: Descriptions

    @Test func `a description is read`() throws {
        let info = try info(
            "\"sizes\": [{\"width\": 150, \"height\": 100}], "
                + "\"tiles\": [{\"width\": 512, \"scaleFactors\": [4, 1, 2]}, {\"width\": 256, \"scaleFactors\": [8]}]")
        #expect(info.size == PixelSize(width: 6000, height: 4000))
        #expect(info.sizes == [PixelSize(width: 150, height: 100)])
        #expect(info.scaleFactors == [1, 2, 4, 8])
        #expect(info.level == 2)
        #expect(info.aspectRatio == 1.5)
    }

    @Test(arguments: [
        ("0", "4000"), ("-6000", "4000"), ("6000", "1.5"), ("\"6000\"", "4000"), ("1e30", "4000"), ("null", "1"),
    ])
    func `an impossible size is an error`(width: String, height: String) {
        #expect { try IIIFImageInfo(text(width: width, height: height)) } throws: { error in
            (error as? ImageError)?.code == .protocol && "\(error)".contains("no positive integer")
        }
    }

    @Test(arguments: [
        "\"sizes\": [{\"width\": 9000, \"height\": 6000}]", "\"sizes\": [{\"width\": 150, \"height\": 150}]",
        "\"sizes\": [{\"width\": 150}]", "\"sizes\": [150]", "\"sizes\": {}",
        "\"sizes\": [{\"width\": 0, \"height\": 0}]",
        "\"tiles\": [{\"scaleFactors\": [1]}]", "\"tiles\": [{\"width\": 5, \"scaleFactors\": [0]}]",
        "\"tiles\": [{\"width\": 5, \"scaleFactors\": 1}]", "\"tiles\": 5", "\"maxWidth\": 0", "\"maxWidth\": \"all\"",
        "\"maxHeight\": 5", "\"maxArea\": -1", "\"width\": 6000",
    ])
    func `a description that contradicts itself is an error`(more: String) {
        #expect { try info(more) } throws: { ($0 as? ImageError)?.code == .protocol }
    }

    @Test(arguments: [
        "", "[]", "null", "<html>", "{}", "{\"width\": 1, \"height\": 1}",
        "{\"protocol\": \"http://example.org\", \"width\": 1, \"height\": 1}",
    ])
    func `text that is no description is an error`(text: String) {
        #expect { try IIIFImageInfo(Array(text.utf8)) } throws: { ($0 as? ImageError)?.code == .protocol }
    }

    @Test func `more sizes than a server has are an error`() {
        let sizes = (0..<1001).map { _ in "{\"width\": 150, \"height\": 100}" }.joined(separator: ",")
        #expect(throws: ImageError.self) { try info("\"sizes\": [\(sizes)]") }
    }

    @Test func `an extreme shape has sizes of at least one pixel`() throws {
        let info = try IIIFImageInfo(text(width: "2147483647", height: "1", "\"maxWidth\": 10"))
        #expect(info.largestSize == PixelSize(width: 10, height: 1))
        #expect(try image.source(with: info).address(5) == "http://test/iiif/page-7/full/max/0/default.jpg")
    }

    // MARK: Loading

    @Test func `the description is loaded, and its address is not followed`() async throws {
        let body = text()
        let transport = FakeTransport { _ in .ok(body, headers: [.contentType: "application/json"]) }
        let info = try await image.info(in: .test(transport))
        #expect(transport.addresses == ["http://test/iiif/page-7/info.json"])
        #expect(try image.source(with: info).address(64).hasPrefix("http://test/iiif/page-7/"))
    }

    @Test func `a missing description is the error of its load`() async {
        let transport = FakeTransport { _ in .status(404) }
        await #expect { try await image.info(in: .test(transport)) } throws: {
            ($0 as? ImageError)?.code == .httpStatus
        }
    }
}
