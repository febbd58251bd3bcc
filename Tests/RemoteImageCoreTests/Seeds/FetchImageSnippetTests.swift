// The snippets of the documentation of FetchImage (SwiftUI) that show its model, translated. Above
// each translation stand the heading of the snippet and its number of lines of code, which the
// translation does not exceed.

import RemoteImageCore
import RemoteImageTestSupport
import Testing

@MainActor
@Suite(.timeLimit(.minutes(2)), .endsInTime)
struct FetchImageSnippetTests {
    private let transport = FakeTransport()
    private let pipeline: ImagePipeline
    private let url = "https://example.org/cat.jpg"

    init() {
        pipeline = .test(transport)
    }

    @Test func `a model publishes its image, its error and its progress`() async throws {
        let model = NetworkImageModel(url, pipeline: pipeline)
        model.load()
        let transfer = try await transport.started(count: 1)
        transfer.respond(expected: 1000)
        transfer.send(Array(TestImage(9).bytes.prefix(20)))
        await model.received(byteCount: 20)
        // Original: Overview, first snippet, 10 lines.
        let image = model.image
        let error = model.error
        let isLoading = model.isLoading
        let (completed, total) = (model.progress.completedByteCount, model.progress.totalByteCount)
        // Outcome.
        #expect(image == nil && error == nil && isLoading)
        #expect(completed == 20 && total == 1000)
        transfer.fail(ImageError(.timeout))
        #expect(await model.reached(.failure) != nil)
        #expect(model.error == ImageError(.timeout) && !model.isLoading)
    }

    @Test func `a model that loads at once, from an address or a request`() async throws {
        let request = ImageRequest(url, options: ImageOptions(loadOptions: .loadImmediately))
        // Original: Overview, second snippet, 4 lines.
        let first = NetworkImageModel(request.source, pipeline: pipeline, options: request.options)
        let second = NetworkImageModel(url, pipeline: pipeline, options: ImageOptions(loadOptions: .loadImmediately))
        // Outcome.
        #expect(first.isLoading && second.isLoading)
        try await transport.started(count: 1).succeed(TestImage(9).bytes)
        for model in [first, second] { #expect(await model.reached(.success)?.image?.content == 9) }
    }

    @Test func `a load is started again, cancelled, and changes its priority`() async {
        let isBroken = Watched(true)
        let pipeline = ImagePipeline.test(
            FakeTransport { _ in isBroken.value ? .status(404) : .ok(TestImage(9).bytes) })
        let model = NetworkImageModel(url, pipeline: pipeline)
        // Original: Overview, third snippet, 5 lines.
        model.priority = .high
        model.load()
        model.cancel()
        // Outcome.
        #expect(model.phase.kind == .empty)
        model.load()
        #expect(await model.reached(.failure) != nil)
        isBroken.update { $0 = false }
        model.load()
        #expect(await model.reached(.success)?.image?.content == 9)
    }
}
