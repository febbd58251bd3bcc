import CRemoteImageGtk
import Observation
import XCTest

@testable import RemoteImageGtk

/// `onEndReached` of lists, grids and scrolled content.
final class ScrollEndTests: XCTestCase {
    @MainActor @Observable
    fileprivate final class Feed {
        var items: [Int]
        /// The number of items at each call.
        var calls: [Int] = []

        init(count: Int) { items = Array(0..<count) }

        func append(_ count: Int) { items += items.count..<items.count + count }
    }

    private enum Kind: CaseIterable { case list, grid }

    @MainActor
    private static func shown(_ kind: Kind, _ feed: Feed, in test: GtkFixture) -> ScrolledWidget {
        let list: any WidgetDeclaration =
            switch kind {
            case .list: ImageList(feed.items, id: \.self) { Label("\($0)").frame(height: 30) }
            case .grid: ImageGrid(feed.items, id: \.self, columns: 2...2) { Label("\($0)").frame(height: 30) }
            }
        let widget = test.shown(list.body.onEndReached { feed.calls.append(feed.items.count) })
        test.draw(widget.pointer)
        return ScrolledWidget(widget, test)
    }

    func testTheEndIsReportedOnceForTheSameItems() {
        for kind in Kind.allCases {
            GtkFixture.run { test in
                let feed = Feed(count: 300)
                let list = Self.shown(kind, feed, in: test)
                list.scroll(toEnd: 2.5)
                XCTAssertEqual(feed.calls, [], "the end is more than a page away")
                list.scroll(toEnd: 0.5)
                test.turn { !feed.calls.isEmpty }
                list.scroll(toEnd: 0.2)
                list.scroll(toEnd: 0)
                XCTAssertEqual(feed.calls, [300])
                feed.append(300)
                list.draw()
                XCTAssertEqual(feed.calls, [300])
                list.scroll(toEnd: 0)
                test.turn { feed.calls == [300, 600] }
            }
        }
    }

    func testItemsThatFitIntoTheVisibleAreaAreFollowedByMore() {
        GtkFixture.run { test in
            let feed = Feed(count: 1)
            let list = Self.shown(.list, feed, in: test)
            test.turn { feed.calls == [1] }
            feed.append(1)
            test.turn { feed.calls == [1, 2] }
            feed.append(200)
            list.draw()
            XCTAssertEqual(feed.calls, [1, 2])
        }
    }

    func testAListWithoutItemsHasNoEnd() {
        GtkFixture.run { test in
            let feed = Feed(count: 0)
            let list = Self.shown(.list, feed, in: test)
            list.draw()
            XCTAssertEqual(feed.calls, [])
            feed.append(2)
            test.turn { feed.calls == [2] }
        }
    }

    func testOtherItemsInPlaceOfAllAreReported() {
        GtkFixture.run { test in
            let feed = Feed(count: 2)
            let list = Self.shown(.list, feed, in: test)
            test.turn { feed.calls == [2] }
            feed.items = [10, 11]
            test.turn { feed.calls == [2, 2] }
            feed.items = []
            list.draw()
            feed.items = [2, 3]
            test.turn { feed.calls == [2, 2, 2] }
        }
    }

    /// A row that says that items are being loaded, and goes when loading has failed.
    func testARemovedRowAtTheEndDoesNotReportTheEndAgain() {
        GtkFixture.run { test in
            let feed = Feed(count: 2)
            let list = Self.shown(.list, feed, in: test)
            test.turn { feed.calls == [2] }
            feed.append(1)
            test.turn { feed.calls == [2, 3] }
            feed.items.removeLast()
            list.draw()
            feed.items.insert(20, at: 1)
            list.draw()
            XCTAssertEqual(feed.calls, [2, 3])
        }
    }

    func testAHiddenListDoesNotReportItsEnd() {
        GtkFixture.run { test in
            let feed = Feed(count: 300)
            let widget = test.shown(
                Column {
                    ImageList(feed.items, id: \.self) { Label("\($0)").frame(height: 30) }
                        .onEndReached { feed.calls.append(feed.items.count) }.expand()
                })
            test.draw(widget.pointer)
            guard let pointer = gtk_widget_get_first_child(widget.pointer) else { return XCTFail("there is a list") }
            let list = ScrolledWidget(Widget(pointer), test)
            list.scroll(toEnd: 0)
            test.turn { feed.calls == [300] }
            gtk_widget_set_visible(pointer, 0)
            feed.append(300)
            test.draw(widget.pointer)
            XCTAssertEqual(feed.calls, [300])
            gtk_widget_set_visible(pointer, 1)
            list.draw()
            XCTAssertEqual(feed.calls, [300], "the end is far away now")
            list.scroll(toEnd: 0)
            test.turn { feed.calls == [300, 600] }
        }
    }

    func testResizingShortContentDoesNotReportItsEndAgain() {
        GtkFixture.run { test in
            var count = 0
            let widget = test.watch(ScrollView { Label("short") }.onEndReached { count += 1 }.content, "the widget")
            let window = test.show(widget.pointer)
            test.turn { count == 1 }
            for height in [300, 200, 400] {
                window.resize(width: 200, height: height)
                test.turn { gtk_widget_get_height(widget.pointer) == Int32(height) }
                test.draw(widget.pointer)
            }
            XCTAssertEqual(count, 1)
        }
    }

    func testTheEndIsReportedAgainAfterScrollingAwayAndBack() {
        GtkFixture.run { test in
            let feed = Feed(count: 300)
            let list = Self.shown(.list, feed, in: test)
            for count in 1...2 {
                list.scroll(toEnd: 0)
                test.turn { feed.calls.count == count }
                list.scroll(toEnd: 5)
            }
        }
    }

    func testTheEndOfScrolledContentIsReportedWithinTheDistance() {
        GtkFixture.run { test in
            var calls: [String] = []
            let content = ScrollView { Column {}.frame(height: 2000) }
                .onEndReached(within: 0) { calls.append("at the end") }
                .onEndReached(within: 3) { calls.append("within 3 pages") }
            let scroller = ScrolledWidget(test.shown(content), test)
            scroller.draw()
            scroller.scroll(toEnd: 2)
            test.turn { calls == ["within 3 pages"] }
            scroller.scroll(toEnd: 0.1)
            XCTAssertEqual(calls.count, 1)
            scroller.scroll(toEnd: 0)
            test.turn { calls == ["within 3 pages", "at the end"] }
        }
    }

    func testShortContentIsAtItsEnd() {
        GtkFixture.run { test in
            var count = 0
            let widget = test.shown(ScrollView { Label("short") }.onEndReached { count += 1 })
            test.turn { count == 1 }
            _ = widget
        }
    }

    func testOtherWidgetsHaveNoEnd() {
        GtkFixture.run { test in
            let widget = test.shown(Label("one").onEndReached { XCTFail("a label does not scroll") })
            test.draw(widget.pointer)
        }
    }
}

/// A widget that is scrolled by heights of its visible area.
@MainActor
private struct ScrolledWidget {
    private let widget: Widget
    private let test: GtkFixture

    init(_ widget: Widget, _ test: GtkFixture) {
        (self.widget, self.test) = (widget, test)
    }

    func draw() { test.draw(widget.pointer) }

    func scroll(toEnd pages: Double) {
        let adjustment = gtk_scrolled_window_get_vadjustment(OpaquePointer(widget.pointer))
        // The height of a list is an estimate that becomes better near the end.
        for _ in 0..<2 {
            let page = gtk_adjustment_get_page_size(adjustment)
            gtk_adjustment_set_value(adjustment, gtk_adjustment_get_upper(adjustment) - (1 + pages) * page)
            draw()
        }
    }
}
