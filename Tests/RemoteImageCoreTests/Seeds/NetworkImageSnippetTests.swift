// The snippets of an article about a NetworkImage view (SwiftUI) that show its model, translated.
// Above each translation stand what the snippet shows and its number of lines of code, which the
// translation does not exceed.

import FoundationEssentials
import Observation
import RemoteImageCore
import RemoteImageTestSupport
import Testing

@MainActor
@Suite(.timeLimit(.minutes(2)), .endsInTime)
struct NetworkImageSnippetTests {
    private let transport = FakeTransport { request in
        request.address.string.hasSuffix("cat.jpg") ? .ok(TestImage(7).bytes) : .status(404)
    }
    private let pipeline: ImagePipeline
    private let path = "https://example.org/cat.jpg"

    init() {
        pipeline = .test(transport)
    }

    @Test func `a phase has its image or its error`() {
        /// A text for a phase.
        func text(_ phase: NetworkImagePhase) -> String {
            // Original: The phases of AsyncImage, 7 lines.
            switch phase {
            case .empty: "empty"
            case .loading: "loading"
            case .success: "image of \(phase.image?.info.size.width ?? 0) pixels"
            case .failure: "error \(phase.error?.code.rawValue ?? "")"
            }
            // Outcome.
        }
        let phases: [NetworkImagePhase] = [.empty, .success(TestImage().decoded), .failure(ImageError(.timeout))]
        #expect(phases.map(text) == ["empty", "image of 8 pixels", "error timeout"])
    }

    @Test func `the phases of a model`() async {
        let model = NetworkImageModel(path, pipeline: pipeline)
        // Original: The phases of NetworkImage, 5 lines.
        let empty = model.phase
        model.load()
        let success = await model.reached(.success)
        model.source = "https://example.org/dog.jpg"
        let failure = await model.reached(.failure)
        // Outcome.
        #expect(empty.kind == .empty)
        #expect(success?.image?.content == 7)
        #expect(failure?.error?.status == 404)
    }

    @Test func `a loader of an address`() async {
        // Original: The loader, 12 lines.
        let loader = NetworkImageModel(path, pipeline: pipeline)
        loader.load()
        loader.cancel()
        // Outcome.
        #expect(loader.phase.kind == .empty)
        loader.load()
        #expect(await loader.reached(.success)?.image?.content == 7)
    }

    @Test func `texts, addresses and nothing are sources`() throws {
        let url = try #require(URL(string: path))
        // Original: The source, 4 lines.
        let string = ImageSource(path)
        let address: ImageSource? = url.imageSource
        // Outcome.
        #expect(string == address)
        #expect(NetworkImageModel(nil, pipeline: pipeline).phase.kind == .empty)
    }

    @Test func `a loader of a source`() async throws {
        let session = pipeline
        // Original: The loader of a source, 7 lines.
        let source = ImageSource(path)
        let loader = NetworkImageModel(source, pipeline: session)
        // Outcome.
        loader.load()
        #expect(await loader.reached(.success)?.image?.content == 7)
    }

    // Original: The load and its cancellation, 31 lines.
    @MainActor @Observable
    final class ImageLoader {
        private(set) var phase = NetworkImagePhase.empty
        private var task: Task<Void, Never>?

        isolated deinit { cancel() }

        func load(_ source: ImageSource, from session: ImagePipeline) {
            task = Task { [weak self] in
                do throws(ImageError) {
                    let image = try await session.image(for: source)
                    self?.phase = .success(image)
                } catch {
                    self?.phase = .failure(error)
                }
            }
        }

        func cancel() {
            task?.cancel()
        }
    }
    // Outcome: the next test.

    @Test func `a loader that the program writes`() async {
        for (source, kind) in [(path, NetworkImagePhase.Kind.success), ("not an address", .failure)] {
            let loader = ImageLoader()
            loader.load(ImageSource(source), from: pipeline)
            await withCheckedContinuation { changed in
                withObservationTracking {
                    _ = loader.phase
                } onChange: {
                    changed.resume()
                }
            }
            #expect(loader.phase.kind == kind)
        }
    }
}
