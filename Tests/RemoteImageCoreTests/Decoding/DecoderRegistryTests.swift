import RemoteImage
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// The choice of the decoder for an image.
@Suite(.timeLimit(.minutes(5)), .endsInTime)
struct DecoderRegistryTests {
    /// Decodes files that begin with `letter` as one pixel of `value`.
    private struct LetterDecoder: ImageDecoder {
        let letter: UInt8
        let value: UInt8
        var formats: Set<ImageFormat> { [] }

        func header(of bytes: [UInt8]) -> ImageHeader? {
            bytes.first == letter ? ImageHeader(format: .other, storedSize: PixelSize(width: 1, height: 1)) : nil
        }

        func decode(_ bytes: [UInt8], _ request: DecodeRequest) throws(ImageError) -> DecodedImage {
            let pixels = PixelBuffer(size: request.header.size, format: .rgb8) { memory in
                for index in memory.indices { memory[index] = value }
            }
            return DecodedImage(pixels: pixels, size: request.header.size)
        }
    }

    private func load(_ bytes: [UInt8], in pipeline: ImagePipeline) async throws -> UInt8 {
        let image = try await pipeline.image(for: ImageRequest(ImageSource.bytes(bytes, identity: "\(bytes)")))
        return image.pixels.withUnsafeBytes { $0[0] }
    }

    @Test func `a registered decoder decodes an otherwise unknown format until its removal`() async throws {
        let pipeline = ImagePipeline.test(FakeTransport(), decoder: PNGDecoder(), memoryCache: nil)
        let bytes: [UInt8] = [0x41, 1, 2, 3]
        await #expect(throws: ImageError.self) { try await load(bytes, in: pipeline) }
        let first = pipeline.decoders.register(LetterDecoder(letter: 0x41, value: 7))
        #expect(try await load(bytes, in: pipeline) == 7)
        // The decoder registered last is asked first. A decoder that does not recognise the file is
        // skipped.
        let second = pipeline.decoders.register(LetterDecoder(letter: 0x41, value: 9))
        pipeline.decoders.register(LetterDecoder(letter: 0x42, value: 1))
        #expect(try await load(bytes, in: pipeline) == 9)
        second.cancel()
        #expect(try await load(bytes, in: pipeline) == 7)
        first.cancel()
        first.cancel()
        await #expect(throws: ImageError.self) { try await load(bytes, in: pipeline) }
        #expect(try await load(SampleImage.palettePNG, in: pipeline) > 200)
    }

    @Test func `the image information names the decoder, also from the memory cache`() async throws {
        let pipeline = ImagePipeline.test(FakeTransport(), decoder: PNGDecoder(), memoryCache: MemoryCache())
        pipeline.decoders.register(LetterDecoder(letter: 0x41, value: 7))
        for (bytes, name) in [(SampleImage.palettePNG, "png"), ([0x41, 1], "LetterDecoder")] {
            let request = ImageRequest(ImageSource.bytes(bytes, identity: name))
            for _ in 0..<2 {
                let info = try await pipeline.image(for: request).info
                #expect(info.decoder == name)
                #expect(!info.isIsolated)
            }
        }
    }

    @Test func `the Accept header lists the formats of the currently registered decoders`() throws {
        let registry = DecoderRegistry([FakeDecoder()])
        let before = registry.acceptHeader
        let added = registry.register(SVGDecoder())
        #expect(SVGDecoder().formats.contains(.svg) == registry.acceptHeader.contains("svg"))
        added.cancel()
        #expect(registry.acceptHeader == before)
    }

    @Test func `the Accept header asks no decoder for a format that an earlier one supports`() {
        struct Own: ImageDecoder {
            var formats: Set<ImageFormat> { [.avif, .jxl, .webp, .heic, .jpeg, .png, .gif, .svg] }
            func decode(_ bytes: [UInt8], _ request: DecodeRequest) throws(ImageError) -> DecodedImage {
                throw .cancelled
            }
        }
        struct Asked: ImageDecoder {
            let isAsked = Watched(false)
            var formats: Set<ImageFormat> {
                isAsked.update { $0 = true }
                return []
            }
            func decode(_ bytes: [UInt8], _ request: DecodeRequest) throws(ImageError) -> DecodedImage {
                throw .cancelled
            }
        }
        let last = Asked()
        #expect(DecoderRegistry([Own(), last]).acceptHeader.hasPrefix("image/avif,image/jxl"))
        #expect(!last.isAsked.value)
    }

    @Test func `GdkPixbuf is asked only for the formats of its loaders`() {
        let formats = PixbufDecoder().formats
        for format in ImageFormat.allCases {
            #expect(PixbufDecoder().decodes(format) == formats.contains(format))
        }
        #expect(!PixbufDecoder().decodes(.svg))
    }

    // MARK: SVG

    /// An SVG with a red background and two external images on it.
    private func drawing(over file: TemporaryFile) -> [UInt8] {
        Array(
            """
            <?xml version="1.0"?>
            <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="20" height="10">
            <rect width="20" height="10" fill="#ff0000"/>
            <image width="10" height="10" xlink:href="file://\(file.path)"/>
            <image x="10" width="10" height="10" xlink:href="http://127.0.0.1:9/a.png"/>
            </svg>
            """.utf8)
    }

    /// Scaled to fill the box, the drawing would be 16,384 pixels high.
    @Test(.enabled(if: SVGDecoder().formats.contains(.svg)))
    func `an SVG that exceeds the limits at its target size is refused`() {
        let narrow = Array("<svg xmlns='http://www.w3.org/2000/svg' width='1' height='8'/>".utf8)
        let request = DecodeRequest(
            header: ImageHeader(format: .svg, storedSize: PixelSize(width: 1, height: 1)),
            target: TargetSize(PixelSize(width: 3840, height: 2160), fit: .cover))
        let error = #expect(throws: ImageError.self) {
            try SVGDecoder().decode(narrow, request)
        }
        #expect(error?.code == .tooManyPixels)
    }

    @Test func `an SVG is refused by default and, if allowed, drawn at the target size`() async throws {
        let black = PixelBuffer(size: PixelSize(width: 10, height: 10), format: .rgb8) { memory in
            for index in memory.indices { memory[index] = 0 }
        }
        let file = try TemporaryFile(try black.encoded(as: .png))
        let source = ImageSource.bytes(drawing(over: file), identity: "drawing")
        let strict = ImagePipeline.test(FakeTransport(), decoder: PixbufDecoder())
        let error = await #expect(throws: ImageError.self) { try await strict.image(for: ImageRequest(source)) }
        #expect(error?.code == .unsupportedFormat)
        guard SVGDecoder().formats.contains(.svg) else { return }
        let pipeline = ImagePipeline.test(FakeTransport(), decoder: SVGDecoder())
        let small = try await pipeline.image(for: ImageRequest(source))
        #expect(small.info.decodedSize == PixelSize(width: 20, height: 10))
        let large = try await pipeline.image(for: ImageRequest(source, target: .longestSide(400)))
        #expect(large.info.decodedSize == PixelSize(width: 400, height: 200))
        for x in [100, 300] { #expect(large.pixels.pixel(x, 100).prefix(3).elementsEqual([255, 0, 0])) }
        #expect(pipeline.cachedImage(for: ImageRequest(source, target: .longestSide(300)))?.pixels === large.pixels)
        #expect(pipeline.cachedImage(for: ImageRequest(source, target: .longestSide(500))) == nil)
    }
}
