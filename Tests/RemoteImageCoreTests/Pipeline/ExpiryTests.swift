import HTTPTypes
import TestSupport
import Testing

@testable import RemoteImageCore

private let address = "http://test/a"

/// ``ImageOptions/expiry`` is the age of a response from which it does not answer, wherever it is
/// kept.
@Suite(.timeLimit(.minutes(5)))
struct ExpiryTests {
    let transport = FakeTransport()
    let clock = TestClock()
    let store: DiskStore
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        store = DiskStore(path: folder.path)
    }

    /// A pipeline as a new process has it: with nothing in memory.
    private func pipeline(usesStore: Bool = true) -> ImagePipeline {
        .test(transport) { configuration in
            if usesStore { configuration.responseStore = store }
            configuration.clock = clock
        }
    }

    private func request(
        _ source: ImageSource = ImageSource(address), expiry: Duration? = .seconds(10), policy: CachePolicy = .http,
        processors: [any ImageProcessor] = []
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

    /// Memory counted anew from the decode, so that an image could be twice as old.
    @Test(arguments: [CachePolicy.http, .stored])
    func `an image that was read from disk is as old as its response`(policy: CachePolicy) async throws {
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

    /// HTTP let it answer longer, and the option was not asked.
    @Test func `an expired response on disk is validated though HTTP calls it fresh`() async throws {
        try await load(request(), in: pipeline())
        clock.advance(by: .seconds(10))
        let pending = PendingImage(request(), in: pipeline())
        let validation = try await transport.started(count: 2)
        #expect(validation.request.headers[.ifNoneMatch] == "\"1\"")
        validation.succeed([], status: 304)
        #expect(try await pending.image.info.origin == .revalidated)
    }

    @Test func `the age counts anew once the server has confirmed the response`() async throws {
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

    @Test func `an expired response is validated under revalidate though it is immutable`() async throws {
        try await load(request(), in: pipeline(), control: "max-age=1000, immutable")
        clock.advance(by: .seconds(9))
        #expect(try await pipeline().image(for: request(policy: .revalidate)).info.origin == .disk)
        clock.advance(by: .seconds(1))
        let pending = PendingImage(request(policy: .revalidate), in: pipeline())
        try await transport.started(count: 2).succeed(TestImage(2).bytes)
        #expect(try await pending.image.content == 2)
    }

    @Test func `an expired response is shown where the server cannot be reached`() async throws {
        try await load(request(), in: pipeline())
        clock.advance(by: .seconds(10))
        let pending = PendingImage(request(), in: pipeline())
        try await transport.started(count: 2).fail(ImageError(.connection))
        #expect(try await pending.image.info.origin == .stale)
    }

    @Test func `an expired response is not stored for those who want only what is stored`() async throws {
        let pipeline = pipeline()
        try await load(request(), in: pipeline)
        clock.advance(by: .seconds(10))
        let error = await #expect(throws: ImageError.self) {
            try await pipeline.image(for: request(policy: .storedOnly))
        }
        #expect(error?.code == .notStored)
    }

    @Test(arguments: [true, false])
    func `an error that is expired or refused is neither validated nor an answer offline`(isExpired: Bool) async throws
    {
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

    // MARK: Whose expiry

    /// In memory the expiry of the request that had loaded the image counted for all others.
    @Test func `the expiry is that of the request that asks`() async throws {
        let pipeline = pipeline(usesStore: false)
        try await load(request(expiry: .seconds(5)), in: pipeline)
        clock.advance(by: .seconds(8))
        #expect(pipeline.cachedImage(for: request(expiry: .seconds(5))) == nil)
        #expect(pipeline.cachedImage(for: request(expiry: .seconds(10))) != nil)
        #expect(pipeline.cachedImage(for: request(expiry: nil)) != nil)
    }

    // MARK: What is made of an image

    @Test func `a processed image is as old as the response that it was made of`() async throws {
        let pipeline = pipeline(usesStore: false)
        try await load(request(), in: pipeline)
        clock.advance(by: .seconds(6))
        let processed = request(processors: [GrayscaleProcessor()])
        _ = try await pipeline.image(for: processed)
        #expect(transport.transfers.count == 1)
        #expect(pipeline.cachedImage(for: processed) != nil)
        clock.advance(by: .seconds(4))
        #expect(pipeline.cachedImage(for: processed) == nil)
    }

    @Test func `a larger image of the same bytes is as old as they are`() async throws {
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

    // MARK: Images of the program's own

    @Test func `bytes and pixels of the program's own expire after they were given`() async throws {
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
