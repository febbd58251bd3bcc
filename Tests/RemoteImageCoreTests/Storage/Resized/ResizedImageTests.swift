import HTTPTypes
import RemoteImage
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// Resized images that stand for their originals.
@Suite(.timeLimit(.minutes(5)), .endsInTime)
struct ResizedImageTests {
    let fixture: ResizedImageFixture

    init() throws {
        fixture = try ResizedImageFixture()
    }

    private func load(_ request: ImageRequest = ResizedImageFixture.request()) async throws -> LoadedImage {
        try await fixture.pipeline().image(for: request)
    }

    @Test func `the second run decodes the resized image`() async throws {
        let first = try await fixture.fill()
        #expect(first.info.decoder == "jpeg")
        let second = try await load()
        #expect(second.info.decoder == "stored")
        #expect(second.info.origin == .disk)
        #expect(second.info.size == ResizedImageFixture.size)
        #expect(second.info.decodedSize == first.info.decodedSize)
        #expect(second.info.format == .jpeg && second.info.byteCount == first.info.byteCount)
        #expect(PixelDifference(first.pixels, second.pixels).isInvisible)
        #expect(fixture.transport.transfers.count == 1)
    }

    @Test func `a larger resized image serves a smaller place`() async throws {
        try await fixture.fill(ResizedImageFixture.request(200))
        #expect(try await load(ResizedImageFixture.request(90)).info.decoder == "stored")
    }

    @Test func `a larger place and the full size decode the original`() async throws {
        try await fixture.fill()
        for side in [150, nil] {
            #expect(try await load(ResizedImageFixture.request(side)).info.decoder == "jpeg")
        }
    }

    @Test func `the data is always the original`() async throws {
        try await fixture.fill()
        let data = try await fixture.pipeline().data(for: ResizedImageFixture.request())
        #expect(data.bytes == ResizedImageFixture.files[0])
    }

    @Test func `a request for the data joins a running load and gets the original`() async throws {
        try await fixture.fill()
        let pipeline = fixture.pipeline()
        async let image = pipeline.image(for: ResizedImageFixture.request())
        async let data = pipeline.data(for: ResizedImageFixture.request())
        #expect(try await data.bytes == ResizedImageFixture.files[0])
        #expect(try await image.info.size == ResizedImageFixture.size)
    }

    @Test func `places of several sizes are each served`() async throws {
        try await fixture.fill()
        let pipeline = fixture.pipeline()
        async let small = pipeline.image(for: ResizedImageFixture.request(80))
        async let large = pipeline.image(for: ResizedImageFixture.request(400))
        #expect(try await small.info.decodedSize.longestSide >= 80)
        #expect(try await large.info.decodedSize.longestSide >= 400)
    }

    @Test func `an original beyond the decode limits fails as without a resized image`() async throws {
        try await fixture.fill()
        var request = ResizedImageFixture.request()
        request.options.decodeLimits = DecodeLimits(maxPixelCount: 1000)
        let error = await #expect(throws: ImageError.self) { try await load(request) }
        #expect(error?.code == .tooManyPixels)
        #expect(try await load().info.decoder == "stored", "the resized image is kept")
    }

    // MARK: Processed images

    @Test func `a processed image is stored as it was processed`() async throws {
        let request = ResizedImageFixture.request(processors: [.circle()])
        let first = try await fixture.fill(request)
        let second = try await load(request)
        #expect(second.info.decoder == "stored")
        #expect(second.info.naturalSize == first.info.naturalSize)
        #expect(PixelDifference(first.pixels, second.pixels).peakSignalToNoise == .infinity, "alpha is kept exactly")
    }

    @Test func `a processed image serves no other processing and no other size`() async throws {
        try await fixture.fill(ResizedImageFixture.request(processors: [.circle()]))
        #expect(try await load().info.decoder == "jpeg")
        #expect(try await load(ResizedImageFixture.request(processors: [.grayscale])).info.decoder == "jpeg")
        #expect(try await load(ResizedImageFixture.request(90, processors: [.circle()])).info.decoder == "jpeg")
    }

    @Test func `an unprocessed resized image is processed`() async throws {
        try await fixture.fill()
        let image = try await load(ResizedImageFixture.request(processors: [.grayscale]))
        #expect(image.info.decoder == "stored")
        image.pixels.withUnsafeBytes { #expect($0[0] == $0[1] && $0[1] == $0[2]) }
    }

    @Test func `an image that is already processed is preferred to an unprocessed one`() async throws {
        let count = Watched(0)
        let closure = ImageProcessor(identity: "counted", hasStableIdentity: true) { pixels in
            count.update { $0 += 1 }
            return pixels
        }
        let request = ResizedImageFixture.request(processors: [closure])
        try await fixture.fill(request)
        let pipeline = fixture.pipeline()
        _ = try await pipeline.image(for: ResizedImageFixture.request())
        try await fixture.idle(pipeline)
        #expect(fixture.resized.count == 2)
        _ = try await load(request)
        #expect(count.value == 1)
    }

    @Test(arguments: [false, true])
    func `a closure's image is stored only if its identity is stable`(isStable: Bool) async throws {
        let pipeline = fixture.pipeline()
        let closure = ImageProcessor(identity: "none", hasStableIdentity: isStable) { $0 }
        let request = ResizedImageFixture.request(processors: [closure])
        _ = try await fixture.download(request, in: pipeline)
        #expect((pipeline.context.writer?.waitingCount == 1) == isStable)
    }

    // MARK: When they are stored

    @Test(arguments: [
        ResizedImageFixture.request(policy: .noStore), ResizedImageFixture.request(cachesResizedImages: false),
        ResizedImageFixture.request(600), ResizedImageFixture.request(nil),
    ])
    func `an image that must not be stored or does not pay is not stored`(request: ImageRequest) async throws {
        let pipeline = fixture.pipeline()
        _ = try await fixture.download(request, in: pipeline)
        #expect(pipeline.context.writer?.waitingCount == 0)
    }

    @Test func `a smaller image does not replace a larger one of its step`() async throws {
        try await fixture.fill(ResizedImageFixture.request(200))
        let response = try #require(fixture.store.responses(for: "http://test/a").first)
        let known = try #require(fixture.resized.first)
        let pipeline = fixture.pipeline()
        let image = try await pipeline.image(for: ResizedImageFixture.request(200, cachesResizedImages: false))
        let key = ImageKey(load: LoadKey(identity: "http://test/a"), target: .longestSide(200))
        var smaller = image
        smaller.pixels = image.pixels.scaledDown(to: PixelSize(width: known.size.width - 20, height: 120))
        await pipeline.context.writer?.consider(smaller, key, ImageOptions())
        await pipeline.context.writer?.consider(image, key, ImageOptions())
        await pipeline.context.writer?.consider(smaller, key, ImageOptions())
        #expect(pipeline.context.writer?.waitingCount == 1)
        pipeline.context.writer?.jobsHaveEnded(pipeline.context.jobs)
        try await fixture.idle(pipeline)
        #expect(fixture.store.resizedImages(of: response, for: "http://test/a") == [known])
        withExtendedLifetime(image) {}
    }

    @Test func `waiting images are stored when the machine stops saving power`() async throws {
        fixture.network.savesPower = true
        let pipeline = fixture.pipeline()
        let image = try await fixture.download(in: pipeline)
        try await fixture.idle(pipeline)
        #expect(fixture.resized.isEmpty)
        fixture.network.savesPower = false
        try await fixture.idle(pipeline)
        #expect(fixture.resized.count == 1)
        withExtendedLifetime(image) {}
    }

    @Test func `images are stored while another one waits for the network`() async throws {
        fixture.network.isConnected = false
        let pipeline = fixture.pipeline { $0.retryPolicy = .standard(waitsForConnectivity: true) }
        let other = PendingImage(ImageRequest("http://test/b"), in: pipeline)
        try await fixture.transport.started(count: 1).fail(ImageError(.connection))
        let image = try await fixture.download(in: pipeline)
        try await fixture.idle(pipeline)
        #expect(fixture.resized.count == 1)
        withExtendedLifetime((image, other)) {}
    }

    @Test func `a no-store response is not stored resized`() async throws {
        let pipeline = fixture.pipeline()
        _ = try await fixture.download(in: pipeline, headers: [.cacheControl: "no-store"])
        #expect(pipeline.context.writer?.waitingCount == 0)
    }

    @Test func `a request can refuse resized images`() async throws {
        try await fixture.fill()
        #expect(try await load(ResizedImageFixture.request(cachesResizedImages: false)).info.decoder == "jpeg")
    }

    @Test func `nothing is stored while an image loads or the machine saves power`() async throws {
        let pipeline = fixture.pipeline()
        _ = try await fixture.download(in: pipeline)
        try await waitUntil("the pause") { fixture.clock.nextDelay == ResizedImageWriter.pause }
        let other = PendingImage(ImageRequest("http://test/b", options: ImageOptions()), in: pipeline)
        fixture.clock.advance(by: ResizedImageWriter.pause)
        try await waitUntil("the end of the pause") { pipeline.context.writer?.isResting == true }
        #expect(fixture.resized.isEmpty)
        fixture.network.savesPower = true
        try await fixture.transport.started(count: 2).succeed(ResizedImageFixture.files[1])
        _ = try await other.image
        try await fixture.idle(pipeline)
        #expect(fixture.resized.isEmpty)
        fixture.network.savesPower = false
        _ = try await pipeline.image(for: ResizedImageFixture.request(200))
        try await fixture.idle(pipeline)
        #expect(!fixture.resized.isEmpty)
    }

    @Test func `a size step is stored once, and each step by itself`() async throws {
        try await fixture.fill()
        for side in [95, 100, 98, 200] {
            let pipeline = fixture.pipeline()
            _ = try await pipeline.image(
                for: ResizedImageFixture.request(side, cachesResizedImages: side == 200))
            if side == 200 { try await fixture.idle(pipeline) }
        }
        #expect(fixture.resized.map(\.size.width).sorted() == [100, 200])
    }

    @Test(arguments: [1, 2])
    func `animations are not stored`(frameCount: Int) async throws {
        let pipeline = fixture.pipeline()
        let file = LongAnimation(width: 800, height: 600, frameCount: frameCount).bytes
        _ = try await fixture.download(ResizedImageFixture.request(50), in: pipeline, file: file)
        #expect(pipeline.context.writer?.waitingCount == (frameCount == 1 ? 1 : 0))
    }
}
