import CGtk
import TestSupport
import XCTest

@testable import RemoteImageGtk

final class MenuTests: XCTestCase {
    func testAMenuComesAndGoesWithItsView() throws {
        try GtkFixture.run { test in
            let view = test.view(NetworkImage("http://test/a.png") { Picture($0) })
            view.hasContextMenu = true
            test.show(view.pointer)
            try test.transfer().succeed(TestPicture(3).bytes)
            test.turn { view.model.phase.kind == .success }
            XCTAssertNotNil(first(gtk_popover_menu_get_type(), in: view.pointer))
            view.hasContextMenu = false
            XCTAssertNil(first(gtk_popover_menu_get_type(), in: view.pointer))
            // The fixture sees to it that a view goes with its menu.
            view.hasContextMenu = true
        }
    }

    func testTheAddressAndThePictureAreCopied() throws {
        try GtkFixture.run { test in
            let view = test.view(NetworkImage("http://test/a.png") { Picture($0) })
            view.hasContextMenu = true
            test.show(view.pointer)
            try test.transfer().succeed(TestPicture(3).bytes)
            test.turn { view.model.phase.kind == .success }
            let clipboard = gtk_widget_get_clipboard(view.pointer)
            gtk_widget_activate_action_variant(view.pointer, "picture.copy-address", nil)
            let formats = gdk_clipboard_get_formats(clipboard)
            XCTAssertNotEqual(gdk_content_formats_contain_mime_type(formats, "text/plain;charset=utf-8"), 0)
            gtk_widget_activate_action_variant(view.pointer, "picture.copy", nil)
            XCTAssertNotEqual(
                gdk_content_formats_contain_gtype(gdk_clipboard_get_formats(clipboard), gdk_texture_get_type()), 0)
            gdk_clipboard_set_text(clipboard, "")
        }
    }

    func testTheBytesAreSavedAsTheyCame() throws {
        try GtkFixture.run { test in
            let view = test.view(NetworkImage("http://test/a.png") { Picture($0) })
            test.show(view.pointer)
            let bytes = TestPicture(3).bytes
            try test.transfer().succeed(bytes)
            test.turn { view.model.phase.kind == .success }
            let folder = try TemporaryFolder()
            let path = folder.path("saved.png")
            let file = ObjectReference(owned: UnsafeMutableRawPointer(g_file_new_for_path(path)))
            let model = view.model
            Task { await PictureFile.write(model, to: file) }
            // Not in the store of this pipeline, which has none.
            try test.transfer(2).succeed(bytes)
            test.turn { (try? folder.read("saved.png")) == bytes }
        }
    }
}
