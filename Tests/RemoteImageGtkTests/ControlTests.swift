import CRemoteImageGtk
import Observation
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageGtk

@Observable
private final class Model {
    var name = ""
    var volume = 0.5
    var title = "first"
    var isOn = false
    var message: String?
    var query = ""
    @ObservationIgnored var calls: [String] = []
}

/// Text fields, sliders, spacers and the parts of a window.
final class ControlTests: XCTestCase {
    // MARK: Text

    func testATextFieldAndItsBindingFollowEachOther() throws {
        try GtkFixture.run { test in
            let model = Model()
            let widget = test.shown(Column { TextField("Name", text: Binding(model, \.name)) })
            let field = try XCTUnwrap(first(gtk_entry_get_type(), in: widget.pointer))
            XCTAssertEqual(Self.placeholder(of: field), "Name")
            gtk_editable_set_text(field, "typed")
            XCTAssertEqual(model.name, "typed")
            model.name = "set"
            test.turn { Self.content(of: field) == "set" }
        }
    }

    /// Setting a text first deletes the old one, which GTK reports.
    func testATextThatTheProgramSetsIsNotReportedBack() throws {
        try GtkFixture.run { test in
            let model = Model()
            var reported: [String] = []
            let text = Binding {
                model.name
            } set: {
                model.name = $0
                reported.append($0)
            }
            let widget = test.shown(Column { TextField(text: text) })
            let field = try XCTUnwrap(first(gtk_entry_get_type(), in: widget.pointer))
            for name in ["one", "two"] {
                model.name = name
                test.turn { Self.content(of: field) == name }
            }
            XCTAssertEqual(reported, [])
        }
    }

    /// A value that is equal to the old one is no change that is observed.
    func testAControlShowsTheValueOfABindingThatRefusesOrChangesIt() throws {
        try GtkFixture.run { test in
            let model = Model()
            model.name = "1234"
            let pin = Binding {
                model.name
            } set: {
                model.name = String($0.prefix(4))
            }
            let widget = test.shown(
                Column {
                    TextField(text: pin)
                    Toggle("on", isOn: Binding(get: { false }, set: { _ in }))
                    Picker(
                        "one", selection: Binding(get: { 1 }, set: { _ in }),
                        choices: [("0", 0), ("1", 1), ("2", 2)])
                    Slider("half", value: Binding(get: { 0.5 }, set: { _ in }))
                })
            let field = try XCTUnwrap(first(gtk_entry_get_type(), in: widget.pointer))
            for _ in 0..<2 {
                gtk_editable_set_text(field, "12345")
                test.turn { Self.content(of: field) == "1234" }
                XCTAssertEqual(model.name, "1234")
            }
            let button = try XCTUnwrap(first(gtk_check_button_get_type(), in: widget.pointer))
            let check = UnsafeMutableRawPointer(button).assumingMemoryBound(to: GtkCheckButton.self)
            gtk_check_button_set_active(check, 1)
            test.turn { gtk_check_button_get_active(check) == 0 }
            let picker = try XCTUnwrap(first(gtk_drop_down_get_type(), in: widget.pointer))
            gtk_drop_down_set_selected(picker, 2)
            test.turn { gtk_drop_down_get_selected(picker) == 1 }
            let scale = try XCTUnwrap(first(gtk_scale_get_type(), in: widget.pointer))
            let range = UnsafeMutableRawPointer(scale).assumingMemoryBound(to: GtkRange.self)
            gtk_range_set_value(range, 0.9)
            test.turn { gtk_range_get_value(range) == 0.5 }
        }
    }

    func testATextFieldHasEachTextOfTheProgram() throws {
        try GtkFixture.run { test in
            let model = Model()
            model.name = ""
            let widget = test.shown(Column { TextField("Name", text: Binding(model, \.name)) })
            let field = OpaquePointer(try XCTUnwrap(children(of: widget.pointer).first))
            for text in ["Anna", "", "Anna"] {
                model.name = text
                test.turn { String(cString: gtk_editable_get_text(field)) == text }
            }
        }
    }

    func testATextFieldKeepsItsFocusTextAndCursorWhenItIsDeclaredAgain() throws {
        try GtkFixture.run { test in
            let model = Model()
            let widget = test.shown(
                Column {
                    if model.isOn { Label("hint") }
                    Label(model.title)
                    TextField(model.title, text: Binding(model, \.name))
                })
            let field = try XCTUnwrap(first(gtk_entry_get_type(), in: widget.pointer))
            let hands = try Hands(over: widget.pointer)
            gtk_widget_grab_focus(try XCTUnwrap(Widget(of: field)).pointer)
            for key in [GDK_KEY_a, GDK_KEY_b, GDK_KEY_c, GDK_KEY_Left] { hands.type(key) }
            test.turn { model.name == "abc" && gtk_editable_get_position(field) == 2 }
            (model.title, model.isOn) = ("second", true)
            test.turn { texts(in: widget.pointer).prefix(2) == ["hint", "second"] }
            XCTAssertEqual(first(gtk_entry_get_type(), in: widget.pointer), field)
            XCTAssertEqual(Self.placeholder(of: field), "second")
            XCTAssertEqual(Self.content(of: field), "abc")
            hands.type(GDK_KEY_x)
            test.turn { model.name == "abxc" }
        }
    }

    func testAPasswordIsHidden() throws {
        try GtkFixture.run { test in
            let model = Model()
            let widget = test.shown(
                Column { TextField("Password", text: Binding(model, \.name), isPassword: true) })
            let field = try XCTUnwrap(first(gtk_password_entry_get_type(), in: widget.pointer))
            XCTAssertEqual(Self.placeholder(of: field), "Password")
            gtk_editable_set_text(field, "secret")
            XCTAssertEqual(model.name, "secret")
        }
    }

    func testTheReturnKeySubmitsTheNewestText() throws {
        try GtkFixture.run { test in
            let model = Model()
            let widget = test.shown(
                Column {
                    TextField(text: Binding(model, \.name)).onSubmit { model.calls.append("name \(model.name)") }
                    SearchField(text: Binding(model, \.query)).onSubmit { model.calls.append("query \(model.query)") }
                })
            let hands = try Hands(over: widget.pointer)
            for type in [gtk_entry_get_type(), gtk_search_entry_get_type()] {
                gtk_widget_grab_focus(try XCTUnwrap(Widget(of: first(type, in: widget.pointer))).pointer)
                hands.type(GDK_KEY_a)
                hands.type(GDK_KEY_Return)
                test.turn { model.calls.count == (type == gtk_entry_get_type() ? 1 : 2) }
            }
            XCTAssertEqual(model.calls, ["name a", "query a"])
        }
    }

    /// A handler of a column was never called, without a word.
    func testOnSubmitWarnsOnAWidgetThatIsNoTextField() {
        GtkFixture.run { test in
            let model = Model()
            let warnings = Warnings()
            test.shown(Column { Column { TextField(text: Binding(model, \.name)) }.onSubmit {} })
            XCTAssertEqual(
                warnings.messages, ["RemoteImage: onSubmit is a modifier of text fields, not of a widget around them"])
        }
    }

    @MainActor
    private static func content(of field: OpaquePointer) -> String { String(cString: gtk_editable_get_text(field)) }

    @MainActor
    private static func placeholder(of field: OpaquePointer) -> String? {
        var value = GValue()
        g_value_init(&value, g_type_from_name("gchararray"))
        defer { g_value_unset(&value) }
        g_object_get_property(UnsafeMutableRawPointer(field).object, "placeholder-text", &value)
        return g_value_get_string(&value).map { String(cString: $0) }
    }

    // MARK: Numbers and space

    func testASliderAndItsBindingFollowEachOther() throws {
        try GtkFixture.run { test in
            let model = Model()
            let widget = test.shown(
                Column {
                    Label(model.title)
                    Slider("Volume", value: Binding(model, \.volume), in: 0...2, step: 0.25)
                })
            let slider = try XCTUnwrap(Widget(of: first(gtk_scale_get_type(), in: widget.pointer))).pointer
            let range = UnsafeMutableRawPointer(slider).assumingMemoryBound(to: GtkRange.self)
            XCTAssertEqual(gtk_range_get_value(range), 0.5)
            XCTAssertNil(shim_check_label(UnsafeMutableRawPointer(slider), "Volume"))
            gtk_range_set_value(range, 1.3)
            XCTAssertEqual(model.volume, 1.25)
            XCTAssertEqual(gtk_range_get_value(range), 1.25)
            gtk_range_set_value(range, 1.3)
            XCTAssertEqual(gtk_range_get_value(range), 1.25, "the slider stays at a step")
            model.volume = 2
            test.turn { gtk_range_get_value(range) == 2 }
            model.volume = 7
            test.settle()
            XCTAssertEqual(model.volume, 7, "a value out of range stays")
        }
    }

    func testASpacerTakesTheSpaceOfItsContainerInOneDirection() throws {
        try GtkFixture.run { test in
            let widget = test.shown(
                Column {
                    Row {
                        Label("left")
                        Spacer()
                        Label("right")
                    }
                    Spacer()
                    Label("bottom")
                })
            test.draw(widget.pointer)
            let row = try XCTUnwrap(children(of: widget.pointer).first)
            let labels = children(of: row)
            XCTAssertEqual(gtk_widget_get_width(row), gtk_widget_get_width(widget.pointer))
            XCTAssertGreaterThan(gtk_widget_get_width(labels[1]), 50)
            XCTAssertLessThan(gtk_widget_get_height(row), 50, "the space of a row is not high")
            XCTAssertGreaterThan(gtk_widget_get_height(children(of: widget.pointer)[1]), 50)
        }
    }

    /// The flow box took the space of the column.
    func testASpacerInAFlowBoxExpandsNothing() throws {
        try GtkFixture.run { test in
            let widget = test.shown(Column { FlowBox { Spacer() } })
            let box = try XCTUnwrap(children(of: widget.pointer).first)
            XCTAssertEqual(gtk_widget_compute_expand(box, GTK_ORIENTATION_VERTICAL), 0)
            XCTAssertEqual(gtk_widget_compute_expand(box, GTK_ORIENTATION_HORIZONTAL), 0)
        }
    }

    /// The handler of the outer declaration replaced the inner one.
    func testAWidgetOfTheProgramKeepsItsOwnHandlers() {
        GtkFixture.run { test in
            let model = Model()
            let button = Button("own") {}.on("clicked") { model.calls.append("inner") }.content
            test.shown(Column { button.on("clicked") { model.calls.append("outer") } })
            Emission.emit("clicked", of: OpaquePointer(button.pointer))
            XCTAssertEqual(model.calls, ["inner", "outer"])
            let other = Widget(gtk_button_new()).on("clicked") { model.calls.append("content") }.content
            test.shown(Column { other })
            Emission.emit("clicked", of: OpaquePointer(other.pointer))
            XCTAssertEqual(model.calls, ["inner", "outer", "content"])
        }
    }

    /// A menu without items opened.
    func testAContextMenuWithoutItemsStaysClosed() throws {
        try GtkFixture.run { test in
            let widget = test.shown(Column { Label("text").expand().contextMenu {} })
            let label = try XCTUnwrap(children(of: widget.pointer).first)
            let hands = try Hands(over: widget.pointer)
            hands.move(to: (50, 50))
            hands.click(.secondary)
            test.settle()
            XCTAssertNil(Self.openMenu(in: label))
        }
    }

    func testAContextMenuThatIsNoLongerDeclaredLeavesTheClickToOtherMenus() throws {
        try GtkFixture.run { test in
            let (model, label) = (Model(), Label("text").expand().content)
            let widget = test.shown(
                Column { if model.isOn { label } else { label.contextMenu { Button("Inner") {} } } }
                    .contextMenu { Button("Outer") {} })
            let hands = try Hands(over: widget.pointer)
            hands.move(to: (50, 50))
            hands.click(.secondary)
            test.turn { Self.openMenu(in: label.pointer) != nil }
            hands.type(GDK_KEY_Escape)
            test.turn { Self.openMenu(in: label.pointer) == nil }
            model.isOn = true
            test.settle()
            test.draw(label.pointer)
            hands.click(.secondary)
            test.turn { Self.openMenu(in: widget.pointer) != nil }
            XCTAssertNil(Self.openMenu(in: label.pointer))
            XCTAssertEqual(Self.items(in: widget.pointer).map(\.title), ["Outer"])
        }
    }

    /// The end of one also ended the other.
    func testAContextMenuHasTheItemsOfTheNewestDeclarationThatHasSome() {
        GtkFixture.run { test in
            let model = Model()
            let label = Label("text").expand().contextMenu { Button("Own") {} }.content
            test.shown(Column { if model.isOn { label } else { label.contextMenu { Button("Other") {} } } })
            for isOn in [false, true, false] {
                model.isOn = isOn
                test.settle()
                test.draw(label.pointer)
                for keys in Emission.controllers(gtk_event_controller_key_get_type(), of: label.pointer) {
                    Emission.emit("key-pressed", of: keys, Double(GDK_KEY_Menu))
                }
                test.turn { Self.openMenu(in: label.pointer) != nil }
                XCTAssertEqual(Self.items(in: label.pointer).map(\.title), [isOn ? "Own" : "Other"])
                gtk_widget_set_visible(Widget(of: Self.openMenu(in: label.pointer))?.pointer, 0)
            }
        }
    }

    // MARK: The window

    func testAHeaderBarFollowsItsDeclaration() {
        GtkFixture.run { test in
            let model = Model()
            _ = start(Application("org.example.Header")) {
                Window("window", width: 300, height: 100) {
                    Label(model.title)
                }
                .headerBar {
                    Button("Back") { model.calls.append("back") }
                    if model.isOn { Label("new") }
                } end: {
                    SearchField(text: Binding(model, \.query))
                }
            } during: {
                guard let window = Self.window() else { return XCTFail("no window") }
                XCTAssertTrue(texts(in: window).contains("Back"))
                let field = first(gtk_search_entry_get_type(), in: window)
                XCTAssertNotNil(first(gtk_header_bar_get_type(), in: window))
                XCTAssertNotNil(field)
                model.isOn = true
                test.turn { texts(in: window).contains("new") }
                XCTAssertEqual(first(gtk_search_entry_get_type(), in: window), field)
                model.title = "second"
                test.turn { texts(in: window).contains("second") }
                closeWindow("window")
            }
        }
    }

    func testAToastIsShownForItsTimeOrUntilItIsClosed() {
        GtkFixture.run { test in
            let model = Model()
            _ = start(Application("org.example.Toast")) {
                Window("window", width: 300, height: 100) {
                    Label(model.title)
                }
                .toast(Binding(model, \.message), duration: .milliseconds(300))
            } during: {
                guard let window = Self.window(), let revealer = first(gtk_revealer_get_type(), in: window) else {
                    return XCTFail("no toast")
                }
                XCTAssertTrue(texts(in: window).contains("first"))
                XCTAssertEqual(gtk_revealer_get_reveal_child(revealer), 0)
                model.message = "saved"
                test.turn { gtk_revealer_get_reveal_child(revealer) != 0 }
                XCTAssertTrue(texts(in: window).contains("saved"))
                test.turn { model.message == nil && gtk_revealer_get_reveal_child(revealer) == 0 }
                model.message = "again"
                test.turn { gtk_revealer_get_reveal_child(revealer) != 0 }
                if let close = first(gtk_button_get_type(), in: Widget(of: revealer)?.pointer) {
                    Emission.emit("clicked", of: close)
                }
                XCTAssertNil(model.message)
                model.title = "second"
                test.turn { texts(in: window).contains("second") }
                closeWindow("window")
            }
        }
    }

    @MainActor
    private static func window() -> UnsafeMutablePointer<GtkWidget>? {
        toplevels(of: gtk_window_get_type()).first { gtk_widget_get_mapped($0) != 0 }
    }

    // MARK: Keys

    func testAKeyIsUsedBeforeTheFocusExceptInATextField() throws {
        try GtkFixture.run { test in
            let model = Model()
            let widget = test.shown(
                Column {
                    TextField(text: Binding(model, \.name))
                    Button("button") { model.calls.append("button") }
                }
                .onKey("space|Escape") { model.calls.append("key") })
            let button = try XCTUnwrap(Widget(of: first(gtk_button_get_type(), in: widget.pointer))).pointer
            let hands = try Hands(over: widget.pointer)
            gtk_widget_grab_focus(button)
            hands.type(GDK_KEY_space)
            test.turn { model.calls == ["key"] }
            gtk_widget_grab_focus(try XCTUnwrap(Widget(of: first(gtk_entry_get_type(), in: widget.pointer))).pointer)
            hands.type(GDK_KEY_space)
            hands.type(GDK_KEY_a)
            test.turn { model.name == " a" }
            hands.type(GDK_KEY_Escape)
            test.turn { model.calls == ["key", "key"] }
        }
    }

    /// A widget of the program took the key without using it.
    func testAKeyThatIsNoLongerDeclaredIsLeftToOtherWidgets() throws {
        try GtkFixture.run { test in
            let (model, label) = (Model(), Label("text").content)
            let widget = test.shown(
                Column {
                    if model.isOn { label } else { label.onKey("F5") { model.calls.append("key") } }
                }
                .onShortcut("F5") { model.calls.append("shortcut") })
            let hands = try Hands(over: widget.pointer)
            hands.move(to: (5, 5))
            hands.type(GDK_KEY_F5)
            test.turn { model.calls == ["key"] }
            model.isOn = true
            test.settle()
            hands.type(GDK_KEY_F5)
            test.turn { model.calls.count == 2 }
            XCTAssertEqual(model.calls, ["key", "shortcut"])
        }
    }

    // MARK: Menus

    func testAContextMenuOfAnyWidgetHasItsItems() throws {
        try GtkFixture.run { test in
            let model = Model()
            let widget = test.shown(
                Column {
                    Label(model.title).expand().contextMenu {
                        Button("Mark as \(model.title)") { model.calls.append(model.title) }
                        Button("Remove") {}.enabled(model.isOn)
                        if model.isOn { Button("More") {} }
                    }
                })
            let label = try XCTUnwrap(children(of: widget.pointer).first)
            let hands = try Hands(over: widget.pointer)
            hands.move(to: (50, 50))
            hands.click(.secondary)
            test.turn { Self.openMenu(in: label) != nil }
            var items = Self.items(in: label)
            XCTAssertEqual(items.map(\.title), ["Mark as first", "Remove"])
            XCTAssertEqual(items.map(\.isEnabled), [true, false])
            XCTAssertNotEqual(gtk_widget_activate_action_variant(label, "program.0", nil), 0)
            XCTAssertEqual(model.calls, ["first"])
            hands.type(GDK_KEY_Escape)
            test.turn { children(of: label).isEmpty }
            (model.title, model.isOn) = ("second", true)
            test.turn { texts(in: label) == ["second"] }
            hands.click(.secondary)
            test.turn { Self.openMenu(in: label) != nil }
            items = Self.items(in: label)
            XCTAssertEqual(items.map(\.title), ["Mark as second", "Remove", "More"])
            XCTAssertEqual(items.map(\.isEnabled), [true, true, true])
            // The menu is open when its widget is released.
        }
    }

    func testTheItemsOfAnImageFollowItsOwn() throws {
        try GtkFixture.run { test in
            let model = Model()
            let widget = test.shown(
                Column {
                    NetworkImage("http://test/a.png").expand().contextMenu {
                        Button("Mark as read") { model.calls.append("read") }
                        Button(icon: "starred-symbolic", label: "Favorite") {}
                    }
                    .contentFit(.cover)
                }
                .imagePipeline(test.pipeline))
            try test.transfer().succeed(TestImage(3).bytes)
            let view = try XCTUnwrap(children(of: widget.pointer).first)
            test.turn { RemoteImageView(of: view)?.model.phase.kind == .success }
            let hands = try Hands(over: widget.pointer)
            hands.move(to: (50, 50))
            test.draw(widget.pointer)
            hands.click(.secondary)
            test.turn { Self.openMenu(in: view) != nil }
            XCTAssertEqual(
                Self.items(in: view).map(\.title),
                ["Open", "Save As…", "Copy Image", "Copy Address", "Mark as read", "Favorite"])
            gtk_widget_activate_action_variant(view, "program.0", nil)
            XCTAssertEqual(model.calls, ["read"])
            hands.type(GDK_KEY_Escape)
            test.turn { Self.openMenu(in: view) == nil }
        }
    }

    func testTheKeyboardOpensTheMenuOfTheRowWithTheFocus() throws {
        try GtkFixture.run { test in
            let model = Model()
            let widget = test.shown(
                ImageList(["a", "b"], id: \.self) { name in
                    Label(name).contextMenu { Button("Show") { model.calls.append(name) } }
                })
            let list = try XCTUnwrap(Widget(of: first(gtk_list_view_get_type(), in: widget.pointer))).pointer
            test.turn { texts(in: list) == ["a", "b"] && gtk_widget_get_mapped(children(of: list)[1]) != 0 }
            let row = children(of: list)[1]
            let label = try XCTUnwrap(children(of: row).first)
            let hands = try Hands(over: widget.pointer)
            hands.move(to: (50, 50))
            test.draw(widget.pointer)
            gtk_widget_grab_focus(row)
            hands.hold(GDK_KEY_Shift_L)
            hands.type(GDK_KEY_F10)
            hands.letGo(GDK_KEY_Shift_L)
            test.turn { Self.openMenu(in: label) != nil }
            gtk_widget_activate_action_variant(label, "program.0", nil)
            XCTAssertEqual(model.calls, ["b"])
            hands.type(GDK_KEY_Escape)
            test.turn { Self.openMenu(in: label) == nil }
        }
    }

    @MainActor
    private static func openMenu(in widget: UnsafeMutablePointer<GtkWidget>) -> OpaquePointer? {
        first(gtk_popover_menu_get_type(), in: widget).flatMap { menu in
            gtk_widget_get_mapped(Widget(of: menu)?.pointer) != 0 ? menu : nil
        }
    }

    @MainActor
    private static func items(in widget: UnsafeMutablePointer<GtkWidget>) -> [(title: String, isEnabled: Bool)] {
        descendants(of: Widget(of: openMenu(in: widget))?.pointer)
            .filter { String(cString: gtk_widget_get_css_name($0)) == "modelbutton" }
            .compactMap { button in text(in: button).map { ($0, gtk_widget_get_sensitive(button) != 0) } }
    }
}
