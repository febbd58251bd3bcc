import CRemoteImageGtk
import Observation
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageGtk

@Observable
private final class Model {
    var page = "list"
    var text = ""
    var step = 1
    /// What the shortcuts were used for.
    @ObservationIgnored var used: [Int] = []
}

/// Keyboard shortcuts of declared widgets.
final class ShortcutTests: XCTestCase {
    func testAShortcutIsUsedWhereverTheFocusIsAndWithItsNewestAction() throws {
        try GtkFixture.run { test in
            let model = Model()
            let widget = test.shown(
                Column {
                    SearchField(text: Binding(model, \.text))
                    let step = model.step
                    Label("step \(step)").onShortcut("F5|<Control>r") { model.used.append(step) }
                })
            let hands = try Hands(over: widget.pointer)
            hands.move(to: (5, 5))
            hands.type(GDK_KEY_F5)
            test.turn { model.used == [1] }
            model.step = 2
            test.turn { texts(in: widget.pointer) == ["step 2"] }
            hands.hold(GDK_KEY_Control_L)
            hands.type(GDK_KEY_r)
            hands.letGo(GDK_KEY_Control_L)
            test.turn { model.used == [1, 2] }
        }
    }

    func testAShortcutOfAHiddenWidgetIsNotUsed() throws {
        try GtkFixture.run { test in
            let model = Model()
            let widget = test.shown(
                Stack(selection: model.page) {
                    Stack.Page("list") { Label("list").onShortcut("F5") { model.used.append(1) } }
                    Stack.Page("large") { Label("large").onShortcut("F5") { model.used.append(2) } }
                })
            let hands = try Hands(over: widget.pointer)
            hands.move(to: (5, 5))
            hands.type(GDK_KEY_F5)
            test.turn { model.used == [1] }
            model.page = "large"
            let large = try XCTUnwrap(gtk_stack_get_child_by_name(widget.opaque, "large"))
            let list = try XCTUnwrap(gtk_stack_get_child_by_name(widget.opaque, "list"))
            test.turn { gtk_widget_get_mapped(large) != 0 && gtk_widget_get_mapped(list) == 0 }
            hands.type(GDK_KEY_F5)
            test.turn { model.used == [1, 2] }
        }
    }

    func testAKeyThatTheFocusUsesIsNoShortcut() throws {
        try GtkFixture.run { test in
            let model = Model()
            let widget = test.shown(
                Column {
                    SearchField(text: Binding(model, \.text))
                    Button("one") {}
                }
                .onShortcut("x") { model.used.append(1) }
                .onShortcut("F5") { model.used.append(2) })
            let field = try XCTUnwrap(Widget(of: first(gtk_search_entry_get_type(), in: widget.pointer)))
            let hands = try Hands(over: widget.pointer)
            hands.move(to: (5, 5))
            gtk_widget_grab_focus(field.pointer)
            hands.type(GDK_KEY_x)
            hands.type(GDK_KEY_F5)
            test.turn { model.used == [2] }
            test.turn { model.text == "x" }
            let button = try XCTUnwrap(Widget(of: first(gtk_button_get_type(), in: widget.pointer)))
            gtk_widget_grab_focus(button.pointer)
            hands.type(GDK_KEY_x)
            test.turn { model.used == [2, 1] }
        }
    }

    func testAShortcutOfTheFocusReceivesTheArrows() throws {
        try GtkFixture.run { test in
            let (model, second, viewer) = (Model(), WidgetReference(), WidgetReference())
            let widget = test.shown(
                Column {
                    Row {
                        Button("one") {}
                        Button("two") {}.reference(second)
                    }
                    Row { RemoteImageViewer(nil).reference(viewer) }
                        .onShortcut("Right", whileFocused: true) { model.used.append(1) }
                })
            let hands = try Hands(over: widget.pointer)
            hands.move(to: (5, 5))
            XCTAssertTrue(viewer.focus())
            hands.type(GDK_KEY_Right)
            test.turn { model.used == [1] }
            gtk_widget_grab_focus(
                first(gtk_button_get_type(), in: widget.pointer).map { shim_widget(UnsafeMutableRawPointer($0)) })
            hands.type(GDK_KEY_Right)
            test.turn { test.focus(in: widget) == second.widget?.pointer }
            XCTAssertEqual(model.used, [1])
        }
    }

    func testKeysThatGTKDoesNotKnowAreReported() {
        GtkFixture.run { test in
            let model = Model()
            let warnings = Warnings()
            test.shown(Label("a").onShortcut("no key") { model.used.append(1) })
            XCTAssertEqual(warnings.messages, ["\"no key\" is not a keyboard shortcut"])
        }
    }
}
