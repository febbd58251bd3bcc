import CRemoteImageGtk
import Observation
import RemoteImageTestSupport
import XCTest

@testable import GtkDeclarations
@testable import RemoteImageGtk

@Observable
private final class Model {
    var volume = 0.5
    var name = "abcdef"
    var choice = 2
    var isOn = false
    var title = "first"
    var isWide = true
    @ObservationIgnored var calls: [String] = []
}

/// The properties that declared controls set, and the values that they report.
final class ControlDetailTests: XCTestCase {
    // MARK: Sliders

    func testTheStepsOfASliderBeginAtItsLowerEnd() throws {
        try GtkFixture.run { test in
            let model = Model()
            let range = try Self.slider(model, in: 1...10, step: 4, test)
            for (moved, expected) in [(6.0, 5.0), (7.5, 9), (9.9, 9), (1.2, 1), (2.9, 1), (3.1, 5)] {
                gtk_range_set_value(range, moved)
                XCTAssertEqual(model.volume, expected, "\(moved)")
                XCTAssertEqual(gtk_range_get_value(range), expected, "\(moved)")
            }
            let short = try Self.slider(model, in: 0...2.6, step: 1, test)
            gtk_range_set_value(short, 1)
            gtk_range_set_value(short, 2.6)
            XCTAssertEqual(model.volume, 2.6, "the last step is the end")
        }
    }

    func testTheKeysOfASliderMoveByItsStepOrAPartOfItsLength() throws {
        try GtkFixture.run { test in
            let cases: [(ClosedRange<Double>, step: Double?, small: Double, large: Double)] = [
                (-2...8, nil, 0.1, 1), (0...2, 0.25, 0.25, 0.25), (0...2, 0.1, 0.1, 0.2),
            ]
            for (range, step, small, large) in cases {
                let adjustment = gtk_range_get_adjustment(try Self.slider(Model(), in: range, step: step, test))
                XCTAssertEqual(gtk_adjustment_get_step_increment(adjustment), small, accuracy: 1e-9)
                XCTAssertEqual(gtk_adjustment_get_page_increment(adjustment), large, accuracy: 1e-9)
                XCTAssertEqual(gtk_adjustment_get_lower(adjustment), range.lowerBound)
                XCTAssertEqual(gtk_adjustment_get_upper(adjustment), range.upperBound)
            }
        }
    }

    /// GTK moves the value into a shorter range, and reports it as a change.
    func testAnotherRangeDoesNotChangeTheValue() throws {
        try GtkFixture.run { test in
            let model = Model()
            model.volume = 5
            let widget = test.shown(
                Column {
                    Slider("Volume", value: Binding(model, \.volume), in: 0...(model.isWide ? 10 : 1))
                })
            let slider = try XCTUnwrap(Widget(of: first(gtk_scale_get_type(), in: widget.pointer)))
            let range = UnsafeMutableRawPointer(slider.pointer).assumingMemoryBound(to: GtkRange.self)
            XCTAssertEqual(gtk_range_get_value(range), 5)
            model.isWide = false
            test.turn { gtk_adjustment_get_upper(gtk_range_get_adjustment(range)) == 1 }
            test.settle()
            XCTAssertEqual(model.volume, 5)
            gtk_range_set_value(range, 0.25)
            XCTAssertEqual(model.volume, 0.25, "the user moves the slider")
            var size = (width: Int32(0), height: Int32(0))
            gtk_widget_get_size_request(slider.pointer, &size.width, &size.height)
            XCTAssertEqual([size.width, size.height], [120, -1])
        }
    }

    @MainActor
    private static func slider(
        _ model: Model, in range: ClosedRange<Double>, step: Double?, _ test: GtkFixture
    ) throws -> UnsafeMutablePointer<GtkRange> {
        let widget = test.shown(
            Column { Slider("Volume", value: Binding(model, \.volume), in: range, step: step) })
        let slider = try XCTUnwrap(Widget(of: first(gtk_scale_get_type(), in: widget.pointer)))
        return UnsafeMutableRawPointer(slider.pointer).assumingMemoryBound(to: GtkRange.self)
    }

    // MARK: Choices

    func testAPickerWithoutASelectedChoiceKeepsTheValue() throws {
        try GtkFixture.run { test in
            let model = Model()
            let widget = test.shown(
                Column { Picker("Speed", selection: Binding(model, \.choice), choices: [("one", 1), ("two", 2)]) })
            let list = try XCTUnwrap(first(gtk_drop_down_get_type(), in: widget.pointer))
            gtk_drop_down_set_selected(list, guint.max)
            XCTAssertEqual(model.choice, 2)
            gtk_drop_down_set_selected(list, 0)
            XCTAssertEqual(model.choice, 1)
            let titles = (0..<2).map { index in
                gtk_string_list_get_string(gtk_drop_down_get_model(list), guint(index)).map { String(cString: $0) }
            }
            XCTAssertEqual(titles, ["one", "two"])
        }
    }

    /// The first choice was shown, and could not be chosen.
    func testAPickerShowsNoneForAValueThatIsNoChoice() throws {
        try GtkFixture.run { test in
            let model = Model()
            model.choice = 9
            let widget = test.shown(
                Column { Picker("Speed", selection: Binding(model, \.choice), choices: [("one", 1), ("two", 2)]) })
            let list = try XCTUnwrap(first(gtk_drop_down_get_type(), in: widget.pointer))
            XCTAssertEqual(model.choice, 9)
            try XCTSkipIf(gtk_check_version(4, 18, 0) == nil, "GTK 4.18 always shows a choice.")
            XCTAssertEqual(gtk_drop_down_get_selected(list), guint.max)
            gtk_drop_down_set_selected(list, 0)
            XCTAssertEqual(model.choice, 1)
        }
    }

    func testASliderWithoutAPositiveStepHasAnyValue() throws {
        try GtkFixture.run { test in
            for step in [0, -1, .nan] {
                let model = Model()
                let range = try Self.slider(model, in: 0...1, step: step, test)
                gtk_range_set_value(range, 0.3)
                XCTAssertEqual(model.volume, 0.3)
            }
        }
    }

    func testAToggleHasItsTitleAndReportsEachChange() throws {
        try GtkFixture.run { test in
            let model = Model()
            let isOn = Binding {
                model.isOn
            } set: {
                model.isOn = $0
                model.calls.append("\($0)")
            }
            let widget = test.shown(Column { Toggle(model.title, isOn: isOn) })
            let toggle = try XCTUnwrap(children(of: widget.pointer).first)
            XCTAssertEqual(text(in: toggle), "first")
            model.title = "second"
            test.turn { text(in: toggle) == "second" }
            for value: Int32 in [1, 0, 1] { shim_set_number(toggle, "active", value) }
            XCTAssertEqual(model.calls, ["true", "false", "true"])
            model.isOn = false
            test.turn { shim_get_boolean(toggle, "active") == 0 }
            XCTAssertEqual(model.calls.count, 3, "a change by the program is not reported")
        }
    }

    // MARK: Buttons

    func testAButtonHasItsTextOrItsIconAndCallsItsAction() {
        GtkFixture.run { test in
            let model = Model()
            let widget = test.shown(
                Column {
                    Button(model.title) { model.calls.append("text") }
                    Button(icon: "go-home-symbolic", label: "Home") { model.calls.append("icon") }
                    Button(action: { model.calls.append("content") }) { Label("inside") }
                })
            let buttons = children(of: widget.pointer)
            for button in buttons {
                XCTAssertEqual(gtk_widget_get_halign(button), GTK_ALIGN_CENTER)
                Emission.emit("clicked", of: OpaquePointer(button))
            }
            XCTAssertEqual(model.calls, ["text", "icon", "content"])
            let typed = buttons.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: GtkButton.self) }
            XCTAssertEqual(gtk_button_get_label(typed[0]).map { String(cString: $0) }, "first")
            XCTAssertEqual(gtk_button_get_icon_name(typed[1]).map { String(cString: $0) }, "go-home-symbolic")
            XCTAssertEqual(gtk_widget_get_tooltip_text(buttons[1]).map { String(cString: $0) }, "Home")
            XCTAssertNil(shim_check_label(buttons[1], "Home"))
            XCTAssertEqual(text(in: buttons[2]), "inside")
            model.title = "second"
            test.turn { text(in: buttons[0]) == "second" }
        }
    }

    // MARK: Text fields

    func testTheCursorStaysWhenTheProgramSetsAText() throws {
        try GtkFixture.run { test in
            let model = Model()
            let widget = test.shown(Column { TextField(text: Binding(model, \.name)) })
            let field = try XCTUnwrap(first(gtk_entry_get_type(), in: widget.pointer))
            gtk_editable_set_position(field, 3)
            model.name = "uvwxyz"
            test.turn { String(cString: gtk_editable_get_text(field)) == "uvwxyz" }
            XCTAssertEqual(gtk_editable_get_position(field), 3)
            gtk_editable_set_text(field, "typed")
            XCTAssertEqual(model.name, "typed")
            // The text that the field had before.
            model.name = "uvwxyz"
            test.turn { String(cString: gtk_editable_get_text(field)) == "uvwxyz" }
        }
    }

    func testEachFieldHasTheTextOfItsBinding() {
        GtkFixture.run { test in
            let model = Model()
            let widget = test.shown(
                Column {
                    TextField(text: Binding(model, \.name))
                    SearchField("Search", text: Binding(model, \.name))
                    TextField("Password", text: Binding(model, \.name), isPassword: true)
                })
            let fields = children(of: widget.pointer)
            XCTAssertEqual(
                fields.map { shim_is_a($0, gtk_editable_get_type()) != 0 }, [true, true, true])
            XCTAssertNotEqual(gtk_password_entry_get_show_peek_icon(OpaquePointer(fields[2])), 0)
            XCTAssertEqual(
                fields.map { String(cString: gtk_editable_get_text(OpaquePointer($0))) },
                ["abcdef", "abcdef", "abcdef"])
        }
    }

    // MARK: Labels and indicators

    func testALabelWrapsAndIsCentered() {
        GtkFixture.run { test in
            let label = test.watch(Label("text").content, "the label").opaque
            XCTAssertNotEqual(gtk_label_get_wrap(label), 0)
            XCTAssertEqual(gtk_label_get_wrap_mode(label), PANGO_WRAP_WORD_CHAR)
            XCTAssertEqual(gtk_label_get_natural_wrap_mode(label), GTK_NATURAL_WRAP_NONE)
            XCTAssertEqual(gtk_label_get_justify(label), GTK_JUSTIFY_CENTER)
            XCTAssertEqual([gtk_label_get_width_chars(label), gtk_label_get_max_width_chars(label)], [1, 40])
            let empty = test.watch(Label("").content, "the label").opaque
            XCTAssertEqual(gtk_label_get_width_chars(empty), -1)
        }
    }

    func testALabelHasAtLeastOneLine() {
        GtkFixture.run { test in
            for (limit, lines) in [(-2, 1), (0, 1), (1, 1), (2, 2), (5, 5)] {
                let label = test.watch(Label("text").lineLimit(limit).content, "the label").opaque
                XCTAssertEqual(gtk_label_get_lines(label), Int32(lines), "\(limit)")
                XCTAssertEqual(gtk_label_get_ellipsize(label), PANGO_ELLIPSIZE_END)
            }
        }
    }

    func testTheLinesOfALabelAreAlignedAsTheText() {
        GtkFixture.run { test in
            let cases: [(Double, GtkJustification)] = [
                (0, GTK_JUSTIFY_LEFT), (0.25, GTK_JUSTIFY_LEFT), (0.5, GTK_JUSTIFY_CENTER), (0.75, GTK_JUSTIFY_RIGHT),
                (1, GTK_JUSTIFY_RIGHT),
            ]
            for (alignment, justification) in cases {
                let label = test.watch(Label("text").textAlignment(alignment).content, "the label").opaque
                XCTAssertEqual(gtk_label_get_xalign(label), Float(alignment))
                XCTAssertEqual(gtk_label_get_justify(label), justification, "\(alignment)")
            }
        }
    }

    func testIndicatorsAreCenteredAndHaveTheirValues() {
        GtkFixture.run { test in
            let model = Model()
            let widget = test.shown(
                Column {
                    Spinner()
                    Icon("image-missing-symbolic")
                    Icon("image-missing-symbolic", size: 24).id(2)
                    Icon("image-missing-symbolic", size: 0).id(3)
                    ProgressBar(fraction: model.volume)
                })
            let all = children(of: widget.pointer)
            XCTAssertEqual(gtk_spinner_get_spinning(OpaquePointer(all[0])), 1)
            for indicator in all[..<4] {
                XCTAssertEqual(
                    [gtk_widget_get_halign(indicator), gtk_widget_get_valign(indicator)],
                    [GTK_ALIGN_CENTER, GTK_ALIGN_CENTER])
            }
            XCTAssertEqual(all[1..<4].map { gtk_image_get_pixel_size(OpaquePointer($0)) }, [-1, 24, 1])
            XCTAssertEqual(gtk_widget_get_valign(all[4]), GTK_ALIGN_CENTER)
            for (fraction, shown) in [(0.5, 0.5), (-1, 0), (0.75, 0.75), (3, 1)] {
                model.volume = fraction
                test.turn { gtk_progress_bar_get_fraction(OpaquePointer(all[4])) == shown }
            }
        }
    }

    // MARK: Modifiers

    func testAFrameSetsOnlyTheLengthsThatAreGiven() {
        GtkFixture.run { test in
            @MainActor func request(_ declaration: some WidgetDeclaration) -> [Int32] {
                var (width, height): (Int32, Int32) = (0, 0)
                gtk_widget_get_size_request(test.watch(declaration.content, "it").pointer, &width, &height)
                return [width, height]
            }
            XCTAssertEqual(request(Label("a").frame(width: 30)), [30, -1])
            XCTAssertEqual(request(Label("a").frame(height: 40)), [-1, 40])
            XCTAssertEqual(request(Label("a").frame(width: -30, height: -40)), [0, 0])
            XCTAssertEqual(request(Label("a").frame(width: 30).frame(height: 40)), [30, 40])
            XCTAssertEqual(request(Label("a").frame(minWidth: 50, minHeight: 60).frame(width: 30)), [30, 60])
            let expanding = test.watch(Label("a").frame(minWidth: 5, maxHeight: .infinity).content, "it").pointer
            XCTAssertEqual([gtk_widget_get_hexpand(expanding), gtk_widget_get_vexpand(expanding)], [0, 1])
        }
    }

    func testPaddingAndExpansionHaveTheirSides() {
        GtkFixture.run { test in
            @MainActor func margins(_ declaration: some WidgetDeclaration) -> [Int32] {
                let widget = test.watch(declaration.content, "it").pointer
                return [
                    gtk_widget_get_margin_top(widget), gtk_widget_get_margin_bottom(widget),
                    gtk_widget_get_margin_start(widget), gtk_widget_get_margin_end(widget),
                ]
            }
            let label = Label("a")
            XCTAssertEqual(margins(label.padding(.top, 1)), [1, 0, 0, 0])
            XCTAssertEqual(margins(label.padding(.bottom, 2)), [0, 2, 0, 0])
            XCTAssertEqual(margins(label.padding(.leading, 3)), [0, 0, 3, 0])
            XCTAssertEqual(margins(label.padding(.trailing, 4)), [0, 0, 0, 4])
            XCTAssertEqual(margins(label.padding(.vertical)), [12, 12, 0, 0])
            XCTAssertEqual(margins(label.padding()), [12, 12, 12, 12])
            XCTAssertEqual(margins(label.padding(-7)), [0, 0, 0, 0])
            XCTAssertEqual(margins(label.padding(horizontal: 5)), [0, 0, 5, 5])
            XCTAssertEqual(margins(label.padding(vertical: 6)), [6, 6, 0, 0])
            @MainActor func expansion(_ declaration: some WidgetDeclaration) -> [Int32] {
                let widget = test.watch(declaration.content, "it").pointer
                return [gtk_widget_get_hexpand(widget), gtk_widget_get_vexpand(widget)]
            }
            XCTAssertEqual(expansion(label.expand()), [1, 1])
            XCTAssertEqual(expansion(label.expand(vertical: false)), [1, 0])
            XCTAssertEqual(expansion(label.expand(horizontal: false)), [0, 1])
        }
    }

    func testTheLookOfAWidgetFollowsItsModifiers() throws {
        try GtkFixture.run { test in
            let model = Model()
            let widget = test.shown(
                Column {
                    Label("a").cssClass("marked", isOn: model.isOn).tooltip(model.isOn ? "tip" : nil)
                        .enabled(!model.isOn).clipped().opacity(model.volume)
                })
            let label = try XCTUnwrap(children(of: widget.pointer).first)
            @MainActor func look() -> [Int32] {
                [
                    gtk_widget_has_css_class(label, "marked"), gtk_widget_get_tooltip_text(label) == nil ? 0 : 1,
                    gtk_widget_get_sensitive(label),
                ]
            }
            XCTAssertEqual(look(), [0, 0, 1])
            XCTAssertEqual(gtk_widget_get_overflow(label), GTK_OVERFLOW_HIDDEN)
            XCTAssertEqual(gtk_widget_get_opacity(label), 0.5, accuracy: 0.01)
            model.isOn = true
            test.turn { look() == [1, 1, 0] }
            model.isOn = false
            test.turn { look() == [0, 0, 1] }
        }
    }

    func testEachAlignmentPlacesTheWidget() {
        GtkFixture.run { test in
            let cases: [(Alignment, GtkAlign)] = [
                (.start, GTK_ALIGN_START), (.center, GTK_ALIGN_CENTER), (.end, GTK_ALIGN_END), (.fill, GTK_ALIGN_FILL),
            ]
            for (alignment, expected) in cases {
                let across = test.watch(Label("a").align(horizontal: alignment).content, "it").pointer
                let along = test.watch(Label("a").align(vertical: alignment).content, "it").pointer
                XCTAssertEqual(gtk_widget_get_halign(across), expected)
                XCTAssertEqual(gtk_widget_get_valign(across), GTK_ALIGN_FILL)
                XCTAssertEqual(gtk_widget_get_valign(along), expected)
                XCTAssertEqual(gtk_widget_get_halign(along), GTK_ALIGN_FILL)
            }
        }
    }

    func testAClickOnAWidgetCallsItsActionAndNotThatOfItsContainer() throws {
        try GtkFixture.run { test in
            let model = Model()
            let widget = test.shown(
                Column {
                    Label("inner").expand().onClick { model.calls.append("inner \(model.title)") }
                }
                .onClick { model.calls.append("outer") })
            let label = try XCTUnwrap(children(of: widget.pointer).first)
            let gesture = try XCTUnwrap(Emission.controllers(gtk_gesture_click_get_type(), of: label).first)
            Emission.emit("released", of: gesture, 1, -5, 10)
            Emission.emit("released", of: gesture, 1, 10, 10_000)
            XCTAssertEqual(model.calls, [], "the pointer has left the widget")
            Emission.emit("released", of: gesture, 1, 10, 10)
            XCTAssertEqual(model.calls, ["inner first"])
            let hands = try Hands(over: widget.pointer)
            hands.move(to: (50, 50))
            test.draw(widget.pointer)
            hands.click()
            test.turn { model.calls.count > 1 }
            test.draw(widget.pointer)
            XCTAssertEqual(model.calls, ["inner first", "inner first"])
        }
    }

    // MARK: Keys

    func testATextFieldReceivesTheKeysOfTextsAlone() throws {
        try GtkFixture.run { test in
            let model = Model()
            model.name = ""
            let keys = ["F1", "F12", "Escape", "<Control>k", "<Alt>j", "Left", "b"]
            var column = Column { TextField(text: Binding(model, \.name)) }.body
            for key in keys { column = column.onKey(key) { model.calls.append(key) }.body }
            let widget = test.shown(column)
            let hands = try Hands(over: widget.pointer)
            gtk_widget_grab_focus(try XCTUnwrap(Widget(of: first(gtk_entry_get_type(), in: widget.pointer))).pointer)
            hands.type(GDK_KEY_F1)
            hands.type(GDK_KEY_F12)
            hands.type(GDK_KEY_Escape)
            for (modifier, key) in [(GDK_KEY_Control_L, GDK_KEY_k), (GDK_KEY_Alt_L, GDK_KEY_j)] {
                hands.hold(modifier)
                hands.type(key)
                hands.letGo(modifier)
            }
            hands.type(GDK_KEY_b)
            hands.type(GDK_KEY_Left)
            hands.type(GDK_KEY_c)
            test.turn { model.name == "cb" }
            XCTAssertEqual(model.calls, ["F1", "F12", "Escape", "<Control>k", "<Alt>j"])
        }
    }

    func testTheFocusIsInItsWidgetAndThoseAroundIt() throws {
        try GtkFixture.run { test in
            let widget = test.shown(
                Column {
                    Row { Button("one") {} }
                    Row { Button("two") {} }.id(2)
                })
            let rows = children(of: widget.pointer)
            let button = try XCTUnwrap(children(of: rows[0]).first)
            XCTAssertNotEqual(gtk_widget_grab_focus(button), 0)
            XCTAssertEqual(
                [button, rows[0], widget.pointer, rows[1]].map { $0.containsFocus }, [true, true, true, false])
            gtk_root_set_focus(gtk_widget_get_root(widget.pointer), nil)
            XCTAssertEqual([button, rows[0], widget.pointer].map { $0.containsFocus }, [false, false, false])
            XCTAssertFalse(test.watch(Label("alone").content, "the label").pointer.containsFocus)
        }
    }

    // MARK: Signals

    func testSignalsPassBooleansAndTexts() {
        GtkFixture.run { test in
            var received: [String] = []
            let (control, entry) = (Widget(gtk_switch_new()), Widget(gtk_text_new()))
            test.shown(
                Column {
                    control.handle("state-set") { (isOn: Bool) -> Bool in
                        received.append("\(isOn)")
                        return isOn
                    }
                    entry.on("insert-text") { (text: String, length: Int) in received.append("\(text) \(length)") }
                })
            gtk_switch_set_active(control.opaque, 1)
            XCTAssertEqual(gtk_switch_get_state(control.opaque), 0, "the handler has handled the change")
            gtk_switch_set_active(control.opaque, 0)
            XCTAssertEqual(received, ["true", "false"])
            var position: Int32 = 0
            gtk_editable_insert_text(entry.opaque, "abc", 3, &position)
            XCTAssertEqual(received.last, "abc 3")
            let warnings = Warnings()
            let other = Widget(gtk_scale_new_with_range(GTK_ORIENTATION_HORIZONTAL, 0, 100, 1))
            test.shown(Column { other.on("change-value") { (_: Int, _: Double, _: Int) in received.append("three") } })
            Emission.emit("change-value", of: other.opaque, 0, 42)
            XCTAssertEqual(
                warnings.messages, ["the handler of the signal change-value has other arguments than the signal"])
            XCTAssertEqual(received.count, 3)
        }
    }

    func testOnlyAWidgetIsTakenFromAPointer() {
        GtkFixture.run { test in
            let label = test.watch(Label("a").content, "the label")
            let object = shim_object_new(g_object_get_type())
            defer { g_object_unref(object) }
            XCTAssertEqual(Widget(of: UnsafeMutableRawPointer(label.pointer))?.pointer, label.pointer)
            XCTAssertEqual(Widget(of: label.opaque)?.pointer, label.pointer)
            XCTAssertNil(Widget(of: object))
            XCTAssertNil(Widget(of: nil as OpaquePointer?))
            XCTAssertNil(Widget(borrowing: object))
            XCTAssertEqual(Widget(borrowing: UnsafeMutableRawPointer(label.pointer))?.pointer, label.pointer)
        }
    }
}
