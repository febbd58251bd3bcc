// The snippets of an article about a NetworkImage view (SwiftUI), translated. Above each
// translation stand what the snippet shows and its number of lines of code, which the translation
// does not exceed.

import CRemoteImageGtk
import FoundationEssentials
import Observation
import RemoteImageGtk
import RemoteImageTesting
import Testing
import XCTest

private let thumbnailURL = "https://example.org/cat.jpg"

// Original: The view over its phases, 14 lines.
private struct PhaseImage: WidgetDeclaration {
    let source: ImageSource
    let content: @MainActor (NetworkImagePhase) -> Widget

    init(source: ImageSource, @ContentBuilder<Widget> content: @escaping @MainActor (NetworkImagePhase) -> Widget) {
        (self.source, self.content) = (source, content)
    }

    var body: DeclaredWidget {
        NetworkImage(source, phase: content)
    }
}
// Outcome: testAViewOverItsPhases.

extension PhaseImage {
    // Original: An initializer with a placeholder, 18 lines.
    init(
        source: ImageSource,
        @ContentBuilder<Widget> content: @escaping @MainActor (LoadedImage) -> Widget,
        @ContentBuilder<Widget> placeholder: @escaping @MainActor () -> Widget
    ) {
        self.init(source: source) { phase in
            switch phase {
            case .success(let image):
                content(image)
            case .empty, .loading, .failure:
                placeholder()
            }
        }
    }
    // Outcome: testAnInitializerWithAPlaceholder.

    // Original: An initializer with a placeholder and a failure, 22 lines.
    init(
        source: ImageSource,
        @ContentBuilder<Widget> content: @escaping @MainActor (LoadedImage) -> Widget,
        @ContentBuilder<Widget> placeholder: @escaping @MainActor () -> Widget,
        @ContentBuilder<Widget> failure: @escaping @MainActor (ImageError) -> Widget
    ) {
        self.init(source: source) { phase in
            switch phase {
            case .success(let image):
                content(image)
            case .empty, .loading:
                placeholder()
            case .failure(let error):
                failure(error)
            }
        }
    }
    // Outcome: testAnInitializerWithAPlaceholderAndAFailure.
}

final class NetworkImageWidgetTests: XCTestCase {
    func testAScaleAndAPlaceholder() throws {
        try Fixture.run { test in
            let (url, scale) = (thumbnailURL, 2.0)
            // Original: The initializers of AsyncImage, 2 lines.
            let plain = NetworkImage(url, scale: scale)
            let image = NetworkImage(url, scale: scale, content: { Picture($0) }, placeholder: { Spinner() })
            // Outcome.
            let views = [plain, image].map { RemoteImageView($0) }
            test.shown(Column { for view in views { view } })
            XCTAssertEqual(widgets(gtk_spinner_get_type(), in: views[1].content).count, 1)
            try test.respond(with: gray(9, width: 20))
            test.server.isPaused = false
            for view in views {
                test.turn { view.model.image?.scale == 2 }
                var width: Int32 = 0
                gtk_widget_measure(view.pointer, GTK_ORIENTATION_HORIZONTAL, -1, nil, &width, nil, nil)
                XCTAssertEqual(width, 10)
            }
        }
    }

    func testAViewOverItsPhases() throws {
        try Fixture.run { test in
            let image = PhaseImage(source: ImageSource(thumbnailURL)) { Label("\($0.kind)") }
            try check(image, shows: ["loading", "failure", "success"], test)
        }
    }

    func testASwitchOverThePhases() throws {
        try Fixture.run { test in
            // Original: The view over its phases, used, 12 lines.
            let thumbnailImage = NetworkImage(thumbnailURL) { phase in
                switch phase {
                case .empty, .loading:
                    Label("loading")
                case .success(let image):
                    Label(caption(of: image))
                case .failure(let error):
                    Label(error.code.rawValue)
                }
            }
            // Outcome.
            try check(thumbnailImage, shows: ["loading", "timeout", "17 pixels"], test)
        }
    }

    func testASwitchOverThreePhasesWithADefault() throws {
        try Fixture.run { test in
            let thumbnailImage = NetworkImage(
                thumbnailURL,
                phase: { phase in
                    switch phase {
                    case .success(let image): Label(caption(of: image))
                    case .failure(let error): Label(error.code.rawValue)
                    default: Label("loading")
                    }
                })
            try check(thumbnailImage, shows: ["loading", "timeout", "17 pixels"], test)
        }
    }

    func testAnInitializerWithAPlaceholder() throws {
        try Fixture.run { test in
            let image = PhaseImage(source: ImageSource(thumbnailURL)) { image in
                Label(caption(of: image))
            } placeholder: {
                Label("...")
            }
            try check(image, shows: ["...", "...", "17 pixels"], test)
        }
    }

    func testAnImageAndAPlaceholder() throws {
        try Fixture.run { test in
            // Original: An initializer with a placeholder, used, 10 lines.
            let thumbnailImage = NetworkImage(
                thumbnailURL,
                content: { image in
                    Label(caption(of: image))
                },
                placeholder: {
                    Label("...")
                }
            )
            // Outcome.
            try check(thumbnailImage, shows: ["...", "...", "17 pixels"], test)
        }
    }

    func testAnInitializerWithAPlaceholderAndAFailure() throws {
        try Fixture.run { test in
            let image = PhaseImage(source: ImageSource(thumbnailURL)) { image in
                Label(caption(of: image))
            } placeholder: {
                Label("...")
            } failure: { error in
                Label(error.code.rawValue)
            }
            try check(image, shows: ["...", "timeout", "17 pixels"], test)
        }
    }

    func testAnImageAsItsOwnContentAndTheDescriptionOfAFailure() throws {
        try Fixture.run { test in
            // Original: An initializer with a placeholder and a failure, used, 12 lines.
            let thumbnailImage = NetworkImage(
                thumbnailURL,
                content: { image in
                    image
                },
                placeholder: {
                    Spinner()
                },
                failure: { error in
                    Label("An error has occurred: \(error.localizedDescription)")
                }
            )
            // Outcome.
            let widget = test.shownByAParent(thumbnailImage)
            XCTAssertEqual(widgets(gtk_spinner_get_type(), in: widget).count, 1)
            try test.respond(with: .failure(ImageError(.timeout)))
            test.turn { texts(in: widget) == ["An error has occurred: The server took too long"] }
            let other = test.shownByAParent(thumbnailImage)
            try test.respond(to: 2, with: gray(9))
            test.see(9, in: other)
        }
    }

    func testAnImageAPlaceholderAndAFailure() throws {
        try Fixture.run { test in
            // Original: An initializer with a placeholder and a failure, used, 12 lines.
            let thumbnailImage = NetworkImage(thumbnailURL) { image in
                Label(caption(of: image))
            } placeholder: {
                Label("...")
            } failure: { error in
                Label("An error has occurred: \(error.code.rawValue)")
            }
            // Outcome.
            try check(thumbnailImage, shows: ["...", "An error has occurred: timeout", "17 pixels"], test)
        }
    }
}

private func caption(of image: LoadedImage) -> String { "\(image.info.size.width) pixels" }

/// Checks the texts while the image is loaded, after a failure, and after a success.
@MainActor
private func check(_ image: some WidgetDeclaration, shows expected: [String], _ test: Fixture) throws {
    let widget = test.shownByAParent(image)
    XCTAssertEqual(texts(in: widget), [expected[0]])
    let model = try XCTUnwrap(views(in: widget).first).model
    try test.respond(with: .failure(ImageError(.timeout)))
    test.turn { model.error != nil }
    XCTAssertEqual(texts(in: widget), [expected[1]])
    model.retry()
    try test.respond(to: 2, with: gray(9, width: 17))
    test.turn { texts(in: widget) == [expected[2]] }
}

@MainActor
@Suite(.timeLimit(.minutes(2)))
struct NetworkImageTests {
    private let path = "https://example.org/cat.jpg"
    private let pipeline = ImagePipeline(fake: FakeImageServer(["https://example.org/cat.jpg": gray(7)]))

    @Test func `a phase has its image or its error`() async throws {
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
        let image = try await pipeline.image(for: path)
        let phases: [NetworkImagePhase] = [.empty, .success(image), .failure(ImageError(.timeout))]
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
        #expect(success?.image?.gray == 7)
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
        #expect(await loader.reached(.success)?.image?.gray == 7)
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
        #expect(await loader.reached(.success)?.image?.gray == 7)
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
