import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// Which of several sources is saved while one of them is shown.
@MainActor
@Suite(.timeLimit(.minutes(5)), .endsInTime)
struct SourceToSaveTests {
    let transport = FakeTransport()

    @Test func `the chosen source is saved, and the largest of several sizes`() {
        let sizes = ImageSource.candidates([
            SourceCandidate("http://test/b", size: PixelSize(width: 200, height: 150)),
            SourceCandidate("http://test/a", size: PixelSize(width: 100, height: 75)),
        ])
        let low: ImageSource = "http://test/low"
        let file = ImageSource.file("/a.png")
        let source = ImageSource.fallbacks([.adaptive(regular: sizes, lowData: low), file])
        #expect(source.toSave(whileShowing: "http://test/a") == "http://test/b")
        #expect(source.toSave(whileShowing: "http://test/b") == "http://test/b")
        #expect(source.toSave(whileShowing: low) == low)
        #expect(source.toSave(whileShowing: file) == file)
        #expect(source.toSave(whileShowing: "http://test/other") == nil)
        #expect(ImageSource.fallbacks([]).toSave(whileShowing: low) == nil)
    }

    @Test func `an image knows its source, from the network and from memory`() async throws {
        let pipeline = ImagePipeline.test(transport)
        let source = ImageSource.fallbacks(["http://test/1", "http://test/2"])
        let model = NetworkImageModel(source, pipeline: pipeline)
        #expect(model.sourceToSave == nil)
        model.load()
        try await transport.started(count: 1).fail(ImageError(.connection))
        try await transport.started(count: 2).succeed(TestImage(2).bytes)
        _ = await model.reached(.success)
        #expect(model.image?.source == "http://test/2")
        #expect(model.sourceToSave == "http://test/2")
        let other = NetworkImageModel("http://test/2", pipeline: pipeline)
        other.load()
        #expect(other.sourceToSave == "http://test/2")
        // Memory keeps no source: a source may be large, or contain a secret.
        #expect(
            pipeline.configuration.memoryCache?.entry(for: pipeline.cacheKey(for: ImageRequest("http://test/2")))?
                .image.source == nil)
    }

    @Test func `the newly signed address is saved`() async throws {
        func signed(_ token: Int) -> ImageSource {
            let web = ImageSource("http://test/a?token=\(token)").ignoringQueryItems(["token"])
            return .adaptive(regular: web, lowData: "http://test/low")
        }
        let model = NetworkImageModel(signed(1), pipeline: .test(transport))
        model.load()
        try await transport.started(count: 1).succeed(TestImage(1).bytes)
        _ = await model.reached(.success)
        model.source = signed(2)
        #expect(model.phase.kind == .success)
        #expect(model.sourceToSave?.webAddress?.string == "http://test/a?token=2")
    }

    @Test func `an image kept from another source is not saved`() async throws {
        var options = ImageOptions()
        options.keepsImageWhileLoading = true
        let model = NetworkImageModel("http://test/a", pipeline: .test(transport), options: options)
        model.load()
        try await transport.started(count: 1).succeed(TestImage(1).bytes)
        _ = await model.reached(.success)
        model.source = "http://test/b"
        try await transport.started(count: 2)
        #expect(model.sourceToSave == nil)
        model.cancel()
        #expect(model.image?.content == 1)
        #expect(model.sourceToSave == nil)
    }
}
