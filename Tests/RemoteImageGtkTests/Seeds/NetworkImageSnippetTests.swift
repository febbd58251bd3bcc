// The snippets of an article about a NetworkImage view (SwiftUI) that show views, translated. Above
// each translation stand what the snippet shows and its number of lines of code, which the
// translation does not exceed.

import CRemoteImageGtk
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageGtk

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

final class NetworkImageSnippetTests: XCTestCase {
    func testAScaleAndAPlaceholder() {
        GtkFixture.run { test in
            let (url, scale) = (thumbnailURL, 2.0)
            // Original: The initializers of AsyncImage, 2 lines.
            let plain = NetworkImage(url, scale: scale)
            let image = NetworkImage(url, scale: scale, content: { Picture($0) }, placeholder: { Spinner() })
            // Outcome.
            let views = [plain, image].map { RemoteImageView($0) }
            test.shownOverNetwork(Column { for view in views { view } })
            XCTAssertNotNil(first(gtk_spinner_get_type(), in: views[1].pointer))
            for view in views {
                test.turn {
                    for transfer in test.transport.transfers { transfer.succeed(TestImage(9, width: 20).bytes) }
                    return view.model.image?.scale == 2
                }
                var width: Int32 = 0
                gtk_widget_measure(view.pointer, GTK_ORIENTATION_HORIZONTAL, -1, nil, &width, nil, nil)
                XCTAssertEqual(width, 10)
            }
        }
    }

    func testAViewOverItsPhases() throws {
        try GtkFixture.run { test in
            let image = PhaseImage(source: ImageSource(thumbnailURL)) { Label("\($0.kind)") }
            try check(image, shows: ["loading", "failure", "success"], test)
        }
    }

    func testASwitchOverThePhases() throws {
        try GtkFixture.run { test in
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
        try GtkFixture.run { test in
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
        try GtkFixture.run { test in
            let image = PhaseImage(source: ImageSource(thumbnailURL)) { image in
                Label(caption(of: image))
            } placeholder: {
                Label("...")
            }
            try check(image, shows: ["...", "...", "17 pixels"], test)
        }
    }

    func testAnImageAndAPlaceholder() throws {
        try GtkFixture.run { test in
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
        try GtkFixture.run { test in
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
        try GtkFixture.run { test in
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
            try test.transfer().fail(ImageError(.timeout))
            test.turn { text(in: widget.pointer) == "An error has occurred: The server took too long" }
            let other = test.shownByAParent(thumbnailImage)
            try test.transfer(2).succeed(TestImage(9).bytes)
            test.turn { drawnContents(of: other.pointer) == [9] }
        }
    }

    func testAnImageAPlaceholderAndAFailure() throws {
        try GtkFixture.run { test in
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
private func check(_ image: some WidgetDeclaration, shows expected: [String], _ test: GtkFixture) throws {
    let widget = test.shownByAParent(image)
    XCTAssertEqual(text(in: widget.pointer), expected[0])
    let view = try XCTUnwrap(RemoteImageView(of: first(RemoteImageViewState.type, in: widget.pointer)))
    try test.transfer().fail(ImageError(.timeout))
    test.turn { view.model.error != nil }
    XCTAssertEqual(text(in: widget.pointer), expected[1])
    view.model.retry()
    try test.transfer(2).succeed(TestImage(width: 17).bytes)
    test.turn { text(in: widget.pointer) == expected[2] }
}
