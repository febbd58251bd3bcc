import CRemoteImageGtk
import Foundation
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageGtk

final class MenuTests: XCTestCase {
    func testAMenuIsAddedAndRemovedByItsProperty() throws {
        try GtkFixture.run { test in
            let view = test.view(NetworkImage("http://test/a.png") { Picture($0) })
            view.hasContextMenu = true
            test.show(view.pointer)
            try test.transfer().succeed(TestImage(3).bytes)
            test.turn { view.model.phase.kind == .success }
            XCTAssertNotNil(first(gtk_popover_menu_get_type(), in: view.pointer))
            XCTAssertNotEqual(gtk_widget_get_focusable(view.pointer), 0)
            view.hasContextMenu = false
            XCTAssertNil(first(gtk_popover_menu_get_type(), in: view.pointer))
            XCTAssertEqual(gtk_widget_get_focusable(view.pointer), 0, "a stop of the Tab key without a use")
            // The fixture checks that a view is released together with its menu.
            view.hasContextMenu = true
        }
    }

    /// Swift code used to leave the property unchanged, so that setting it to `FALSE` did nothing.
    func testAMenuThatSwiftCodeAddsIsRemovedByTheProperty() {
        GtkFixture.run { test in
            let view = test.view(NetworkImage("http://test/a.png") { Picture($0) })
            test.show(view.pointer)
            var notifyCount = 0
            Signal.connect(property: "context-menu", of: view.pointer) { notifyCount += 1 }
            view.hasContextMenu = true
            XCTAssertEqual(notifyCount, 1)
            XCTAssertNotEqual(shim_get_boolean(view.pointer, "context-menu"), 0)
            shim_set_number(view.pointer, "context-menu", 0)
            XCTAssertFalse(view.hasContextMenu)
            XCTAssertNil(first(gtk_popover_menu_get_type(), in: view.pointer))
        }
    }

    func testTheModelOfAMenuIsReleasedWithTheMenu() throws {
        try GtkFixture.run { test in
            let view = test.view(NetworkImage("http://test/a.png") { Picture($0) })
            view.hasContextMenu = true
            let menu = try XCTUnwrap(first(gtk_popover_menu_get_type(), in: view.pointer))
            let model = try XCTUnwrap(gtk_popover_menu_get_menu_model(menu))
            let watched = UnsafeMutablePointer<gpointer?>.allocate(capacity: 1)
            defer { watched.deallocate() }
            watched.initialize(to: UnsafeMutableRawPointer(model))
            g_object_add_weak_pointer(UnsafeMutableRawPointer(model).assumingMemoryBound(to: GObject.self), watched)
            view.hasContextMenu = false
            test.turn { watched.pointee == nil }
            test.show(view.pointer)
        }
    }

    /// The entries of an open menu used to stay disabled until it was opened again.
    /// Opens the menu of a view with the keyboard.
    @MainActor
    private static func openMenu(of view: RemoteImageView, _ test: GtkFixture) throws -> (OpaquePointer, Hands) {
        let menu = try XCTUnwrap(first(gtk_popover_menu_get_type(), in: view.pointer))
        let hands = try Hands(over: view.pointer)
        hands.move(to: (50, 50))
        test.draw(view.pointer)
        gtk_widget_grab_focus(view.pointer)
        hands.type(GDK_KEY_Menu)
        test.turn { gtk_widget_get_mapped(Widget(of: menu)?.pointer) != 0 }
        return (menu, hands)
    }

    func testAnOpenMenuIsUpdatedWhenTheImageArrives() throws {
        try GtkFixture.run { test in
            let view = test.view(NetworkImage("http://test/a.png") { Picture($0) })
            view.hasContextMenu = true
            test.show(view.pointer)
            let (menu, hands) = try Self.openMenu(of: view, test)
            @MainActor func isSensitive(_ entry: String) -> Bool {
                descendants(of: Widget(of: menu)?.pointer).contains { widget in
                    shim_is_a(widget, gtk_label_get_type()) != 0 && text(in: widget) == entry
                        && gtk_widget_is_sensitive(widget) != 0
                }
            }
            XCTAssertFalse(isSensitive("Copy Image"))
            try test.transfer().succeed(TestImage(3).bytes)
            test.turn { isSensitive("Copy Image") }
            hands.type(GDK_KEY_Escape)
            test.turn { gtk_widget_get_mapped(Widget(of: menu)?.pointer) == 0 }
        }
    }

    /// Keys and buttons of the program activate them, too.
    func testTheActionsAreEnabledForTheImageAlsoAfterTheMenuWasOpen() throws {
        try GtkFixture.run { test in
            let view = test.view(NetworkImage("http://test/a.png") { Picture($0) })
            view.hasContextMenu = true
            let button = Widget(gtk_button_new())
            gtk_actionable_set_action_name(button.opaque, "image.copy")
            @MainActor func isSensitive() -> Bool { gtk_widget_is_sensitive(button.pointer) != 0 }
            let box = Widget(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
            append(view.pointer, to: box)
            gtk_widget_set_vexpand(view.pointer, 1)
            test.show(box.pointer)
            gtk_widget_set_parent(button.pointer, view.pointer)
            defer { gtk_widget_unparent(button.pointer) }
            XCTAssertFalse(isSensitive(), "there is no image yet")
            let (menu, hands) = try Self.openMenu(of: view, test)
            hands.type(GDK_KEY_Escape)
            test.turn { gtk_widget_get_mapped(Widget(of: menu)?.pointer) == 0 }
            try test.transfer().succeed(TestImage(3).bytes)
            test.turn { isSensitive() }
            XCTAssertNotEqual(gtk_widget_activate_action_variant(view.pointer, "image.copy", nil), 0)
            let clipboard = gtk_widget_get_clipboard(view.pointer)
            XCTAssertNotEqual(
                gdk_content_formats_contain_gtype(gdk_clipboard_get_formats(clipboard), gdk_texture_get_type()), 0)
            gdk_clipboard_set_text(clipboard, "")
        }
    }

    /// As with `GtkText`, the actions of the program's items are found around the view.
    func testTheItemsOfAnotherMenuFollowThoseOfTheImage() throws {
        try GtkFixture.run { test in
            let view = test.view(NetworkImage("http://test/a.png") { Picture($0) })
            let extra = try XCTUnwrap(g_menu_new())
            g_menu_append(extra, "Set as Wallpaper", "photo.wallpaper")
            shim_set_pointer(view.pointer, "extra-menu", UnsafeRawPointer(extra))
            XCTAssertNil(first(gtk_popover_menu_get_type(), in: view.pointer), "only with a context menu")
            view.hasContextMenu = true
            let column = test.shown(Column { view })
            var count = 0
            let group = g_simple_action_group_new()
            let action = g_simple_action_new("wallpaper", nil)
            EventControllers.connect("activate", action) { count += 1 }
            g_action_map_add_action(OpaquePointer(group), action)
            gtk_widget_insert_action_group(column.pointer, "photo", group.map { OpaquePointer($0) })
            let menu = try XCTUnwrap(first(gtk_popover_menu_get_type(), in: view.pointer))
            @MainActor func labels() -> [String] {
                texts(in: Widget(of: menu)?.pointer).filter { !$0.isEmpty }
            }
            XCTAssertEqual(labels().last, "Set as Wallpaper")
            XCTAssertEqual(labels().count, 5)
            let item = descendants(of: Widget(of: menu)?.pointer).first { text(in: $0) == "Set as Wallpaper" }
            gtk_widget_activate_action_variant(try XCTUnwrap(item), "photo.wallpaper", nil)
            XCTAssertEqual(count, 1)
            // A menu that changes, another one, and none.
            g_menu_append(extra, "Report", "photo.report")
            XCTAssertEqual(labels().last, "Report")
            shim_set_pointer(view.pointer, "extra-menu", nil)
            XCTAssertEqual(labels().count, 4)
            g_object_unref(UnsafeMutableRawPointer(extra))
            if let action { g_object_unref(UnsafeMutableRawPointer(action)) }
            g_object_unref(group)
        }
    }

    func testShiftAndF10OpenTheMenu() throws {
        try GtkFixture.run { test in
            let view = test.view(NetworkImage("http://test/a.png") { Picture($0) })
            view.hasContextMenu = true
            test.show(view.pointer)
            let menu = try XCTUnwrap(first(gtk_popover_menu_get_type(), in: view.pointer))
            let hands = try Hands(over: view.pointer)
            hands.move(to: (50, 50))
            test.draw(view.pointer)
            gtk_widget_grab_focus(view.pointer)
            hands.hold(GDK_KEY_Shift_L)
            hands.type(GDK_KEY_F10)
            hands.letGo(GDK_KEY_Shift_L)
            test.turn { gtk_widget_get_mapped(Widget(of: menu)?.pointer) != 0 }
            hands.type(GDK_KEY_Escape)
            test.turn { gtk_widget_get_mapped(Widget(of: menu)?.pointer) == 0 }
        }
    }

    func testTheDragIconHasTheShapeOfTheImage() throws {
        GtkFixture.run { test in
            for (size, expected) in [((200, 50), (96, 24)), ((50, 200), (24, 96)), ((30, 20), (30, 20))] {
                let pixels = PixelBuffer(size: PixelSize(width: size.0, height: size.1), format: .rgb8) {
                    $0.initializeMemory(as: UInt8.self, repeating: 7)
                }
                let info = ImageInfo(size: pixels.size, decodedSize: pixels.size, format: nil, origin: .local)
                let icon = ImageDrag.icon(LoadedImage(pixels: pixels, info: info))
                let paintable = icon.map { OpaquePointer($0.pointer) }
                XCTAssertEqual(Int(gdk_paintable_get_intrinsic_width(paintable)), expected.0)
                XCTAssertEqual(Int(gdk_paintable_get_intrinsic_height(paintable)), expected.1)
            }
        }
    }

    func testTheAddressAndTheImageAreCopied() throws {
        try GtkFixture.run { test in
            let view = test.view(NetworkImage("http://test/a.png") { Picture($0) })
            view.hasContextMenu = true
            test.show(view.pointer)
            try test.transfer().succeed(TestImage(3).bytes)
            test.turn { view.model.phase.kind == .success }
            let clipboard = gtk_widget_get_clipboard(view.pointer)
            gtk_widget_activate_action_variant(view.pointer, "image.copy-address", nil)
            let formats = gdk_clipboard_get_formats(clipboard)
            XCTAssertNotEqual(gdk_content_formats_contain_mime_type(formats, "text/plain;charset=utf-8"), 0)
            gtk_widget_activate_action_variant(view.pointer, "image.copy", nil)
            XCTAssertNotEqual(
                gdk_content_formats_contain_gtype(gdk_clipboard_get_formats(clipboard), gdk_texture_get_type()), 0)
            gdk_clipboard_set_text(clipboard, "")
        }
    }

    func testTheSecondaryButtonOpensTheMenuAndUnavailableItemsAreDisabled() throws {
        try GtkFixture.run { test in
            let view = test.view(NetworkImage("http://test/a.png") { Picture($0) })
            view.hasContextMenu = true
            test.show(view.pointer)
            let transfer = try test.transfer()
            let menu = try XCTUnwrap(first(gtk_popover_menu_get_type(), in: view.pointer))
            let hands = try Hands(over: view.pointer)
            hands.move(to: (50, 50))
            hands.click(.secondary)
            test.turn { gtk_widget_get_mapped(Widget(of: menu)?.pointer) != 0 }
            // There is no image yet: it can be neither saved nor copied, but its address can be
            // copied.
            let enabled = Self.items(of: menu).mapValues { gtk_widget_get_sensitive($0) != 0 }
            XCTAssertEqual(enabled, ["Open": true, "Save As…": false, "Copy Image": false, "Copy Address": true])
            hands.type(GDK_KEY_Escape)
            test.turn { gtk_widget_get_mapped(Widget(of: menu)?.pointer) == 0 }

            transfer.succeed(TestImage(3).bytes)
            test.turn { view.model.phase.kind == .success }
            hands.click(.secondary)
            test.turn { gtk_widget_get_mapped(Widget(of: menu)?.pointer) != 0 }
            XCTAssertTrue(Self.items(of: menu).values.allSatisfy { gtk_widget_get_sensitive($0) != 0 })
            hands.type(GDK_KEY_Escape)
            test.turn { gtk_widget_get_mapped(Widget(of: menu)?.pointer) == 0 }
        }
    }

    func testALongPressOnATouchScreenOpensTheMenu() throws {
        try GtkFixture.run { test in
            let view = test.view(NetworkImage("http://test/a.png") { Picture($0) })
            view.hasContextMenu = true
            test.show(view.pointer)
            let press = try XCTUnwrap(Emission.controllers(gtk_gesture_long_press_get_type(), of: view.pointer).first)
            XCTAssertNotEqual(gtk_gesture_single_get_touch_only(press), 0)
            Emission.emit("pressed", of: press, 20, 30)
            let menu = try XCTUnwrap(Widget(of: first(gtk_popover_menu_get_type(), in: view.pointer)))
            test.turn { gtk_widget_get_mapped(menu.pointer) != 0 }
            gtk_widget_set_visible(menu.pointer, 0)
            view.hasContextMenu = false
            XCTAssertTrue(Emission.controllers(gtk_gesture_long_press_get_type(), of: view.pointer).isEmpty)
        }
    }

    func testTheClickThatOpensTheMenuDoesNotReachTheWidgetAroundTheView() throws {
        try GtkFixture.run { test in
            let view = test.view(NetworkImage("http://test/a.png") { Picture($0) })
            let box = Widget(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
            gtk_widget_set_size_request(view.pointer, 100, 100)
            append(view.pointer, to: box)
            test.show(box.pointer)
            var outerCount = 0
            let outer = gtk_gesture_click_new()
            gtk_gesture_single_set_button(outer, guint(GDK_BUTTON_SECONDARY))
            EventControllers.connect("pressed", outer) { (_: Int, _: Double, _: Double) -> Void in outerCount += 1 }
            EventControllers.add(outer, to: box.pointer)
            let hands = try Hands(over: view.pointer)
            hands.move(to: (50, 50))
            hands.click(.secondary)
            test.turn { outerCount == 1 }
            view.hasContextMenu = true
            let menu = try XCTUnwrap(first(gtk_popover_menu_get_type(), in: view.pointer))
            hands.click(.secondary)
            test.turn { gtk_widget_get_mapped(Widget(of: menu)?.pointer) != 0 }
            hands.type(GDK_KEY_Escape)
            test.turn { gtk_widget_get_mapped(Widget(of: menu)?.pointer) == 0 }
            XCTAssertEqual(outerCount, 1)
        }
    }

    /// GTK would keep its grab of the mouse and the keyboard. It also keeps a widget that is hidden
    /// between the press and the release of a button, so this test does not watch the view.
    func testRemovingAnOpenMenuReleasesTheMouse() throws {
        let departures: [@MainActor (RemoteImageView) -> Void] = [
            { gtk_widget_set_visible($0.pointer, 0) }, { $0.hasContextMenu = false },
        ]
        for depart in departures {
            try GtkFixture.run { test in
                let view = RemoteImageView(NetworkImage("http://test/a.png") { Picture($0) }, pipeline: test.pipeline)
                view.hasContextMenu = true
                test.show(view.pointer)
                for isFirst in [true, false] {
                    let menu = try XCTUnwrap(first(gtk_popover_menu_get_type(), in: view.pointer))
                    let hands = try Hands(over: view.pointer)
                    hands.move(to: (50, 50))
                    test.draw(view.pointer)
                    hands.click(.secondary)
                    test.turn { gtk_widget_get_mapped(Widget(of: menu)?.pointer) != 0 }
                    guard isFirst else {
                        hands.type(GDK_KEY_Escape)
                        test.turn { gtk_widget_get_mapped(Widget(of: menu)?.pointer) == 0 }
                        break
                    }
                    depart(view)
                    test.settle()
                    view.hasContextMenu = true
                    gtk_widget_set_visible(view.pointer, 1)
                    test.turn { gtk_widget_get_mapped(view.pointer) != 0 }
                }
            }
        }
    }

    func testOpenPassesTheAddressToTheDesktop() {
        GtkFixture.run { test in
            let view = test.view(NetworkImage("http://test/a.png") { Picture($0) })
            view.hasContextMenu = true
            test.show(view.pointer)
            let asked = Self.opened(from: view)
            XCTAssertEqual(asked.addresses, ["http://test/a.png"])
            XCTAssertTrue(asked.hasWindow)
        }
    }

    /// It used to be `file:` and the unescaped path, which no other program understands.
    func testTheAddressOfAFileIsAnEscapedFileURI() throws {
        try GtkFixture.run { test in
            let folder = try TemporaryFolder()
            let name = "a b ü 100%.png"
            try folder.write(TestImage(3).bytes, to: name)
            let whole = "file://\(folder.path)/a%20b%20%C3%BC%20100%25.png"
            let here = "file://\(FileManager.default.currentDirectoryPath)/a%231.png"
            for (path, address) in [(folder.path(name), whole), ("a#1.png", here)] {
                // Also with an identity that the program gives.
                for source in [ImageSource.file(path), .file(path).identified(by: "http://test/\(path.count)")] {
                    let view = test.view(NetworkImage(source) { Picture($0) })
                    view.hasContextMenu = true
                    test.show(view.pointer)
                    test.turn { view.model.phase.kind == (path == "a#1.png" ? .failure : .success) }
                    XCTAssertEqual(Self.copied(from: view), address)
                    XCTAssertEqual(Self.opened(from: view).addresses, [address])
                }
            }
        }
    }

    func testTextThatIsNotAnAddressIsNotOpened() {
        GtkFixture.run { test in
            for source: ImageSource in ["file:///etc/passwd", "http://", "data:image/png,", .fallbacks([])] {
                let view = test.view(NetworkImage(source) { Picture($0) })
                view.hasContextMenu = true
                test.show(view.pointer)
                XCTAssertEqual(Self.opened(from: view).addresses, [], source.identity)
            }
        }
    }

    func testAnImageWhoseIdentityIsAnAddressIsOpenedByThatAddress() {
        GtkFixture.run { test in
            let bytes = ImageSource.bytes(TestImage(3).bytes, identity: "https://test/a b.png")
            let signed = ImageSource("http://test/b.png?token=1").ignoringQueryItems(["token"])
            // User names and passwords are not passed to other programs.
            let secret = ImageSource("http://anna:s3cret@test/c.png")
            let ownSecret = ImageSource.bytes(TestImage(3).bytes, identity: "http://anna:s3cret@test/d.png")
            for (source, address) in [
                (bytes, "https://test/a%20b.png"), (signed, "http://test/b.png?token=1"),
                (secret, "http://test/c.png"), (ownSecret, "http://test/d.png"),
            ] {
                let view = test.view(NetworkImage(source) { Picture($0) })
                view.hasContextMenu = true
                test.show(view.pointer)
                XCTAssertEqual(Self.opened(from: view).addresses, [address])
                XCTAssertEqual(Self.copied(from: view), address)
            }
        }
    }

    func testADragCarriesTheImageAndItsAddress() throws {
        try GtkFixture.run { test in
            let view = test.view(NetworkImage("http://test/a.png") { Picture($0) })
            view.hasContextMenu = true
            test.show(view.pointer)
            let transfer = try test.transfer()
            let source = try XCTUnwrap(Emission.controllers(gtk_drag_source_get_type(), of: view.pointer).first)
            XCTAssertNil(Emission.emit("prepare", of: source, 5, 5), "there is nothing to drag yet")
            transfer.succeed(TestImage(3).bytes)
            test.turn { view.model.phase.kind == .success }
            let content = try XCTUnwrap(Emission.emit("prepare", of: source, 5, 5))
            defer { g_object_unref(UnsafeMutableRawPointer(content)) }
            let formats = gdk_content_provider_ref_formats(UnsafeMutablePointer(content))
            defer { gdk_content_formats_unref(formats) }
            XCTAssertNotEqual(gdk_content_formats_contain_gtype(formats, gdk_texture_get_type()), 0)
            for type in ["text/uri-list", "text/plain;charset=utf-8"] {
                XCTAssertNotEqual(gdk_content_formats_contain_mime_type(formats, type), 0, type)
            }
        }
    }

    @MainActor
    private final class Asked {
        var addresses: [String] = []
        var hasWindow = false
    }

    /// The addresses that “Open” passes to the desktop.
    @MainActor
    private static func opened(from view: RemoteImageView) -> Asked {
        let (asked, show) = (Asked(), ImageMenu.show)
        ImageMenu.show = { address, window in
            asked.addresses.append(address)
            asked.hasWindow = window != nil
        }
        defer { ImageMenu.show = show }
        gtk_widget_activate_action_variant(view.pointer, "image.open", nil)
        return asked
    }

    /// The clipboard's text after “Copy Address”.
    @MainActor
    private static func copied(from view: RemoteImageView) -> String? {
        let clipboard = gtk_widget_get_clipboard(view.pointer)
        gtk_widget_activate_action_variant(view.pointer, "image.copy-address", nil)
        defer { gdk_clipboard_set_text(clipboard, "") }
        var value = GValue()
        g_value_init(&value, g_type_from_name("gchararray"))
        defer { g_value_unset(&value) }
        guard gdk_content_provider_get_value(gdk_clipboard_get_content(clipboard), &value, nil) != 0 else { return nil }
        return g_value_get_string(&value).map { String(cString: $0) }
    }

    /// The buttons of a menu by their labels.
    @MainActor
    private static func items(of menu: OpaquePointer) -> [String: UnsafeMutablePointer<GtkWidget>] {
        var items: [String: UnsafeMutablePointer<GtkWidget>] = [:]
        for widget in descendants(of: Widget(of: menu)?.pointer) {
            guard String(cString: gtk_widget_get_css_name(widget)) == "modelbutton", let text = text(in: widget) else {
                continue
            }
            items[text] = widget
        }
        return items
    }
}
