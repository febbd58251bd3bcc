import CRemoteImageGtk
import Observation
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageGtk

@Observable
private final class Model {
    var hasThird = false
    var page = "first"
}

/// How containers lay out the widgets that are declared in them.
final class LayoutTests: XCTestCase {
    func testPagesComeAndGoAndTheOthersAreKept() throws {
        try GtkFixture.run { test in
            let model = Model()
            let widget = test.shown(
                Stack(selection: model.page) {
                    Stack.Page("first") { Label("first") }
                    if model.hasThird { Stack.Page("third") { Label("third") } }
                    Stack.Page("second") { Label("second") }
                })
            let second = try XCTUnwrap(gtk_stack_get_child_by_name(widget.opaque, "second"))
            XCTAssertNil(gtk_stack_get_child_by_name(widget.opaque, "third"))
            (model.hasThird, model.page) = (true, "third")
            test.turn { gtk_stack_get_child_by_name(widget.opaque, "third") != nil }
            XCTAssertEqual(gtk_stack_get_visible_child_name(widget.opaque).map { String(cString: $0) }, "third")
            XCTAssertEqual(gtk_stack_get_child_by_name(widget.opaque, "second"), second)
            (model.hasThird, model.page) = (false, "second")
            test.turn { gtk_stack_get_child_by_name(widget.opaque, "third") == nil }
            XCTAssertEqual(gtk_stack_get_visible_child(widget.opaque), second)
        }
    }

    /// The text used to be broken between all letters, until the label was as high as the icon.
    func testATextBesideAHighWidgetStaysOnOneLine() {
        GtkFixture.run { test in
            let widget = test.shown(
                Row {
                    Icon("avatar-default-symbolic", size: 100).frame(height: 100)
                    Label("A long name")
                })
            let (icon, label) = (children(of: widget.pointer)[0], children(of: widget.pointer)[1])
            test.draw(widget.pointer)
            XCTAssertGreaterThanOrEqual(gtk_widget_get_width(icon), 100)
            XCTAssertEqual(pango_layout_get_line_count(gtk_label_get_layout(OpaquePointer(label))), 1)
        }
    }
}
