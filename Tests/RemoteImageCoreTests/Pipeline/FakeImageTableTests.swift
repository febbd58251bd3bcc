import RemoteImage
import RemoteImageCore
import RemoteImageTestSupport
import RemoteImageTesting
import Testing

/// The images of a fake server, and the order in which it responds.
@Suite(.timeLimit(.minutes(5)), .endsInTime)
struct FakeImageTableTests {
    private func address(_ name: String) throws -> WebAddress { try WebAddress("http://test/\(name)") }

    @Test(
        arguments: [
            (ImageColor(red: 1, green: 2, blue: 3), 3, 2, PixelFormat.rgb8, [1, 2, 3]),
            (ImageColor(red: 255, green: 1, blue: 100, alpha: 128), 2, 3, .rgba8Premultiplied, [128, 1, 50, 128]),
            (ImageColor(red: 255, green: 3, blue: 0, alpha: 254), 0, -4, .rgba8Premultiplied, [254, 3, 0, 254]),
            (ImageColor(red: 255, green: 255, blue: 255, alpha: 0), 1, 1, .rgba8Premultiplied, [0, 0, 0, 0]),
        ] as [(ImageColor, Int, Int, PixelFormat, [UInt8])])
    func `an image of one color has its premultiplied pixels`(
        color: ImageColor, width: Int, height: Int, format: PixelFormat, pixel: [UInt8]
    ) {
        let image = PixelBuffer.filled(with: color, width: width, height: height)
        #expect(image.size == PixelSize(width: max(1, width), height: max(1, height)))
        #expect(image.format == format)
        for y in 0..<image.size.height { for x in 0..<image.size.width { #expect(image.pixel(x, y) == pixel) } }
    }

    @Test func `each address has its own image, scaled down to the target`() async throws {
        let colors = (0..<3).map { ImageColor(red: UInt8($0), green: 9, blue: 9) }
        let server = FakeImageServer()
        for (number, color) in colors.enumerated() {
            server[try address("\(number)")] = .image(.filled(with: color, width: 300 + number, height: 20))
        }
        let pipeline = ImagePipeline(fake: server)
        for number in [2, 0, 1] {
            let request = ImageRequest(ImageSource(try address("\(number)")), target: .longestSide(100))
            let image = try await pipeline.image(for: request)
            #expect(image.content == UInt8(number))
            #expect(image.info.size == PixelSize(width: 300 + number, height: 20))
            #expect(image.pixels.size == PixelSize(width: 100, height: 7))
        }
        #expect(server.requests == [try address("2"), try address("0"), try address("1")])
    }

    @Test func `all waiters for a request are resumed, and a later one at once`() async throws {
        let server = FakeImageServer(isPaused: true)
        #expect(server.isPaused)
        let pipeline = ImagePipeline(fake: server)
        let (first, second) = (try address("a"), try address("b"))
        async let one: Void = server.requested(first)
        async let two: Void = server.requested(first)
        let images = [first, second].map { PendingImage(ImageRequest(ImageSource($0)), in: pipeline) }
        _ = await (one, two)
        await server.requested(first)
        await server.requested(second)
        server[second] = .image(.filled(with: .white, width: 1, height: 1))
        server.release(second)
        #expect(try await images[1].image.content == 255)
        server[first] = .status(410)
        server.isPaused = false
        #expect(!server.isPaused)
        await #expect(throws: ImageError.httpStatus(410)) { try await images[0].image }
        await #expect(throws: ImageError.httpStatus(404)) { try await pipeline.image(for: "http://test/c") }
    }

    @Test func `a failed request is not repeated unless the test says so`() async throws {
        let server = FakeImageServer(["http://test/a": .failure(ImageError(.connection)), "no address": .status(1)])
        await #expect(throws: ImageError(.connection)) {
            try await ImagePipeline(fake: server).image(for: "http://test/a")
        }
        #expect(server.requests.count == 1)
        let retrying = ImagePipeline(fake: server) { $0.retryPolicy = .standard(maxRetryCount: 2, baseDelay: .zero) }
        await #expect(throws: ImageError(.connection)) { try await retrying.image(for: "http://test/a") }
        #expect(server.requests.count == 4)
    }

    @Test func `a real file without a decoder is an error, and a real PNG is decoded`() async throws {
        let server = FakeImageServer(["http://test/a": .file(SampleImage.palettePNG)])
        let error = await #expect(throws: ImageError.self) {
            try await ImagePipeline(fake: server).image(for: "http://test/a")
        }
        #expect(error?.code == .unsupportedFormat)
        let pipeline = ImagePipeline(fake: server, decoders: [JPEGDecoder(), PNGDecoder()])
        #expect(try await pipeline.image(for: "http://test/a").info.format == .png)
    }

    @Test func `the first decoder of a format decodes its files`() async throws {
        struct Square: ImageDecoder {
            let side: Int
            let formats: Set<ImageFormat> = []

            func header(of bytes: [UInt8]) -> ImageHeader? {
                bytes == [7] ? ImageHeader(format: .other, storedSize: PixelSize(width: side, height: side)) : nil
            }

            func decode(_ bytes: [UInt8], _ request: DecodeRequest) -> DecodedImage {
                DecodedImage(pixels: .filled(with: .black, width: side, height: side), size: request.header.size)
            }
        }
        let server = FakeImageServer(["http://test/a": .file([7])])
        let pipeline = ImagePipeline(fake: server, decoders: [Square(side: 2), Square(side: 3)])
        #expect(try await pipeline.image(for: "http://test/a").pixels.size == PixelSize(width: 2, height: 2))
    }
}
