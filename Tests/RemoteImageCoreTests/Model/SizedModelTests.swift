import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// Models of sized sources: growing, shrinking, and metered networks.
@MainActor
@Suite(.timeLimit(.minutes(5)), .endsInTime)
struct SizedModelTests {
    let transport = FakeTransport()
    let network = NetworkConditions()

    private let source = ImageSource.sized(identity: "photo") { "http://test/\($0)" }

    private func pipeline(memoryCache: (any ImageCache)? = MemoryCache()) -> ImagePipeline {
        .test(transport, memoryCache: memoryCache) { $0.network = network }
    }

    /// A model that shows the step `pixels`, whose content is 1.
    private func shown(_ pixels: Int, target: Int, in pipeline: ImagePipeline) async throws -> NetworkImageModel {
        let model = NetworkImageModel(source, pipeline: pipeline)
        model.target = .longestSide(target)
        let count = transport.transfers.count + 1
        model.appear()
        try await answer(count, pixels, content: 1)
        #expect(await reaches(model, 1))
        return model
    }

    private func answer(_ number: Int, _ pixels: Int, content: UInt8) async throws {
        let transfer = try await transport.started(count: number)
        #expect(transfer.request.address.string == "http://test/\(pixels)")
        transfer.succeed(TestImage(content, width: pixels, height: pixels / 2).bytes)
    }

    private func reaches(_ model: NetworkImageModel, _ content: UInt8) async -> Bool {
        for await phase in model.phases where phase.image?.content == content { return true }
        return false
    }

    private func settled() async {
        await withCheckedContinuation { continuation in
            MainActorMailbox.shared.post { continuation.resume() }
        }
        await LoadQueue.shared.settled()
    }

    @Test func `a target that grows shows the old image until the larger one is loaded`() async throws {
        let model = try await shown(216, target: 160, in: pipeline())
        model.target = .longestSide(400)
        #expect(model.needsMorePixels)
        model.refine()
        _ = try await transport.started(count: 2)
        #expect(model.phase.kind == .success)
        #expect(model.image?.content == 1)
        try await answer(2, 486, content: 2)
        #expect(await reaches(model, 2))
    }

    @Test func `a target that grows within a step stays with the step`() async throws {
        let model = try await shown(216, target: 150, in: pipeline())
        model.target = .longestSide(216)
        model.refine()
        await settled()
        // Without a store, the bytes are loaded again to decode more pixels of them.
        #expect(Set(transport.addresses) == ["http://test/216"])
    }

    @Test(arguments: [true, false])
    func `a target that shrinks loads nothing`(isInMemory: Bool) async throws {
        let model = try await shown(486, target: 400, in: pipeline(memoryCache: isInMemory ? MemoryCache() : nil))
        model.target = .longestSide(100)
        #expect(!model.needsMorePixels)
        model.refine()
        model.disappear()
        model.appear()
        await settled()
        #expect(transport.transfers.count == 1)
    }

    @Test func `a larger step in memory serves a smaller view at once`() async throws {
        let pipeline = pipeline()
        _ = try await shown(486, target: 400, in: pipeline)
        let other = NetworkImageModel(source, pipeline: pipeline)
        other.target = .longestSide(100)
        other.load()
        #expect(other.image?.content == 1)
        await settled()
        #expect(transport.transfers.count == 1)
    }

    @Test func `a smaller step in memory is a preview of the larger one`() async throws {
        let pipeline = pipeline()
        _ = try await shown(216, target: 200, in: pipeline)
        let other = NetworkImageModel(source, pipeline: pipeline)
        other.target = .longestSide(1000)
        other.load()
        _ = try await transport.started(count: 2)
        await settled()
        guard case .loading(let state) = other.phase else {
            Issue.record("not loading")
            return
        }
        #expect(state.preview?.content == 1)
        try await answer(2, 1094, content: 2)
        #expect(await reaches(other, 2))
    }

    @Test func `a view without a size shows any step in memory and is refined when it appears`() async throws {
        let pipeline = pipeline()
        _ = try await shown(216, target: 200, in: pipeline)
        let other = NetworkImageModel(source, pipeline: pipeline)
        other.prepareToAppear()
        #expect(other.image?.content == 1)
        other.target = .longestSide(1000)
        other.appear()
        try await answer(2, 1094, content: 2)
        #expect(await reaches(other, 2))
    }

    @Test func `a failed larger step keeps the shown image`() async throws {
        let model = try await shown(216, target: 160, in: pipeline())
        model.target = .longestSide(400)
        model.refine()
        try await transport.started(count: 2).fail(ImageError(.connection))
        while model.isRefining { await Task.yield() }
        #expect(model.image?.content == 1)
        #expect(model.refreshError?.code == .connection)
    }

    @Test func `a step of a metered network is replaced when that ends`() async throws {
        network.isConstrained = true
        let model = try await shown(324, target: 400, in: pipeline())
        network.isConstrained = false
        try await answer(2, 486, content: 2)
        #expect(await reaches(model, 2))
    }

    @Test func `a network that becomes metered loads nothing`() async throws {
        let model = try await shown(486, target: 400, in: pipeline())
        network.isConstrained = true
        #expect(!model.needsMorePixels)
        model.refine()
        model.disappear()
        model.appear()
        await settled()
        #expect(transport.transfers.count == 1)
    }

    @Test func `the largest step is saved while a smaller one is shown`() async throws {
        let model = try await shown(216, target: 160, in: pipeline())
        #expect(model.sourceToSave?.webAddress?.string == "http://test/3693")
    }

    @Test func `another identity is another image`() async throws {
        let pipeline = pipeline()
        _ = try await shown(216, target: 200, in: pipeline)
        let other = NetworkImageModel(
            ImageSource.sized(identity: "other") { "http://test/\($0)" }, pipeline: pipeline)
        other.target = .longestSide(200)
        other.load()
        _ = try await transport.started(count: 2)
        #expect(other.image == nil)
    }
}
