import HTTPTypes
import Logging
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// The lines of the logger, which are also those of `REMOTE_IMAGE_DEBUG=1`.
@Suite(.timeLimit(.minutes(2)), .endsInTime)
struct PipelineLogTests {
    private let log = Watched<[LineHandler.Line]>([])
    private let store = DictionaryStore()
    private let cacheable: HTTPFields = [.cacheControl: "max-age=60"]
    private let image = TestImage(1).bytes

    /// A pipeline without a memory cache whose server gives these answers, in order.
    private func pipeline(
        _ answers: FakeAnswer..., configure: (inout ImagePipeline.Configuration) -> Void = { _ in }
    ) -> ImagePipeline {
        let remaining = Lock(answers)
        let transport = FakeTransport { _ in remaining.withLock { $0.removeFirst() } }
        return .test(transport, memoryCache: nil) { configuration in
            configuration.clock = TestClock()
            configuration.responseStore = store
            configuration.logger = Logger(label: "test") { [log] _ in LineHandler(lines: log) }
            configure(&configuration)
        }
    }

    /// The lines of one load, from the cache's part in it to its end.
    private func lines(
        from pipeline: ImagePipeline, _ source: ImageSource = "http://test/a", policy: CachePolicy = .http
    ) async -> [String] {
        await pipeline.finishWriting()
        log.update { $0 = [] }
        var options = ImageOptions()
        options.cachePolicy = policy
        _ = try? await pipeline.image(for: ImageRequest(source, options: options))
        let lines = log.value.map(\.text)
        #expect(lines.prefix(2) == ["requested", "loading"])
        let end = lines.firstIndex { $0.hasPrefix("finished") || $0.hasPrefix("failed") }
        return Array(lines[..<(end.map { $0 + 1 } ?? lines.endIndex)].dropFirst(2))
    }

    /// The lines after the data of ``image`` was found.
    private func ending(from origin: ImageOrigin) -> [String] {
        [
            "loaded \(image.count) bytes", "decoding png with FakeDecoder",
            "finished, 8 × 6, origin: \(origin), decoder: FakeDecoder",
        ]
    }

    @Test func `a miss is followed by the status of the server`() async {
        let pipeline = pipeline(.ok(image, headers: cacheable))
        #expect(await lines(from: pipeline) == ["cache: miss", "server: status 200"] + ending(from: .network))
    }

    /// Its stored status was printed like that of a server.
    @Test func `a fresh stored response has no status of a server`() async {
        let pipeline = pipeline(.ok(image, headers: cacheable))
        _ = await lines(from: pipeline)
        #expect(await lines(from: pipeline) == ["cache: fresh"] + ending(from: .disk))
    }

    @Test func `a validated response was confirmed with status 304`() async {
        let pipeline = pipeline(
            .ok(image, headers: [.eTag: "\"1\"", .cacheControl: "no-cache"]), .status(304, headers: [.eTag: "\"1\""]))
        _ = await lines(from: pipeline)
        #expect(
            await lines(from: pipeline)
                == ["cache: validating", "cache: validated, status 304"] + ending(from: .revalidated))
    }

    @Test func `a validated response may be replaced`() async {
        let answer = FakeAnswer.ok(image, headers: [.eTag: "\"1\"", .cacheControl: "no-cache"])
        let pipeline = pipeline(answer, answer)
        _ = await lines(from: pipeline)
        #expect(await lines(from: pipeline) == ["cache: validating", "server: status 200"] + ending(from: .network))
    }

    @Test func `an expired response without a validator is requested again`() async {
        let answer = FakeAnswer.ok(image, headers: [.cacheControl: "max-age=0"])
        let pipeline = pipeline(answer, answer)
        _ = await lines(from: pipeline)
        #expect(
            await lines(from: pipeline) == ["cache: expired, loaded again", "server: status 200"]
                + ending(from: .network))
    }

    @Test func `a response that has reached the expiry of the program is requested again`() async {
        let answer = FakeAnswer.ok(image, headers: [.eTag: "\"1\"", .cacheControl: "max-age=60"])
        let pipeline = pipeline(answer, answer) { $0.options.expiry = .zero }
        _ = await lines(from: pipeline, policy: .cacheElseLoad)
        #expect(
            await lines(from: pipeline, policy: .cacheElseLoad) == [
                "cache: expired, loaded again", "server: status 200",
            ]
                + ending(from: .network))
    }

    @Test func `a stale response that is used at once is validated in the background`() async {
        let tag: HTTPFields = [.eTag: "\"1\"", .cacheControl: "max-age=0, stale-while-revalidate=60"]
        let pipeline = pipeline(.ok(image, headers: tag), .status(304, headers: tag))
        _ = await lines(from: pipeline)
        #expect(
            await lines(from: pipeline).filter { $0 != "cache: validated, status 304" }
                == ["cache: stale, used and validated in the background"] + ending(from: .stale))
        await pipeline.finishWriting()
        #expect(log.value.contains { $0.text == "cache: validated, status 304" })
    }

    @Test func `a stale response is used under a policy that allows it`() async {
        let pipeline = pipeline(.ok(image, headers: [.cacheControl: "max-age=0"]))
        _ = await lines(from: pipeline)
        #expect(
            await lines(from: pipeline, policy: .cacheElseLoad) == ["cache: stale, used as the policy allows"]
                + ending(from: .stale))
    }

    @Test func `a stale response is used while the server cannot be reached`() async {
        let pipeline = pipeline(
            .ok(image, headers: [.eTag: "\"1\"", .cacheControl: "max-age=0"]), .failure(ImageError(.connection, "test"))
        )
        _ = await lines(from: pipeline)
        #expect(
            await lines(from: pipeline)
                == ["cache: validating", "cache: stale, used after an error: The server cannot be reached: test"]
                + ending(from: .stale))
    }

    @Test func `a stale response is used while the server has a problem`() async {
        let pipeline = pipeline(
            .ok(image, headers: [.eTag: "\"1\"", .cacheControl: "max-age=0, stale-if-error=60"]), .status(503))
        _ = await lines(from: pipeline)
        #expect(
            await lines(from: pipeline)
                == ["cache: validating", "cache: stale, used after an error: The server has a problem (503)"]
                + ending(from: .stale))
    }

    @Test func `an interrupted transfer is resumed after its stored part`() async throws {
        let transport = FakeTransport()
        let pipeline = ImagePipeline.test(transport, memoryCache: nil) { configuration in
            configuration.clock = TestClock()
            configuration.responseStore = store
            configuration.logger = Logger(label: "test") { [log] _ in LineHandler(lines: log) }
        }
        let image = image + [UInt8](repeating: 1, count: 200_000)
        let tag: HTTPFields = [.eTag: "\"1\"", .cacheControl: "max-age=60"]
        async let first = lines(from: pipeline)
        let transfer = try await transport.started(count: 1)
        transfer.respond(headers: tag, expected: image.count)
        transfer.send(Array(image.prefix(100_000)))
        transfer.fail(ImageError(.incomplete))
        #expect(
            await first == ["cache: miss", "server: status 200", "failed: The image was not received completely"])
        async let second = lines(from: pipeline)
        let rest = try await transport.started(count: 2)
        let range = "bytes 100000-\(image.count - 1)/\(image.count)"
        rest.succeed(
            Array(image.dropFirst(100_000)), status: 206, headers: tag + [.contentRange: range])
        #expect(
            await second.prefix(3)
                == ["cache: miss", "cache: resuming after 100000 stored bytes", "server: status 200"])
    }

    @Test func `a policy bypasses the cache`() async {
        let answer = FakeAnswer.ok(image, headers: cacheable)
        let pipeline = pipeline(answer, answer)
        _ = await lines(from: pipeline)
        #expect(
            await lines(from: pipeline, policy: .reload) == ["cache: bypassed by the policy", "server: status 200"]
                + ending(from: .network))
    }

    @Test func `a policy without requests finds nothing usable`() async {
        #expect(
            await lines(from: pipeline(), policy: .cacheOnly) == [
                "cache: nothing usable, and no request allowed",
                "failed: There is no stored copy of the image: http://test/a",
            ])
    }

    @Test func `a pipeline without a store has no disk cache`() async {
        let pipeline = pipeline(.ok(image)) { $0.responseStore = nil }
        #expect(await lines(from: pipeline) == ["cache: no disk cache", "server: status 200"] + ending(from: .network))
    }

    @Test func `an image in memory is not loaded`() async {
        let pipeline = pipeline(.ok(image, headers: cacheable)) { $0.memoryCache = MemoryCache() }
        _ = await lines(from: pipeline)
        log.update { $0 = [] }
        _ = try? await pipeline.image(for: "http://test/a")
        #expect(log.value.map(\.text) == ["requested", "found in memory", "finished, 8 × 6, origin: memory"])
    }

    @Test func `a missing image has the status 404`() async {
        #expect(
            await lines(from: pipeline(.status(404))) == [
                "cache: miss", "server: status 404", "failed: The image was not found (404)",
            ])
    }

    @Test func `a server that cannot be reached has no status`() async {
        let pipeline = pipeline(.failure(ImageError(.connection, "test: connection refused")))
        #expect(
            await lines(from: pipeline) == [
                "cache: miss", "failed: The server cannot be reached: test: connection refused",
            ])
    }

    @Test func `a damaged image fails in its decoder`() async {
        let pipeline = pipeline(.ok(TestImage(0).bytes))
        #expect(
            await lines(from: pipeline).suffix(2) == [
                "decoding png with FakeDecoder", "failed: The image is damaged: no content",
            ])
    }

    // MARK: Levels and sources

    /// The lines of a pipeline whose transfers the test answers, as level and text.
    private func levels(_ lines: [LineHandler.Line]) -> [String] { lines.map { "\($0.level) \($0.text)" } }

    private func pipeline(
        _ transport: FakeTransport, _ clock: TestClock, retryPolicy: RetryPolicy,
        network: NetworkConditions = NetworkConditions()
    ) -> ImagePipeline {
        .test(transport) { configuration in
            configuration.clock = clock
            configuration.retryPolicy = retryPolicy
            configuration.network = network
            configuration.logger = Logger(label: "test") { [log] _ in LineHandler(lines: log) }
        }
    }

    @Test func `a retry has the level info, a success debug and every other step trace`() async throws {
        let (transport, clock) = (FakeTransport(), TestClock())
        let pipeline = pipeline(
            transport, clock, retryPolicy: .standard(maxRetryCount: 1, baseDelay: .milliseconds(2500), jitter: 0))
        let request = ImageRequest("http://test/a", options: ImageOptions(processors: [.grayscale]))
        let pending = PendingImage(request, in: pipeline)
        try await transport.started(count: 1).fail(ImageError(.connection, "gone"))
        clock.advance(by: .seconds(3))
        try await transport.started(count: 2).succeed(image)
        _ = try await pending.image
        #expect(
            levels(log.value) == [
                "trace requested", "trace loading", "trace cache: no disk cache",
                "info failed, tries again in 2500 ms: The server cannot be reached: gone", "trace loading, try 2",
                "trace cache: no disk cache", "trace server: status 200", "trace loaded \(image.count) bytes",
                "trace decoding png with FakeDecoder", "trace processing grayscale",
                "debug finished, 8 × 6, origin: network, decoder: FakeDecoder",
            ])
    }

    /// The line of such a delay used to end the process.
    @Test(arguments: [(Duration.seconds(Int.max), "1000000000000000"), (Duration.seconds(Int.min), "0")])
    func `a retry policy may return any delay`(delay: Duration, milliseconds: String) async throws {
        let (transport, clock) = (FakeTransport(), TestClock())
        let policy = RetryPolicy(identity: "test") { failure in failure.attempt == 1 ? .retry(after: delay) : .giveUp }
        let pipeline = pipeline(transport, clock, retryPolicy: policy)
        let pending = PendingImage(ImageRequest("http://test/a"), in: pipeline)
        try await transport.started(count: 1).fail(ImageError(.connection, "gone"))
        #expect(
            levels(log.value).contains(
                "info failed, tries again in \(milliseconds) ms: The server cannot be reached: gone"))
        pending.task?.cancel()
        await #expect(throws: ImageError.cancelled) { try await pending.image }
    }

    @Test func `a retry without a network and a cancellation are no notices`() async throws {
        let (transport, clock, network) = (FakeTransport(), TestClock(), NetworkConditions())
        network.isConnected = false
        let pipeline = pipeline(
            transport, clock, retryPolicy: .standard(waitsForConnectivity: true), network: network)
        let pending = PendingImage(ImageRequest("http://test/a"), in: pipeline)
        try await transport.started(count: 1).fail(ImageError(.connection, "gone"))
        #expect(
            levels(log.value).last
                == "info failed, tries again when connected: The server cannot be reached: gone")
        log.update { $0 = [] }
        pending.task?.cancel()
        await #expect(throws: ImageError.cancelled) { try await pending.image }
        #expect(log.value.map(\.level) == [.debug])
        #expect(log.value.first?.text.hasPrefix("failed: ") == true)
    }

    @Test func `a line has its source, printable and with at most 200 characters`() async {
        let pipeline = pipeline(.ok(image))
        for (identity, source) in [
            ("a\u{1B}b", "a\u{FFFD}b"), (String(repeating: "x", count: 200), String(repeating: "x", count: 200)),
            ("y" + String(repeating: "x", count: 200), "y" + String(repeating: "x", count: 199)),
        ] {
            log.update { $0 = [] }
            _ = try? await pipeline.image(for: ImageRequest(.bytes(image, identity: identity)))
            #expect(Set(log.value.map(\.source)) == [source])
        }
    }

    @Test func `a widget that appears or disappears has a line`() {
        let pipeline = pipeline()
        pipeline.observers.report(.appeared(width: 30, height: 4), of: "http://test/a")
        pipeline.observers.report(.disappeared, of: "http://test/a")
        #expect(
            levels(log.value) == ["trace widget visible, 30 × 4 points", "trace widget not visible any more"])
    }

    @Test func `a stored resized image is named as the decoder`() async throws {
        let fixture = try ResizedImageFixture()
        try await fixture.fill()
        let pipeline = fixture.pipeline { configuration in
            configuration.logger = Logger(label: "test") { [log] _ in LineHandler(lines: log) }
        }
        _ = try await pipeline.image(for: ResizedImageFixture.request())
        #expect(
            log.value.last { $0.text.hasPrefix("finished") }?.text
                == "finished, 100 × 75, origin: disk, decoder: a stored resized image")
    }

    @Test func `data that is not an image has no decoder`() async {
        let pipeline = pipeline(.ok(Array("<html></html>".utf8)))
        let lines = await lines(from: pipeline)
        #expect(!lines.contains { $0.hasPrefix("decoding") })
        #expect(lines.last?.hasPrefix("failed: ") == true)
    }
}

/// Collects the lines of all levels.
struct LineHandler: LogHandler {
    typealias Line = (level: Logger.Level, text: String, source: String?)

    let lines: Watched<[Line]>
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    init(lines: Watched<[Line]>) {
        self.lines = lines
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let source = event.metadata?["source"].map { "\($0)" }
        lines.update { $0.append((event.level, "\(event.message)", source)) }
    }
}
