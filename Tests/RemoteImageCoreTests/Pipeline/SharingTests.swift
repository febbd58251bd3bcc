import Dispatch
import HTTPTypes
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// Adds a number to every byte, and counts its applications.
private struct Adding {
    let number: UInt8
    let count = Watched(0)

    var processor: ImageProcessor {
        ImageProcessor(identity: "adding(\(number))") { [number, count] pixels in
            count.update { $0 += 1 }
            return pixels.withUnsafeBytes { old in
                PixelBuffer(size: pixels.size, format: pixels.format) { new in
                    for index in new.indices { new[index] = old[index] &+ number }
                }
            }
        }
    }
}

@Suite(.timeLimit(.minutes(5)), .endsInTime)
struct SharingTests {
    let transport = FakeTransport()
    let decoder = FakeDecoder()
    let pipeline: ImagePipeline

    init() {
        pipeline = .test(transport, decoder: decoder)
    }

    private func request(_ processors: [Adding] = [], headers: HTTPFields = [:]) -> ImageRequest {
        var options = ImageOptions()
        options.processors = processors.map(\.processor)
        if !headers.isEmpty { options.headers = headers }
        return ImageRequest("http://test/a", options: options)
    }

    @Test func `requests with different processors share the transfer and the decode`() async throws {
        let one = PendingImage(request([Adding(number: 1)]), in: pipeline)
        let two = PendingImage(request([Adding(number: 2)]), in: pipeline)
        let plain = PendingImage(request(), in: pipeline)
        try await transport.started(count: 1).succeed(TestImage(10).bytes)
        #expect(try await one.image.content == 11)
        #expect(try await two.image.content == 12)
        #expect(try await plain.image.content == 10)
        #expect(decoder.decodeCount == 1)
        #expect(transport.transfers.count == 1)
    }

    @Test func `each processing step that requests have in common runs once`() async throws {
        let (first, second, third) = (Adding(number: 1), Adding(number: 2), Adding(number: 3))
        let one = PendingImage(request([first, second]), in: pipeline)
        let two = PendingImage(request([first, third]), in: pipeline)
        let three = PendingImage(request([first, second]), in: pipeline)
        try await transport.started(count: 1).succeed(TestImage(10).bytes)
        #expect(try await one.image.content == 13)
        #expect(try await two.image.content == 14)
        #expect(try await three.image.pixels === one.image.pixels)
        #expect(first.count.value == 1)
        #expect(second.count.value == 1)
        #expect(third.count.value == 1)
    }

    @Test func `a processing step in memory is not repeated`() async throws {
        let (first, second) = (Adding(number: 1), Adding(number: 2))
        let one = PendingImage(request([first]), in: pipeline)
        try await transport.started(count: 1).succeed(TestImage(10).bytes)
        _ = try await one.image
        let both = try await pipeline.image(for: request([first, second]))
        #expect(both.content == 13)
        #expect(first.count.value == 1)
        #expect(transport.transfers.count == 1)
    }

    @Test func `a failing processor fails only the requests that use it`() async throws {
        var refused = request()
        refused.options.processors = [ImageProcessor(identity: "failing") { _ in throw ImageError(.processing, "no") }]
        let failing = PendingImage(refused, in: pipeline)
        let plain = PendingImage(request(), in: pipeline)
        try await transport.started(count: 1).succeed(TestImage(10).bytes)
        await #expect(throws: ImageError(.processing, "no")) { try await failing.image }
        #expect(try await plain.image.content == 10)
    }

    @Test func `images with different processors are separate in memory`() async throws {
        let pending = PendingImage(request([Adding(number: 1)]), in: pipeline)
        try await transport.started(count: 1).succeed(TestImage(10).bytes)
        _ = try await pending.image
        #expect(pipeline.cachedImage(for: request([Adding(number: 1)]))?.content == 11)
        #expect(pipeline.cachedImage(for: request([Adding(number: 2)])) == nil)
        #expect(pipeline.cachedImage(for: request()) == nil, "steps on the way are not kept")
    }

    @Test func `requests that differ only in Authorization share nothing`() async throws {
        let anna = PendingImage(request(headers: [.authorization: "anna"]), in: pipeline)
        let ben = PendingImage(request(headers: [.authorization: "ben"]), in: pipeline)
        let unwatched = PendingImage(request(), in: pipeline)
        #expect(transport.transfers.map { $0.request.headers[.authorization] } == ["anna", "ben", nil])
        for (index, transfer) in transport.transfers.enumerated() {
            transfer.succeed(TestImage(UInt8(index + 1)).bytes)
        }
        #expect(try await anna.image.content == 1)
        #expect(try await ben.image.content == 2)
        #expect(try await unwatched.image.content == 3)
        #expect(pipeline.cachedImage(for: request(headers: [.authorization: "anna"]))?.content == 1)
        #expect(pipeline.cachedImage(for: request(headers: [.authorization: "ben"]))?.content == 2)
        #expect(pipeline.cachedImage(for: request(headers: [.authorization: "eve"])) == nil)
    }

    @Test func `requests with the same given identity and different headers share nothing`() async throws {
        var mine = ImageRequest(ImageSource("http://test/a").identified(by: "me"))
        var theirs = mine
        mine.options.headers[.authorization] = "anna"
        theirs.options.headers[.authorization] = "ben"
        _ = PendingImage(mine, in: pipeline)
        _ = PendingImage(theirs, in: pipeline)
        #expect(transport.transfers.count == 2)
    }

    @Test func `the order of headers does not matter`() async throws {
        let one = PendingImage(request(headers: [.authorization: "a", .referer: "b"]), in: pipeline)
        let two = PendingImage(request(headers: [.referer: "b", .authorization: "a"]), in: pipeline)
        try await transport.started(count: 1).succeed(TestImage().bytes)
        #expect(try await one.image.pixels === two.image.pixels)
        #expect(transport.transfers.count == 1)
    }

    @Test func `a reload does not join work that a stored image may answer`() async throws {
        let plain = PendingImage(request(), in: pipeline)
        var again = request()
        again.options.cachePolicy = .reload
        let reload = PendingImage(again, in: pipeline)
        let otherReload = PendingImage(again, in: pipeline)
        try await transport.started(count: 1).succeed(TestImage(1).bytes)
        try await transport.started(count: 2).succeed(TestImage(2).bytes)
        #expect(try await plain.image.content == 1)
        #expect(try await reload.image.content == 2)
        #expect(try await otherReload.image.content == 2)
        #expect(transport.transfers.count == 2)
    }

    @Test func `a no-store image is not kept in memory`() async throws {
        var secret = request()
        secret.options.cachePolicy = .noStore
        let pending = PendingImage(secret, in: pipeline)
        try await transport.started(count: 1).succeed(TestImage().bytes)
        _ = try await pending.image
        #expect(pipeline.cachedImage(for: request()) == nil)
    }

    @Test func `the stored-only policy answers only from memory or the store`() async throws {
        var stored = request()
        stored.options.cachePolicy = .cacheOnly
        await #expect(throws: ImageError(.notStored, "http://test/a")) { try await pipeline.image(for: stored) }
        let pending = PendingImage(request(), in: pipeline)
        try await transport.started(count: 1).succeed(TestImage(4).bytes)
        _ = try await pending.image
        #expect(try await pipeline.image(for: stored).content == 4)
    }

    @Test func `progress reaches every subscriber, a late one at once`() async throws {
        let transferred = Watched<[Int]>([])
        let first = PendingImage(request(), in: pipeline)
        let transfer = try await transport.started(count: 1)
        let bytes = TestImage().bytes
        transfer.respond(expected: bytes.count)
        transfer.send(Array(bytes[..<5]))
        let second = pipeline.start(request([Adding(number: 1)])) { event in
            if case .progress(let progress) = event { transferred.update { $0.append(progress.completedByteCount) } }
        }
        #expect(transferred.value == [5])
        transfer.send(Array(bytes[5...]))
        transfer.finish()
        _ = try await (first.image, second.image)
        #expect(transferred.value == [5, bytes.count])
    }

    @Test func `a job has the highest priority of its subscribers, and falls back when they leave`() async throws {
        pipeline.setConcurrency(transfers: 1, perHost: 1)
        let names = ["running", "shared", "other"]
        let pending = names.map { PendingImage(ImageRequest("http://test/\($0)"), in: pipeline) }
        let urgent = PendingImage(ImageRequest("http://test/other"), in: pipeline, isVisible: true)
        let third = PendingImage(ImageRequest("http://test/third"), in: pipeline)
        third.task?.priority = .high
        urgent.task?.cancel()
        for count in 1...4 { try await transport.started(count: count).fail(ImageError(.tls)) }
        #expect(
            transport.transfers.map { $0.request.address.string.split(separator: "/").last }
                == ["running", "third", "other", "shared"], "what fell back has waited longer than its new equals")
        withExtendedLifetime(pending) {}
    }

    // MARK: Constraints

    /// The constraints of the first request used to apply to all requests.
    @Test(arguments: [[0, 1, 2], [2, 1, 0]])
    func `requests with different constraints do not change each other's result`(order: [Int]) async throws {
        let strict = ResponseValidation("strict") { _ throws(ImageError) in throw ImageError(.notAnImage, "strict") }
        var options = ImageOptions()
        options.responseValidation = strict
        let validated = PendingImage(ImageRequest("http://test/a", options: options), in: pipeline)
        var narrow = ImageOptions()
        narrow.decodeLimits = DecodeLimits()
        narrow.decodeLimits?.maxPixelCount = 1
        let limited = PendingImage(ImageRequest("http://test/a", options: narrow), in: pipeline)
        let plain = PendingImage(request(), in: pipeline)
        _ = try await transport.started(count: 3)
        // Each is decoded before the next one has its data.
        for number in order {
            transport.transfers[number].succeed(TestImage(3).bytes)
            _ = try? await [validated, limited, plain][number].image
        }
        await #expect(throws: ImageError(.notAnImage, "strict")) { try await validated.image }
        let error = await #expect(throws: ImageError.self) { try await limited.image }
        #expect(error?.code == .tooManyPixels)
        #expect(try await plain.image.content == 3)
    }

    /// Each request finds the image in memory when the server has confirmed its response.
    @Test func `an image in memory serves only the jobs that may use it`() async throws {
        let (clock, decoder) = (TestClock(), FakeDecoder())
        let pipeline = ImagePipeline.test(transport, decoder: decoder) {
            $0.clock = clock
            $0.responseStore = DictionaryStore()
        }
        func load(
            _ target: TargetSize?, _ options: ImageOptions = ImageOptions(), status: Int
        ) async throws -> PixelSize {
            let count = transport.transfers.count + 1
            let pending = PendingImage(ImageRequest("http://test/a", target: target, options: options), in: pipeline)
            try await transport.started(count: count).succeed(
                status == 200 ? TestImage(1, width: 80, height: 60).bytes : [], status: status,
                headers: [.cacheControl: "max-age=1", .eTag: "\"1\""])
            defer { clock.advance(by: .seconds(2)) }
            let size = try await pending.image.pixels.size
            await pipeline.finishWriting()
            return size
        }
        #expect(try await load(.longestSide(40), status: 200) == PixelSize(width: 40, height: 30))
        #expect(try await load(.longestSide(20), status: 304) == PixelSize(width: 40, height: 30))
        #expect(decoder.decodeCount == 1, "it has enough pixels")
        #expect(
            try await load(.longestSide(20), ImageOptions(maxPixelSize: 8), status: 304)
                == PixelSize(width: 8, height: 6))
        #expect(decoder.decodeCount == 2, "it has too many pixels")
        let narrow = ImageOptions(decodeLimits: DecodeLimits(maxPixelCount: 100))
        let error = await #expect(throws: ImageError.self) { try await load(.longestSide(20), narrow, status: 304) }
        #expect(error?.code == .tooManyPixels)
        #expect(try await load(nil, status: 304) == PixelSize(width: 80, height: 60))
        #expect(decoder.decodeCount == 3, "it has too few pixels")
    }

    /// Returns a reduced image later than the whole one, which it sees begin.
    private final class LateDecoder: ImageDecoder {
        let formats: Set<ImageFormat> = [.png]
        let hasBegun = DispatchSemaphore(value: 0)
        let gate = DispatchSemaphore(value: 0)

        func decode(_ bytes: [UInt8], _ request: DecodeRequest) throws(ImageError) -> DecodedImage {
            let isReduced = request.target != nil
            if isReduced { hasBegun.signal() }
            (isReduced ? gate : hasBegun).wait()
            let size = request.target?.drawnSize(of: request.header.size) ?? request.header.size
            return DecodedImage(pixels: PixelBuffer(size: size, format: .rgb8) { _ in }, size: request.header.size)
        }
    }

    @Test func `a smaller image that is decoded later does not replace a larger one in memory`() async throws {
        let decoder = LateDecoder()
        let pipeline = ImagePipeline.test(transport, decoder: decoder) { $0.decodeResources = .own(byteCount: 1 << 20) }
        let large = PendingImage(request(), in: pipeline)
        let small = PendingImage(ImageRequest("http://test/a", target: .longestSide(4)), in: pipeline)
        try await transport.started(count: 1).succeed(TestImage(1).bytes)
        #expect(try await large.image.pixels.size == PixelSize(width: 8, height: 6))
        decoder.gate.signal()
        #expect(try await small.image.pixels.size == PixelSize(width: 4, height: 3))
        #expect(pipeline.cachedImage(for: request())?.pixels.size == PixelSize(width: 8, height: 6))
    }

    @Test func `requests with hooks of different names share nothing`() async throws {
        func request(_ token: String) -> ImageRequest {
            var options = ImageOptions()
            options.requestHook = RequestHook("account \(token)", account: "anna") {
                $0.headers[.authorization] = token
            }
            return ImageRequest("http://test/a", options: options)
        }
        let (one, two) = (PendingImage(request("1"), in: pipeline), PendingImage(request("2"), in: pipeline))
        try await transport.started(count: 2)
        for transfer in transport.transfers {
            let content = transfer.request.headers[.authorization].flatMap { UInt8($0) } ?? 0
            transfer.succeed(TestImage(content).bytes)
        }
        #expect(try await one.image.content == 1)
        #expect(try await two.image.content == 2)
        #expect(pipeline.cachedImage(for: request("1"))?.content == 1)
        #expect(pipeline.cachedImage(for: request("2"))?.content == 2)
    }
}
