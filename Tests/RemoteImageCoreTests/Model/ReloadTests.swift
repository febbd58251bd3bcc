import HTTPTypes
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

private let address = "http://test/a.png"

/// A reload reaches all models that show the image, and a stored image may be shown while the
/// server is asked.
@MainActor
@Suite(.timeLimit(.minutes(5)), .endsInTime)
struct ReloadTests {
    let transport = FakeTransport()
    let clock = TestClock()
    let store: DiskCache
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        store = DiskCache(path: folder.path)
    }

    private func pipeline(memory: Bool = true) -> ImagePipeline {
        .test(transport, memoryCache: memory ? MemoryCache() : nil) { configuration in
            configuration.responseStore = store
            configuration.clock = clock
        }
    }

    private let fresh: HTTPFields = [.cacheControl: "max-age=60", .eTag: "\"1\""]

    /// A model that shows image 1, from the network or from memory.
    private func shown(in pipeline: ImagePipeline, isInMemory: Bool = false) async throws -> NetworkImageModel {
        let model = NetworkImageModel(address, pipeline: pipeline)
        model.load()
        if !isInMemory {
            try await transport.started(count: 1).succeed(TestImage(1).bytes, headers: fresh)
        }
        _ = await model.reached(.success)
        #expect(model.image?.content == 1)
        return model
    }

    private func reaches(_ model: NetworkImageModel, _ content: UInt8) async -> Bool {
        for await phase in model.phases where phase.image?.content == content { return true }
        return false
    }

    @Test func `a reload reaches every model that shows the image`() async throws {
        let pipeline = pipeline()
        let first = try await shown(in: pipeline)
        let second = try await shown(in: pipeline, isInMemory: true)
        let other = NetworkImageModel("http://test/b.png", pipeline: pipeline)
        first.reload()
        try await transport.started(count: 2).succeed(TestImage(2).bytes, headers: fresh)
        #expect(await reaches(first, 2))
        #expect(await reaches(second, 2))
        #expect(other.phase.kind == .empty)
        #expect(transport.transfers.count == 2)
    }

    @Test func `a request with the reload policy reaches the models that show the image`() async throws {
        let pipeline = pipeline()
        let model = try await shown(in: pipeline)
        var options = ImageOptions()
        options.cachePolicy = .reload
        let pending = PendingImage(ImageRequest(address, options: options), in: pipeline)
        try await transport.started(count: 2).succeed(TestImage(3).bytes, headers: fresh)
        _ = try await pending.image
        #expect(await reaches(model, 3))
    }

    @Test func `a processed image is made again from the reloaded image`() async throws {
        let pipeline = pipeline()
        let plain = try await shown(in: pipeline)
        var options = ImageOptions()
        options.processors = [.grayscale]
        let processed = NetworkImageModel(address, pipeline: pipeline, options: options)
        processed.load()
        _ = await processed.reached(.success)
        let old = processed.image
        plain.reload()
        try await transport.started(count: 2).succeed(TestImage(2).bytes, headers: [.eTag: "\"2\""])
        // The response of the reload may be stored by now, or not yet.
        let validation = try await transport.started(count: 3)
        let isStored = validation.request.headers[.ifNoneMatch] == "\"2\""
        validation.succeed(isStored ? [] : TestImage(2).bytes, status: isStored ? 304 : 200)
        for await phase in processed.phases {
            if let image = phase.image, let old, image.version != old.version { break }
        }
        #expect(transport.transfers.count == 3)
    }

    /// The refresh used to end with the image of the old options, which counted as complete.
    @Test func `an invisible model that is refreshed does not keep the image of old options`() async throws {
        let pipeline = pipeline()
        let plain = try await shown(in: pipeline)
        let processed = NetworkImageModel(
            address, pipeline: pipeline, options: ImageOptions(processors: [.grayscale]))
        processed.load()
        _ = await processed.reached(.success)
        processed.cancel()
        plain.reload()
        try await transport.started(count: 2).succeed(TestImage(2).bytes, headers: fresh)
        let refresh = try await transport.started(count: 3)
        processed.options = ImageOptions(processors: [.circle()])
        try await refresh.cancelled()
        #expect(processed.phase.kind == .success, "the image stays meanwhile")
        processed.load()
        #expect(processed.phase.kind == .loading)
    }

    /// It used to be replaced by each preview of the new image.
    @Test func `a complete image stays during a reload with previews`() async throws {
        let model = try await shown(in: pipeline())
        model.reload()
        let load = try #require(model.state.load)
        model.receive(.preview(TestImage(9).decoded), of: load, for: model.request(for: ImageSource(address)))
        #expect(model.preview?.content == 1)
        try await transport.started(count: 2).succeed(TestImage(2).bytes, headers: fresh)
        #expect(await reaches(model, 2))
    }

    @Test func `a preview is shown during the first load`() throws {
        let model = NetworkImageModel(address, pipeline: pipeline())
        model.load()
        let load = try #require(model.state.load)
        model.receive(.preview(TestImage(9).decoded), of: load, for: model.request(for: ImageSource(address)))
        #expect(model.preview?.content == 9)
    }

    /// Each reload used to take time of the main thread for every model.
    @Test func `a reload concerns the models of its source and those of choices`() {
        let pipeline = pipeline()
        let choice = ImageSource.fallbacks(["http://test/b.png", "http://test/c.png"])
        let models = [address, "http://test/b.png", nil].map { NetworkImageModel($0, pipeline: pipeline) }
        let others = [NetworkImageModel(choice, pipeline: pipeline)]
        func concerned() -> Set<ObjectIdentifier> {
            let key = LoadKey(ImageSource(address), ImageOptions())
            let entries = pipeline.context.models.models(thatMayShow: key)
            return Set(entries.compactMap(\.model).map { ObjectIdentifier($0) })
        }
        #expect(concerned() == Set([models[0], others[0]].map { ObjectIdentifier($0) }))
        models[0].source = "http://test/d.png"
        models[1].source = ImageSource(address)
        models[2].update(source: ImageSource(address), options: ImageOptions(), scale: 1)
        #expect(concerned() == Set([models[1], models[2], others[0]].map { ObjectIdentifier($0) }))
        withExtendedLifetime((models, others)) {}
    }

    @Test func `a reload that returns the same image changes nothing`() async throws {
        let pipeline = pipeline()
        let first = try await shown(in: pipeline)
        let second = try await shown(in: pipeline, isInMemory: true)
        let recorder = PhaseRecorder(second)
        first.reload()
        try await transport.started(count: 2).succeed(TestImage(1).bytes, headers: fresh)
        _ = await first.reached(.success)
        await drainMainActor()
        #expect(recorder.kinds.filter { $0 == .success }.count <= 1)
        #expect(transport.transfers.count == 2)
    }

    // MARK: Stored first

    private var storedFirst: ImageOptions {
        var options = ImageOptions()
        options.cachePolicy = .staleWhileRevalidate
        return options
    }

    @Test func `a stored image is shown at once and replaced by a newer image`() async throws {
        _ = try await shown(in: pipeline(memory: false))
        try await stored()
        clock.advance(by: .seconds(100_000))
        let model = NetworkImageModel(address, pipeline: pipeline(), options: storedFirst)
        model.load()
        #expect(await reaches(model, 1))
        let validation = try await transport.started(count: 2)
        #expect(validation.request.headers[.ifNoneMatch] == "\"1\"")
        #expect(model.phase.kind == .success, "the old one stays meanwhile")
        validation.succeed(TestImage(2).bytes, headers: [.eTag: "\"2\""])
        #expect(await reaches(model, 2))
    }

    /// The fallback was taken for the stored image, and the first source was never requested.
    @Test(arguments: [true, false])
    func `the first source of a list is requested although its fallback is at hand`(isValid: Bool) async throws {
        let fallback: ImageSource = isValid ? .bytes(TestImage(9).bytes, identity: "fallback") : .file("/missing")
        let model = NetworkImageModel(
            .fallbacks([ImageSource(address), fallback]), pipeline: pipeline(), options: storedFirst)
        model.load()
        try await transport.started(count: 1).succeed(TestImage(1).bytes)
        #expect(await reaches(model, 1))
    }

    @Test func `a stored image of a choice has its source`() async throws {
        _ = try await shown(in: pipeline(memory: false))
        try await stored()
        let model = NetworkImageModel(
            .fallbacks([ImageSource(address), "http://test/other"]), pipeline: pipeline(), options: storedFirst)
        model.load()
        #expect(await reaches(model, 1))
        #expect(model.phase.image?.source == ImageSource(address))
        #expect(transport.transfers.count == 1)
    }

    @Test func `a stored image stays without an error when its refresh fails`() async throws {
        _ = try await shown(in: pipeline(memory: false))
        try await stored()
        clock.advance(by: .seconds(100_000))
        let model = NetworkImageModel(address, pipeline: pipeline(), options: storedFirst)
        model.load()
        #expect(await reaches(model, 1))
        try await transport.started(count: 2).succeed([], status: 500)
        await drainMainActor()
        #expect(model.phase.kind == .success && model.image?.content == 1)
    }

    /// The delay used to be applied again before the server was asked.
    @Test(arguments: [false, true])
    func `a load that asks the store first is delayed once`(isStored: Bool) async throws {
        if isStored {
            _ = try await shown(in: pipeline(memory: false))
            try await stored()
            clock.advance(by: .seconds(100_000))
        }
        var options = storedFirst
        options.delay = .seconds(1)
        let model = NetworkImageModel(address, pipeline: pipeline(), options: options)
        model.load()
        #expect(clock.nextDelay == .seconds(1))
        clock.advance(by: .seconds(1))
        try await transport.started(count: isStored ? 2 : 1).succeed(TestImage(5).bytes)
        #expect(await reaches(model, 5))
    }

    @Test func `a load without a stored image is an ordinary load`() async throws {
        let model = NetworkImageModel(address, pipeline: pipeline(), options: storedFirst)
        model.load()
        try await transport.started(count: 1).succeed(TestImage(5).bytes)
        #expect(await reaches(model, 5))
    }

    @Test func `a stale image in memory is shown and refreshed`() async throws {
        let pipeline = pipeline()
        _ = try await shown(in: pipeline)
        clock.advance(by: .seconds(100))
        let model = NetworkImageModel(address, pipeline: pipeline, options: storedFirst)
        model.load()
        #expect(model.image?.content == 1)
        try await transport.started(count: 2).succeed(TestImage(2).bytes, headers: fresh)
        #expect(await reaches(model, 2))
    }

    @Test func `an image that was shown from the store first becomes stale in memory, too`() async throws {
        _ = try await shown(in: pipeline(memory: false))
        try await stored()
        let pipeline = pipeline()
        let model = NetworkImageModel(address, pipeline: pipeline, options: storedFirst)
        model.load()
        #expect(await reaches(model, 1))
        #expect(transport.transfers.count == 1, "the stored response is fresh")
        clock.advance(by: .seconds(100))
        let later = NetworkImageModel(address, pipeline: pipeline)
        later.load()
        try await transport.started(count: 2).succeed(TestImage(2).bytes, headers: fresh)
        #expect(await reaches(later, 2))
    }

    @Test func `a refinement stays behind the shown image when the store has nothing`() async throws {
        let model = NetworkImageModel(address, pipeline: .test(transport, memoryCache: nil), options: storedFirst)
        model.target = .longestSide(50)
        model.load()
        try await transport.started(count: 1).succeed(TestImage(width: 1000, height: 800).bytes)
        _ = await model.reached(.success)
        let recorder = PhaseRecorder(model)
        model.target = .longestSide(500)
        model.refine()
        _ = try await transport.started(count: 2)
        #expect(model.phase.kind == .success)
        #expect(recorder.kinds.allSatisfy { $0 == .success })
    }

    @Test func `a reload asks the server even if a stored image would be shown first`() async throws {
        _ = try await shown(in: pipeline(memory: false))
        try await stored()
        let model = NetworkImageModel(address, pipeline: pipeline(memory: false), options: storedFirst)
        model.load()
        #expect(await reaches(model, 1))
        model.reload()
        let reload = try await transport.started(count: 2)
        #expect(reload.request.headers[.ifNoneMatch] == nil)
        reload.succeed(TestImage(2).bytes, headers: fresh)
        #expect(await reaches(model, 2))
        #expect(transport.transfers.count == 2)
    }

    /// A first look would ask the store for the image that is already shown.
    @Test func `a stale image in memory is refreshed by one request, without the delay of the options`() async throws {
        let requested = Watched<[CachePolicy?]>([])
        let pipeline = ImagePipeline.test(transport) { configuration in
            configuration.responseStore = store
            configuration.clock = clock
            configuration.observers = [
                { event in
                    if case .requested = event.step {
                        requested.update { $0.append(event.request?.options.cachePolicy) }
                    }
                }
            ]
        }
        _ = try await shown(in: pipeline)
        clock.advance(by: .seconds(100))
        requested.update { $0 = [] }
        var options = storedFirst
        options.delay = .seconds(1)
        let model = NetworkImageModel(address, pipeline: pipeline, options: options)
        model.load()
        #expect(model.image?.content == 1 && model.isRefining)
        try await transport.started(count: 2).succeed(TestImage(2).bytes, headers: fresh)
        #expect(await reaches(model, 2))
        #expect(requested.value == [.staleWhileRevalidate])
    }

    @Test(arguments: [CachePolicy.cacheElseLoad, .staleWhileRevalidate])
    func `only a first look refreshes the stale image that it finds`(policy: CachePolicy) async throws {
        _ = try await shown(in: pipeline(memory: false))
        try await stored()
        clock.advance(by: .seconds(100))
        let model = NetworkImageModel(
            address, pipeline: pipeline(), options: ImageOptions(cachePolicy: policy))
        model.load()
        #expect(await reaches(model, 1))
        #expect(model.isRefining == (policy == .staleWhileRevalidate))
    }

    /// Waits until the image is stored.
    private func stored() async throws {
        try await waitUntil("a stored response") { !store.all().isEmpty }
    }

    /// Lets pending events reach the main actor.
    private func drainMainActor() async {
        for _ in 0..<100 { await Task.yield() }
    }
}
