import HTTPTypes
import RemoteImage
import RemoteImageTestSupport

@testable import RemoteImageCore

/// Loads drawn JPEGs through a store on disk whose resized images the tests look at.
struct ResizedImageFixture {
    let folder: TemporaryFolder
    let store: DiskCache
    let clock = TestClock()
    let transport = FakeTransport()
    /// What pipelines use until the test replaces it.
    var decoders: [any ImageDecoder] = .standard(isolation: .none)
    let network = NetworkConditions()

    static let size = PixelSize(width: 800, height: 600)

    init() throws {
        folder = try TemporaryFolder()
        store = DiskCache(path: folder.path("store"), byteLimit: 16 << 20)
    }

    /// A drawing that differs for each seed: soft colors and a few edges.
    static func pixels(_ seed: Int = 1, size: PixelSize = size, format: PixelFormat = .rgb8) -> PixelBuffer {
        PixelBuffer(size: size, format: format) { memory in
            let channels = format.bytesPerPixel
            for y in 0..<size.height {
                for x in 0..<size.width {
                    let offset = (y * size.width + x) * channels
                    let isInside = (x / 50 + y / 50 + seed).isMultiple(of: 5)
                    let alpha = channels == 4 ? x * 255 / size.width : 255
                    for (channel, value) in [x * 255 / size.width, y * 255 / size.height, isInside ? 180 : 90]
                        .enumerated()
                    {
                        memory[offset + channel] = UInt8((value + seed * 20) % 256 * alpha / 255)
                    }
                    if channels == 4 { memory[offset + 3] = UInt8(alpha) }
                }
            }
        }
    }

    static let files: [[UInt8]] = (1...2).map { seed in (try? pixels(seed).encoded(as: .jpeg(quality: 92))) ?? [] }

    /// A new pipeline, as of another run of the program: only the store is shared.
    func pipeline(_ configure: (inout ImagePipeline.Configuration) -> Void = { _ in }) -> ImagePipeline {
        var configuration = ImagePipeline.Configuration(transport: transport, decoders: decoders)
        configuration.responseStore = store
        configuration.clock = clock
        configuration.network = network
        configuration.retryPolicy = .never
        configure(&configuration)
        return ImagePipeline(configuration)
    }

    static func request(
        _ side: Int? = 100, policy: CachePolicy = .http, processors: [ImageProcessor] = [],
        cachesResizedImages: Bool = true
    ) -> ImageRequest {
        ImageRequest(
            "http://test/a", target: side.map { .longestSide($0) },
            options: ImageOptions(processors: processors, cachePolicy: policy, cachesResizedImages: cachesResizedImages)
        )
    }

    /// Loads from the network.
    func download(
        _ request: ImageRequest = request(), in pipeline: ImagePipeline, file: [UInt8] = files[0],
        headers: HTTPFields = [.cacheControl: "max-age=1000", .eTag: "\"1\""]
    ) async throws -> LoadedImage {
        let count = transport.transfers.count + 1
        let pending = PendingImage(request, in: pipeline)
        try await transport.started(count: count).succeed(file, headers: headers)
        let image = try await pending.image
        await pipeline.finishWriting()
        return image
    }

    /// Lets the pause of an idle pipeline pass, and waits until everything is written.
    func idle(_ pipeline: ImagePipeline) async throws {
        try await waitUntil("the pause of the pipeline") { clock.nextDelay == ResizedImageWriter.pause }
        clock.advance(by: ResizedImageWriter.pause)
        try await waitUntil("the last resized image") { pipeline.context.writer?.isResting != false }
        await pipeline.finishWriting()
    }

    /// Downloads an image and stores it resized.
    @discardableResult
    func fill(
        _ request: ImageRequest = request(), file: [UInt8] = files[0],
        headers: HTTPFields = [.cacheControl: "max-age=1000", .eTag: "\"1\""]
    ) async throws -> LoadedImage {
        let pipeline = pipeline()
        let image = try await download(request, in: pipeline, file: file, headers: headers)
        try await idle(pipeline)
        return image
    }

    var resized: [ResizedImage.Description] {
        store.all().flatMap { key, responses in responses.flatMap { store.resizedImages(of: $0, for: key) } }
    }
}
