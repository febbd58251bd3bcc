import RemoteImage
import RemoteImageCore
import RemoteImageTestSupport
import RemoteImageTesting
import Testing

@MainActor
@Suite(.timeLimit(.minutes(5)), .endsInTime)
struct FakeImageServerTests {
    let cat: WebAddress
    let dog: WebAddress

    init() throws {
        cat = try WebAddress("https://example.org/cat.jpg")
        dog = try WebAddress("https://example.org/dog.jpg")
    }

    @Test func `requests are answered with the images and errors of the table`() async throws {
        let pixels = PixelBuffer.filled(with: ImageColor(red: 1, green: 2, blue: 3, alpha: 0), width: 4, height: 3)
        let table = FakeImageServer([cat.string: .image(pixels), dog.string: .failure(ImageError(.timeout))])
        let pipeline = ImagePipeline(fake: table)
        let image = try await pipeline.image(for: ImageRequest(ImageSource(cat)))
        #expect(image.pixels.format == pixels.format && image.pixels.pixel(3, 2) == pixels.pixel(3, 2))
        #expect(image.info.size == PixelSize(width: 4, height: 3))
        await #expect(throws: ImageError(.timeout)) { try await pipeline.image(for: ImageRequest(ImageSource(dog))) }
        let error = await #expect(throws: ImageError.self) {
            try await pipeline.image(for: ImageRequest("https://example.org/other.jpg"))
        }
        #expect(error?.status == 404)
    }

    @Test func `a file of a format of the program is decoded by its decoder`() async throws {
        let table = FakeImageServer([
            cat.string: .file([0x41, 9]), dog.string: .image(.filled(with: .white, width: 8, height: 8)),
        ])
        let pipeline = ImagePipeline(fake: table, decoders: [OwnDecoder()])
        let image = try await pipeline.image(for: ImageRequest(ImageSource(cat)))
        #expect(image.pixels.size == PixelSize(width: 5, height: 4))
        let other = try await pipeline.image(for: ImageRequest(ImageSource(dog)))
        #expect(other.pixels.size == PixelSize(width: 8, height: 8))
    }

    private struct OwnDecoder: ImageDecoder {
        let formats: Set<ImageFormat> = []

        func header(of bytes: [UInt8]) -> ImageHeader? {
            bytes.first == 0x41 ? ImageHeader(format: .other, storedSize: PixelSize(width: 5, height: 4)) : nil
        }

        func decode(_ bytes: [UInt8], _ request: DecodeRequest) throws(ImageError) -> DecodedImage {
            DecodedImage(pixels: .filled(with: .black, width: 5, height: 4), size: request.header.size)
        }
    }

    /// A test of the next start of a program, without a network.
    @Test func `a disk cache keeps the images of the table for another pipeline`() async throws {
        let folder = try TemporaryFolder()
        let first = FakeImageServer([
            cat.string: .image(.filled(with: ImageColor(red: 9, green: 8, blue: 7), width: 3, height: 2))
        ])
        func pipeline(_ server: FakeImageServer) throws -> ImagePipeline {
            let cache = DiskCache(path: folder.path("cache"))
            return ImagePipeline(fake: server, decoders: [PNGDecoder()]) {
                $0.diskCache = cache
                $0.decoders = [JPEGDecoder()]
            }
        }
        let online = try pipeline(first)
        _ = try await online.image(for: ImageRequest(ImageSource(cat)))
        await online.finishWriting()
        let offline = try pipeline(
            FakeImageServer([dog.string: .image(.filled(with: .white, width: 8, height: 8))]))
        _ = try await offline.image(for: ImageRequest(ImageSource(dog)))
        var options = ImageOptions()
        options.cachePolicy = .cacheElseLoad
        let image = try await offline.image(for: ImageRequest(ImageSource(cat), options: options))
        #expect(image.info.origin == .stale && image.pixels.size == PixelSize(width: 3, height: 2))
        #expect(image.pixels.pixel(2, 1) == [9, 8, 7])
    }

    @Test func `a cancelled task no longer waits for a request`() async {
        let server = FakeImageServer()
        let waiting = Task { await server.requested(cat) }
        waiting.cancel()
        await waiting.value
        #expect(server.requests.isEmpty)
    }

    @Test func `answers are held until the test releases them`() async throws {
        let table = FakeImageServer(
            [cat.string: .image(.filled(with: .white, width: 8, height: 8)), dog.string: .status(500)],
            isPaused: true)
        let pipeline = ImagePipeline(fake: table)
        let models = [cat, dog].map { NetworkImageModel(ImageSource($0), pipeline: pipeline) }
        for model in models { model.load() }
        await table.requested(cat)
        await table.requested(dog)
        #expect(models.allSatisfy { $0.isLoading })
        table.release(cat)
        #expect(await models[0].reached(.success) != nil)
        #expect(models[1].isLoading)
        table.isPaused = false
        #expect(await models[1].reached(.failure)?.error?.status == 500)
    }

    @Test func `an answer can be replaced, and a cancelled request receives none`() async throws {
        let table = FakeImageServer([cat.string: .status(503)], isPaused: true)
        let pipeline = ImagePipeline(fake: table)
        let model = NetworkImageModel(ImageSource(cat), pipeline: pipeline)
        model.load()
        await table.requested(cat)
        model.cancel()
        table.isPaused = false
        #expect(model.phase.kind == .empty)
        table[cat] = .image(.filled(with: .black, width: 2, height: 2))
        model.load()
        #expect(await model.reached(.success) != nil)
        #expect(table.requests == [cat, cat])
    }

    @Test func `files in the table are decoded by real decoders`() async throws {
        let table = FakeImageServer([
            cat.string: .file(SampleImage.losslessWebP), dog.string: .file(SampleImage.palettePNG),
        ])
        let pipeline = ImagePipeline(fake: table, decoders: .standard())
        let image = try await pipeline.image(for: ImageRequest(ImageSource(cat)))
        #expect(image.pixels.quarters == [.red, .green, .blue, .white])
        #expect(try await pipeline.image(for: ImageRequest(ImageSource(dog))).pixels.quarters[0] == .red)
    }
}
