import CRemoteImageGtk
import Observation
import RemoteImageTestSupport
import XCTest

@testable import GtkDeclarations
@testable import RemoteImageGtk

@Observable
private final class Model {
    var title = "first"
    var other = 0
    var isRound = false
    var showsHint = false
    var names = ["a", "b", "c"]
    var query = ""
    var page = "one"
    var fraction = 0.25
}

/// How often a value was read.
private final class Counter {
    private(set) var count = 0

    func count<Value>(_ value: Value) -> Value {
        count += 1
        return value
    }
}

/// What declared widgets do when observed values change.
final class DeclaredWidgetTests: XCTestCase {
    func testOnlyTheTextThatReadAChangedValueIsSetAgain() {
        GtkFixture.run { test in
            let (model, column, first, second) = (Model(), Counter(), Counter(), Counter())
            let widget = test.shown(
                Column {
                    let _ = column.count(())
                    Label(first.count(model.title))
                    Label(second.count("\(model.other)"))
                })
            XCTAssertEqual(texts(in: widget.pointer), ["first", "0"])
            model.title = "second"
            model.title = "third"
            test.turn { texts(in: widget.pointer) == ["third", "0"] }
            XCTAssertEqual([column.count, first.count, second.count], [1, 2, 1])
        }
    }

    func testAContainerKeepsTheWidgetsThatAreDeclaredAgain() throws {
        try GtkFixture.run { test in
            let model = Model()
            let widget = test.shown(
                Column {
                    if model.showsHint { Label("hint") }
                    SearchField(text: Binding(model, \.query))
                    Label(model.title)
                })
            let field = try XCTUnwrap(first(gtk_search_entry_get_type(), in: widget.pointer))
            let pointer = try XCTUnwrap(Widget(of: field)).pointer
            gtk_widget_grab_focus(pointer)
            XCTAssertEqual(gtk_widget_is_ancestor(test.focus(in: widget), pointer), 1)
            model.showsHint = true
            test.turn { texts(in: widget.pointer) == ["hint", "first"] }
            XCTAssertEqual(first(gtk_search_entry_get_type(), in: widget.pointer), field)
            XCTAssertEqual(gtk_widget_is_ancestor(test.focus(in: widget), pointer), 1)
            model.showsHint = false
            test.turn { texts(in: widget.pointer) == ["first"] }
            XCTAssertEqual(gtk_widget_is_ancestor(test.focus(in: widget), pointer), 1)
        }
    }

    func testIdentifiedWidgetsAreKeptInANewOrder() {
        GtkFixture.run { test in
            let model = Model()
            let widget = test.shown(Row { for name in model.names { Label(name).id(name) } })
            let before = children(of: widget.pointer)
            model.names = ["c", "new", "a"]
            test.turn { texts(in: widget.pointer) == ["c", "new", "a"] }
            let after = children(of: widget.pointer)
            XCTAssertEqual([after[0], after[2]], [before[2], before[0]])
            XCTAssertFalse(before.contains(after[1]))
        }
    }

    func testAFlowBoxKeepsIdentifiedWidgetsInANewOrder() {
        GtkFixture.run { test in
            let model = Model()
            let widget = test.shown(FlowBox(columns: 2...2) { for name in model.names { Label(name).id(name) } })
            let before = children(of: widget.pointer)
            model.names = ["c", "a"]
            test.turn { texts(in: widget.pointer) == ["c", "a"] }
            XCTAssertEqual(children(of: widget.pointer), [before[2], before[0]])
        }
    }

    func testEqualIdentitiesGiveAWidgetEach() {
        GtkFixture.run { test in
            let model = Model()
            let widget = test.shown(Row { for name in model.names { Label(name).id("same") } })
            XCTAssertEqual(texts(in: widget.pointer), ["a", "b", "c"])
            model.names = ["d", "e", "f", "g"]
            test.turn { texts(in: widget.pointer) == ["d", "e", "f", "g"] }
        }
    }

    func testAnotherBranchHasItsOwnWidget() throws {
        try GtkFixture.run { test in
            let model = Model()
            let widget = test.shown(
                Column {
                    if model.isRound { Label("round").opacity(0.5) } else { Label("square") }
                })
            model.isRound = true
            test.turn { texts(in: widget.pointer) == ["round"] }
            let label = try XCTUnwrap(children(of: widget.pointer).first)
            XCTAssertEqual(gtk_widget_get_opacity(label), 0.5, accuracy: 0.01)
            model.isRound = false
            test.turn { texts(in: widget.pointer) == ["square"] }
            XCTAssertEqual(gtk_widget_get_opacity(try XCTUnwrap(children(of: widget.pointer).first)), 1)
        }
    }

    /// Its state must not be that of the other branch.
    func testAnotherBranchWithTheSameKindOfWidgetHasItsOwn() throws {
        try GtkFixture.run { test in
            let model = Model()
            let widget = test.shown(Column { if model.isRound { Label("round") } else { Label("square") } })
            let label = try XCTUnwrap(children(of: widget.pointer).first)
            // The next widget cannot have the address of this one.
            let square = ObjectReference(borrowing: UnsafeMutableRawPointer(label))
            model.isRound = true
            test.turn { texts(in: widget.pointer) == ["round"] }
            let other = try XCTUnwrap(children(of: widget.pointer).first)
            XCTAssertNotEqual(UnsafeMutableRawPointer(other), square.pointer)
        }
    }

    func testAClosureThatIndexesARemovedItemIsNotRun() {
        GtkFixture.run { test in
            let model = Model()
            let widget = test.shown(
                Column { for index in model.names.indices { Label(model.names[index]) } })
            model.names = ["z"]
            test.turn { texts(in: widget.pointer) == ["z"] }
        }
    }

    func testARemovedWidgetIsReleasedAndNoLongerUpdated() throws {
        try GtkFixture.run { test in
            let (model, reads) = (Model(), Counter())
            model.showsHint = true
            let widget = test.shown(
                Column {
                    if model.showsHint {
                        Label(reads.count(model.title))
                    }
                })
            test.watch(try Widget(XCTUnwrap(children(of: widget.pointer).first)), "hint")
            model.showsHint = false
            test.turn { test.aliveCount(of: "hint") == 0 }
            model.title = "unread"
            test.settle()
            XCTAssertEqual(reads.count, 1)
        }
    }

    func testTheNewestHandlerIsCalledOnce() throws {
        try GtkFixture.run { test in
            let model = Model()
            var clicks: [String] = []
            let widget = test.shown(
                Column {
                    let title = model.title
                    Button("button") { clicks.append(title) }
                })
            let button = try XCTUnwrap(children(of: widget.pointer).first)
            model.title = "second"
            test.settle()
            Emission.emit("clicked", of: OpaquePointer(button))
            XCTAssertEqual(clicks, ["second"])
        }
    }

    func testControlsFollowAndChangeTheirValues() {
        GtkFixture.run { test in
            let model = Model()
            let widget = test.shown(
                Column {
                    Toggle("Round", isOn: Binding(model, \.isRound))
                    SearchField("Search", text: Binding(model, \.query))
                    ProgressBar(fraction: model.fraction)
                })
            let (toggle, field) = (children(of: widget.pointer)[0], children(of: widget.pointer)[1])
            model.isRound = true
            model.query = "cat"
            model.fraction = 2
            test.turn { shim_get_boolean(toggle, "active") != 0 }
            XCTAssertEqual(gtk_editable_get_text(OpaquePointer(field)).map { String(cString: $0) }, "cat")
            XCTAssertEqual(shim_get_double(children(of: widget.pointer)[2], "fraction"), 1)
            shim_set_number(toggle, "active", 0)
            XCTAssertFalse(model.isRound)
            gtk_editable_set_text(OpaquePointer(field), "dog")
            test.turn { model.query == "dog" }
        }
    }

    func testAStackShowsTheSelectedPage() {
        GtkFixture.run { test in
            let model = Model()
            let widget = test.shown(
                Stack(
                    selection: model.page,
                    pages: [
                        Stack.Page("one") { Label("first page") },
                        Stack.Page("two") { Label("second page") },
                    ]))
            let stack = widget.opaque
            XCTAssertEqual(gtk_stack_get_visible_child_name(stack).map { String(cString: $0) }, "one")
            model.page = "two"
            test.turn { gtk_stack_get_visible_child_name(stack).map { String(cString: $0) } == "two" }
        }
    }

    func testAStackShowsTheSelectedPageOnceItIsThere() {
        GtkFixture.run { test in
            let model = Model()
            model.page = "d"
            let warnings = Warnings()
            let widget = test.shown(
                Stack(selection: model.page) { for name in model.names { Stack.Page(name) { Label("page " + name) } } })
            XCTAssertEqual(warnings.messages, ["a stack has no page \"d\""])
            for names in [["a", "d", "c"], ["e", "a", "f", "d"]] {
                model.names = names
                test.turn {
                    names.map { text(in: gtk_stack_get_child_by_name(widget.opaque, $0)) } == names.map { "page " + $0 }
                }
                XCTAssertEqual(children(of: widget.pointer).count, names.count)
                XCTAssertEqual(gtk_stack_get_visible_child_name(widget.opaque).map { String(cString: $0) }, "d")
            }
            XCTAssertEqual(warnings.messages.count, 1)
        }
    }

    func testAnObjectThatIsNoWidgetIsSkippedWithAWarning() {
        GtkFixture.run { test in
            let object = ObjectReference(owned: shim_object_new(g_object_get_type()))
            let warnings = Warnings()
            let widget = test.shown(
                Column {
                    Label("a")
                    OpaquePointer(object.pointer)
                    Label("b")
                })
            XCTAssertEqual(warnings.messages, ["an object among declared widgets is not a GtkWidget"])
            XCTAssertEqual(texts(in: widget.pointer), ["a", "b"])
        }
    }

    func testAnyWidgetCanBeDeclaredByItsPointerAndIsKept() {
        GtkFixture.run { test in
            let (model, level, bar) = (Model(), Widget(gtk_level_bar_new()), Widget(gtk_progress_bar_new()))
            let widget = test.shown(
                Column {
                    Label(model.title)
                    if model.other == 0 { Label("zero") }
                    level.pointer
                    bar.opaque
                })
            let pointers = [level.pointer, bar.pointer]
            XCTAssertEqual(children(of: widget.pointer).suffix(2), pointers[...])
            model.other = 1
            test.turn { texts(in: widget.pointer) == ["first"] }
            XCTAssertEqual(children(of: widget.pointer).suffix(2), pointers[...])
        }
    }

    /// A closure of several statements matched both `on` with a result and `on` without one.
    func testAHandlerMayHaveSeveralStatements() {
        GtkFixture.run { test in
            var calls: [String] = []
            let column = test.shown(
                Column {
                    Button("button") {}.on("clicked") {
                        calls.append("one")
                        calls.append("two")
                    }
                })
            Emission.emit("clicked", of: OpaquePointer(children(of: column.pointer)[0]))
            XCTAssertEqual(calls, ["one", "two"])
        }
    }

    /// GTK warns of a label whose minimum width is larger than its natural width.
    func testAnEmptyLabelHasNoMinimumWidth() {
        GtkFixture.run { test in
            let column = test.shown(Column { Label("") })
            var (minimum, natural) = (gint(-1), gint(-1))
            gtk_widget_measure(
                children(of: column.pointer)[0], GTK_ORIENTATION_HORIZONTAL, -1, &minimum, &natural, nil, nil)
            XCTAssertEqual([minimum, natural], [0, 0])
        }
    }

    func testTypedHandlersReceiveTheArgumentsOfASignal() {
        GtkFixture.run { test in
            var received: [String] = []
            let scale = Widget(gtk_scale_new_with_range(GTK_ORIENTATION_HORIZONTAL, 0, 100, 1))
            test.shown(
                Column {
                    scale.handle("change-value") { (scroll: Int, value: Double) -> Bool in
                        received.append("\(scroll) \(value)")
                        return true
                    }
                })
            Emission.emit("change-value", of: scale.opaque, 0, 42)
            XCTAssertEqual(received, ["0 42.0"])
            let range = UnsafeMutableRawPointer(scale.pointer).assumingMemoryBound(to: GtkRange.self)
            // The answer keeps GTK from changing the value.
            XCTAssertEqual(gtk_range_get_value(range), 0)
        }
    }

    func testAHandlerWithOtherArgumentsIsReportedAndNotCalled() {
        GtkFixture.run { test in
            var isCalled = false
            let button = Widget(gtk_button_new())
            test.shown(Column { button.on("clicked") { (_: String) in isCalled = true } })
            let warnings = Warnings()
            Emission.emit("clicked", of: button.opaque)
            XCTAssertEqual(
                warnings.messages,
                ["the handler of the signal clicked has other arguments than the signal"])
            XCTAssertFalse(isCalled)
        }
    }

    func testModifiersSetThePropertiesOfGtk() throws {
        try GtkFixture.run { test in
            let widget = test.shown(
                Column {
                    Label("text").frame(width: 90, height: 40).padding(horizontal: 3, vertical: 5)
                        .expand(horizontal: false).align(horizontal: .end, vertical: .center).cssClass("title-1")
                        .tooltip("more").enabled(false)
                })
            let label = try XCTUnwrap(children(of: widget.pointer).first)
            var (width, height): (Int32, Int32) = (0, 0)
            gtk_widget_get_size_request(label, &width, &height)
            XCTAssertEqual([width, height], [90, 40])
            XCTAssertEqual([gtk_widget_get_margin_start(label), gtk_widget_get_margin_bottom(label)], [3, 5])
            XCTAssertEqual([gtk_widget_get_hexpand(label), gtk_widget_get_vexpand(label)], [0, 1])
            XCTAssertEqual(
                [gtk_widget_get_halign(label), gtk_widget_get_valign(label)], [GTK_ALIGN_END, GTK_ALIGN_CENTER])
            XCTAssertEqual(gtk_widget_has_css_class(label, "title-1"), 1)
            XCTAssertEqual(gtk_widget_get_tooltip_text(label).map { String(cString: $0) }, "more")
            XCTAssertEqual(gtk_widget_get_sensitive(label), 0)
        }
    }

    func testAnOverlayAndAScrollViewHoldTheirWidgets() {
        GtkFixture.run { test in
            let model = Model()
            let widget = test.shown(
                ScrollView {
                    Overlay {
                        Label("below")
                    } overlays: {
                        if model.showsHint { Label("above").align(horizontal: .end, vertical: .start) }
                    }
                })
            XCTAssertEqual(texts(in: widget.pointer), ["below"])
            model.showsHint = true
            test.turn { texts(in: widget.pointer) == ["below", "above"] }
            model.showsHint = false
            test.turn { texts(in: widget.pointer) == ["below"] }
        }
    }
}
