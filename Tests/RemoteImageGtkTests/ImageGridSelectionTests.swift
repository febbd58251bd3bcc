import CRemoteImageGtk
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageGtk

/// The selection of declared grids and lists, and the activation of their items.
final class ImageGridSelectionTests: XCTestCase {
    func testTheSelectionFollowsTheBindingAndTheBindingTheSelection() {
        TestList.run(Array(10..<20)) { test, list in
            XCTAssertNil(list.selectedPosition)
            list.album.selected = 14
            test.settle()
            XCTAssertEqual(list.selectedPosition, 4)
            gtk_single_selection_set_selected(list.selectionModel, 7)
            XCTAssertEqual(list.album.selected, 17)
            test.settle()
            XCTAssertEqual(list.selectedPosition, 7)
            // An identity without an item selects nothing, and stays in the binding.
            list.album.selected = 99
            test.settle()
            XCTAssertNil(list.selectedPosition)
            XCTAssertEqual(list.album.selected, 99)
            gtk_single_selection_set_selected(list.selectionModel, 2)
            gtk_single_selection_set_selected(list.selectionModel, guint.max)
            XCTAssertNil(list.album.selected)
        }
    }

    func testTheUserMayDeselectTheItem() {
        TestList.run(Array(10..<20)) { test, list in
            gtk_single_selection_set_selected(list.selectionModel, 3)
            XCTAssertEqual(list.album.selected, 13)
            XCTAssertNotEqual(gtk_selection_model_unselect_item(list.selectionModel, 3), 0)
            XCTAssertNil(list.album.selected)
            test.settle()
            XCTAssertNil(list.selectedPosition)
        }
    }

    func testAnItemThatTheProgramSelectsIsScrolledTo() {
        TestList.run(Array(0..<500)) { test, list in
            list.album.selected = 400
            test.settle()
            test.draw(list.pointer!)
            XCTAssertNotNil(list.captions["400"])
            // Selected together with its insertion.
            list.album.photos.insert(TestPhoto(id: 1000), at: 0)
            list.album.selected = 1000
            test.settle()
            test.draw(list.pointer!)
            XCTAssertNotNil(list.captions["1000"])
        }
    }

    func testAListBeginsAtItsSelectedItem() {
        TestList.run(Array(0..<500), selected: 400) { test, list in
            test.turn { list.captions["400"] != nil }
            XCTAssertEqual(list.selectedPosition, 400)
        }
    }

    /// As of a program that restores the selection before its items have arrived.
    func testASelectedItemIsScrolledToWhenItArrives() throws {
        try TestList.run([Int]()) { test, list in
            list.album.selected = 400
            test.settle()
            list.album.photos = (0..<500).map { TestPhoto(id: $0) }
            test.turn { list.captions["400"] != nil }
            XCTAssertEqual(list.selectedPosition, 400)
            gtk_widget_child_focus(list.pointer!, GTK_DIR_TAB_FORWARD)
            test.turn { list.focusedCaption == "400" }

            // It is scrolled to once, not each time that it comes back, as after a search.
            let adjustment = try XCTUnwrap(list.adjustment)
            list.album.photos.removeAll { $0.id == 400 }
            test.settle()
            gtk_adjustment_set_value(adjustment, 0)
            test.draw(list.pointer!)
            list.album.photos.insert(TestPhoto(id: 400), at: 400)
            test.settle()
            test.draw(list.pointer!)
            XCTAssertEqual(list.selectedPosition, 400)
            XCTAssertNil(list.captions["400"])
        }
    }

    /// The focus used to stay where it was: the next arrow key went on from there.
    func testTheFocusMovesToAnItemThatTheProgramSelects() throws {
        try TestList.run(Array(0..<500)) { test, list in
            test.draw(list.pointer!)
            let first = try XCTUnwrap(list.focusableRow(of: "1"))
            gtk_widget_grab_focus(first)
            list.album.selected = 400
            test.turn { list.focusedCaption == "400" }

            // The program selects another item while another widget has the focus, such as a large
            // view of the items.
            gtk_root_set_focus(gtk_widget_get_root(list.pointer!), nil)
            list.album.selected = 200
            test.settle()
            XCTAssertNil(list.focusedCaption)
            gtk_widget_child_focus(list.pointer!, GTK_DIR_TAB_FORWARD)
            test.turn { list.focusedCaption == "200" }

            // The focus of the user is left alone.
            test.draw(list.pointer!)
            gtk_widget_grab_focus(try XCTUnwrap(list.focusableRow(of: "201")))
            test.settle()
            XCTAssertEqual(list.focusedCaption, "201")
        }
    }

    func testTheSelectionFollowsAnItemThatMoves() {
        TestList.run(Array(0..<10)) { test, list in
            list.album.selected = 8
            test.settle()
            list.album.photos.insert(TestPhoto(id: 50), at: 0)
            test.settle()
            XCTAssertEqual(list.selectedPosition, 9)
            list.album.photos.swapAt(9, 1)
            test.settle()
            XCTAssertEqual(list.selectedPosition, 1)
            list.album.photos.reverse()
            test.settle()
            XCTAssertEqual(list.selectedPosition, 9)
            XCTAssertEqual(list.album.selected, 8)
        }
    }

    /// A search hides the selected item, and shows it again when its text is deleted.
    func testTheSelectionReturnsWithItsItem() {
        TestList.run(Array(0..<10)) { test, list in
            list.album.selected = 8
            test.settle()
            let all = list.album.photos
            list.album.photos = Array(all[..<4])
            test.settle()
            XCTAssertNil(list.selectedPosition)
            XCTAssertEqual(list.album.selected, 8)
            list.album.photos = all
            test.settle()
            XCTAssertEqual(list.selectedPosition, 8)
        }
    }

    func testAClickSelectsAndADoubleClickOrTheReturnKeyActivates() throws {
        try TestList.run(Array(0..<10)) { test, list in
            var activated: [Int] = []
            list.onActivate = { activated.append($0.id) }
            test.draw(list.pointer!)
            // The time between the clicks depends on the machine.
            let settings = gtk_widget_get_settings(list.pointer)
            shim_set_number(settings.map { UnsafeMutableRawPointer($0) }, "gtk-double-click-time", 20_000)
            defer { gtk_settings_reset_property(settings, "gtk-double-click-time") }
            let hands = try Hands(over: list.pointer!)
            hands.move(to: try XCTUnwrap(list.middle(of: "1")))
            hands.click()
            test.turn { list.album.selected == 1 }
            XCTAssertEqual(activated, [])
            hands.click()
            test.turn { activated == [1] }
            hands.type(GDK_KEY_Return)
            test.turn { activated == [1, 1] }
        }
    }

    func testAClickActivatesIfThereIsNoSelection() throws {
        try TestList.run(Array(0..<10), isSelectable: false) { test, list in
            var activated: [Int] = []
            list.onActivate = { activated.append($0.id) }
            test.draw(list.pointer!)
            let hands = try Hands(over: list.pointer!)
            hands.move(to: try XCTUnwrap(list.middle(of: "3")))
            hands.click()
            test.turn { activated == [3] }
        }
    }

    func testItemsMayChangeDuringAnActivation() throws {
        try TestList.run(Array(0..<10)) { test, list in
            list.onActivate = { photo in
                list.album.photos.removeAll { $0.id <= photo.id }
                list.album.selected = nil
            }
            for expected in [6, 2] {
                Emission.emit("activate", of: try XCTUnwrap(list.view), 3)
                test.settle()
                XCTAssertEqual(list.album.photos.count, expected)
                XCTAssertEqual(Int(g_list_model_get_n_items(list.selectionModel)), expected)
            }
        }
    }
}
