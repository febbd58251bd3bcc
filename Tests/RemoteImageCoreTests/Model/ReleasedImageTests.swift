import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// A model whose view is out of sight lets go of its image.
@MainActor
@Suite(.timeLimit(.minutes(5)), .endsInTime)
struct ReleasedImageTests {
    private let transport = FakeTransport { _ in .ok(TestImage(7).bytes) }
    private let pipeline: ImagePipeline
    private let model: NetworkImageModel

    init() {
        pipeline = .test(transport)
        model = NetworkImageModel("http://test/a.png", pipeline: pipeline)
    }

    private func appearAndLoad() async {
        model.appear()
        #expect(await model.reached(.success) != nil)
    }

    @Test func `a released image lives as long as the memory cache has it`() async throws {
        await appearAndLoad()
        model.disappear()
        let recorder = PhaseRecorder(model)
        #expect(model.releaseImage())
        #expect(model.image?.content == 7)
        pipeline.configuration.memoryCache?.removeAll()
        try await waitUntil("the end of the image") { model.phase.kind == .empty }
        #expect(recorder.kinds.isEmpty, "a release is no change of phase")
    }

    @Test func `an image that the program holds keeps its pixels`() async {
        await appearAndLoad()
        let held = model.image
        #expect(model.releaseImage())
        pipeline.configuration.memoryCache?.removeAll()
        #expect(held?.content == 7)
        #expect(model.image?.content == 7, "it is in use")
    }

    @Test func `a view that comes back shows the cached image at once`() async {
        await appearAndLoad()
        model.disappear()
        #expect(model.releaseImage())
        model.appear()
        #expect(!model.isReleased)
        #expect(model.image?.content == 7)
        #expect(transport.addresses.count == 1)
    }

    @Test func `a view that comes back shows an evicted image that is still in use`() async {
        await appearAndLoad()
        let held = model.image
        model.disappear()
        #expect(model.releaseImage())
        pipeline.configuration.memoryCache?.removeAll()
        model.prepareFromMemory()
        model.appear()
        #expect(!model.isReleased)
        #expect(model.image?.content == held?.content)
        #expect(transport.addresses.count == 1)
    }

    @Test func `a view that comes back loads an evicted image again`() async throws {
        await appearAndLoad()
        model.disappear()
        #expect(model.releaseImage())
        pipeline.configuration.memoryCache?.removeAll()
        try await waitUntil("the end of the image") { model.image == nil }
        model.appear()
        #expect(model.isLoading)
        #expect(await model.reached(.success) != nil)
        #expect(transport.addresses.count == 2)
    }

    @Test func `a load is not released`() async {
        #expect(!model.releaseImage())
        model.load()
        #expect(!model.releaseImage())
        #expect(await model.reached(.success) != nil)
    }

    @Test func `a released image does not belong to another source`() async {
        await appearAndLoad()
        model.disappear()
        #expect(model.releaseImage())
        model.source = "http://test/b.png"
        #expect(model.phase.kind == .empty)
        #expect(!model.isReleased)
    }

    @Test func `all copies of an image are released and filled together`() {
        let image = TestImage(7).decoded
        let own = image.releasable
        var copy = own
        copy.scale = 2
        own.release()
        #expect(copy.isReleased)
        #expect(!copy.isAnimated)
        #expect(copy.info.size == image.info.size)
        #expect(image.content == 7, "other images keep their pixels")
        #expect(!own.refill(from: TestImage(9).decoded), "it has another version")
        #expect(own.refill(from: image))
        #expect(copy.content == 7)
    }
}
