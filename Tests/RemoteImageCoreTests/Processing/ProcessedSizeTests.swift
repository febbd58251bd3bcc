import HTTPTypes
import RemoteImageCore
import RemoteImageTestSupport
import Testing

/// The size in which a processed image is laid out.
@Suite struct ProcessedSizeTests {
    private let transport = FakeTransport { _ in .ok(TestImage(7, width: 400, height: 200).bytes) }

    private func image(_ processors: [ImageProcessor], target: TargetSize? = nil) async throws -> LoadedImage {
        var options = ImageOptions()
        options.processors = processors
        return try await ImagePipeline.test(transport)
            .image(for: ImageRequest("http://test/a.png", target: target, options: options))
    }

    @Test func `an unprocessed image has its original size at any decoded size`() async throws {
        let image = try await image([], target: .longestSide(100))
        #expect(image.info.decodedSize == PixelSize(width: 100, height: 50))
        #expect(image.info.naturalSize == PixelSize(width: 400, height: 200))
    }

    @Test(arguments: [nil, TargetSize.longestSide(100)])
    func `a circle is square in the resolution of the original`(target: TargetSize?) async throws {
        let image = try await image([.circle()], target: target)
        #expect(image.info.naturalSize == PixelSize(width: 200, height: 200))
        #expect(image.info.size == PixelSize(width: 400, height: 200))
    }

    @Test func `a crop has its own size and shape`() async throws {
        let size = PixelSize(width: 30, height: 90)
        #expect(try await image([.crop(to: size)]).info.naturalSize == size)
    }

    @Test func `a covering resize has its own shape`() async throws {
        let size = PixelSize(width: 50, height: 100)
        #expect(try await image([.resize(to: size, fit: .cover)]).info.naturalSize == size)
    }

    @Test func `the sizes of several processors combine`() async throws {
        let processors: [ImageProcessor] = [.crop(to: PixelSize(width: 80, height: 40)), .grayscale, .circle()]
        #expect(try await image(processors).info.naturalSize == PixelSize(width: 40, height: 40))
    }

    /// It used to be processed in its own size, and enlarged when it was drawn.
    @Test func `a processed drawing is as large as its target`() async throws {
        var options = ImageOptions()
        options.processors = [.grayscale]
        let pipeline = ImagePipeline.test(
            FakeTransport { _ in .ok(Array("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8)) },
            decoder: DrawingDecoder())
        let image = try await pipeline.image(
            for: ImageRequest("http://test/a.svg", target: .longestSide(100), options: options))
        #expect(image.info.decodedSize == PixelSize(width: 100, height: 50))
        #expect(image.info.naturalSize == PixelSize(width: 40, height: 20))
    }

    /// Draws 40 × 20 points in the size of the target.
    private struct DrawingDecoder: ImageDecoder {
        let formats: Set<ImageFormat> = [.svg]

        func decode(_ bytes: [UInt8], _ request: DecodeRequest) throws(ImageError) -> DecodedImage {
            let size = PixelSize(width: 40, height: 20)
            let pixels = PixelBuffer(size: request.target?.fittedSize(of: size) ?? size, format: .rgb8) { memory in
                for index in memory.indices { memory[index] = 7 }
            }
            return DecodedImage(pixels: pixels, size: size)
        }
    }

    @Test func `a processor that keeps the shape keeps the size`() async throws {
        let image = try await image([.grayscale], target: TargetSize(PixelSize(width: 33, height: 33)))
        #expect(image.info.naturalSize == PixelSize(width: 400, height: 200))
    }
}

/// The information of a processed animation.
@Suite struct ProcessedAnimationTests {
    @Test func `a processed animation is a still image with one frame`() async throws {
        let pipeline = ImagePipeline.test(
            FakeTransport { _ in .ok(SampleImage.animatedGIF) }, decoder: GIFDecoder())
        var options = ImageOptions()
        let moving = try await pipeline.image(for: ImageRequest("http://test/a.gif", options: options))
        #expect(moving.info.frameCount > 1)
        options.processors = [.grayscale]
        let processed = try await pipeline.image(for: ImageRequest("http://test/a.gif", options: options))
        #expect(processed.animation == nil)
        #expect(processed.info.frameCount == 1)
    }
}
