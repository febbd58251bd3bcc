import CRemoteImageGtk
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageGtk

/// New items of a list replace only the rows that differ, so a selection stays on its item.
final class RowMatchingTests: XCTestCase {
    func testAsManyRowsAsPossibleStay() {
        func kept(_ old: String, _ new: String) -> [Int?] { RowMatching.keptRows(from: Array(old), to: Array(new)) }
        XCTAssertEqual(kept("", "ab"), [nil, nil])
        XCTAssertEqual(kept("ab", ""), [])
        XCTAssertEqual(kept("ab", "abc"), [0, 1, nil])
        XCTAssertEqual(kept("abc", "bc"), [1, 2])
        XCTAssertEqual(kept("abcd", "axcd"), [0, nil, 2, 3])
        // One item moves, and the others stay.
        XCTAssertEqual(kept("abcd", "dabc"), [nil, 0, 1, 2])
        XCTAssertEqual(kept("abcd", "bcda"), [1, 2, 3, nil])
        // Equal items keep their order.
        XCTAssertEqual(kept("aab", "aaab"), [0, 1, nil, 2])
        // The rows around a change stay, whatever equals them.
        XCTAssertEqual(kept("abca", "bca"), [1, 2, 3])
        XCTAssertEqual(kept("abab", "babab"), [nil, 0, 1, 2, 3])
        XCTAssertEqual(kept("aa", "aaa"), [0, 1, nil])
        XCTAssertEqual(kept("aaa", "a"), [0])
        XCTAssertEqual(kept("abcba", "axcxa"), [0, nil, 2, nil, 4])
    }

    func testASelectionStaysOnAnItemThatEqualsARemovedOne() throws {
        try GtkFixture.run { test in
            let rows = Self.rows(["a", "b", "c", "a"], test)
            let model = try XCTUnwrap(gtk_multi_selection_new(rows.model))
            defer { g_object_unref(UnsafeMutableRawPointer(model)) }
            gtk_selection_model_select_item(model, 3, 0)
            rows.items.removeFirst()
            XCTAssertNotEqual(gtk_selection_model_is_selected(model, 2), 0)
        }
    }

    func testASelectionStaysOnItsItem() throws {
        try GtkFixture.run { test in
            let rows = Self.rows(["a", "b", "c", "d"], test)
            let single = try XCTUnwrap(gtk_single_selection_new(rows.model))
            let multiple = try XCTUnwrap(gtk_multi_selection_new(rows.model))
            defer { for model in [single, multiple] { g_object_unref(UnsafeMutableRawPointer(model)) } }
            gtk_single_selection_set_selected(single, 2)
            for row in [0, 2] { gtk_selection_model_select_item(multiple, guint(row), 0) }
            @MainActor func selected() -> [String] {
                [rows.items[Int(gtk_single_selection_get_selected(single))]]
                    + rows.items.indices.filter { gtk_selection_model_is_selected(multiple, guint($0)) != 0 }
                    .map { rows.items[$0] }
            }
            XCTAssertEqual(selected(), ["c", "a", "c"])
            rows.items += ["e", "f"]
            XCTAssertEqual(selected(), ["c", "a", "c"])
            rows.items.insert("0", at: 0)
            XCTAssertEqual(selected(), ["c", "a", "c"])
            rows.items.removeAll { ["b", "d"].contains($0) }
            XCTAssertEqual(selected(), ["c", "a", "c"])
            XCTAssertEqual(rows.items, ["0", "a", "c", "e", "f"])
            XCTAssertEqual(g_list_model_get_n_items(multiple), 5)
        }
    }

    func testOnlyTheRowsThatDifferChangeInTheModel() {
        GtkFixture.run { test in
            let rows = Self.rows(["a", "b", "c"], test)
            let model = rows.model
            defer { g_object_unref(UnsafeMutableRawPointer(model)) }
            let objects = (0..<3).map { Self.object(at: $0, of: model) }
            rows.items = ["x", "a", "c", "y"]
            XCTAssertEqual(Self.object(at: 1, of: model), objects[0])
            XCTAssertEqual(Self.object(at: 2, of: model), objects[2])
            XCTAssertEqual(g_list_model_get_n_items(model), 4)
            rows.items = []
            XCTAssertEqual(g_list_model_get_n_items(model), 0)
        }
    }

    func testRowsThatStayKeepTheirImagesAndOtherRowsLoadTheirs() {
        GtkFixture.run { test in
            test.pipeline.setConcurrency(transfers: 20, perHost: 20)
            let rows = Self.rows(["a", "b", "c"], test)
            let list = Widget(gtk_list_view_new(gtk_no_selection_new(rows.model), rows.factory))
            test.show(list.pointer, width: 100, height: 400)
            test.turn { Set(test.transport.addresses).count == 3 }
            test.draw(list.pointer)
            test.settle()
            let before = test.transport.transfers
            rows.items = ["x", "b", "c", "y"]
            test.draw(list.pointer)
            test.turn { test.transport.transfers.count == before.count + 2 }
            test.settle()
            let new = test.transport.addresses.dropFirst(before.count)
            XCTAssertEqual(Set(new), ["http://test/x.png", "http://test/y.png"])
            // The first transfer is cancelled on another thread.
            test.turn {
                let running = before.filter { $0.state == .running && !$0.isCancelled }.map(\.request.address.string)
                return Set(running) == ["http://test/b.png", "http://test/c.png"]
            }
        }
    }

    func testAnItemWithTheSameIdentityShowsItsNewImage() throws {
        try GtkFixture.run { test in
            struct Photo: Identifiable {
                let id: Int
                var address: String
            }
            let rows = ImageListFactory(
                items: [Photo(id: 1, address: "http://test/a.png")], source: \.address, pipeline: test.pipeline
            ) {
                NetworkImage(nil)
            }
            rows.itemSize = (50, 50)
            let list = Widget(gtk_list_view_new(gtk_no_selection_new(rows.model), rows.factory))
            test.show(list.pointer)
            _ = try test.transfer()
            let model = rows.model
            defer { g_object_unref(UnsafeMutableRawPointer(model)) }
            let object = Self.object(at: 0, of: model)
            rows.items = [Photo(id: 1, address: "http://test/b.png")]
            XCTAssertEqual(try test.transfer(2).request.address.string, "http://test/b.png")
            XCTAssertEqual(Self.object(at: 0, of: model), object)
        }
    }

    func testObjectsAreMatchedByIdentityAndValuesByTheirImage() {
        GtkFixture.run { _ in
            final class Row {}
            struct Photo { var address: String }
            @MainActor func key<Item>(_ item: Item, _ source: ImageSource? = nil) -> AnyHashable {
                RowMatching.key(of: item) { _ in source }
            }
            let row = Row()
            XCTAssertEqual(key(row), key(row))
            XCTAssertNotEqual(key(row), key(Row()))
            XCTAssertEqual(key(Photo(address: "a"), "http://test/a"), key(Photo(address: "b"), "http://test/a"))
            XCTAssertNotEqual(key(Photo(address: "a"), "http://test/a"), key(Photo(address: "a"), "http://test/b"))
        }
    }

    func testTheIdentityOfAnItemTakesPrecedenceOverItsValueAndTheValueOverTheObject() {
        struct Photo: Identifiable, Hashable {
            let id: Int
            let title: String
        }
        final class Named: Hashable {
            let name: String

            init(_ name: String) { self.name = name }

            static func == (one: Named, other: Named) -> Bool { one.name == other.name }
            func hash(into hasher: inout Hasher) { hasher.combine(name) }
        }
        GtkFixture.run { _ in
            @MainActor func key<Item>(_ item: Item) -> AnyHashable { RowMatching.key(of: item) { _ in nil } }
            XCTAssertEqual(key(Photo(id: 1, title: "a")), key(Photo(id: 1, title: "b")))
            XCTAssertNotEqual(key(Photo(id: 1, title: "a")), key(Photo(id: 2, title: "a")))
            XCTAssertEqual(key(Named("a")), key(Named("a")))
            XCTAssertNotEqual(key(Named("a")), key(Named("b")))
        }
    }

    /// GTK takes a fraction of a millisecond for each place that changes.
    func testHiddenRowsKeepTheirObjectsUnlessMoreThanAHundredPlacesChange() {
        GtkFixture.run { _ in
            for (keepsHiddenRows, removedCount, isKept) in [
                (false, 100, true), (false, 101, false), (true, 101, true), (true, 150, true),
            ] {
                let rows = ListRows<Int, Int>(
                    key: { $0 }, keepsHiddenRows: keepsHiddenRows,
                    actions: ListRows.Actions(setUp: { _ in }, show: { _, _, _ in }, clear: { _ in }))
                rows.replaceItems(with: Array(0..<400))
                let model = OpaquePointer(rows.store.pointer)
                // References, so that no new object has the address of an old one.
                let objects = (0..<400).map { g_list_model_get_item(model, $0) }
                defer { for object in objects { g_object_unref(object) } }
                let left = (0..<400).filter { $0 % 2 == 0 || $0 / 2 >= removedCount }
                rows.replaceItems(with: left)
                XCTAssertEqual(rows.items, left)
                XCTAssertEqual(rows.keys, left)
                XCTAssertFalse(rows.isReplacing)
                XCTAssertEqual(g_list_model_get_n_items(model), guint(400 - removedCount))
                let kept = left.indices.filter { position in
                    let object = g_list_model_get_item(model, guint(position))
                    g_object_unref(object)
                    return object == objects[left[position]]
                }
                XCTAssertEqual(kept.count, isKept ? left.count : 0, "\(keepsHiddenRows), \(removedCount)")
            }
        }
    }

    @MainActor
    private static func rows(_ items: [String], _ test: GtkFixture) -> ImageListFactory<String> {
        let rows = ImageListFactory(
            items: items, source: { ImageSource("http://test/\($0).png") }, pipeline: test.pipeline
        ) {
            NetworkImage(nil)
        }
        rows.itemSize = (50, 50)
        return rows
    }

    private static func object(at position: Int, of model: OpaquePointer) -> UInt {
        let object = g_list_model_get_item(model, guint(position))
        g_object_unref(object)
        return UInt(bitPattern: object)
    }
}
