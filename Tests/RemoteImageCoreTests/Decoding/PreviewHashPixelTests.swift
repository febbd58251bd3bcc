import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// The pixels of preview hashes, compared with ports of their reference decoders.
@Suite struct PreviewHashPixelTests {
    private static func isNear(_ found: [UInt8], _ expected: [Int]) -> Bool {
        found.count == expected.count && zip(found, expected).allSatisfy { abs(Int($0) - $1) <= 1 }
    }

    /// Opaque and transparent, portrait and landscape; the last byte of each is needed.
    @Test(
        arguments: [
            (
                "XAcOPAo8/ebxwmsw+Q7H3QHkiA==", PixelSize(width: 18, height: 32),
                [
                    (0, 0, [229, 248, 179]), (17, 0, [207, 132, 204]), (0, 31, [0, 37, 128]), (9, 10, [75, 23, 57]),
                    (17, 31, [0, 0, 0]),
                ]
            ),
            (
                "HdgNPorK9U8uIgrNlB5xuI1YNoZtDYU=", PixelSize(width: 32, height: 27),
                [
                    (0, 0, [150, 208, 189]), (31, 0, [255, 255, 255]), (0, 26, [255, 255, 255]),
                    (16, 9, [126, 207, 157]), (31, 26, [24, 0, 0]),
                ]
            ),
            (
                "WteNO4oZuFadgGwSUdzJvuOJEg667qM=", PixelSize(width: 32, height: 19),
                [
                    (0, 0, [95, 3, 179, 188]), (31, 0, [104, 142, 148, 255]), (0, 18, [111, 134, 129, 255]),
                    (16, 6, [21, 30, 28, 76]), (31, 18, [90, 95, 69, 118]),
                ]
            ),
            (
                "nReOOgoZ8iEG8IR3YvDzy012TccHIFE=", PixelSize(width: 13, height: 32),
                [
                    (0, 0, [0, 0, 14, 47]), (12, 0, [108, 113, 128, 128]), (0, 31, [33, 37, 45, 102]),
                    (6, 10, [39, 0, 18, 197]), (12, 31, [32, 53, 57, 81]),
                ]
            ),
        ] as [(String, PixelSize, [(x: Int, y: Int, color: [Int])])])
    func `a ThumbHash of any shape has the pixels of the reference`(
        hash: String, size: PixelSize, pixels: [(x: Int, y: Int, color: [Int])]
    ) throws {
        let image = try #require(PreviewHash.thumbHash(hash).image)
        #expect(image.pixels.size == size)
        #expect(image.info.size == size && image.info.decodedSize == size)
        #expect(image.info.origin == .generated && image.info.format == nil && image.isPreviewHash)
        for (x, y, color) in pixels {
            let found = image.pixels.pixel(x, y)
            #expect(Self.isNear(found, color), "\(found) at \(x), \(y)")
        }
        let bytes = try #require(Base64.decode(hash))
        #expect(ThumbHash(bytes + [UInt8](repeating: 0, count: 64 - bytes.count)) != nil)
        #expect(ThumbHash(bytes + [UInt8](repeating: 0, count: 65 - bytes.count)) == nil)
        #expect(ThumbHash(bytes.dropLast()) == nil)
    }

    @Test(
        arguments: [
            (
                2.0, PixelSize(width: 32, height: 16),
                [
                    (0, 0, [135, 164, 177]), (31, 0, [137, 166, 181]), (0, 15, [135, 144, 147]),
                    (16, 4, [170, 158, 149]),
                    (29, 14, [136, 143, 147]),
                ]
            ),
            (
                0.5, PixelSize(width: 16, height: 32),
                [
                    (0, 0, [135, 164, 177]), (15, 0, [138, 166, 181]), (0, 31, [136, 144, 147]),
                    (8, 8, [170, 158, 149]),
                    (13, 30, [151, 147, 141]),
                ]
            ),
        ] as [(Double, PixelSize, [(x: Int, y: Int, color: [Int])])])
    func `a BlurHash of any shape has the pixels of the reference`(
        ratio: Double, size: PixelSize, pixels: [(x: Int, y: Int, color: [Int])]
    ) throws {
        let image = try #require(PreviewHash.blurHash("LEHV6nWB2yk8pyo0adR*.7kCMdnj", aspectRatio: ratio).image).pixels
        #expect(image.size == size)
        for (x, y, color) in pixels {
            let found = image.pixel(x, y)
            #expect(Self.isNear(found, color), "\(found) at \(x), \(y)")
        }
    }

    @Test(
        arguments: [
            (1000.0, 32, 1), (1e-9, 1, 32), (0, 32, 32), (-2, 32, 32), (.nan, 32, 32), (.infinity, 32, 32), (1, 32, 32),
            (1.5, 32, 21), (0.75, 24, 32),
        ] as [(Double, Int, Int)])
    func `a BlurHash has 32 pixels on its longer side`(ratio: Double, width: Int, height: Int) throws {
        let image = try #require(PreviewHash.blurHash("LEHV6nWB2yk8pyo0adR*.7kCMdnj", aspectRatio: ratio).image)
        #expect(image.pixels.size == PixelSize(width: width, height: height))
    }

    /// Dark and bright values are on both parts of the transfer function of sRGB.
    @Test(
        arguments: [
            ("001Ci}", [10, 11, 12]), ("00TI:m", [255, 0, 3]), ("000G}i", [1, 200, 255]), ("000001", [0, 0, 1]),
            ("000000", [0, 0, 0]),
        ] as [(String, [UInt8])])
    func `a BlurHash with one component is one color`(hash: String, color: [UInt8]) throws {
        let image = try #require(PreviewHash.blurHash(hash).image).pixels
        for (x, y) in [(0, 0), (31, 0), (0, 31), (31, 31)] { #expect(image.pixel(x, y) == color) }
    }

    @Test func `only images of hashes count as such`() {
        let size = PixelSize(width: 1, height: 1)
        func image(_ format: ImageFormat?, _ origin: ImageOrigin) -> LoadedImage {
            LoadedImage(
                pixels: PixelBuffer(size: size, format: .rgb8) { $0.copyBytes(from: [1, 2, 3]) },
                info: ImageInfo(size: size, decodedSize: size, format: format, origin: origin))
        }
        #expect(image(nil, .generated).isPreviewHash)
        #expect(!image(.png, .generated).isPreviewHash)
        #expect(!image(nil, .local).isPreviewHash)
    }
}
