import HTTPTypes
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

private let address = "http://test/a"

/// ``ImageOptions/expiry`` is the age from which a response no longer answers, in memory and on
/// disk.
@Suite(.timeLimit(.minutes(5)))
struct ExpiryTests {
    let transport = FakeTransport()
    let clock = TestClock()
    let store: DiskCache
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        store = DiskCache(path: folder.path)
    }

    /// A pipeline with an empty memory, as in a new process.
    private func pipeline(usesStore: Bool = true) -> ImagePipeline {
        .test(transport) { configuration in
            if usesStore { configuration.responseStore = store }
            configuration.clock = clock
        }
    }

    private func request(
        _ source: ImageSource = ImageSource(address), expiry: Duration? = .seconds(10), policy: CachePolicy = .http,
        processors: [ImageProcessor] = []
    ) -> ImageRequest {
        var options = ImageOptions()
        options.cachePolicy = policy
        options.expiry = expiry
        options.processors = processors
        return ImageRequest(source, options: options)
    }

    /// Loads `request` over the network and waits until the response is stored.
    private func load(
        _ request: ImageRequest, in pipeline: ImagePipeline, _ content: UInt8 = 1, control: String = "max-age=1000"
    ) async throws {
        let count = transport.transfers.count + 1
        let pending = PendingImage(request, in: pipeline)
        try await transport.started(count: count).succeed(
            TestImage(content).bytes, headers: [.cacheControl: control, .eTag: "\"\(content)\""])
        _ = try await pending.image
        await pipeline.finishWriting()
    }

    // MARK: On disk and in memory

    /// Memory used to count from the decode, so that an image could become twice as old.
    @Test(arguments: [CachePolicy.http, .cacheElseLoad])
    func `an image read from disk keeps the age of its response`(policy: CachePolicy) async throws {
        try await load(request(), in: pipeline())
        clock.advance(by: .seconds(6))
        let pipeline = pipeline()
        #expect(try await pipeline.image(for: request(policy: policy)).info.origin == .disk)
        clock.advance(by: .seconds(3))
        #expect(pipeline.cachedImage(for: request(policy: policy)) != nil)
        clock.advance(by: .seconds(1))
        #expect(pipeline.cachedImage(for: request(policy: policy)) == nil)
        try await load(request(policy: policy), in: pipeline, 2)
        #expect(pipeline.cachedImage(for: request(policy: policy))?.content == 2)
    }

    /// The option used to be ignored while HTTP let the response answer.
    @Test func `an expired response on disk is validated even if it is fresh`() async throws {
        try await load(request(), in: pipeline())
        clock.advance(by: .seconds(10))
        let pending = PendingImage(request(), in: pipeline())
        let validation = try await transport.started(count: 2)
        #expect(validation.request.headers[.ifNoneMatch] == "\"1\"")
        validation.succeed([], status: 304)
        #expect(try await pending.image.info.origin == .revalidated)
    }

    @Test func `the age restarts when the server confirms the response`() async throws {
        try await load(request(), in: pipeline())
        clock.advance(by: .seconds(10))
        let pipeline = pipeline()
        let pending = PendingImage(request(), in: pipeline)
        try await transport.started(count: 2).succeed([], status: 304)
        _ = try await pending.image
        await pipeline.finishWriting()
        clock.advance(by: .seconds(9))
        #expect(pipeline.cachedImage(for: request()) != nil)
        #expect(try await self.pipeline().image(for: request()).info.origin == .disk)
        #expect(transport.transfers.count == 2)
    }

    @Test func `an expired response does not answer while it is validated`() async throws {
        try await load(request(), in: pipeline(), control: "max-age=1, stale-while-revalidate=1000")
        clock.advance(by: .seconds(10))
        let pending = PendingImage(request(), in: pipeline())
        try await transport.started(count: 2).succeed(TestImage(2).bytes)
        #expect(try await pending.image.content == 2)
    }

    @Test func `the revalidate policy validates an expired immutable response`() async throws {
        try await load(request(), in: pipeline(), control: "max-age=1000, immutable")
        clock.advance(by: .seconds(9))
        #expect(try await pipeline().image(for: request(policy: .revalidate)).info.origin == .disk)
        clock.advance(by: .seconds(1))
        let pending = PendingImage(request(policy: .revalidate), in: pipeline())
        try await transport.started(count: 2).succeed(TestImage(2).bytes)
        #expect(try await pending.image.content == 2)
    }

    @Test func `an expired response is shown when the server is unreachable`() async throws {
        try await load(request(), in: pipeline())
        clock.advance(by: .seconds(10))
        let pending = PendingImage(request(), in: pipeline())
        try await transport.started(count: 2).fail(ImageError(.connection))
        #expect(try await pending.image.info.origin == .stale)
    }

    @Test func `an expired response does not answer under the stored-only policy`() async throws {
        let pipeline = pipeline()
        try await load(request(), in: pipeline)
        clock.advance(by: .seconds(10))
        let error = await #expect(throws: ImageError.self) {
            try await pipeline.image(for: request(policy: .cacheOnly))
        }
        #expect(error?.code == .notStored)
    }

    @Test(arguments: [true, false])
    func `an expired or refused error is not validated and does not answer offline`(isExpired: Bool) async throws {
        let pipeline = pipeline()
        var request = request(expiry: isExpired ? .seconds(10) : nil)
        if !isExpired { request.options.headers[.cacheControl] = "no-cache" }
        let first = PendingImage(request, in: pipeline)
        try await transport.started(count: 1).succeed(
            [], status: 404, headers: [.cacheControl: "max-age=1000", .eTag: "\"1\""])
        await #expect(throws: ImageError.self) { try await first.image }
        await pipeline.finishWriting()
        clock.advance(by: .seconds(10))
        let second = PendingImage(request, in: pipeline)
        let transfer = try await transport.started(count: 2)
        #expect(transfer.request.headers[.ifNoneMatch] == nil)
        transfer.fail(ImageError(.connection))
        let error = await #expect(throws: ImageError.self) { try await second.image }
        #expect(error?.code == .connection)
    }

    // MARK: Expiry per request

    /// Memory used to apply the expiry of the request that had loaded the image to all requests.
    @Test func `each request applies its own expiry`() async throws {
        let pipeline = pipeline(usesStore: false)
        try await load(request(expiry: .seconds(5)), in: pipeline)
        clock.advance(by: .seconds(8))
        #expect(pipeline.cachedImage(for: request(expiry: .seconds(5))) == nil)
        #expect(pipeline.cachedImage(for: request(expiry: .seconds(10))) != nil)
        #expect(pipeline.cachedImage(for: request(expiry: nil)) != nil)
    }

    // MARK: Derived images

    @Test func `a processed image keeps the age of its response`() async throws {
        let pipeline = pipeline(usesStore: false)
        try await load(request(), in: pipeline)
        clock.advance(by: .seconds(6))
        let processed = request(processors: [.grayscale])
        _ = try await pipeline.image(for: processed)
        #expect(transport.transfers.count == 1)
        #expect(pipeline.cachedImage(for: processed) != nil)
        clock.advance(by: .seconds(4))
        #expect(pipeline.cachedImage(for: processed) == nil)
    }

    @Test func `a larger image of the same bytes keeps their age`() async throws {
        let pipeline = pipeline()
        var small = request()
        small.target = .longestSide(4)
        try await load(small, in: pipeline)
        clock.advance(by: .seconds(6))
        #expect(try await pipeline.image(for: request()).pixels.size.width == 8)
        #expect(transport.transfers.count == 1)
        clock.advance(by: .seconds(4))
        #expect(pipeline.cachedImage(for: request()) == nil)
    }

    // MARK: Images from the program

    @Test func `bytes and pixels from the program expire from the time they were given`() async throws {
        let bytes = ImageSource.bytes(TestImage(1).bytes, identity: "bytes")
        let pixels = ImageSource.pixels(identity: "pixels") {
            PixelBuffer(size: PixelSize(width: 1, height: 1), format: .rgb8) { _ in }
        }
        let pipeline = pipeline()
        clock.advance(by: .seconds(100))
        for source in [bytes, pixels] {
            _ = try await pipeline.image(for: request(source))
            clock.advance(by: .seconds(9))
            #expect(pipeline.cachedImage(for: request(source)) != nil)
            clock.advance(by: .seconds(1))
            #expect(pipeline.cachedImage(for: request(source)) == nil)
        }
    }
}
