import CRemoteImageGtk
import Observation
import RemoteImageGtk
import RemoteImageTestSupport
import XCTest

private let address = "http://test/a.png"

final class RemoteImageViewContentTests: XCTestCase {
    // MARK: Phases

    func testEachPhaseHasItsContent() throws {
        try GtkFixture.run { test in
            let view = test.view(
                NetworkImage(nil) {
                    Label("empty")
                } inProgress: { _ in
                    Label("loading")
                } failure: { error, _ in
                    Label("failure: \(error.code.rawValue)")
                } content: { _, info in
                    Label("image of \(info.size.width)")
                })
            test.show(view.pointer)
            XCTAssertEqual(text(in: view.pointer), "empty")
            view.source = ImageSource(address)
            XCTAssertEqual(text(in: view.pointer), "loading")
            try test.transfer().succeed([], status: 404)
            test.turn { text(in: view.pointer) == "failure: httpStatus" }
            view.model.retry()
            XCTAssertEqual(text(in: view.pointer), "loading")
            try test.transfer(2).succeed(TestImage(width: 17).bytes)
            test.turn { text(in: view.pointer) == "image of 17" }
            view.model.reset()
            XCTAssertEqual(text(in: view.pointer), "empty")
        }
    }

    func testOldContentIsReleasedWhenThePhaseChanges() throws {
        try GtkFixture.run { test in
            let view = test.view(
                NetworkImage(address) { image in
                    test.watch(Picture(image).content, "image")
                } placeholder: {
                    test.watch(Spinner().content, "spinner")
                })
            test.show(view.pointer)
            for turn in 1...5 {
                try test.transfer(turn).succeed(TestImage(UInt8(turn)).bytes)
                test.turn { view.model.phase.kind == .success }
                test.turn { test.aliveCount(of: "spinner") == 0 }
                XCTAssertEqual(test.aliveCount(of: "image"), 1)
                view.source = ImageSource("http://test/\(turn).png")
                XCTAssertEqual(test.aliveCount(of: "spinner"), 1)
                test.turn { test.aliveCount(of: "image") == 0 }
            }
        }
    }

    func testProgressRebuildsNoContentAndTheSpinnerKeepsSpinning() throws {
        try GtkFixture.run { test in
            var buildCount = 0
            let view = test.view(
                NetworkImage(address) {
                    Column {}
                } inProgress: { state in
                    let _ = buildCount += 1
                    Spinner()
                    ProgressBar(state)
                    Label("\(state.progress.completedByteCount) bytes")
                } failure: { error, _ in
                    Label(error.message)
                } content: { image, _ in
                    Picture(image)
                })
            test.show(view.pointer)
            let transfer = try test.transfer()
            let spinner = try XCTUnwrap(first(gtk_spinner_get_type(), in: view.pointer))
            let bar = try XCTUnwrap(first(gtk_progress_bar_get_type(), in: view.pointer))
            transfer.respond(expected: 1000)
            for quarter in 1...3 {
                transfer.send([UInt8](repeating: 0, count: 250))
                test.turn { view.model.progress.completedByteCount == quarter * 250 }
                test.turn { text(in: view.pointer) == "\(quarter * 250) bytes" }
                XCTAssertEqual(first(gtk_spinner_get_type(), in: view.pointer), spinner)
                XCTAssertEqual(gtk_spinner_get_spinning(spinner), 1)
                XCTAssertEqual(gtk_progress_bar_get_fraction(bar), Double(quarter) / 4)
            }
            XCTAssertEqual(buildCount, 1)
        }
    }

    func testAnUnknownLengthMakesTheBarPulse() throws {
        try GtkFixture.run { test in
            let view = test.view(
                NetworkImage(address) {
                    Column {}
                } inProgress: { state in
                    ProgressBar(state)
                } failure: { error, _ in
                    Label(error.message)
                } content: { image, _ in
                    Picture(image)
                })
            test.show(view.pointer)
            let transfer = try test.transfer()
            transfer.respond()
            transfer.send([1, 2, 3])
            test.turn { view.model.progress.completedByteCount == 3 }
            let bar = try XCTUnwrap(first(gtk_progress_bar_get_type(), in: view.pointer))
            XCTAssertEqual(gtk_progress_bar_get_fraction(bar), 0)
            XCTAssertNil(view.model.progress.fraction)
        }
    }

    func testTheRetryButtonLoadsAgain() throws {
        try GtkFixture.run { test in
            let view = test.view(NetworkImage(address))
            test.show(view.pointer)
            try test.transfer().fail(ImageError(.connection))
            test.turn { view.model.phase.kind == .failure }
            XCTAssertEqual(text(in: view.pointer), ImageError(.connection).message)
            let button = try XCTUnwrap(first(gtk_button_get_type(), in: view.pointer))
            gtk_widget_activate(UnsafeMutablePointer(button))
            // A click that is not released before the button is removed must not touch it.
            test.turn { test.transport.transfers.count == 2 }
            try test.transfer(2).succeed(TestImage().bytes)
            test.turn { view.model.phase.kind == .success }
        }
    }

    func testEachInvalidInputFailsWithItsOwnMessage() throws {
        try GtkFixture.run { test in
            let enormous: [UInt8] = Array(TestImage(width: 60_000, height: 60_000).bytes)
            let cases: [(body: [UInt8], code: ImageError.Code)] = [
                (Array("<html>Not here</html>".utf8), .notAnImage), ([], .emptyBody),
                (Array(TestImage().bytes.prefix(20)), .corrupt), (TestImage(0).bytes, .corrupt),
                (enormous, .tooManyPixels),
            ]
            let view = test.view(NetworkImage(nil))
            test.show(view.pointer)
            for (number, bad) in cases.enumerated() {
                view.source = ImageSource("http://test/\(number).png")
                try test.transfer(number + 1).succeed(bad.body)
                test.turn { view.model.phase.kind == .failure }
                XCTAssertEqual(view.model.error?.code, bad.code)
                XCTAssertEqual(text(in: view.pointer), view.model.error?.message)
            }
            XCTAssertEqual(test.decoder.decodeCount, 1)
        }
    }

    // MARK: Observed state

    func testABuilderRunsAgainWhenObservedStateChanges() throws {
        try GtkFixture.run { test in
            let settings = Settings()
            let counter = Counter()
            let view = test.view(
                NetworkImage(address) { image in
                    counter.counted(Picture(image))
                } placeholder: {
                    Label(settings.caption)
                })
            test.show(view.pointer)
            XCTAssertEqual(text(in: view.pointer), "first")
            settings.caption = "second"
            test.turn { text(in: view.pointer) == "second" }
            try test.transfer().succeed(TestImage().bytes)
            test.turn { view.model.phase.kind == .success }
            XCTAssertEqual(counter.count, 1)
            // The closure of the image does not read the caption.
            settings.caption = "third"
            test.settle()
            XCTAssertEqual(counter.count, 1)
        }
    }

    func testABuilderMayChangeTheSourceOfItsView() throws {
        try GtkFixture.run { test in
            let holder = Holder()
            let view = test.view(
                NetworkImage("http://test/bad.png") { image in
                    Picture(image)
                } placeholder: {
                    Spinner()
                } failure: { error, _ in
                    let _ = holder.view?.source = ImageSource(address)
                    Label(error.message)
                })
            holder.view = view
            test.show(view.pointer)
            try test.transfer().fail(ImageError(.timeout))
            test.turn { test.transport.transfers.count == 2 }
            XCTAssertNotNil(first(gtk_spinner_get_type(), in: view.pointer))
            try test.transfer(2).succeed(TestImage().bytes)
            test.turn { view.model.phase.kind == .success }
            holder.view = nil
        }
    }

    func testANewDeclarationForTheSameSourceKeepsTheLoad() throws {
        try GtkFixture.run { test in
            let view = test.view(
                NetworkImage(address) { image in
                    Picture(image)
                } placeholder: {
                    Label("old")
                })
            test.show(view.pointer)
            let transfer = try test.transfer()
            view.image = NetworkImage(address) { image in
                Picture(image)
            } placeholder: {
                Label("new")
            }
            XCTAssertEqual(text(in: view.pointer), "new")
            XCTAssertFalse(transfer.isCancelled)
            transfer.succeed(TestImage().bytes)
            test.turn { view.model.phase.kind == .success }
            XCTAssertEqual(test.transport.transfers.count, 1)
        }
    }

    func testAWidgetThatIsBuiltOnceMayBeShownInEveryPhase() throws {
        try GtkFixture.run { test in
            let same = test.watch(Label("always").content, "label")
            let view = test.view(NetworkImage(address, phase: { _ in same }))
            test.show(view.pointer)
            XCTAssertEqual(gtk_widget_get_first_child(view.pointer), same.pointer)
            try test.transfer().succeed(TestImage().bytes)
            test.turn { view.model.phase.kind == .success }
            XCTAssertEqual(gtk_widget_get_first_child(view.pointer), same.pointer)
        }
    }

    func testWidgetsOfOtherBindingsCanBeContent() {
        GtkFixture.run { test in
            let raw = UnsafeMutableRawPointer(gtk_level_bar_new())
            let view = test.view(
                NetworkImage(address) { image in
                    Picture(image)
                } placeholder: {
                    if let bar = Widget(of: raw) { bar }
                })
            test.show(view.pointer)
            XCTAssertNotNil(first(gtk_level_bar_get_type(), in: view.pointer))
            XCTAssertNil(Widget(of: nil as UnsafeMutableRawPointer?))
            let settings = UnsafeMutableRawPointer(gtk_settings_get_default())
            XCTAssertNil(Widget(of: settings.map { OpaquePointer($0) }))
        }
    }
}

@Observable @MainActor
private final class Settings {
    var caption = "first"
}

@MainActor
private final class Counter {
    private(set) var count = 0

    func counted(_ picture: Picture) -> Picture {
        count += 1
        return picture
    }
}

@MainActor
private final class Holder {
    var view: RemoteImageView?
}
