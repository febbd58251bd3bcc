import HTTPTypes
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

private let address = "http://test/a.png"

@Suite(.timeLimit(.minutes(5)), .endsInTime)
struct ImagePipelineTests {
    @Test func `a processor receives no more pixels from memory than maxPixelSize allows`() async throws {
        let transport = FakeTransport { _ in .ok(TestImage(1, width: 100, height: 50).bytes) }
        let pipeline = ImagePipeline.test(transport)
        let whole = try await pipeline.image(for: ImageRequest("http://test/a"))
        #expect(whole.pixels.size == PixelSize(width: 100, height: 50))
        var request = ImageRequest("http://test/a")
        request.options.maxPixelSize = 10
        let given = Lock<PixelSize?>(nil)
        request.options.processors = [
            ImageProcessor(identity: "size") { pixels in
                given.withLock { $0 = pixels.size }
                return pixels
            }
        ]
        #expect(try await pipeline.image(for: request).pixels.size == PixelSize(width: 10, height: 5))
        #expect(given.withLock { $0 } == PixelSize(width: 10, height: 5))
    }

    /// Decodes all pixels, whatever the target.
    private struct WholeDecoder: ImageDecoder {
        let formats: Set<ImageFormat> = [.png]

        func decode(_ bytes: [UInt8], _ request: DecodeRequest) throws(ImageError) -> DecodedImage {
            DecodedImage(pixels: .places(request.header.size), size: request.header.size)
        }
    }

    private func coveringRequest(maxPixelSize: PixelSize) -> ImageRequest {
        ImageRequest(
            address, target: TargetSize(PixelSize(width: 100, height: 100), fit: .cover),
            options: ImageOptions(maxPixelSize: maxPixelSize))
    }

    /// The covered box used to need pixels that the option did not allow.
    @Test func `an elongated image bounded by maxPixelSize is found in memory`() async throws {
        let transport = FakeTransport { _ in .ok(TestImage(1, width: 800, height: 100).bytes) }
        let pipeline = ImagePipeline.test(transport)
        let image = try await pipeline.image(for: coveringRequest(maxPixelSize: 200))
        #expect(image.pixels.size == PixelSize(width: 200, height: 25))
        #expect(pipeline.cachedImage(for: coveringRequest(maxPixelSize: 200)) != nil)
        #expect(pipeline.cachedImage(for: coveringRequest(maxPixelSize: 300)) == nil)
    }

    /// They used to share one decode, with the bound of the first request.
    @Test func `requests with different bounds get different sizes`() async throws {
        // Without memory, where the larger image would serve both requests.
        let pipeline = ImagePipeline.test(transport, memoryCache: nil)
        let small = PendingImage(coveringRequest(maxPixelSize: 200), in: pipeline)
        let large = PendingImage(coveringRequest(maxPixelSize: 300), in: pipeline)
        try await transport.started(count: 1).succeed(TestImage(width: 800, height: 100).bytes)
        let widths = try await [small.image.pixels.size.width, large.image.pixels.size.width]
        #expect(widths == [200, 300])
        #expect(transport.transfers.count == 1)
    }

    /// A decoder may return more pixels than the target needs.
    @Test func `a request with a bound does not share the decode of one without`() async throws {
        let pipeline = ImagePipeline.test(transport, decoder: WholeDecoder(), memoryCache: nil)
        let unbounded = PendingImage(ImageRequest(address, target: .longestSide(4)), in: pipeline)
        let bounded = PendingImage(ImageRequest(address, options: ImageOptions(maxPixelSize: 4)), in: pipeline)
        try await transport.started(count: 1).succeed(TestImage(width: 8, height: 8).bytes)
        let widths = try await [unbounded.image.pixels.size.width, bounded.image.pixels.size.width]
        #expect(widths == [8, 4])
    }

    let transport = FakeTransport()

    @Test func `a loaded image reports its size, format, origin, byte count and status`() async throws {
        let pipeline = ImagePipeline.test(transport)
        async let image = pipeline.image(for: ImageRequest(address))
        let picture = TestImage(3, width: 20, height: 10)
        try await transport.started(count: 1).succeed(picture.bytes)
        let info = try await image.info
        #expect(info.size == PixelSize(width: 20, height: 10))
        #expect(info.decodedSize == info.size)
        #expect(info.format == .png)
        #expect(info.origin == .network)
        #expect(info.byteCount == picture.bytes.count)
        #expect(info.status == 200)
    }

    @Test func `requests for one address share a transfer and a decode`() async throws {
        let decoder = FakeDecoder()
        let pipeline = ImagePipeline.test(transport, decoder: decoder)
        let first = PendingImage(ImageRequest(address), in: pipeline)
        let second = PendingImage(ImageRequest(address), in: pipeline)
        try await transport.started(count: 1).succeed(TestImage().bytes)
        let images = try await (first.image, second.image)
        #expect(images.0.pixels === images.1.pixels)
        #expect(transport.transfers.count == 1)
        #expect(decoder.decodeCount == 1)
    }

    @Test(arguments: [false, true])
    func `two sizes of one address share the transfer, in either order`(isSmallFirst: Bool) async throws {
        // Without memory, where the larger image would serve both requests.
        let pipeline = ImagePipeline.test(transport, memoryCache: nil)
        let (small, full) = (ImageRequest(address, target: .longestSide(4)), ImageRequest(address))
        let first = PendingImage(isSmallFirst ? small : full, in: pipeline)
        let second = PendingImage(isSmallFirst ? full : small, in: pipeline)
        try await transport.started(count: 1).succeed(TestImage(width: 8, height: 8).bytes)
        let widths = try await [first.image.info.decodedSize.width, second.image.info.decodedSize.width]
        #expect(widths == (isSmallFirst ? [4, 8] : [8, 4]))
        #expect(transport.transfers.count == 1)
    }

    @Test func `requests for the bytes and for the image share the transfer`() async throws {
        let pipeline = ImagePipeline.test(transport)
        let picture = TestImage(5)
        async let data = pipeline.data(for: ImageRequest(address))
        let transfer = try await transport.started(count: 1)
        let pending = PendingImage(ImageRequest(address), in: pipeline)
        transfer.succeed(picture.bytes)
        #expect(try await pending.image.content == 5)
        #expect(try await data.bytes == picture.bytes)
        #expect(transport.transfers.count == 1)
    }

    @Test func `cancelling the surrounding task cancels the transfer`() async throws {
        let pipeline = ImagePipeline.test(transport)
        let task = Task { try await pipeline.image(for: ImageRequest(address)) }
        let transfer = try await transport.started(count: 1)
        task.cancel()
        await #expect(throws: ImageError.cancelled) { try await task.value }
        try await transfer.cancelled()
        #expect(pipeline.context.jobs.jobCount == 0)
    }

    @Test func `a task that is already cancelled leaves no job`() async throws {
        let pipeline = ImagePipeline.test(transport)
        let gate = Watched(false)
        let task = Task {
            try? await gate.wait { $0 }
            return try await pipeline.image(for: ImageRequest(address))
        }
        task.cancel()
        await #expect(throws: ImageError.cancelled) { try await task.value }
        #expect(pipeline.context.jobs.jobCount == 0)
    }

    @Test func `a failure reaches all subscribers, and the next request tries again`() async throws {
        let pipeline = ImagePipeline.test(transport)
        let first = PendingImage(ImageRequest(address), in: pipeline)
        let second = PendingImage(ImageRequest(address, target: .longestSide(2)), in: pipeline)
        try await transport.started(count: 1).fail(ImageError(.connection))
        await #expect(throws: ImageError(.connection)) { try await first.image }
        await #expect(throws: ImageError(.connection)) { try await second.image }
        async let third = pipeline.image(for: ImageRequest(address))
        try await transport.started(count: 2).succeed(TestImage().bytes)
        _ = try await third
        #expect(pipeline.context.jobs.jobCount == 0)
    }

    @Test func `a released pipeline cancels its requests`() async throws {
        var pipeline: ImagePipeline? = .test(transport)
        let task = pipeline?.start(ImageRequest(address))
        let transfer = try await transport.started(count: 1)
        pipeline = nil
        await #expect(throws: ImageError.cancelled) { try await task?.image }
        try await transfer.cancelled()
    }

    // MARK: Bad input

    @Test(arguments: [201, 203]) func `a success status other than 206 gives an image`(status: Int) async throws {
        let transport = FakeTransport { _ in .response(status: status, body: TestImage().bytes) }
        _ = try await ImagePipeline.test(transport).image(for: ImageRequest(address))
    }

    @Test(arguments: [206, 300, 304, 400, 401, 403, 404, 410, 500, 503])
    func `any other status is an error, even with an image as its body`(status: Int) async {
        let transport = FakeTransport { _ in .response(status: status, body: TestImage().bytes) }
        await #expect(throws: ImageError.httpStatus(status)) {
            try await ImagePipeline.test(transport).image(for: ImageRequest(address))
        }
    }

    @Test func `a body that is not an image is refused`() async {
        let page = Array("<!DOCTYPE html><title>Sign in</title>".utf8)
        await expect(.notAnImage, for: page)
    }

    @Test func `an empty body is refused`() async {
        await expect(.emptyBody, for: [])
    }

    @Test func `an image that the decoder cannot read is refused`() async {
        await expect(.corrupt, for: TestImage(0).bytes)
    }

    @Test func `an image without a matching decoder is refused`() async {
        await expect(.unsupportedFormat, for: SampleImage.animatedGIF)
    }

    @Test func `an image with too many pixels is refused before it is decoded`() async {
        let decoder = FakeDecoder()
        await expect(.tooManyPixels, for: TestImage(width: 30_000, height: 30_000).bytes, decoder: decoder)
        await expect(.tooManyPixels, for: TestImage(width: 1 << 31 - 1, height: 1).bytes, decoder: decoder)
        #expect(decoder.decodeCount == 0)
    }

    private func expect(
        _ code: ImageError.Code, for body: [UInt8], decoder: FakeDecoder = FakeDecoder(),
        at location: SourceLocation = #_sourceLocation
    ) async {
        let pipeline = ImagePipeline.test(FakeTransport { _ in .ok(body) }, decoder: decoder)
        do {
            _ = try await pipeline.image(for: ImageRequest(address))
            Issue.record("no error", sourceLocation: location)
        } catch {
            #expect(error.code == code, sourceLocation: location)
            #expect(!error.message.isEmpty, sourceLocation: location)
        }
    }

    // MARK: Limits

    @Test func `the transfer limits hold in total and per host`() async throws {
        let pipeline = ImagePipeline.test(transport) {
            $0.maxConcurrentTransfers = 3
            $0.maxConcurrentTransfersPerHost = 2
        }
        for index in 0..<4 { pipeline.start(ImageRequest("http://one/\(index)")) { _ in } }
        for index in 0..<4 { pipeline.start(ImageRequest("http://two/\(index)")) { _ in } }
        let started = transport.transfers.map(\.request.address.string)
        #expect(started == ["http://one/0", "http://one/1", "http://two/0"])
        try await transport.started(count: 1).fail(ImageError(.connection))
        let next = try await transport.started(count: 4)
        #expect(next.request.address.string == "http://one/2")
    }

    @Test func `hosts that never answer do not delay an image of another host`() async throws {
        let pipeline = ImagePipeline.test(transport)
        for host in ["one", "two", "three"] {
            for index in 0..<16 { pipeline.start(ImageRequest("http://\(host)/\(index)")) { _ in } }
        }
        let image = PendingImage(ImageRequest("http://four/a"), in: pipeline)
        let transfer = try #require(transport.transfers.last)
        #expect(transfer.request.address.string == "http://four/a")
        transfer.succeed(TestImage(4).bytes)
        #expect(try await image.image.content == 4)
    }

    @Test func `visible images are loaded first, the newest before the rest`() async throws {
        let pipeline = ImagePipeline.test(transport) { $0.maxConcurrentTransfersPerHost = 1 }
        var urgent = ImageOptions()
        urgent.priority = .veryHigh
        pipeline.start(ImageRequest("http://test/running")) { _ in }
        pipeline.start(ImageRequest("http://test/normal")) { _ in }
        pipeline.start(ImageRequest("http://test/high", options: urgent)) { _ in }
        pipeline.start(ImageRequest("http://test/visible1"), isVisible: true) { _ in }
        pipeline.start(ImageRequest("http://test/visible2"), isVisible: true) { _ in }
        for count in 1...5 { try await transport.started(count: count).fail(ImageError(.connection)) }
        #expect(
            transport.transfers.map { String($0.request.address.string.dropFirst(12)) }
                == ["running", "visible2", "visible1", "high", "normal"])
    }

    @Test func `a raised task overtakes others, a lowered task falls behind`() async throws {
        let pipeline = ImagePipeline.test(transport) { $0.maxConcurrentTransfersPerHost = 1 }
        let tasks = ["running", "a", "b", "c"].map { name in
            pipeline.start(ImageRequest("http://test/\(name)")) { _ in }
        }
        tasks[3].priority = .high
        tasks[1].priority = .low
        for count in 1...4 { try await transport.started(count: count).fail(ImageError(.connection)) }
        #expect(
            transport.transfers.map { String($0.request.address.string.dropFirst(12)) }
                == ["running", "c", "b", "a"])
    }

    // MARK: Request headers

    @Test func `requests carry the accepted formats and the pipeline's headers`() async throws {
        let pipeline = ImagePipeline.test(transport) { $0.headers[.referer] = "http://test/" }
        pipeline.start(ImageRequest(address)) { _ in }
        let headers = try await transport.started(count: 1).request.headers
        #expect(headers[.accept] == "image/png,image/*;q=0.5,*/*;q=0.1")
        #expect(headers[.referer] == "http://test/")
    }

    /// A huge Content-Length used to abort the program.
    @Test func `an announced length reserves no memory`() async throws {
        let pipeline = ImagePipeline.test(transport) { $0.transferLimits.maxBodyByteCount = .max }
        let image = PendingImage(ImageRequest("http://test/a"), in: pipeline)
        let transfer = try await transport.started(count: 1)
        transfer.respond(expected: .max)
        transfer.send(TestImage(3).bytes)
        transfer.finish()
        #expect(try await image.image.content == 3)
    }

    @Test(arguments: [(0, 1), (2, 3), (3, 3)])
    func `a processor that asks for a pause runs again, for pauses of 30 seconds in all`(
        failureCount: Int, count: Int
    ) async throws {
        let clock = TestClock()
        let pipeline = ImagePipeline.test(transport) {
            $0.clock = clock
            $0.decodeLimits.timeout = .seconds(1000)
        }
        let calls = Watched(0)
        let processor = ImageProcessor(identity: "pausing") { pixels in
            let number = calls.update { calls -> Int in
                calls += 1
                return calls
            }
            guard number <= failureCount else { return pixels }
            var error = ImageError(.io)
            error.retryDelay = .seconds(15)
            throw error
        }
        let image = PendingImage(
            ImageRequest("http://test/paused", options: ImageOptions(processors: [processor])), in: pipeline)
        try await transport.started(count: 1).succeed(TestImage(6).bytes)
        for _ in 0..<min(2, failureCount) {
            try await waitUntil("the pause") { clock.nextDelay == .seconds(15) }
            clock.advance(by: .seconds(15))
        }
        if failureCount < 3 {
            #expect(try await image.image.content == 6)
        } else {
            let error = await #expect(throws: ImageError.self) { try await image.image }
            #expect(error?.code == .io)
        }
        #expect(calls.value == count)
    }
}
