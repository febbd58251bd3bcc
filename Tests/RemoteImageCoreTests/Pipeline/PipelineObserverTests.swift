import Logging
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// The steps of a request, as the pipeline reports them to observers.
@Suite(.timeLimit(.minutes(2)), .endsInTime)
struct PipelineObserverTests {
    private final class Recorder: Sendable {
        let events = Watched<[String]>([])

        func receive(_ event: PipelineEvent) {
            let step =
                switch event.step {
                case .requested: "requested"
                case .foundInMemory: "in memory"
                case .fetching(let attempt): "fetching \(attempt)"
                case .cache(let result): "cache \(result)"
                case .responded(let status): "status \(status)"
                case .fetched(let byteCount): "fetched \(byteCount)"
                case .retrying: "retrying"
                case .decoding(let format, let decoder): "decoding \(format) \(decoder)"
                case .processing: "processing"
                case .finished(.success(let info)): "finished from \(info.origin)"
                case .finished(.failure(let error)): "failed: \(error.code.rawValue)"
                case .appeared, .disappeared: "of a widget"
                }
            events.update { $0.append("\(event.time / .seconds(1)) \(step) \(event.source)") }
        }
    }

    let transport = FakeTransport()
    let clock = TestClock()
    private let recorder = Recorder()

    private func pipeline(logger: Logger? = nil) -> ImagePipeline {
        .test(transport) { configuration in
            configuration.clock = clock
            configuration.observers = [recorder.receive]
            configuration.logger = logger
        }
    }

    @Test func `each step is reported with its time and without a password`() async throws {
        let pipeline = pipeline()
        var options = ImageOptions()
        options.processors = [.grayscale]
        let request = ImageRequest("http://me:secret@test/a", options: options)
        let bytes = TestImage(1).bytes
        let image = PendingImage(request, in: pipeline)
        let transfer = try await transport.started(count: 1)
        clock.advance(by: .seconds(1))
        transfer.respond()
        clock.advance(by: .seconds(2))
        transfer.send(bytes)
        transfer.finish()
        _ = try await image.image
        let source = "http://test/a"
        let steps = [
            "0.0 requested", "0.0 fetching 1", "0.0 cache disabled", "1.0 status 200", "3.0 fetched \(bytes.count)",
            "3.0 decoding png FakeDecoder", "3.0 processing", "3.0 finished from network",
        ]
        try await recorder.events.wait { $0.count == steps.count }
        #expect(recorder.events.value == steps.map { "\($0) \(source)" })
    }

    @Test func `memory hits and failures are reported`() async throws {
        let pipeline = pipeline()
        let request = ImageRequest("http://test/a")
        let first = PendingImage(request, in: pipeline)
        try await transport.started(count: 1).succeed(TestImage(1).bytes)
        _ = try await first.image
        recorder.events.update { $0 = [] }
        _ = try await pipeline.image(for: request)
        #expect(
            recorder.events.value
                == ["requested", "in memory", "finished from memory"].map { "0.0 \($0) http://test/a" })
        recorder.events.update { $0 = [] }
        await #expect(throws: ImageError.self) { try await pipeline.image(for: "nonsense") }
        #expect(recorder.events.value == ["0.0 requested nonsense", "0.0 failed: invalidURL nonsense"])
    }

    @Test func `an error of a visible image and of a prefetched one are told apart`() async throws {
        let failed = Watched<[String]>([])
        let pipeline = ImagePipeline.test(transport) { configuration in
            configuration.observers = [
                { event in
                    guard case .finished(.failure(let error)) = event.step, let request = event.request else { return }
                    failed.update { $0.append("\(request.source.identity) \(error.code) \(event.isVisible)") }
                }
            ]
        }
        let task = pipeline.start(ImageRequest("http://test/a"), isVisible: true)
        try await transport.started(count: 1).fail(ImageError(.connection))
        await #expect(throws: ImageError.self) { try await task.image }
        let prefetcher = ImagePrefetcher(pipeline: pipeline)
        prefetcher.start(["http://test/b"])
        try await transport.started(count: 2).fail(ImageError(.connection))
        try await failed.wait { $0.count == 2 }
        #expect(failed.value == ["http://test/a connection true", "http://test/b connection false"])
    }

    /// Records what a pipeline's receiver of failures gets.
    private func failures(of pipeline: ImagePipeline) -> Watched<[String]> {
        let failures = Watched<[String]>([])
        pipeline.observers.receiveFailures { source, isVisible, error in
            failures.update { $0.append("\(source) \(error.code) \(isVisible)") }
        }
        return failures
    }

    @Test func `a pipeline in use gets a receiver of failures, but not of other ends`() async throws {
        let pipeline = ImagePipeline.test(transport)
        let image = PendingImage(ImageRequest("http://test/a"), in: pipeline)
        try await transport.started(count: 1).succeed(TestImage(1).bytes)
        _ = try await image.image
        let failures = failures(of: pipeline)
        _ = try await pipeline.image(for: "http://test/a")
        let cancelled = pipeline.start(ImageRequest("http://test/b"))
        _ = try await transport.started(count: 2)
        cancelled.cancel()
        let task = pipeline.start(
            ImageRequest(.fallbacks(["http://me:secret@test/c", "nonsense"])), isVisible: true)
        try await transport.started(count: 3).fail(ImageError(.connection))
        await #expect(throws: ImageError.self) { try await task.image }
        // The first source, and the error of the last.
        #expect(failures.value == ["http://test/c invalidURL true"])
    }

    @Test @MainActor func `the first look of a view that shows stored images is no failure`() async throws {
        let pipeline = ImagePipeline.test(transport)
        let failures = failures(of: pipeline)
        let model = NetworkImageModel(
            "http://test/a", pipeline: pipeline, options: ImageOptions(cachePolicy: .staleWhileRevalidate))
        model.load()
        try await transport.started(count: 1).fail(ImageError(.connection))
        try await failures.wait { !$0.isEmpty }
        #expect(failures.value == ["http://test/a connection false"])
    }

    /// The first look of a view used to report nothing.
    @Test @MainActor func `an image that a view finds in memory is reported once`() async throws {
        let pipeline = pipeline()
        let request = ImageRequest("http://test/a")
        let first = PendingImage(request, in: pipeline)
        try await transport.started(count: 1).succeed(TestImage(1).bytes)
        _ = try await first.image
        let looks: [@MainActor (NetworkImageModel) -> Void] = [{ $0.load() }, { $0.prepareFromMemory() }]
        for look in looks {
            recorder.events.update { $0 = [] }
            let model = NetworkImageModel(request.source, pipeline: pipeline)
            look(model)
            model.appear()
            #expect(model.image != nil)
            #expect(
                recorder.events.value
                    == ["requested", "in memory", "finished from memory"].map { "0.0 \($0) http://test/a" })
        }
    }

    /// Steps of work that requests share have no request and are not visible.
    @Test(arguments: [true, false])
    func `the steps of a request tell whether its image is visible`(isVisible: Bool) async throws {
        let steps = Watched<[String]>([])
        let pipeline = ImagePipeline.test(transport) { configuration in
            configuration.observers = [
                { event in
                    let name = String("\(event.step)".prefix { $0 != "(" })
                    steps.update { $0.append("\(name) \(event.request?.source.identity ?? "-") \(event.isVisible)") }
                }
            ]
        }
        let request = ImageRequest("http://test/a")
        let first = PendingImage(request, in: pipeline, isVisible: isVisible)
        try await transport.started(count: 1).succeed(TestImage(1).bytes)
        _ = try await first.image
        let shared = ["fetching", "cache", "responded", "fetched", "decoding"].map { "\($0) - false" }
        let (start, end) = ("requested http://test/a \(isVisible)", "finished http://test/a \(isVisible)")
        #expect(steps.value == [start] + shared + [end])
        steps.update { $0 = [] }
        _ = try await PendingImage(request, in: pipeline, isVisible: isVisible).image
        #expect(steps.value == [start, "foundInMemory http://test/a \(isVisible)", end])
    }

    @Test @MainActor func `an image that a view finds in memory is as visible as the view`() async throws {
        let visible = Watched<[Bool]>([])
        let pipeline = ImagePipeline.test(transport) { configuration in
            configuration.observers = [{ event in visible.update { $0.append(event.isVisible) } }]
        }
        let first = PendingImage(ImageRequest("http://test/a"), in: pipeline)
        try await transport.started(count: 1).succeed(TestImage(1).bytes)
        _ = try await first.image
        let looks: [(isVisible: Bool, look: @MainActor (NetworkImageModel) -> Void)] = [
            (false, { $0.load() }), (true, { $0.appear() }), (false, { $0.appear(in: nil) }),
            (false, { $0.prepareFromMemory() }),
            (
                true,
                {
                    $0.screenBatch = ScreenBatch()
                    $0.prepareFromMemory()
                }
            ),
        ]
        for (index, (isVisible, look)) in looks.enumerated() {
            visible.update { $0 = [] }
            let model = NetworkImageModel("http://test/a", pipeline: pipeline)
            look(model)
            #expect(model.image?.content == 1)
            #expect(visible.value == [isVisible, isVisible, isVisible], "look \(index)")
        }
    }

    @Test func `failures are logged as notices, and the steps before them as traces`() async throws {
        let lines = Watched<[LineHandler.Line]>([])
        let logger = Logger(label: "test") { _ in LineHandler(lines: lines) }
        let image = PendingImage(ImageRequest("http://test/a"), in: pipeline(logger: logger))
        try await transport.started(count: 1).fail(ImageError(.connection, "gone\nforged"))
        await #expect(throws: ImageError.self) { try await image.image }
        try await lines.wait { $0.contains { $0.level == .notice } }
        #expect(lines.value.filter { $0.level == .notice }.count == 1)
        #expect(!lines.value.contains { $0.text.contains("\n") })
        #expect(lines.value.filter { $0.level == .trace }.map(\.text).prefix(2) == ["requested", "loading"])
    }
}
