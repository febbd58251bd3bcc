import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// The times that a loaded image reports.
@Suite(.timeLimit(.minutes(2)), .endsInTime)
struct LoadTimingsTests {
    let transport = FakeTransport()
    let clock = TestClock()

    private func pipeline() -> ImagePipeline {
        .test(transport) { configuration in
            configuration.clock = clock
            configuration.maxConcurrentTransfers = 1
        }
    }

    @Test func `each step is timed from the request, and a wait counts as queued`() async throws {
        let pipeline = pipeline()
        clock.advance(by: .seconds(100))
        let busy = PendingImage(ImageRequest("http://test/busy"), in: pipeline)
        let image = PendingImage(ImageRequest("http://test/a"), in: pipeline)
        let first = try await transport.started(count: 1)
        clock.advance(by: .seconds(1))
        first.succeed(TestImage(1).bytes)
        let transfer = try await transport.started(count: 2)
        clock.advance(by: .seconds(2))
        transfer.respond(timeSinceConnected: .milliseconds(500))
        clock.advance(by: .seconds(4))
        transfer.send(TestImage(2).bytes)
        transfer.finish()
        let timings = try #require(try await image.image.info.timings)
        #expect(
            timings
                == LoadTimings(
                    queued: .seconds(1), connected: .milliseconds(2500), firstByte: .seconds(3),
                    transferred: .seconds(7), decoded: .seconds(7)))
        #expect(try await busy.image.info.timings?.queued == .zero)
    }

    /// The redirects of a failed load are worth knowing, and so is the time that it took.
    @Test func `a load that fails after a response reports its status, its address and its times`() async throws {
        let pipeline = pipeline()
        clock.advance(by: .seconds(100))
        let image = PendingImage(ImageRequest("http://test/a"), in: pipeline)
        let transfer = try await transport.started(count: 1)
        clock.advance(by: .seconds(2))
        transfer.respond(status: 404, from: try WebAddress("http://test/moved"), timeSinceConnected: .seconds(1))
        clock.advance(by: .seconds(3))
        transfer.finish()
        let error = await #expect(throws: ImageError.self) { try await image.image }
        let info = try #require(error?.info)
        #expect(info.origin == .network && info.status == 404 && info.byteCount == 0)
        #expect(info.address?.string == "http://test/moved")
        #expect(
            info.timings
                == LoadTimings(
                    queued: .zero, connected: .seconds(1), firstByte: .seconds(2), transferred: .seconds(5),
                    decoded: .seconds(5)))
    }

    @Test func `a load that fails without a response reports the requested address`() async throws {
        let pipeline = pipeline()
        clock.advance(by: .seconds(100))
        let image = PendingImage(ImageRequest("http://test/a"), in: pipeline)
        let transfer = try await transport.started(count: 1)
        clock.advance(by: .seconds(2))
        transfer.fail(ImageError(.connection))
        let error = await #expect(throws: ImageError.self) { try await image.image }
        let info = try #require(error?.info)
        #expect(info.origin == .network && info.status == nil)
        #expect(info.address?.string == "http://test/a")
        #expect(info.timings?.queued == .zero && info.timings?.connected == nil)
        #expect(info.timings?.transferred == .seconds(2))
    }

    @Test func `an image that cannot be decoded reports its response`() async throws {
        let pipeline = pipeline()
        let image = PendingImage(ImageRequest("http://test/a"), in: pipeline)
        let transfer = try await transport.started(count: 1)
        clock.advance(by: .seconds(2))
        let bytes = TestImage(0).bytes
        transfer.succeed(bytes, status: 203)
        let error = await #expect(throws: ImageError.self) { try await image.image }
        #expect(error?.code == .corrupt)
        let info = try #require(error?.info)
        #expect(info.origin == .network && info.status == 203 && info.byteCount == bytes.count)
        #expect(info.address?.string == "http://test/a")
        #expect(info.timings?.firstByte == .seconds(2) && info.timings?.decoded == .seconds(2))
    }

    @Test func `data of the program is timed from the start to the end of its closure`() async throws {
        let pipeline = pipeline()
        clock.advance(by: .seconds(100))
        let gate = Watched(false)
        let source = ImageSource.bytes(identity: "a") {
            try await gate.wait { $0 }
            return TestImage(1).bytes
        }
        let image = PendingImage(ImageRequest(source), in: pipeline)
        clock.advance(by: .seconds(3))
        gate.update { $0 = true }
        let timings = try #require(try await image.image.info.timings)
        #expect(timings == LoadTimings(queued: .zero, transferred: .seconds(3), decoded: .seconds(3)))
    }

    @Test func `an image from the memory cache has no timings`() async throws {
        let pipeline = pipeline()
        let image = PendingImage(ImageRequest("http://test/a"), in: pipeline)
        try await transport.started(count: 1).succeed(TestImage(1).bytes)
        #expect(try await image.image.info.timings != nil)
        let cached = try await pipeline.image(for: "http://test/a")
        #expect(cached.info.origin == .memory)
        #expect(cached.info.timings == nil)
    }

    @Test func `the description gives milliseconds and leaves out steps without a time`() {
        let timings = LoadTimings(
            queued: .zero, firstByte: .microseconds(1250), transferred: .microseconds(41_340), decoded: .seconds(2))
        #expect("\(timings)" == "queued 0.0 ms, first byte 1.3 ms, transferred 41.3 ms, decoded 2000.0 ms")
    }

    /// Such a time used to end the process.
    @Test func `the description of an endless time is limited`() {
        let timings = LoadTimings(queued: .zero, transferred: .seconds(Int.max), decoded: .seconds(Int.min))
        #expect("\(timings)" == "queued 0.0 ms, transferred 100000000000000.0 ms, decoded 0.0 ms")
    }

    @Test func `data of the program has neither a connection nor a head`() async throws {
        let source = ImageSource.bytes(TestImage(1).bytes, identity: "a")
        let timings = try #require(try await pipeline().image(for: source).info.timings)
        #expect(timings.connected == nil)
        #expect(timings.firstByte == nil)
    }

    @Test func `libcurl measures a new connection and none for an open one`() async throws {
        let origin = try RawOrigin()
        let transport = CurlTransport(.direct)
        origin.respond(to: "/a", with: .ok("image"))
        let new = try await transport.load(try origin.address("/a"))
        let age = try #require(new.head?.timeSinceConnected)
        #expect(age >= .zero && age < .seconds(60))
        let reused = try await transport.load(try origin.address("/a"))
        #expect(origin.connectionCount == 1)
        #expect(reused.isSuccess && reused.head?.timeSinceConnected == nil)
    }
}
