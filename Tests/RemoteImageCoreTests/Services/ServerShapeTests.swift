import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// The shapes and sizes in the addresses of all image servers.
@Suite(.endsInTime)
struct ServerShapeTests {
    /// The first address for a box that the image covers.
    private func address(_ source: ImageSource, covering width: Int, _ height: Int) -> String? {
        let target = TargetSize(PixelSize(width: width, height: height), fit: .cover)
        return SourceResolution(source, target: target, isConstrained: false).attempts.first?.webAddress?.string
    }

    private let thumbor = ThumborServer("http://t")
    private let imgproxy = ImgproxyServer("http://i")
    private let matrix = MatrixServer("http://m")
    private let iiif = IIIFImage("http://f/a")

    @Test func `the aspect ratio of the original decides how many pixels cover a box`() {
        let template = "http://s/{width}"
        let known: [(ImageSource, String)] = [
            (.sized(template: template, aspectRatio: 2), "http://s/486"),
            (thumbor.image("a", aspectRatio: 2), "http://t/unsafe/fit-in/486x486/a"),
            (imgproxy.image("a", aspectRatio: 2), "http://i/unsafe/rs:fit:486:486:0/YQ"),
            (matrix.thumbnail("mxc://a/b", aspectRatio: 2), thumbnail(486, 486, "scale")),
            (iiif.source(aspectRatio: 2), "http://f/a/full/!486,486/0/default.jpg"),
        ]
        for (source, expected) in known { #expect(address(source, covering: 216, 216) == expected) }
        let unknown: [(ImageSource, String)] = [
            (.sized(template: template), "http://s/324"), (thumbor.image("a"), "http://t/unsafe/fit-in/324x324/a"),
            (imgproxy.image("a"), "http://i/unsafe/rs:fit:324:324:0/YQ"),
            (matrix.thumbnail("mxc://a/b"), thumbnail(324, 324, "scale")),
            (iiif.source(), "http://f/a/full/!324,324/0/default.jpg"),
        ]
        for (source, expected) in unknown { #expect(address(source, covering: 216, 216) == expected) }
    }

    private func thumbnail(_ width: Int, _ height: Int, _ method: String) -> String {
        "http://m/_matrix/client/v1/media/thumbnail/a/b?width=\(width)&height=\(height)&method=\(method)"
    }

    @Test func `the shape of a crop replaces that of the original`() {
        let crop = ServerCrop.center(aspectRatio: 1)
        let sources: [(ImageSource, String)] = [
            (thumbor.image("a", crop: crop, aspectRatio: 4), "http://t/unsafe/216x216/a"),
            (imgproxy.image("a", crop: crop, aspectRatio: 4), "http://i/unsafe/rs:fill:216:216:0/YQ"),
            (matrix.thumbnail("mxc://a/b", crop: crop, aspectRatio: 4), thumbnail(216, 216, "crop")),
        ]
        for (source, expected) in sources { #expect(address(source, covering: 216, 216) == expected) }
    }

    @Test func `the largest size is that of the program`() throws {
        #expect(try ImageSource.sized(template: "http://s/{width}", largest: 500).address(9000) == "http://s/500")
        #expect(try thumbor.image("a", largest: 500).address(9000) == "http://t/unsafe/fit-in/500x500/a")
        #expect(try imgproxy.image("a", largest: 500).address(9000) == "http://i/unsafe/rs:fit:500:500:0/YQ")
        #expect(try iiif.source(largest: 500).address(9000) == "http://f/a/full/!500,500/0/default.jpg")
        let original = "http://m/_matrix/client/v1/media/download/a/b"
        let small = matrix.thumbnail("mxc://a/b", largest: 200)
        #expect(try small.address(200) == original && small.address(145) == original)
        #expect(try small.address(144) == thumbnail(144, 144, "scale"))
        for (source, largest) in [
            (ImageSource.sized(template: "http://s/{width}"), 3693), (thumbor.image("a"), 3693),
            (imgproxy.image("a"), 3693), (iiif.source(), 3693), (matrix.thumbnail("mxc://a/b"), 1641),
        ] {
            guard case .sized(let sized) = source.kind else {
                Issue.record("\(source) has no sizes")
                return
            }
            #expect(sized.steps.last == largest)
        }
    }

    /// Pixels are divided by the pixels per point and rounded up.
    @Test(arguments: [
        (1, 64, "64"), (2, 64, "32"), (5, 64, "13"), (5, 96, "20"), (0, 64, "64"), (-1, 64, "64"), (.max, 64, "1"),
    ])
    func `points are rounded up to cover the pixels`(dpr: Int, pixels: Int, points: String) throws {
        #expect(
            try ImageSource.sized(template: "http://s/{width},{dpr}", dpr: dpr).address(pixels)
                == "http://s/\(points),\(max(1, dpr))")
        let option = dpr > 1 ? "/dpr:\(dpr)" : ""
        #expect(
            try imgproxy.image("a", dpr: dpr).address(pixels)
                == "http://i/unsafe/rs:fit:\(points):\(points):0\(option)/YQ")
    }

    @Test(
        arguments: [
            (0.0001, 0.01), (0.01, 0.01), (0.5, 0.5), (100, 100), (1000, 100), (.nan, 1), (-1, 0.01), (.infinity, 1),
        ] as [(Double, Double)])
    func `a crop is at most a hundred times as long as wide`(ratio: Double, bounded: Double) {
        #expect(ServerCrop.center(aspectRatio: ratio).aspectRatio == bounded)
        #expect(ServerCrop.smart(aspectRatio: ratio).aspectRatio == bounded)
        #expect(ServerCrop.none.aspectRatio == nil)
    }

    @Test(
        arguments: [
            (300, 1.5, 300, 200), (300, 2.0 / 3, 200, 300), (300, 1, 300, 300), (10, 100, 10, 1), (10, 0.01, 1, 10),
            (0, 1, 1, 1), (-5, 2, 1, 1), (100, 3, 100, 33), (100, 1.499, 100, 67),
        ] as [(Int, Double, Int, Int)])
    func `a size has its longer side and its shape`(longestSide: Int, ratio: Double, width: Int, height: Int) {
        #expect(
            PixelSize(longestSide: longestSide, aspectRatio: ratio) == PixelSize(width: width, height: height))
    }

    @Test(
        arguments: [(0.001, "16x16000"), (0.0009, "16000x16000"), (1000, "16000x16"), (1001, "16000x16000")]
            as [(Double, String)])
    func `a template takes shapes up to a thousand`(ratio: Double, size: String) throws {
        let source = ImageSource.sized(template: "http://s/{width}x{height}", aspectRatio: ratio, largest: 16_000)
        #expect(try source.address(60_000) == "http://s/\(size)")
    }

    // MARK: Limits of Matrix

    @Test func `names of servers and images have a maximum length`() {
        func isAccepted(_ server: Int, _ image: Int) -> Bool {
            let address = "mxc://\(String(repeating: "a", count: server))/\(String(repeating: "b", count: image))"
            return errorCode { () throws(ImageError) in try MatrixServer.path(of: address) } == nil
        }
        #expect(isAccepted(1, 1) && isAccepted(230, 255))
        #expect(!isAccepted(231, 255) && !isAccepted(230, 256) && !isAccepted(0, 1) && !isAccepted(1, 0))
    }

    // MARK: Text

    @Test(
        arguments: [
            ([], "", ""), ([0], "AA", "AA=="), ([255], "_w", "_w=="), ([1, 2], "AQI", "AQI="),
            ([1, 2, 3], "AQID", "AQID"),
            ([1, 2, 3, 4], "AQIDBA", "AQIDBA=="), ([250, 251, 252, 253, 254], "-vv8_f4", "-vv8_f4="),
        ] as [([UInt8], String, String)])
    func `Base64 for addresses has padding only on request`(bytes: [UInt8], text: String, padded: String) {
        #expect(ServiceText.base64(bytes) == text)
        #expect(ServiceText.base64(bytes, isPadded: true) == padded)
    }

    @Test func `all bytes but the unreserved and the allowed ones are encoded`() {
        #expect(ServiceText.encoded("aZ09-._~ !/:\u{7F}\u{1}é") == "aZ09-._~%20%21%2F%3A%7F%01%C3%A9")
        #expect(ServiceText.encoded("a/b:c", allowing: "/") == "a/b%3Ac")
        #expect(ServiceText.base("http://a///") == "http://a" && ServiceText.base("///") == "")
    }

    @Test(
        arguments: [(" ", nil), ("\u{1F}", .invalidURL), ("~", nil), ("\u{7F}", .invalidURL), ("\u{80}", nil)]
            as [(String, ImageError.Code?)])
    func `only control characters are refused in a path`(text: String, code: ImageError.Code?) {
        #expect(errorCode { () throws(ImageError) in try ServiceText.encodedPath("a\(text)b") } == code)
    }
}

/// The limits of an IIIF description.
@Suite(.endsInTime)
struct IIIFLimitTests {
    private func info(
        _ width: Int, _ height: Int, _ more: String, level: String = "level2"
    ) throws(ImageError)
        -> IIIFImageInfo
    {
        try IIIFImageInfo(
            Array(
                """
                {"protocol": "http://iiif.io/api/image", "profile": "\(level)",
                "width": \(width), "height": \(height)\(more.isEmpty ? "" : ", " + more)}
                """.utf8))
    }

    private func size(_ width: Int, _ height: Int) -> String { "{\"width\": \(width), \"height\": \(height)}" }

    /// A server may round each side up or down.
    @Test(arguments: [
        (6000, 4000, 150, 101, true), (6000, 4000, 150, 99, true), (6000, 4000, 150, 102, false),
        (6000, 4000, 150, 98, false), (4000, 6000, 100, 152, true), (4000, 6000, 100, 153, false),
        (4000, 6000, 100, 148, true), (4000, 6000, 100, 147, false), (6000, 4000, 6000, 4000, true),
        (6000, 4000, 6001, 4000, false), (6000, 4000, 6000, 4001, false), (1, 1, 1, 1, true),
    ])
    func `sizes have the shape of the image within a pixel`(
        width: Int, height: Int, ofWidth: Int, ofHeight: Int, isValid: Bool
    ) {
        let code = errorCode { () throws(ImageError) in
            try info(width, height, "\"sizes\": [\(size(ofWidth, ofHeight))]")
        }
        #expect(code == (isValid ? nil : .protocol))
    }

    @Test func `sizes and scale factors are sorted and listed once`() throws {
        let info = try info(
            40, 40,
            "\"sizes\": [\(size(20, 21)), \(size(20, 20)), \(size(10, 10)), \(size(20, 20))], "
                + "\"tiles\": [{\"width\": 1, \"scaleFactors\": [3, 3, 1]}, {\"width\": 1}]")
        #expect(
            info.sizes == [
                PixelSize(width: 10, height: 10), PixelSize(width: 20, height: 20), PixelSize(width: 20, height: 21),
            ])
        #expect(info.scaleFactors == [1, 3])
    }

    @Test func `a thousand sizes are accepted`() throws {
        let sizes = Array(repeating: size(20, 20), count: 1000).joined(separator: ",")
        #expect(try info(40, 40, "\"sizes\": [\(sizes)]").sizes == [PixelSize(width: 20, height: 20)])
    }

    @Test(arguments: [
        ("", 600, 400), ("\"maxWidth\": 600, \"maxHeight\": 400", 600, 400), ("\"maxWidth\": 300", 300, 200),
        ("\"maxWidth\": 600, \"maxHeight\": 100", 150, 100), ("\"maxWidth\": 300, \"maxHeight\": 400", 300, 200),
        ("\"maxArea\": 60000", 300, 200), ("\"maxArea\": 240000", 600, 400), ("\"maxArea\": 240001", 600, 400),
        ("\"maxWidth\": 300, \"maxArea\": 15000", 150, 100), ("\"maxWidth\": 150, \"maxArea\": 60000", 150, 100),
    ])
    func `the smallest of the limits counts`(limits: String, width: Int, height: Int) throws {
        let largest = PixelSize(width: width, height: height)
        #expect(try info(600, 400, limits).largestSize == largest)
        // Without a height, the width limits both sides.
        #expect(try info(400, 600, "\"maxWidth\": 300").largestSize == PixelSize(width: 200, height: 300))
    }

    @Test(arguments: [("level0", 0), ("level1", 1), ("level2", 2), ("level3", 0), ("", 0)])
    func `the profile names the level`(profile: String, level: Int) throws {
        #expect(try info(600, 400, "", level: profile).level == level)
    }

    @Test func `a tall image is requested in its own shape`() throws {
        let image = IIIFImage("http://f/a")
        let source = image.source(with: try info(2000, 3000, ""), quality: "gray", format: "png")
        #expect(try source.address(216) == "http://f/a/full/144,216/0/gray.png")
        #expect(try source.address(2463) == "http://f/a/full/max/0/gray.png")
        let limited = image.source(with: try info(2000, 3000, "\"maxWidth\": 500"))
        #expect(try limited.address(486) == "http://f/a/full/324,486/0/default.jpg")
        #expect(try limited.address(487) == "http://f/a/full/max/0/default.jpg")
    }

    @Test func `a server of level 0 offers its largest size even if that is not listed`() throws {
        let image = IIIFImage("http://f/a")
        func source(_ more: String) throws -> ImageSource {
            image.source(with: try info(600, 400, more, level: "level0"))
        }
        #expect(try source("").address(1) == "http://f/a/full/max/0/default.jpg")
        let listed = try source("\"sizes\": [\(size(300, 200)), \(size(600, 400))]")
        #expect(try listed.address(300) == "http://f/a/full/300,200/0/default.jpg")
        #expect(try listed.address(301) == "http://f/a/full/max/0/default.jpg")
        guard case .candidates(let candidates) = listed.kind else {
            Issue.record("no choice")
            return
        }
        #expect(candidates.map(\.size) == [PixelSize(width: 300, height: 200), PixelSize(width: 600, height: 400)])
        let limited = try source("\"maxWidth\": 300, \"sizes\": [\(size(300, 200)), \(size(600, 400))]")
        #expect(try limited.address(300) == "http://f/a/full/max/0/default.jpg")
    }
}
