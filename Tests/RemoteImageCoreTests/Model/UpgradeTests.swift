import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

private let (large, small) = ("http://test/large", "http://test/small")

/// The source chosen for an image is replaced only by a better source, never by a lesser source.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct UpgradeTests {
    let transport = FakeTransport()
    let network = NetworkConditions()
    let clock = TestClock()

    private func pipeline(memoryCache: (any ImageCache)? = MemoryCache()) -> ImagePipeline {
        .test(transport, memoryCache: memoryCache) {
            $0.network = network
            $0.clock = clock
        }
    }

    private let adaptive = ImageSource.adaptive(regular: large, lowData: small)
    private let candidates = ImageSource.candidates([
        SourceCandidate(small, size: PixelSize(width: 100, height: 80)),
        SourceCandidate(large, size: PixelSize(width: 1000, height: 800)),
    ])

    /// A model that shows image `content` from the network.
    private func shown(
        _ source: ImageSource, in pipeline: ImagePipeline, target: TargetSize? = nil, content: UInt8 = 1,
        width: Int = 1000, height: Int = 800
    ) async throws -> NetworkImageModel {
        let model = NetworkImageModel(source, pipeline: pipeline)
        model.target = target
        let count = transport.transfers.count + 1
        model.appear()
        try await transport.started(count: count).succeed(TestImage(content, width: width, height: height).bytes)
        #expect(await reaches(model, content))
        return model
    }

    private func reaches(_ model: NetworkImageModel, _ content: UInt8) async -> Bool {
        for await phase in model.phases where phase.image?.content == content { return true }
        return false
    }

    /// Returns once the models have handled the last change of the network and have started their
    /// loads.
    private func settled() async {
        await withCheckedContinuation { continuation in
            MainActorMailbox.shared.post { continuation.resume() }
        }
        await LoadQueue.shared.settled()
    }

    // MARK: The network

    /// The documentation promised the regular image at the end of a metered network, which was not
    /// observed.
    @Test func `a low-data image is replaced when the metered network ends`() async throws {
        network.isConstrained = true
        let model = try await shown(adaptive, in: pipeline())
        #expect(transport.addresses == [small])
        network.isConstrained = false
        try await transport.started(count: 2).succeed(TestImage(2).bytes)
        #expect(model.phase.kind == .success, "the low-data image stays until then")
        #expect(await reaches(model, 2))
        #expect(transport.addresses == [small, large])
    }

    @Test func `a low-data load is followed by the regular image if the metered network ends meanwhile`()
        async throws
    {
        network.isConstrained = true
        let model = NetworkImageModel(adaptive, pipeline: pipeline())
        model.load()
        let transfer = try await transport.started(count: 1)
        network.isConstrained = false
        await settled()
        transfer.succeed(TestImage(1).bytes)
        try await transport.started(count: 2).succeed(TestImage(2).bytes)
        #expect(await reaches(model, 2))
        #expect(transport.addresses == [small, large])
    }

    @Test func `a view out of sight is upgraded when it appears again`() async throws {
        network.isConstrained = true
        let model = try await shown(adaptive, in: pipeline())
        model.disappear()
        network.isConstrained = false
        await settled()
        #expect(transport.transfers.count == 1)
        model.appear()
        try await transport.started(count: 2).succeed(TestImage(2).bytes)
        #expect(await reaches(model, 2))
    }

    @Test func `a failed upgrade keeps the low-data image and is repeated when the next metered network ends`()
        async throws
    {
        network.isConstrained = true
        let model = try await shown(adaptive, in: pipeline())
        network.isConstrained = false
        try await transport.started(count: 2).succeed([], status: 500)
        while model.isRefining { await Task.yield() }
        #expect(model.image?.content == 1)
        model.refine()
        await settled()
        #expect(transport.transfers.count == 2, "the same source was just tried")
        network.isConstrained = true
        network.isConstrained = false
        try await transport.started(count: 3).succeed(TestImage(2).bytes)
        #expect(await reaches(model, 2))
    }

    /// The chosen address used to be compared in both directions: the low-data image replaced the
    /// regular image.
    @Test(arguments: [true, false])
    func `a network that becomes metered loads nothing`(isInMemory: Bool) async throws {
        let model = try await shown(adaptive, in: pipeline(memoryCache: isInMemory ? MemoryCache() : nil))
        network.isConstrained = true
        #expect(!model.needsMorePixels)
        model.refine()
        model.disappear()
        model.appear()
        await settled()
        #expect(transport.addresses == [large])
        #expect(model.image?.content == 1)
    }

    @Test func `on a metered network the regular image is loaded again for more pixels`() async throws {
        let model = try await shown(adaptive, in: pipeline(), target: .longestSide(50))
        network.isConstrained = true
        model.target = .longestSide(500)
        #expect(model.needsMorePixels)
        model.refine()
        _ = try await transport.started(count: 2)
        #expect(transport.addresses == [large, large])
    }

    @Test func `on a metered network a reload and new processors keep the regular image`() async throws {
        let model = try await shown(adaptive, in: pipeline(memoryCache: nil))
        network.isConstrained = true
        model.reload()
        try await transport.started(count: 2).succeed(TestImage(2).bytes)
        #expect(await reaches(model, 2))
        model.options.processors = [.grayscale]
        _ = try await transport.started(count: 3)
        #expect(transport.addresses == [large, large, large])
    }

    @Test func `on a metered network a removed source does not count as shown`() async throws {
        let model = try await shown(adaptive, in: pipeline(memoryCache: nil))
        network.isConstrained = true
        model.source = .adaptive(regular: "http://test/other", lowData: small)
        _ = try await transport.started(count: 2)
        #expect(transport.addresses == [large, small])
    }

    // MARK: The target

    @Test func `a target that shrinks loads no smaller candidate`() async throws {
        let model = try await shown(candidates, in: pipeline(memoryCache: nil), target: .longestSide(500))
        #expect(transport.addresses == [large])
        model.target = .longestSide(50)
        #expect(!model.needsMorePixels)
        model.refine()
        model.disappear()
        model.appear()
        await settled()
        #expect(transport.addresses == [large])
    }

    @Test func `a processed image takes a larger candidate when its target grows`() async throws {
        let model = NetworkImageModel(candidates, pipeline: pipeline())
        model.options.processors = [.grayscale]
        model.target = .longestSide(100)
        model.appear()
        try await transport.started(count: 1).succeed(TestImage(1, width: 100, height: 80).bytes)
        #expect(await reaches(model, 1))
        model.target = .longestSide(500)
        model.refine()
        _ = try await transport.started(count: 2)
        #expect(transport.addresses == [small, large])
    }

    // MARK: Memory

    @Test func `the low-data image in memory is shown while the regular image loads`() async throws {
        let pipeline = pipeline()
        let lowData = PendingImage(ImageRequest(small), in: pipeline)
        try await transport.started(count: 1).succeed(TestImage(7).bytes)
        _ = try await lowData.image
        let model = NetworkImageModel(adaptive, pipeline: pipeline)
        model.load()
        _ = try await transport.started(count: 2)
        await settled()
        guard case .loading(let state) = model.phase else {
            Issue.record("not loading")
            return
        }
        #expect(state.preview?.content == 7)
        #expect(transport.addresses == [small, large])
    }

    /// The regular image used to be a preview, which the low-data image replaced.
    @Test func `on a metered network a view shows the regular image in memory`() async throws {
        let pipeline = pipeline()
        _ = try await shown(adaptive, in: pipeline)
        network.isConstrained = true
        let model = NetworkImageModel(adaptive, pipeline: pipeline)
        model.load()
        #expect(model.image?.content == 1)
        #expect(try await pipeline.image(for: adaptive).content == 1)
        #expect(transport.addresses == [large])
    }

    @Test func `a small view shows a larger candidate in memory`() async throws {
        let pipeline = pipeline()
        _ = try await shown(candidates, in: pipeline, target: .longestSide(500))
        let model = NetworkImageModel(candidates, pipeline: pipeline)
        model.target = .longestSide(50)
        model.load()
        #expect(model.image?.content == 1)
        await settled()
        #expect(transport.addresses == [large])
    }

    @Test func `on a metered network an expired regular image in memory does not count`() async throws {
        let pipeline = pipeline()
        let model = NetworkImageModel(adaptive, pipeline: pipeline)
        model.load()
        try await transport.started(count: 1).succeed(TestImage(1).bytes, headers: [.cacheControl: "max-age=10"])
        #expect(await reaches(model, 1))
        clock.advance(by: .seconds(10))
        network.isConstrained = true
        let other = PendingImage(ImageRequest(adaptive), in: pipeline)
        try await transport.started(count: 2).succeed(TestImage(2).bytes)
        #expect(try await other.image.content == 2)
        #expect(transport.addresses == [large, small])
    }

    @Test func `bytes on a metered network are low-data bytes even if the regular image is in memory`() async throws {
        let pipeline = pipeline()
        _ = try await shown(adaptive, in: pipeline)
        network.isConstrained = true
        async let data = pipeline.data(for: ImageRequest(adaptive))
        try await transport.started(count: 2).succeed(TestImage(2).bytes)
        _ = try await data
        #expect(transport.addresses == [large, small])
    }

    // MARK: Fallbacks

    @Test func `a shown fallback is not replaced by the source that failed before it`() async throws {
        let source = ImageSource.fallbacks(["http://test/gone", .adaptive(regular: large, lowData: small)])
        let model = NetworkImageModel(source, pipeline: pipeline(memoryCache: nil))
        model.appear()
        try await transport.started(count: 1).succeed([], status: 404)
        try await transport.started(count: 2).succeed(TestImage(1).bytes)
        #expect(await reaches(model, 1))
        network.isConstrained = true
        #expect(!model.needsMorePixels)
        network.isConstrained = false
        await settled()
        #expect(transport.transfers.count == 2)
    }

    @Test func `a shown regular fallback is not replaced by the low-data source on a metered network`()
        async throws
    {
        let source = ImageSource.adaptive(
            regular: .fallbacks(["http://test/gone", ImageSource(large)]), lowData: small)
        let model = NetworkImageModel(source, pipeline: pipeline(memoryCache: nil))
        model.appear()
        try await transport.started(count: 1).succeed([], status: 404)
        try await transport.started(count: 2).succeed(TestImage(1).bytes)
        #expect(await reaches(model, 1))
        network.isConstrained = true
        #expect(!model.needsMorePixels)
    }
}
