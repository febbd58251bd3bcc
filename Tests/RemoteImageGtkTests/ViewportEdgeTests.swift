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
        /// The changes of all widgets in their order: `+` and the index of one that appears.
        var log: [String] = []
        private(set) var trackers: [VisibilityTracker] = []
        /// The viewport around `scroller`, if there is one, and its content.
        private(set) var outer: (scroller: Widget, fixed: Widget)?

        /// - Parameter nested: The place of an inner viewport of 60 × 40 points, which has the
        ///   widgets, in the content of the visible one.
        init(_ places: [(x: Double, y: Double)], nested: (x: Double, y: Double)? = nil, _ test: GtkFixture) {
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
            if let nested { nest(at: nested) }
            test.show((outer?.scroller ?? scroller).pointer, width: 100, height: 80)
            test.draw(scroller.pointer)
        }

        private func nest(at place: (x: Double, y: Double)) {
            let (window, fixed) = (Widget(gtk_scrolled_window_new()), Widget(gtk_fixed_new()))
            gtk_widget_set_size_request(fixed.pointer, 1000, 1000)
            gtk_widget_set_size_request(scroller.pointer, 60, 40)
            gtk_fixed_put(Self.fixed(fixed), scroller.pointer, place.x, place.y)
            gtk_scrolled_window_set_policy(window.opaque, GTK_POLICY_EXTERNAL, GTK_POLICY_EXTERNAL)
            gtk_scrolled_window_set_child(window.opaque, fixed.pointer)
            outer = (window, fixed)
        }

        /// Moves the inner viewport in the outer one.
        func moveInner(to place: (x: Double, y: Double), _ test: GtkFixture) {
            guard let outer else { return }
            gtk_fixed_move(Self.fixed(outer.fixed), scroller.pointer, place.x, place.y)
            test.draw(outer.scroller.pointer)
        }

        private static func fixed(_ widget: Widget) -> UnsafeMutablePointer<GtkFixed> {
            UnsafeMutableRawPointer(widget.pointer).assumingMemoryBound(to: GtkFixed.self)
        }

        func scroll(to place: (x: Double, y: Double), _ test: GtkFixture) {
            scroll(scroller, to: place, test)
        }

        func scroll(_ window: Widget, to place: (x: Double, y: Double), _ test: GtkFixture) {
            gtk_adjustment_set_value(gtk_scrolled_window_get_hadjustment(window.opaque), place.x)
            gtk_adjustment_set_value(gtk_scrolled_window_get_vadjustment(window.opaque), place.y)
            test.draw(window.pointer)
        }

        func track(margin: Double) {
            trackers = widgets.indices.map { index in
                let tracker = VisibilityTracker(widgets[index]) { [unowned self] in
                    changes[index].append($0)
                    log.append("\($0 ? "+" : "-")\(index)")
                }
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

    /// 32 of few views, or a sixteenth of many, and those that are drawn.
    func testEachFrameChecksThoseThatAreDrawnAndAPartOfAllInTurn() {
        GtkFixture.run { test in
            for (count, part) in [(100, 32), (640, 40)] {
                let places = (0..<count).map { (x: 0.0, y: $0 == 0 ? 5 : 300 + Double($0)) }
                let board = Board(places, test)
                board.track(margin: 0)
                defer { board.end() }
                var check = RoundRobinCheck()
                check.begin(with: board.trackers, in: 5, 7)
                @MainActor func checked() -> Int {
                    let before = Viewport.placeCount
                    XCTAssertFalse(check.findMove())
                    return Viewport.placeCount - before
                }
                let rounds = [Int](repeating: part + 1, count: count / part)
                let rest = count % part == 0 ? [] : [count % part + 1]
                XCTAssertEqual((rounds + rest + rounds).map { _ in checked() }, rounds + rest + rounds)

                // The sixtieth is among the second part.
                check.begin(with: board.trackers, in: 5, 7)
                var area = GtkAllocation(x: 40, y: 900, width: 20, height: 10)
                gtk_widget_size_allocate(board.widgets[60], &area, -1)
                XCTAssertEqual([check.findMove(), check.findMove()], [false, true])
                var other = RoundRobinCheck()
                other.add(board.trackers[60])
                other.begin(with: [board.trackers[1]], in: 5, 7)
                XCTAssertFalse(other.findMove())
                other.add(board.trackers[60])
                XCTAssertTrue(other.findMove())
            }
        }
    }

    func testARoundGoesOnInTheNextFrameOfTheSameLayout() {
        MainActor.assumeIsolated {
            var check = RoundRobinCheck()
            XCTAssertFalse(check.continueRound(in: 1, 0))
            check.begin(with: [VisibilityTracker](), in: 5, 7)
            XCTAssertEqual(
                [(6, 7), (7, 7), (9, 7), (7, 7), (8, 8), (8, 7)].map { check.continueRound(in: $0.0, $0.1) },
                [true, true, false, false, false, true])
            check.end()
            XCTAssertFalse(check.continueRound(in: 9, 7))
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

    /// The views that leave would otherwise free transfers for each other.
    func testWidgetsAppearBeforeOthersDisappear() {
        GtkFixture.run { test in
            let board = Board([(0, 0), (50, 40), (30, 520), (0, 520), (0, 500)], test)
            board.track(margin: 0)
            XCTAssertEqual(board.log, ["+0", "+1"])
            board.log = []
            board.scroll(to: (0, 460), test)
            XCTAssertEqual(Array(board.log.prefix(3)), ["+4", "+3", "+2"])
            XCTAssertEqual(Set(board.log.dropFirst(3)), ["-0", "-1"])
            XCTAssertEqual(board.log.count, 5)
            board.end()
        }
    }

    /// The inner viewport is at (30, 50) of an outer one of 100 × 80 points.
    func testAWidgetInNestedViewportsIsVisibleWhereBothShowIt() throws {
        try GtkFixture.run { test in
            let places: [(x: Double, y: Double)] = [(0, 0), (0, 30), (0, 31), (60, 0), (61, 0), (50, 0)]
            let board = Board(places, nested: (30, 50), test)
            XCTAssertEqual(
                [gtk_widget_get_width(board.scroller.pointer), gtk_widget_get_height(board.scroller.pointer)], [60, 40])
            let outer = try XCTUnwrap(board.outer).scroller
            for (margin, place, visible) in [
                (0, (0, 0), [true, true, false, true, false, true]), (1, (0, 0), [true, true, true, true, true, true]),
                (0, (81, 0), [false, false, false, true, false, true]),
                (0, (0, 61), [false, true, true, false, false, false]),
            ] as [(Double, (x: Double, y: Double), [Bool])] {
                board.scroll(outer, to: place, test)
                board.track(margin: margin)
                XCTAssertEqual(board.trackers.map(\.isVisible), visible, "\(margin), \(place)")
                board.end()
            }
            // Widgets that are tracked follow the outer viewport.
            board.scroll(outer, to: (0, 0), test)
            board.track(margin: 0)
            board.scroll(outer, to: (0, 61), test)
            test.turn { board.trackers.map(\.isVisible) == [false, true, true, false, false, false] }
            board.end()
        }
    }

    /// The outer viewport would check widgets that no longer exist.
    func testNoViewportKeepsATrackerThatHasEnded() {
        GtkFixture.run { test in
            let board = Board([(0, 0)], nested: (30, 50), test)
            board.track(margin: 0)
            weak let tracker = board.trackers[0]
            board.end()
            XCTAssertNil(tracker)
        }
    }

    func testAnInnerViewportThatMovedWhileNothingWasTrackedIsFoundAtItsNewPlace() {
        GtkFixture.run { test in
            let board = Board([(0, 0)], nested: (30, 50), test)
            board.track(margin: 0)
            XCTAssertTrue(board.trackers[0].isVisible)
            board.end()
            board.moveInner(to: (30, 500), test)
            board.track(margin: 0)
            XCTAssertFalse(board.trackers[0].isVisible)
            board.end()
        }
    }

    func testWidgetsFollowAnotherAdjustmentOfTheirViewport() throws {
        try GtkFixture.run { test in
            let board = Board([(0, 0), (0, 500), (500, 0)], test)
            board.track(margin: 0)
            let old = try XCTUnwrap(gtk_scrolled_window_get_vadjustment(board.scroller.opaque))
            let kept = ObjectReference(borrowing: UnsafeMutableRawPointer(old))
            gtk_scrolled_window_set_vadjustment(board.scroller.opaque, gtk_adjustment_new(500, 0, 1000, 1, 10, 80))
            test.turn { board.trackers.map(\.isVisible) == [false, true, false] }
            board.scroll(to: (0, 0), test)
            XCTAssertEqual(board.trackers.map(\.isVisible), [true, false, false])
            gtk_adjustment_set_value(kept.pointer.assumingMemoryBound(to: GtkAdjustment.self), 500)
            test.draw(board.scroller.pointer)
            XCTAssertEqual(board.trackers.map(\.isVisible), [true, false, false])
            gtk_scrolled_window_set_hadjustment(board.scroller.opaque, gtk_adjustment_new(500, 0, 1000, 1, 10, 100))
            test.turn { board.trackers.map(\.isVisible) == [false, false, true] }
            board.end()
        }
    }

    /// As on a page of a `GtkStack` that is shown again.
    func testAWidgetThatIsMappedWithoutALayoutIsCheckedAfterTheNextFrame() {
        GtkFixture.run { test in
            let board = Board([(0, 0), (40, 0)], test)
            board.track(margin: 0)
            board.trackers[1].unmap()
            test.draw(board.scroller.pointer)
            board.trackers[1].map()
            XCTAssertEqual(board.trackers.map(\.isVisible), [true, false])
            test.turn { board.trackers[1].isVisible }
            XCTAssertEqual(board.changes[1], [true, false, true])
            board.end()
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
