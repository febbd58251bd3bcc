// The snippets of the documentation of FlowImage (SwiftUI), translated. Above each translation
// stand the heading of the snippet and its number of lines of code, which the translation does not
// exceed.

import CRemoteImageGtk
import Observation
import RemoteImageGtk
import RemoteImageTesting
import Testing
import XCTest

@Observable
private final class Model {
    var image: ImageSource? = "https://example.org/cat.jpg"
}

final class FlowImageWidgetTests: XCTestCase {
    func testAViewOfEachStateThatKeepsTheOldImage() throws {
        try Fixture.run { test in
            let model = Model()
            let widget = test.shown(
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
            try test.respond(with: gray(9))
            test.see(9, in: try XCTUnwrap(views(in: widget).first).content)
            model.image = "https://example.org/dog.jpg"
            test.turn { !widgets(gtk_spinner_get_type(), in: widget).isEmpty }
            let old = try XCTUnwrap(widgets(gtk_picture_get_type(), in: widget).first)
            XCTAssertEqual(gtk_widget_get_opacity(old.pointer), 0.5, accuracy: 0.01)
            try test.respond(to: 2, with: .failure(ImageError(.timeout)))
            test.turn { texts(in: widget) == ["There was an error!"] }
            model.image = nil
            test.turn { texts(in: widget) == ["No Image"] }
        }
    }
}

/// An image that is as wide as its name is long.
private func sketch(_ name: String) -> PixelBuffer { .filled(with: .white, width: name.count, height: 1) }

@Suite(.timeLimit(.minutes(2)))
struct FlowImageTests {
    private let pipeline = ImagePipeline(fake: FakeImageServer(["https://example.org/cat.jpg": gray(7)]))

    @Test func `an image of an address`() async {
        // Original: Level 1, 2 lines.
        let image = try? await pipeline.image(for: "https://example.org/cat.jpg")
        // Outcome.
        #expect(image?.gray == 7)
    }

    @Test func `a provider of the program`() async throws {
        // Original: Implementing an instance of FlowImage, 6 lines.
        struct Sketch: ImageProvider {
            let identity: String
            func prepare() async throws -> any ImageProvider { Sketch(identity: "prepared " + identity) }
            func image() async throws -> ProvidedImage { .pixels(sketch(identity)) }
        }
        // Outcome.
        let image = try await pipeline.image(for: ImageSource.provider(Sketch(identity: "cat")))
        #expect(image.info.size.width == "prepared cat".count)
    }
}
