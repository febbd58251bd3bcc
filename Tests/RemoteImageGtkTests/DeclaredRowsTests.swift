import CRemoteImageGtk
import Observation
import RemoteImageTestSupport
import XCTest

@testable import GtkDeclarations
@testable import RemoteImageGtk

@Observable
private final class Model {
    var isShown = false
}

/// A value that works only while a row shows its item.
@MainActor
private final class Work: ItemFollower {
    var log: [String] = []
    var isRunning = true

    func itemDisappeared() -> Bool {
        log.append("disappeared")
        return isRunning
    }

    func itemAppeared(wasInterrupted: Bool) { log.append("appeared \(wasInterrupted)") }
}

private struct Worker: WidgetDeclaration {
    @State var work: Work
    var body: some WidgetDeclaration { Label("work") }
}

private struct Counter: WidgetDeclaration {
    @State private var count = 0
    var body: some WidgetDeclaration { Button("\(count)") { count += 1 } }
}

/// The states of items whose rows come and go. A list has two rows of an item for a moment, and for
/// items with equal identities.
final class DeclaredRowsTests: XCTestCase {
    /// Rows that no list holds.
    @MainActor
    private final class Rows {
        let contents = DeclaredRows<Int, Int>()
        private let items: [OpaquePointer]

        init(_ content: @escaping @MainActor (Int) -> [DeclaredWidget]) {
            items = (0..<2).compactMap { _ in shim_object_new(gtk_list_item_get_type()).map { OpaquePointer($0) } }
            contents.content = content
            for item in items { contents.actions.setUp(item) }
        }

        func show(_ item: Int, in row: Int) { contents.actions.show(item, item, items[row]) }

        func clear(_ row: Int) { contents.actions.clear(items[row]) }

        func click(in row: Int) throws {
            let child = gtk_list_item_get_child(items[row])
            Emission.emit("clicked", of: try XCTUnwrap(first(gtk_button_get_type(), in: child)))
        }

        func text(in row: Int) -> String? { texts(in: gtk_list_item_get_child(items[row])).first }

        func end() {
            for (row, item) in items.enumerated() {
                clear(row)
                contents.actions.tearDown(item)
                g_object_unref(UnsafeMutableRawPointer(item))
            }
        }
    }

    func testTwoRowsOfAnItemShareItsState() throws {
        try GtkFixture.run { test in
            let rows = Rows { _ in [Counter().declared] }
            defer { rows.end() }
            rows.show(1, in: 0)
            try rows.click(in: 0)
            rows.show(1, in: 1)
            test.turn { rows.text(in: 0) == "1" && rows.text(in: 1) == "1" }
            try rows.click(in: 1)
            test.turn { rows.text(in: 0) == "2" && rows.text(in: 1) == "2" }
            // Another item has a state of its own.
            rows.show(7, in: 1)
            XCTAssertEqual(rows.text(in: 1), "0")
            rows.show(7, in: 0)
            rows.contents.keepStates(of: [1, 7])
            rows.show(1, in: 1)
            XCTAssertEqual(rows.text(in: 1), "2")
            rows.clear(1)
            rows.contents.keepStates(of: [7])
            rows.show(1, in: 1)
            XCTAssertEqual(rows.text(in: 1), "0", "the item was removed in between")
        }
    }

    func testAStateThatBeginsAfterAnotherRowOfItsItemEndedIsKept() throws {
        try GtkFixture.run { test in
            for isShownAgain in [false, true] {
                let model = Model()
                let rows = Rows { _ in [model.isShown ? Counter().declared : Label("none").declared] }
                defer { rows.end() }
                rows.show(1, in: 0)
                rows.show(1, in: 1)
                // The item has no state yet.
                rows.clear(1)
                if isShownAgain { rows.show(1, in: 0) }
                model.isShown = true
                test.turn { rows.text(in: 0) == "0" }
                try rows.click(in: 0)
                test.turn { rows.text(in: 0) == "1" }
                if !isShownAgain {
                    rows.show(2, in: 0)
                    XCTAssertEqual(rows.text(in: 0), "0")
                }
                rows.show(1, in: 1)
                XCTAssertEqual(rows.text(in: 1), "1")
            }
        }
    }

    func testTheWorkOfAnItemPausesWhileNoRowShowsIt() {
        GtkFixture.run { test in
            let works = [Work(), Work()]
            let rows = Rows { item in [Worker(work: works[item]).declared] }
            defer { rows.end() }
            rows.show(1, in: 0)
            XCTAssertEqual(works[1].log, [])
            // Another row takes over the item.
            rows.clear(0)
            rows.show(1, in: 1)
            test.settle()
            XCTAssertEqual(works[1].log, ["appeared false"])
            works[1].log = []
            rows.clear(1)
            test.turn { works[1].log == ["disappeared"] }
            rows.show(1, in: 0)
            rows.show(1, in: 1)
            XCTAssertEqual(works[1].log, ["disappeared", "appeared true", "appeared false"])
            works[1].log = []
            works[1].isRunning = false
            rows.show(0, in: 0)
            test.settle()
            XCTAssertEqual(works[1].log, [], "one row still shows the item")
            rows.show(0, in: 1)
            test.turn { works[1].log == ["disappeared"] }
            rows.show(1, in: 1)
            XCTAssertEqual(works[1].log, ["disappeared", "appeared false"], "its work had ended before")
            test.settle()
            XCTAssertFalse(works[0].log.contains("disappeared"))
        }
    }
}
