// The snippets of the documentation of FlowImage (SwiftUI) that show views, translated. Above each
// translation stand the heading of the snippet and its number of lines of code, which the
// translation does not exceed.

import CRemoteImageGtk
import Observation
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageGtk

@Observable
private final class Model {
    var image: ImageSource? = "https://example.org/cat.jpg"
}

final class FlowImageSnippetTests: XCTestCase {
    func testAViewOfEachStateThatKeepsTheOldImage() throws {
        try GtkFixture.run { test in
            let model = Model()
            let widget = test.shownOverNetwork(
                Column {
                    let image = model.image
                    // Original: Level 2, 24 lines.
                    NetworkImage(image, options: ImageOptions(keepsImageWhileLoading: true)) { phase in
                        switch phase {
                        case .success(let image): Picture(image, contentFit: .contain)
                        case .empty: Label("No Image")
                        case .failure: Label("There was an error!")
                        case .loading(let state):
                            Overlay {
                                if let old = state.preview { Picture(old, contentFit: .contain).opacity(0.5) }
                            } overlays: {
                                Spinner()
                            }
                        }
                    }
                    // Outcome.
                })
            try test.transfer().succeed(TestImage(9).bytes)
            test.turn { drawnContents(of: widget.pointer) == [9] }
            model.image = "https://example.org/dog.jpg"
            test.turn { first(gtk_spinner_get_type(), in: widget.pointer) != nil }
            let old = try XCTUnwrap(Widget(of: first(gtk_picture_get_type(), in: widget.pointer)))
            XCTAssertEqual(gtk_widget_get_opacity(old.pointer), 0.5, accuracy: 0.01)
            try test.transfer(2).fail(ImageError(.timeout))
            test.turn { text(in: widget.pointer) == "There was an error!" }
            model.image = nil
            test.turn { text(in: widget.pointer) == "No Image" }
        }
    }
}
