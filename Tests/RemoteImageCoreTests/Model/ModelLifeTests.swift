import HTTPTypes
import Observation
import RemoteImage
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// What actions and options change in a model, and what they leave alone.
@MainActor
@Suite(.timeLimit(.minutes(5)), .endsInTime)
struct ModelLifeTests {
    private let transport = FakeTransport()
    private let clock = TestClock()

    private func pipeline(
        _ decoder: any ImageDecoder = FakeDecoder(), memoryCache: (any ImageCache)? = MemoryCache(),
        retryPolicy: RetryPolicy = .never
    ) -> ImagePipeline {
        .test(transport, decoder: decoder, memoryCache: memoryCache) {
            $0.clock = clock
            $0.retryPolicy = retryPolicy
        }
    }

    /// A model that shows the image with the content 1.
    private func loadedModel(
        in pipeline: ImagePipeline? = nil, options: ImageOptions = ImageOptions()
    ) async throws -> NetworkImageModel {
        let model = NetworkImageModel("http://test/a", pipeline: pipeline ?? self.pipeline(), options: options)
        model.load()
        try await transport.started(count: 1).succeed(TestImage(1).bytes)
        #expect(await model.reached(.success)?.image?.content == 1)
        return model
    }

    // MARK: Whether a new source is loaded

    nonisolated private static let actions:
        [(String, LoadOptions, Bool, @MainActor @Sendable (NetworkImageModel) -> Void)] = [
            ("nothing", [], false, { _ in }),
            ("load", [], true, { $0.load() }),
            ("reload", [], true, { $0.reload() }),
            ("retry", [], false, { $0.retry() }),
            ("refine", [], false, { $0.refine() }),
            ("appear", [.loadOnAppear], true, { $0.appear() }),
            ("appear without loading", [], false, { $0.appear() }),
            ("prepare", [.loadOnAppear], false, { $0.prepareToAppear() }),
            (
                "load, cancel", [], false,
                {
                    $0.load(); $0.cancel()
                }
            ),
            (
                "load, reset", [], false,
                {
                    $0.load(); $0.reset()
                }
            ),
            (
                "cancel, reload", [], true,
                {
                    $0.cancel(); $0.reload()
                }
            ),
            (
                "reload, disappear", [], true,
                {
                    $0.reload(); $0.disappear()
                }
            ),
            (
                "reload, disappear, cancelling", [.cancelOnDisappear], false,
                {
                    $0.reload(); $0.disappear()
                }
            ),
            (
                "prepare, disappear", [.loadOnAppear], false,
                {
                    $0.prepareToAppear(); $0.disappear()
                }
            ),
            ("nothing but immediately", [.loadImmediately], true, { $0.cancel() }),
        ]

    @Test(arguments: actions.indices)
    func `a new source is loaded if the image is wanted`(index: Int) {
        let (name, loadOptions, isWanted, action) = Self.actions[index]
        let model = NetworkImageModel(
            "http://test/a", pipeline: pipeline(), options: ImageOptions(loadOptions: loadOptions))
        action(model)
        model.source = "http://test/b"
        #expect(model.isLoading == isWanted, "after \(name)")
        #expect(model.phase.kind == (isWanted ? .loading : .empty), "after \(name)")
    }

    @Test func `a retry after a cancellation makes the image wanted again`() async throws {
        let model = NetworkImageModel("http://test/a", pipeline: pipeline())
        model.load()
        try await transport.started(count: 1).fail(ImageError(.tls))
        #expect(await model.reached(.failure) != nil)
        model.cancel()
        #expect(model.phase.kind == .failure)
        model.retry()
        #expect(model.isLoading)
        model.source = "http://test/b"
        #expect(model.isLoading)
    }

    @Test func `a view that disappears without a load no longer wants its image`() async throws {
        let model = try await loadedModel(options: ImageOptions(loadOptions: [.loadOnAppear]))
        model.disappear()
        #expect(model.image?.content == 1)
        model.source = "http://test/b"
        #expect(model.phase.kind == .empty)
        model.appear()
        #expect(model.isLoading)
    }

    // MARK: Appearances

    @Test func `a view is prepared if it loads when it appears and shows nothing yet`() async throws {
        let pipeline = pipeline()
        let still = NetworkImageModel(
            "http://test/a", pipeline: pipeline, options: ImageOptions(loadOptions: [.lowerPriorityOnDisappear]))
        let empty = NetworkImageModel(nil, pipeline: pipeline)
        for model in [still, empty] {
            model.prepareToAppear()
            model.prepareFromMemory()
            model.appear()
            #expect(model.phase.kind == .empty)
        }
        let model = NetworkImageModel("http://test/a", pipeline: pipeline)
        let recorder = PhaseRecorder(model)
        model.prepareFromMemory()
        #expect(model.phase.kind == .empty, "it is not in memory")
        model.prepareToAppear()
        model.prepareToAppear()
        #expect(recorder.kinds == [.loading])
        model.appear()
        model.prepareToAppear()
        #expect(recorder.kinds == [.loading, .loading])
        try await transport.started(count: 1).fail(ImageError(.tls))
        #expect(await model.reached(.failure) != nil)
        model.prepareToAppear()
        #expect(model.isLoading)
        model.cancel()
        #expect(model.phase.kind == .empty)
        model.load()
        try await transport.started(count: 2).succeed(TestImage(5).bytes)
        #expect(await model.reached(.success)?.image?.content == 5)
        let count = recorder.kinds.count
        model.prepareToAppear()
        model.prepareFromMemory()
        #expect(recorder.kinds.count == count, "the image is shown")
        let other = NetworkImageModel("http://test/a", pipeline: pipeline)
        other.prepareFromMemory()
        #expect(other.image?.content == 5)
    }

    @Test func `an image of other options is the preview of a prepared view`() async throws {
        let model = try await loadedModel(in: pipeline(memoryCache: nil))
        model.disappear()
        model.options.maxPixelSize = 4
        #expect(model.image?.content == 1)
        model.prepareToAppear()
        #expect(model.preview?.content == 1)
        model.appear()
        #expect(model.preview?.content == 1)
        try await transport.started(count: 2).succeed(TestImage(2).bytes)
        #expect(await model.reached(.success)?.image?.content == 2)
    }

    // MARK: Options

    nonisolated private static let changes: [(String, Bool, @MainActor @Sendable (inout ImageOptions) -> Void)] = [
        ("headers", true, { $0.headers[.acceptLanguage] = "de" }),
        ("hook", true, { $0.requestHook = RequestHook("signed") { _ in } }),
        ("size", true, { $0.maxPixelSize = 5 }),
        ("processor", true, { $0.processors = [ImageProcessor(identity: "own") { $0 }] }),
        ("account", true, { $0.authorization = AuthorizationProvider(account: "a", origins: []) { _ in nil } }),
        ("delay", false, { $0.delay = .seconds(1) }),
        ("expiry", false, { $0.expiry = .seconds(1) }),
        ("policy", false, { $0.cachePolicy = .reload }),
        ("timeout", false, { $0.timeout = .seconds(1) }),
        ("priority", false, { $0.priority = .high }),
        ("hash", false, { $0.previewHash = .thumbHash("FfYC9Kh4jD+Ah4h3d5ePePiIiA==") }),
        ("animation", false, { $0.playsAnimation = false }),
        ("load options", false, { $0.loadOptions = [.loadImmediately] }),
    ]

    @Test(arguments: changes.indices)
    func `options that make another image load it`(index: Int) async throws {
        let (name, isOther, change) = Self.changes[index]
        let model = try await loadedModel(in: pipeline(memoryCache: nil))
        let recorder = PhaseRecorder(model)
        var options = ImageOptions()
        change(&options)
        model.options = options
        #expect(recorder.kinds == (isOther ? [.loading] : []), "\(name)")
        #expect(model.image?.content == (isOther ? nil : 1), "\(name)")
        let count = recorder.kinds.count
        model.options = options
        #expect(recorder.kinds.count == count, "equal options")
    }

    @Test func `an animation stops and plays again as the options say`() async throws {
        let model = NetworkImageModel(
            "http://test/a", pipeline: pipeline(GIFDecoder()), options: ImageOptions(playsAnimation: false))
        model.load()
        try await transport.started(count: 1).succeed(SampleImage.animatedGIF)
        let image = await model.reached(.success)?.image
        #expect(image?.animation == nil)
        #expect(image?.info.frameCount == 3)
        let recorder = PhaseRecorder(model)
        for isPlaying in [true, false, true, false] {
            model.options.playsAnimation = isPlaying
            #expect((model.image?.animation != nil) == isPlaying)
        }
        #expect(recorder.kinds == [.success, .success, .success, .success])
        model.cancel()
        model.options.playsAnimation = true
        #expect(model.image?.animation == nil, "nothing is loaded")
        #expect(recorder.kinds.count == 4)
        model.load()
        #expect(model.image?.animation != nil)
        #expect(transport.transfers.count == 1)
    }

    @Test func `a still image is not loaded again for an animation`() async throws {
        let model = try await loadedModel(
            in: pipeline(memoryCache: nil), options: ImageOptions(playsAnimation: false))
        let recorder = PhaseRecorder(model)
        model.options.playsAnimation = true
        #expect(!model.isRefining)
        model.load()
        #expect(recorder.kinds.isEmpty, "it is complete")
    }

    @Test func `a changed scale is shown once, with the same completeness`() async throws {
        let model = try await loadedModel(in: pipeline(memoryCache: nil))
        let recorder = PhaseRecorder(model)
        for _ in 0..<2 { model.scale = 2 }
        #expect(recorder.phases.map { $0.image?.scale } == [2])
        model.load()
        #expect(recorder.kinds == [.success], "the image is still complete")
        #expect(model.image?.content == 1)
    }

    @Test func `a load waits for the delay of its options, and a cancelled one does not start`() async throws {
        let model = NetworkImageModel(
            "http://test/a", pipeline: pipeline(memoryCache: nil), options: ImageOptions(delay: .seconds(2)))
        model.load()
        #expect(model.isLoading)
        #expect(clock.nextDelay == .seconds(2))
        await LoadQueue.shared.settled()
        #expect(transport.transfers.isEmpty)
        model.cancel()
        clock.advance(by: .seconds(2))
        await LoadQueue.shared.settled()
        #expect(transport.transfers.isEmpty)
        model.load()
        clock.advance(by: .seconds(2))
        try await transport.started(count: 1).succeed(TestImage(3).bytes)
        #expect(await model.reached(.success)?.image?.content == 3)
        model.reload()
        #expect(clock.nextDelay == .seconds(2))
    }

    // MARK: Progress and errors

    @Test func `a failed refresh is an error until the next one begins`() async throws {
        let model = try await loadedModel()
        #expect(model.refreshError == nil)
        model.reload()
        try await transport.started(count: 2).succeed([], status: 500)
        try await waitUntil("the end of the reload") { !model.isLoading }
        #expect(model.refreshError == .httpStatus(500))
        #expect(model.image?.content == 1)
        #expect(model.error == nil)
        model.reload()
        #expect(model.refreshError == nil)
        model.cancel()
        #expect(model.refreshError == nil)
        #expect(model.image?.content == 1)
    }

    @Test func `an observer of a phase sees the progress and the error that belong to it`() async throws {
        let model = NetworkImageModel("http://test/a", pipeline: pipeline())
        let seen = Lock<[String]>([])
        let observation = model.observePhase { [unowned model] _, phase in
            let (byteCount, error) = (model.progress.completedByteCount, model.refreshError?.code.rawValue ?? "-")
            seen.withLock { $0.append("\(phase.kind) \(byteCount) \(error)") }
        }
        model.load()
        let first = try await transport.started(count: 1)
        first.respond(expected: 500)
        first.send([1, 2])
        try await waitUntil("the progress") { model.progress.completedByteCount == 2 }
        first.fail(ImageError(.tls))
        #expect(await model.reached(.failure) != nil)
        #expect(seen.withLock { $0 } == ["loading 0 -", "loading 2 -", "failure 2 tls"])
        seen.withLock { $0 = [] }
        model.retry()
        #expect(seen.withLock { $0 } == ["loading 0 -"])
        try await transport.started(count: 2).succeed(TestImage(1).bytes)
        #expect(await model.reached(.success) != nil)
        #expect(seen.withLock { $0.last } == "success \(TestImage(1).bytes.count) -")
        seen.withLock { $0 = [] }
        model.reload()
        try await transport.started(count: 3).succeed([], status: 500)
        try await waitUntil("the end of the reload") { !model.isLoading }
        #expect(seen.withLock { $0 } == ["loading 0 -", "success 0 \(ImageError.httpStatus(500).code.rawValue)"])
        withExtendedLifetime(observation) {}
    }

    @Test func `a priority that the program has set stays until the options have another one`() {
        let model = NetworkImageModel("http://test/a", pipeline: pipeline(), options: ImageOptions(priority: .low))
        #expect(model.priority == .low)
        model.priority = .high
        model.options = ImageOptions(priority: .low, timeout: .seconds(3))
        #expect(model.priority == .high)
        model.options = ImageOptions(priority: .veryLow)
        #expect(model.priority == .veryLow)
        model.options = ImageOptions()
        #expect(model.priority == .normal)
    }

    @Test func `progress that waits for the main actor is delivered once, with its last value`() async throws {
        let model = NetworkImageModel("http://test/a", pipeline: pipeline())
        let recorder = PhaseRecorder(model)
        model.load()
        let transfer = try await transport.started(count: 1)
        transfer.respond(expected: 10)
        for byte in TestImage().bytes.prefix(3) { transfer.send([byte]) }
        let expected = LoadProgress(completedByteCount: 3, totalByteCount: 10)
        try await waitUntil("the progress") { model.progress == expected }
        transfer.send([1])
        let more = LoadProgress(completedByteCount: 4, totalByteCount: 10)
        try await waitUntil("more progress") { model.progress == more }
        let all = recorder.phases.compactMap { phase -> LoadProgress? in
            if case .loading(let state) = phase { state.progress } else { nil }
        }
        #expect(all == [LoadProgress(), expected, more])
        model.reset()
        #expect(model.progress == LoadProgress())
    }

    @Test func `a retry begins with no progress`() async throws {
        let model = NetworkImageModel(
            "http://test/a",
            pipeline: pipeline(retryPolicy: .standard(maxRetryCount: 1, baseDelay: .seconds(3), jitter: 0)))
        model.load()
        let transfer = try await transport.started(count: 1)
        transfer.respond(expected: 10)
        transfer.send([1, 2])
        try await waitUntil("the progress") { model.progress.completedByteCount == 2 }
        transfer.fail(ImageError(.connection))
        try await waitUntil("the second attempt") {
            if case .loading(let state) = model.phase { state.attempt == 2 } else { false }
        }
        #expect(model.progress == LoadProgress())
        clock.advance(by: .seconds(3))
        try await transport.started(count: 2).succeed(TestImage(2).bytes)
        #expect(await model.reached(.success)?.image?.content == 2)
    }
}
