import CRemoteImageGtk
import RemoteImageTestSupport
import XCTest

@testable import GtkDeclarations
@testable import RemoteImageGtk

/// The items, the place and the end of context menus, and the content of a drag.
final class MenuDetailTests: XCTestCase {
    func testAMenuOpensAtThePointerWithoutAnArrow() throws {
        try GtkFixture.run { test in
            let view = try Self.loadedView("http://test/a.png", test)
            let menu = try Self.menu(of: view)
            XCTAssertEqual(gtk_popover_get_has_arrow(menu.popover), 0)
            XCTAssertEqual(gtk_widget_get_halign(menu.widget), GTK_ALIGN_START)
            let press = try XCTUnwrap(Emission.controllers(gtk_gesture_long_press_get_type(), of: view.pointer).first)
            Emission.emit("pressed", of: press, 20.7, 31.2)
            XCTAssertNotEqual(gtk_widget_get_visible(menu.widget), 0)
            var place = GdkRectangle()
            XCTAssertNotEqual(gtk_popover_get_pointing_to(menu.popover, &place), 0)
            XCTAssertEqual([place.x, place.y, place.width, place.height], [20, 31, 1, 1])
            gtk_widget_set_visible(menu.widget, 0)
            let keys = try XCTUnwrap(
                Emission.controllers(gtk_event_controller_key_get_type(), of: view.pointer).first)
            // F10 needs Shift.
            for key in [GDK_KEY_F10, GDK_KEY_F9, GDK_KEY_a] {
                Emission.emit("key-pressed", of: keys, Double(key))
                XCTAssertEqual(gtk_widget_get_visible(menu.widget), 0, "\(key)")
            }
            Emission.emit("key-pressed", of: keys, Double(GDK_KEY_Menu))
            XCTAssertNotEqual(gtk_widget_get_visible(menu.widget), 0)
            _ = gtk_popover_get_pointing_to(menu.popover, &place)
            XCTAssertEqual([place.x, place.y, place.width, place.height], [0, 0, 1, 1])
            gtk_widget_set_visible(menu.widget, 0)
        }
    }

    /// Only the menus of other widgets used to open.
    func testTheMenuKeyOpensTheMenuOfAnImageWhileItsRowHasTheFocus() throws {
        try GtkFixture.run { test in
            let widget = test.shownOverNetwork(
                ImageList(["a", "b"], id: \.self) { name in
                    NetworkImage("http://test/\(name).png").contextMenu().frame(height: 40)
                })
            let list = try XCTUnwrap(Widget(of: first(gtk_list_view_get_type(), in: widget.pointer))).pointer
            test.turn { children(of: list).count >= 2 && gtk_widget_get_mapped(children(of: list)[1]) != 0 }
            let row = children(of: list)[1]
            let view = try XCTUnwrap(RemoteImageView(of: first(RemoteImageViewState.type, in: row)))
            let menu = try Self.menu(of: view)
            for keys in Emission.controllers(gtk_event_controller_key_get_type(), of: row) {
                Emission.emit("key-pressed", of: keys, Double(GDK_KEY_Menu))
            }
            XCTAssertNotEqual(gtk_widget_get_visible(menu.widget), 0)
            gtk_widget_set_visible(menu.widget, 0)
        }
    }

    func testTheItemsOfAnImageHaveTheirOrderAndTheirState() throws {
        try GtkFixture.run { test in
            let sources: [(ImageSource, enabled: [Bool])] = [
                ("http://test/a.png", [true, true, true, true]),
                (.bytes(TestImage(3).bytes, identity: "own"), [false, true, true, false]),
            ]
            for (source, enabled) in sources {
                let view = try Self.loadedView(source, test)
                let menu = try Self.menu(of: view)
                let press = try XCTUnwrap(
                    Emission.controllers(gtk_gesture_long_press_get_type(), of: view.pointer).first)
                Emission.emit("pressed", of: press, 5, 5)
                let items = descendants(of: menu.widget)
                    .filter { String(cString: gtk_widget_get_css_name($0)) == "modelbutton" }
                XCTAssertEqual(
                    items.compactMap { text(in: $0) }, ["Open", "Save As…", "Copy Image", "Copy Address"])
                XCTAssertEqual(items.map { gtk_widget_get_sensitive($0) != 0 }, enabled)
                gtk_widget_set_visible(menu.widget, 0)
            }
        }
    }

    func testARemovedMenuLeavesNeitherActionsNorControllers() throws {
        try GtkFixture.run { test in
            let view = try Self.loadedView("http://test/a.png", test)
            let types = [
                gtk_gesture_click_get_type(), gtk_gesture_long_press_get_type(), gtk_event_controller_key_get_type(),
                gtk_drag_source_get_type(),
            ]
            @MainActor func counts() -> [Int] { types.map { Emission.controllers($0, of: view.pointer).count } }
            let with = counts()
            XCTAssertNotEqual(gtk_widget_activate_action_variant(view.pointer, "image.copy-address", nil), 0)
            gdk_clipboard_set_text(gtk_widget_get_clipboard(view.pointer), "")
            view.hasContextMenu = false
            XCTAssertEqual(counts(), with.map { $0 - 1 })
            for name in ["open", "save", "copy", "copy-address"] {
                XCTAssertEqual(gtk_widget_activate_action_variant(view.pointer, "image.\(name)", nil), 0, name)
            }
            view.hasContextMenu = true
            XCTAssertEqual(counts(), with)
        }
    }

    func testAnotherMenuReplacesTheFirst() throws {
        try GtkFixture.run { test in
            let view = try Self.loadedView("http://test/a.png", test)
            let menu = try Self.menu(of: view)
            for name in ["First", "Second"] {
                let extra = try XCTUnwrap(g_menu_new())
                g_menu_append(extra, name, "photo.none")
                shim_set_pointer(view.pointer, "extra-menu", UnsafeRawPointer(extra))
                g_object_unref(UnsafeMutableRawPointer(extra))
                XCTAssertEqual(
                    texts(in: menu.widget), ["Open", "Save As…", "Copy Image", "Copy Address", name])
            }
        }
    }

    func testOnlyButtonsWithATextAreItems() throws {
        try GtkFixture.run { test in
            var calls: [String] = []
            let widget = test.shown(
                Column {
                    Label("text").expand().contextMenu {
                        Label("no button")
                        Button("IMG_0412.jpg") { calls.append("one") }
                        Button(action: {}) { Label("without a text") }
                        Button(icon: "go-home-symbolic", label: "Two") { calls.append("two") }
                    }
                })
            let label = try XCTUnwrap(children(of: widget.pointer).first)
            let warnings = Warnings()
            let press = try XCTUnwrap(Emission.controllers(gtk_gesture_long_press_get_type(), of: label).first)
            Emission.emit("pressed", of: press, 5, 5)
            let warning = "RemoteImage: a context menu takes only buttons with a text or a label"
            XCTAssertEqual(warnings.messages, [warning, warning])
            XCTAssertEqual(texts(in: label), ["text", "IMG_0412.jpg", "Two"])
            XCTAssertEqual(
                (0..<4).map { gtk_widget_activate_action_variant(label, "program.\($0)", nil) }, [0, 1, 0, 1])
            XCTAssertEqual(calls, ["one", "two"])
            let menu = try XCTUnwrap(Widget(of: first(gtk_popover_menu_get_type(), in: label)))
            gtk_widget_set_visible(menu.pointer, 0)
        }
    }

    func testADragHasTheAddressAsAListAndAsText() throws {
        try GtkFixture.run { test in
            let view = try Self.loadedView("http://me:secret@test/a b.png", test)
            let source = try XCTUnwrap(Emission.controllers(gtk_drag_source_get_type(), of: view.pointer).first)
            let content = try XCTUnwrap(Emission.emit("prepare", of: source, 5, 5))
            defer { g_object_unref(UnsafeMutableRawPointer(content)) }
            let texts = ["text/uri-list", "text/plain;charset=utf-8"].map { type in
                Self.received(type, of: UnsafeMutablePointer(content), test)
            }
            XCTAssertEqual(texts, ["http://test/a%20b.png\r\n", "http://test/a%20b.png"])
        }
    }

    func testANameIsCutToTheLengthThatFileSystemsAllow() {
        for (count, kept) in [(119, 119), (120, 120), (121, 120), (300, 120)] {
            let address = "http://test/\(String(repeating: "a", count: count)).png"
            XCTAssertEqual(
                ImageName.suggested(for: address, nil), String(repeating: "a", count: kept) + ".png", "\(count)")
        }
    }

    @MainActor
    private static func loadedView(_ source: ImageSource, _ test: GtkFixture) throws -> RemoteImageView {
        let view = test.view(NetworkImage(source) { Picture($0) })
        view.hasContextMenu = true
        test.show(view.pointer)
        test.turn {
            for transfer in test.transport.transfers where transfer.state == .running {
                transfer.succeed(TestImage(3).bytes)
            }
            return view.model.phase.kind == .success
        }
        return view
    }

    @MainActor
    private static func menu(
        of view: RemoteImageView
    ) throws -> (widget: UnsafeMutablePointer<GtkWidget>, popover: UnsafeMutablePointer<GtkPopover>) {
        let menu = try XCTUnwrap(Widget(of: first(gtk_popover_menu_get_type(), in: view.pointer))).pointer
        return (menu, UnsafeMutableRawPointer(menu).assumingMemoryBound(to: GtkPopover.self))
    }

    /// The content in one of its media types, as another program receives it.
    @MainActor
    private static func received(
        _ type: String, of content: UnsafeMutablePointer<GdkContentProvider>, _ test: GtkFixture
    ) -> String? {
        let (writing, stream) = (Writing(), g_memory_output_stream_new_resizable())
        defer { g_object_unref(stream) }
        gdk_content_provider_write_mime_type_async(
            content, type, stream, G_PRIORITY_DEFAULT, nil,
            { content, result, data in
                guard let data else { return }
                let provider = UnsafeMutableRawPointer(content)?.assumingMemoryBound(to: GdkContentProvider.self)
                _ = gdk_content_provider_write_mime_type_finish(provider, result, nil)
                Unmanaged<Writing>.fromOpaque(data).takeRetainedValue().isFinished = true
            }, Unmanaged.passRetained(writing).toOpaque())
        test.turn { writing.isFinished }
        g_output_stream_close(stream, nil, nil)
        let memory = stream.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: GMemoryOutputStream.self) }
        guard let bytes = g_memory_output_stream_steal_as_bytes(memory) else { return nil }
        defer { g_bytes_unref(bytes) }
        return String(decoding: [UInt8](gbytes: bytes), as: UTF8.self)
    }

    /// Only the main thread uses it.
    private final class Writing {
        var isFinished = false
    }
}
