import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// Models that appear and disappear, and results that their model no longer wants.
@MainActor
@Suite(.timeLimit(.minutes(5)), .endsInTime)
struct ModelTurnsTests {
    private let transport = FakeTransport()

    private func model(
        _ source: some ImageSourceConvertible, in pipeline: ImagePipeline, scale: Double = 1
    ) -> NetworkImageModel {
        var options = ImageOptions()
        options.loadOptions = [.loadOnAppear, .lowerPriorityOnDisappear]
        return NetworkImageModel(source, pipeline: pipeline, options: options, scale: scale)
    }

    /// A pipeline with one transfer at a time, and a request that occupies it.
    private func busyPipeline() -> (pipeline: ImagePipeline, running: PendingImage) {
        let pipeline = ImagePipeline.test(transport) { $0.maxConcurrentTransfers = 1 }
        return (pipeline, PendingImage(ImageRequest("http://test/running"), in: pipeline))
    }

    /// The first `count` requests in the order in which they were sent; each of them fails.
    private func served(_ count: Int) async throws -> [String] {
        await LoadQueue.shared.settled()
        for number in 1...count { try await transport.started(count: number).fail(ImageError(.connection)) }
        return transport.addresses.map { String($0.dropFirst("http://test/".count)) }
    }

    // MARK: Priority

    @Test func `a load goes last when its model disappears, and first when its model reappears`() async throws {
        let (pipeline, running) = busyPipeline()
        let hidden = model("http://test/hidden", in: pipeline)
        let back = model("http://test/back", in: pipeline)
        for model in [hidden, back] {
            model.appear()
            model.disappear()
        }
        var options = ImageOptions()
        options.priority = .low
        let low = PendingImage(ImageRequest("http://test/low", options: options), in: pipeline)
        back.appear()
        #expect(try await served(4) == ["running", "back", "low", "hidden"])
        withExtendedLifetime((running, low, hidden, back)) {}
    }

    @Test func `a priority change moves a waiting load and starts no other load`() async throws {
        let (pipeline, running) = busyPipeline()
        let models = ["a", "b"].map { model("http://test/\($0)", in: pipeline) }
        for model in models { model.load() }
        models[1].priority = .high
        models[0].options.priority = .low
        #expect(try await served(3) == ["running", "b", "a"])
        #expect(transport.transfers.count == 3)
        withExtendedLifetime((running, models)) {}
    }

    // MARK: Sharing

    @Test func `models with different scales share the transfer and the pixels`() async throws {
        let pipeline = ImagePipeline.test(transport)
        let models = [2.0, 3.0].map { model("http://test/a", in: pipeline, scale: $0) }
        for model in models { model.load() }
        try await transport.started(count: 1).succeed(TestImage().bytes)
        for model in models { #expect(await model.reached(.success) != nil) }
        #expect(models.map { $0.image?.scale } == [2, 3])
        #expect(models[0].image?.pixels === models[1].image?.pixels)
        #expect(transport.transfers.count == 1)
    }

    // MARK: Late results

    @Test func `a result that is on its way when the model is reset is dropped`() async throws {
        let model = model("http://test/a", in: .test(transport))
        let recorder = PhaseRecorder(model)
        model.load()
        try await transport.started(count: 1).succeed(TestImage(1).bytes)
        model.reset()
        model.source = "http://test/b"
        #expect(model.phase.kind == .empty, "nothing is wanted after a reset")
        model.load()
        try await transport.started(count: 2).succeed(TestImage(2).bytes)
        #expect(await model.reached(.success) != nil)
        #expect(recorder.contents == [2])
    }

    @Test func `a failure of the previous source does not end the load of the next source`() async throws {
        let model = model("http://test/a", in: .test(transport))
        let recorder = PhaseRecorder(model)
        model.load()
        try await transport.started(count: 1).fail(ImageError(.connection))
        // The failure waits for the main actor, on which this test runs.
        model.source = "http://test/b"
        try await transport.started(count: 2).succeed(TestImage(2).bytes)
        #expect(await model.reached(.success)?.image?.content == 2)
        #expect(Set(recorder.kinds) == [.loading, .success])
        #expect(recorder.contents == [2])
    }

    @Test func `a load whose source was replaced makes no retry and tries no fallback`() async throws {
        let clock = TestClock()
        let pipeline = ImagePipeline.test(transport) {
            $0.clock = clock
            $0.retryPolicy = .standard()
        }
        let model = model(ImageSource.fallbacks(["http://test/a", "http://test/b"]), in: pipeline)
        model.load()
        try await transport.started(count: 1).fail(ImageError(.connection))
        #expect(clock.nextDelay != nil)
        model.source = "http://test/c"
        await LoadQueue.shared.settled()
        clock.advance(by: .seconds(60))
        try await transport.started(count: 2).succeed(TestImage(3).bytes)
        #expect(await model.reached(.success)?.image?.content == 3)
        #expect(transport.addresses == ["http://test/a", "http://test/c"])
    }

    @Test func `a hidden load keeps its priority unless the options lower it`() async throws {
        let (pipeline, running) = busyPipeline()
        let models = ["lowered", "kept"].map { model("http://test/\($0)", in: pipeline) }
        models[1].options.loadOptions = [.loadOnAppear]
        for model in models {
            model.appear()
            model.disappear()
        }
        let low = PendingImage(
            ImageRequest("http://test/low", options: ImageOptions(priority: .low)), in: pipeline)
        #expect(try await served(4) == ["running", "kept", "low", "lowered"])
        withExtendedLifetime((running, low, models)) {}
    }

    @Test func `a view that steps aside loads after visible views, at its own priority`() async throws {
        let (pipeline, running) = busyPipeline()
        let models = ["visible", "aside"].map { model("http://test/\($0)", in: pipeline) }
        for model in models { model.appear() }
        models[1].stepAside()
        let low = PendingImage(
            ImageRequest("http://test/low", options: ImageOptions(priority: .low)), in: pipeline)
        #expect(try await served(4) == ["running", "visible", "aside", "low"])
        withExtendedLifetime((running, low, models)) {}
    }

    @Test func `a view that is about to appear loads after visible views, until it appears`() async throws {
        let (pipeline, running) = busyPipeline()
        let models = ["soon", "visible", "shown"].map { model("http://test/\($0)", in: pipeline) }
        models[0].appear(in: nil)
        models[2].appear(in: nil)
        models[1].appear()
        models[2].appear(in: ScreenBatch())
        #expect(try await served(4) == ["running", "shown", "visible", "soon"])
        withExtendedLifetime((running, models)) {}
    }

    @Test func `views that appear together load in their order, before earlier ones`() async throws {
        let (pipeline, running) = busyPipeline()
        let models = ["old", "a", "b", "c"].map { model("http://test/\($0)", in: pipeline) }
        models[0].appear()
        let batch = ScreenBatch()
        for model in models.dropFirst() { model.appear(in: batch) }
        #expect(try await served(5) == ["running", "a", "b", "c", "old"])
        withExtendedLifetime((running, models)) {}
    }

    @Test func `a visible view joins a batch with its next source, and a hidden one does not`() async throws {
        let (pipeline, running) = busyPipeline()
        let models = ["a", "b", "c"].map { model("http://test/\($0)", in: pipeline) }
        for model in models { model.appear() }
        models[1].stepAside()
        models[2].disappear()
        let first = PendingImage(ImageRequest("http://test/first"), in: pipeline, isVisible: true)
        let batch = ScreenBatch()
        for (model, name) in zip(models, ["d", "e", "f"]) {
            model.join(batch)
            model.source = ImageSource("http://test/\(name)")
        }
        #expect(try await served(5) == ["running", "d", "first", "e", "f"])
        withExtendedLifetime((running, first, models)) {}
    }
}
