import CRemoteImageGtk
import XCTest

@testable import GtkDeclarations
@testable import RemoteImageGtk

/// The distances at which widgets count as visible, and at which they are drawn.
final class ViewportEdgeTests: XCTestCase {
    /// Widgets of 20 × 10 points at fixed places of scrolled content, whose visible part has
    /// 100 × 80 points.
    @MainActor
    private final class Board {
        let scroller = Widget(gtk_scrolled_window_new())
        private(set) var widgets: [UnsafeMutablePointer<GtkWidget>] = []
        var changes: [[Bool]]
        private(set) var trackers: [VisibilityTracker] = []

        init(_ places: [(x: Double, y: Double)], _ test: GtkFixture) {
            changes = places.map { _ in [] }
            let fixed = Widget(gtk_fixed_new())
            gtk_widget_set_size_request(fixed.pointer, 1000, 1000)
            for place in places {
                let widget = Widget(gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0))
                gtk_widget_set_size_request(widget.pointer, 20, 10)
                gtk_fixed_put(
                    UnsafeMutableRawPointer(fixed.pointer).assumingMemoryBound(to: GtkFixed.self), widget.pointer,
                    place.x, place.y)
                widgets.append(widget.pointer)
            }
            gtk_scrolled_window_set_policy(scroller.opaque, GTK_POLICY_EXTERNAL, GTK_POLICY_EXTERNAL)
            gtk_scrolled_window_set_child(scroller.opaque, fixed.pointer)
            test.show(scroller.pointer, width: 100, height: 80)
            test.draw(scroller.pointer)
        }

        func scroll(to place: (x: Double, y: Double), _ test: GtkFixture) {
            gtk_adjustment_set_value(gtk_scrolled_window_get_hadjustment(scroller.opaque), place.x)
            gtk_adjustment_set_value(gtk_scrolled_window_get_vadjustment(scroller.opaque), place.y)
            test.draw(scroller.pointer)
        }

        func track(margin: Double) {
            trackers = widgets.indices.map { index in
                let tracker = VisibilityTracker(widgets[index]) { [unowned self] in changes[index].append($0) }
                tracker.margin = margin
                tracker.map(width: 20, height: 10)
                return tracker
            }
        }

        func end() {
            for tracker in trackers { tracker.unmap() }
            trackers = []
        }
    }

    func testAWidgetIsVisibleUpToItsMargin() {
        GtkFixture.run { test in
            // The visible part is from (200, 300) to (300, 380).
            let places: [(x: Double, y: Double)] = [
                (250, 340), (300, 340), (301, 340), (180, 340), (179, 340), (250, 380), (250, 381), (250, 290),
                (250, 289), (306, 340), (307, 340), (250, 284), (250, 283),
            ]
            let board = Board(places, test)
            board.scroll(to: (200, 300), test)
            let near = [true, true, false, true, false, true, false, true, false, false, false, false, false]
            for (margin, visible) in [
                (0, near), (1, [true, true, true, true, true, true, true, true, true] + near.suffix(4)),
                (6, Array(repeating: true, count: 10) + [false, true, false]),
            ] as [(Double, [Bool])] {
                board.track(margin: margin)
                XCTAssertEqual(board.trackers.map(\.isVisible), visible, "\(margin)")
                XCTAssertTrue(board.trackers.allSatisfy(\.hasViewport))
                board.end()
            }
            XCTAssertEqual(board.changes[0], [true, false, true, false, true, false])
            XCTAssertEqual(board.changes[2], [true, false, true, false])
            XCTAssertEqual(board.changes[10], [])
        }
    }

    func testWidgetsSomePointsOutsideAreStillDrawn() {
        GtkFixture.run { test in
            let board = Board([(0, 96), (0, 97), (116, 0), (117, 0), (0, 0)], test)
            board.track(margin: 0)
            XCTAssertEqual(board.trackers.map(\.needsDrawing), [true, false, true, false, true])
            XCTAssertEqual(board.trackers.map(\.isVisible), [false, false, false, false, true])
            var drawnCount = 0
            board.trackers[1].needsDrawingChanged = { drawnCount += 1 }
            board.scroll(to: (0, 1), test)
            XCTAssertEqual(board.trackers.map(\.needsDrawing), [true, true, true, false, true])
            XCTAssertEqual(drawnCount, 1)
            board.scroll(to: (0, 500), test)
            XCTAssertEqual(board.trackers.map(\.needsDrawing), [false, false, false, false, false])
            XCTAssertEqual(drawnCount, 2)
            board.end()
            // A widget that is not mapped is not known to be outside.
            XCTAssertEqual(drawnCount, 3)
        }
    }

    func testAMarginThatChangesTakesEffectAfterTheNextFrame() {
        GtkFixture.run { test in
            let board = Board([(0, 120)], test)
            board.track(margin: 0)
            board.trackers[0].margin = 40
            test.turn { board.changes == [[true]] }
            board.trackers[0].margin = 39
            test.turn { board.changes == [[true, false]] }
            board.end()
        }
    }

    func testAMovedWidgetIsFoundAtItsNewPlace() {
        GtkFixture.run { test in
            let board = Board([(0, 500), (0, 0)], test)
            board.track(margin: 0)
            XCTAssertEqual(board.changes, [[], [true]])
            let fixed = gtk_widget_get_parent(board.widgets[0]).map {
                UnsafeMutableRawPointer($0).assumingMemoryBound(to: GtkFixed.self)
            }
            gtk_fixed_move(fixed, board.widgets[0], 0, 20)
            gtk_fixed_move(fixed, board.widgets[1], 0, 500)
            test.turn { board.changes == [[true], [true, false]] }
            board.end()
            XCTAssertEqual(board.changes, [[true, false], [true, false]])
        }
    }

    func testAWidgetNearTheVisibleRowsHasASizeUntilItIsMapped() {
        GtkFixture.run { test in
            let label = test.watch(Label("row").content, "label")
            var changes: [Bool] = []
            let tracker = VisibilityTracker(label.pointer) { changes.append($0) }
            tracker.approach((30, 20))
            XCTAssertEqual(changes, [true])
            XCTAssertTrue(tracker.isNear && tracker.isVisible && !tracker.isMapped && !tracker.isLaidOut)
            tracker.approach((50, 40))
            XCTAssertEqual(changes, [true])
            XCTAssertEqual([tracker.expectedSize?.width, tracker.expectedSize?.height], [50, 40])
            tracker.recede()
            XCTAssertEqual(changes, [true, false])
            XCTAssertNil(tracker.expectedSize)
            XCTAssertFalse(tracker.isNear)
            tracker.approach((30, 20))
            tracker.map()
            // Without a viewport, a mapped widget is visible.
            XCTAssertEqual(changes, [true, false, true])
            XCTAssertFalse(tracker.hasViewport)
            XCTAssertEqual(tracker.expectedSize?.width, 30, "it is not laid out yet")
            tracker.approach((70, 60))
            tracker.recede()
            XCTAssertEqual(tracker.expectedSize?.width, 30)
            tracker.allocate(width: 31, height: 21)
            XCTAssertNil(tracker.expectedSize)
            XCTAssertTrue(tracker.isLaidOut && tracker.isVisible)
            tracker.unmap()
            XCTAssertEqual(changes, [true, false, true, false])
        }
    }
}
