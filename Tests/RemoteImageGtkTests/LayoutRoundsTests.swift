import CRemoteImageGtk
import RemoteImageTestSupport
import XCTest

@testable import GtkDeclarations
@testable import RemoteImageGtk

/// A running spinner causes a layout in each frame of its window.
final class LayoutRoundsTests: XCTestCase {
    func testFramesWithoutMovesCheckFewOfManyViews() {
        run(count: 800) { test, column, spinner in
            // Each call draws about three frames: checking all views would take at least 2,400
            // checks. A frame checks a sixteenth of the views and those that are drawn, and all
            // views after a frame without layout, or after a pause of a loaded machine.
            let counts = (0..<8).map { _ in
                let before = Viewport.placeCount
                for _ in 0..<5 { test.draw(spinner) }
                return Viewport.placeCount - before
            }
            XCTAssertLessThan(counts.reduce(.max, min), 5 * 800 / 3)
        }
    }

    func testAViewThatIsMovedIntoSightBesideASpinnerLoads() {
        run(count: 200) { test, column, spinner in
            let box = gtk_widget_get_parent(column.views[0].pointer).map {
                UnsafeMutablePointer<GtkBox>(OpaquePointer($0))
            }
            for number in [150, 120, 199] {
                for _ in 0..<3 { test.draw(spinner) }
                XCTAssertFalse(column.begun.contains(number))
                gtk_box_reorder_child_after(box, column.views[number].pointer, nil)
                test.turn { column.begun.contains(number) }
            }
        }
    }

    func testAMoveThatNoFrameCheckedIsFoundWhenTheSpinnerStops() {
        run(count: 800) { test, column, spinner in
            for _ in 0..<5 { test.draw(spinner) }
            let before = Viewport.placeCount
            gtk_spinner_stop(OpaquePointer(spinner))
            // All views are located once more, and then none.
            test.turn { Viewport.placeCount - before >= 800 }
            test.turn {
                let after = Viewport.placeCount
                test.settle()
                return Viewport.placeCount == after
            }
        }
    }

    /// All views of the viewport were located again when an animation started.
    func testTheStartOfAnAnimationLocatesOnlyItsOwnView() throws {
        try run(count: 800) { test, column, spinner in
            let gif = GIFFile.animation(
                [1, 2].map { GIFFile(width: 4, height: 4, pixels: [UInt8](repeating: $0, count: 16)) },
                delay: .milliseconds(100))
            let task = ImagePipeline.test(test.transport, decoder: GIFDecoder())
            let model = NetworkImageModel(.bytes(gif, identity: "gif"), pipeline: task)
            model.load()
            test.turn { model.image != nil }
            let image = try XCTUnwrap(model.image)
            let paintable = try XCTUnwrap(ImagePaintable.make(image))
            let playback = AnimationPlayback(
                try XCTUnwrap(image.animation), paintable, column.views[1].pointer)
            for _ in 0..<5 { test.draw(spinner) }
            let before = Viewport.placeCount
            playback.start()
            XCTAssertLessThanOrEqual(Viewport.placeCount - before, 2)
            let frames = Viewport.placeCount
            test.draw(spinner)
            XCTAssertLessThan(Viewport.placeCount - frames, 800)
            playback.stop()
            task.configuration.memoryCache?.removeAll()
        }
    }

    func testScrollingBesideASpinnerLoadsTheVisibleViews() {
        run(count: 200) { test, column, spinner in
            XCTAssertEqual(column.begun, [0, 1, 2])
            for place in [1000, 9000, 500] {
                column.scroll(to: Double(place) + 10)
                for _ in 0..<3 { test.draw(spinner) }
                let first = place / 50
                test.turn { Set(column.begun).isSuperset(of: first...(first + 2)) }
            }
        }
    }

    /// A column of views below a running spinner.
    private func run(
        count: Int, _ body: @MainActor (GtkFixture, TestColumn, UnsafeMutablePointer<GtkWidget>) throws -> Void
    ) rethrows {
        try GtkFixture.run { test in
            test.pipeline.setConcurrency(transfers: 64, perHost: 64)
            var options = ImageOptions()
            options.viewportMargin = 0
            let views = (0..<count).map { number in
                let view = test.view(NetworkImage("http://test/\(number).png", options: options) { Picture($0) })
                gtk_widget_set_size_request(view.pointer, 50, 50)
                return view
            }
            let column = TestColumn(GTK_ORIENTATION_VERTICAL, views)
            gtk_widget_set_vexpand(column.widget.pointer, 1)
            let spinner = test.watch(Widget(gtk_spinner_new()), "spinner")
            gtk_spinner_start(spinner.opaque)
            let box = Widget(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
            append(spinner.pointer, to: box)
            append(column.widget.pointer, to: box)
            test.show(box.pointer, width: 100, height: 140)
            for _ in 0..<5 { test.draw(spinner.pointer) }
            try body(test, column, spinner.pointer)
        }
    }
}
