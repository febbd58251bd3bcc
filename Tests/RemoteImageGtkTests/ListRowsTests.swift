import CRemoteImageGtk
import XCTest

@testable import RemoteImageGtk

/// The rows of a list whose items change.
final class ListRowsTests: XCTestCase {
    /// A list of numbers, and what happened to its rows: the number that a row shows, or a minus
    /// sign for a row that is cleared.
    @MainActor
    private final class List {
        var log: [String] = []
        var shown: (@MainActor (Int) -> Void)?
        private(set) lazy var rows = ListRows<Int, Int>(
            key: { $0 }, keepsHiddenRows: true,
            actions: ListRows.Actions(
                setUp: { gtk_list_item_set_child($0, gtk_label_new("row")) },
                show: { [weak self] item, key, row in
                    guard let self else { return }
                    XCTAssertEqual(item, key)
                    log.append("\(item)")
                    shown?(item)
                },
                clear: { [weak self] _ in self?.log.append("-") }, tearDown: { [weak self] _ in self?.log.append("/") })
        )

        func show(_ items: [Int], _ test: GtkFixture) -> Widget {
            rows.replaceItems(with: items)
            let factory = rows.makeFactory()
            let model = gtk_no_selection_new(OpaquePointer(g_object_ref(rows.store.pointer)))
            let view = test.watch(
                Widget(gtk_list_view_new(model, OpaquePointer(g_object_ref(factory.pointer)))), "the list")
            test.show(view.pointer, width: 100, height: 400)
            test.draw(view.pointer)
            return view
        }
    }

    func testRowsShowTheirItemsInTheOrderOfTheList() {
        GtkFixture.run { test in
            let list = List()
            let view = list.show([1, 2, 3], test)
            XCTAssertEqual(Set(list.log), ["1", "2", "3"])
            for items in [[9, 2, 3, 8], [3, 2, 9], [5, 4, 3, 2, 1], [2]] {
                list.log = []
                list.rows.replaceItems(with: items)
                let shown = list.log.compactMap { Int($0) }
                XCTAssertEqual(shown, items.filter(shown.contains), "\(list.log)")
                test.draw(view.pointer)
                XCTAssertEqual(Set(list.log.compactMap { Int($0) }), Set(items))
                for (position, _) in items.enumerated() {
                    XCTAssertEqual(list.rows.row(at: position).map { Int(gtk_list_item_get_position($0)) }, position)
                }
                XCTAssertNil(list.rows.row(at: items.count))
            }
            list.log = []
            list.rows.replaceItems(with: [])
            test.draw(view.pointer)
            XCTAssertTrue(list.log.contains("-"))
            XCTAssertEqual(list.log.compactMap { Int($0) }, [])
            XCTAssertNil(list.rows.row(at: 0))
        }
    }

    /// A kept row shows its item again, which may have changed, but is not cleared.
    func testEqualItemsAreShownAgainInTheSameRows() {
        GtkFixture.run { test in
            let list = List()
            let view = list.show([1, 2, 3], test)
            let rows = (0..<3).map { list.rows.row(at: $0) }
            list.log = []
            list.rows.replaceItems(with: [1, 2, 3])
            XCTAssertEqual(list.log, ["1", "2", "3"])
            XCTAssertEqual((0..<3).map { list.rows.row(at: $0) }, rows)
            test.draw(view.pointer)
            XCTAssertEqual(list.log, ["1", "2", "3"])
        }
    }

    func testItemsThatAreSetByARowReplaceThoseThatAreBeingSet() {
        GtkFixture.run { test in
            let list = List()
            let view = list.show([1, 2, 3], test)
            var newest: [Int] = []
            list.shown = { item in
                guard item == 7 else { return }
                list.shown = nil
                list.rows.replaceItems(with: [5, 2])
                XCTAssertEqual(list.rows.items, [7, 2], "the first replacement is not finished")
                newest = list.rows.newestItems
            }
            list.rows.replaceItems(with: [7, 2])
            test.draw(view.pointer)
            test.turn { newest == [5, 2] }
            XCTAssertEqual([list.rows.items, list.rows.keys, list.rows.newestItems], [[5, 2], [5, 2], [5, 2]])
            XCTAssertEqual(g_list_model_get_n_items(OpaquePointer(list.rows.store.pointer)), 2)
            list.rows.replaceItems(with: [6])
            XCTAssertEqual(list.rows.items, [6])
            test.draw(view.pointer)
        }
    }

    func testTheRowsOfAListWithoutAModelAreClearedAndTornDown() {
        GtkFixture.run { test in
            let list = List()
            let view = list.show([1, 2, 3], test)
            XCTAssertFalse(list.log.contains("/"))
            list.log = []
            gtk_list_view_set_model(view.opaque, nil)
            test.turn { list.log.count { $0 == "/" } >= 3 }
            XCTAssertEqual(list.log.first, "-")
            XCTAssertEqual(list.log.last, "/")
            XCTAssertEqual((0..<3).map { list.rows.row(at: $0) }, [nil, nil, nil])
            XCTAssertEqual(list.rows.items, [1, 2, 3])
        }
    }
}
