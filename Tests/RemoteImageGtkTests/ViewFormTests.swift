import CRemoteImageGtk
import RemoteImageGtk
import RemoteImageTestSupport
import XCTest

private let address = "http://test/a.png"

/// Views declared in one expression. Some of these tests fail by not compiling.
final class ViewFormTests: XCTestCase {
    @MainActor
    func testSourcesAreInferred() {
        let images = [
            NetworkImage(nil), NetworkImage(.file("/a.png")), NetworkImage(.fallbacks([address, address])),
            NetworkImage(nil) { Picture($0) }, NetworkImage(.file("/a.png")) { Picture($0) },
            NetworkImage(nil, phase: { _ in Spinner() }),
        ]
        XCTAssertEqual(
            images.map(\.source),
            [nil, .file("/a.png"), .fallbacks([address, address]), nil, .file("/a.png"), nil])
    }

    func testTheSourcesOfViewersAreInferred() {
        GtkFixture.run { test in
            let viewers = [RemoteImageViewer(nil), RemoteImageViewer(.file("/a.png")), RemoteImageViewer(address)]
            for viewer in viewers { test.watch(viewer.content, "the viewer") }
            XCTAssertEqual(viewers.map { $0.view?.source }, [nil, .file("/a.png"), ImageSource(address)])
        }
    }

    func testAClosureForTheLoadFollowsTheProgress() throws {
        try GtkFixture.run { test in
            let image = NetworkImage(address) { _ in
                Label("image")
            } inProgress: { state in
                Label("\(state.progress.completedByteCount) bytes")
            }
            let view = RemoteImageView(image, pipeline: test.pipeline)
            test.shown(view)
            XCTAssertEqual(text(in: view.pointer), "0 bytes")
            let transfer = try test.transfer()
            transfer.respond(expected: 1000)
            transfer.send([1, 2, 3])
            test.turn { text(in: view.pointer) == "3 bytes" }
            transfer.fail(ImageError(.connection))
            test.turn { text(in: view.pointer) == ImageError(.connection).message }
        }
    }

    /// The text stayed at 0 %.
    func testATextFollowsTheLoadAndTheWidgetsBesideItStay() throws {
        try GtkFixture.run { test in
            var runs = 0
            let image = NetworkImage(address) { _ in
                Label("image")
            } inProgress: { state in
                let _ = runs += 1
                Spinner()
                Label("\(state.percent) %")
            }
            let view = RemoteImageView(image, pipeline: test.pipeline)
            test.shown(view)
            XCTAssertEqual(text(in: view.pointer), "0 %")
            let spinner = first(gtk_spinner_get_type(), in: view.pointer)
            let transfer = try test.transfer()
            transfer.respond(expected: 1000)
            transfer.send([UInt8](repeating: 0, count: 259))
            test.turn { text(in: view.pointer) == "25 %" }
            XCTAssertEqual(first(gtk_spinner_get_type(), in: view.pointer), spinner)
            XCTAssertEqual(runs, 1)
            transfer.fail(ImageError(.connection))
        }
    }

    func testAClosureThatReadsTheStateRunsAgain() throws {
        try GtkFixture.run { test in
            let image = NetworkImage(address) { phase in
                if case .loading(let state) = phase {
                    if state.progress.completedByteCount > 2 { Label("begun") } else { Label("waiting") }
                }
            }
            let view = RemoteImageView(image, pipeline: test.pipeline)
            test.shown(view)
            XCTAssertEqual(text(in: view.pointer), "waiting")
            let transfer = try test.transfer()
            transfer.respond(expected: 1000)
            transfer.send([1, 2, 3])
            test.turn { text(in: view.pointer) == "begun" }
            transfer.fail(ImageError(.connection))
        }
    }

    func testAClosureForAFailureNeedsNoPlaceholder() throws {
        try GtkFixture.run { test in
            let image = NetworkImage(address) { _ in
                Label("image")
            } failure: { error, retry in
                Label(error.code.rawValue)
                Button("again", action: retry)
            }
            let view = RemoteImageView(image, pipeline: test.pipeline)
            test.shown(view)
            try test.transfer().fail(ImageError(.connection))
            test.turn { texts(in: view.pointer).first == "connection" }
            let button = try XCTUnwrap(first(gtk_button_get_type(), in: view.pointer))
            gtk_widget_activate(UnsafeMutablePointer(button))
            try test.transfer(2).succeed(TestImage().bytes)
            test.turn { text(in: view.pointer) == "image" }
        }
    }

    func testAClosureForEachPhase() throws {
        try GtkFixture.run { test in
            let image = NetworkImage(nil) {
                Label("empty")
            } inProgress: { _ in
                Label("loading")
            } failure: { error, _ in
                Label(error.code.rawValue)
            } content: { _, info in
                Label("\(info.size.width) pixels")
            }
            let view = RemoteImageView(image, pipeline: test.pipeline)
            test.shown(view)
            XCTAssertEqual(text(in: view.pointer), "empty")
            view.source = ImageSource(address)
            XCTAssertEqual(text(in: view.pointer), "loading")
            try test.transfer().succeed(TestImage(width: 17).bytes)
            test.turn { text(in: view.pointer) == "17 pixels" }
        }
    }

    func testOptionsAndAPipelineApplyToTheViewsBelowAWidget() throws {
        try GtkFixture.run { test in
            let column = test.shown(
                Column { NetworkImage(address) }.imagePipeline(test.pipeline)
                    .imageOptions(ImageOptions(priority: .high)))
            let view = try XCTUnwrap(
                children(of: column.pointer).first.flatMap { RemoteImageView(of: UnsafeMutableRawPointer($0)) })
            try test.transfer().succeed(TestImage().bytes)
            test.turn { view.model.phase.kind == .success }
            XCTAssertEqual(view.model.priority, .high)
        }
    }
}
