import CRemoteImageGtk
import Observation
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageGtk

@Observable
private final class Model {
    var spacing = 0
}

/// The lines and columns of a declared flow box, and the focus in it.
final class FlowBoxTests: XCTestCase {
    func testAsManyColumnsAsFitShareTheWidth() {
        GtkFixture.run { test in
            let widget = test.watch(box(of: 4, columns: 1...7, spacing: 4).content, "the box")
            let window = test.show(widget.pointer, width: 200, height: 150)
            XCTAssertEqual(areas(in: widget), [[0, 0, 64, 30], [68, 0, 64, 30], [136, 0, 64, 30], [0, 34, 64, 40]])
            window.resize(width: 130, height: 150)
            test.turn { gtk_widget_get_width(widget.pointer) == 130 }
            XCTAssertEqual(areas(in: widget), [[0, 0, 63, 20], [67, 0, 63, 20], [0, 24, 63, 40], [67, 24, 63, 40]])
        }
    }

    func testTheNumberOfColumnsHasLimits() {
        GtkFixture.run { test in
            let few = test.shown(box(of: 3, columns: 1...2))
            XCTAssertEqual(areas(in: few).map { $0[0] }, [0, 100, 0])
            let many = test.shown(box(of: 3, columns: 5...5, width: 30))
            XCTAssertEqual(areas(in: many).map { $0[0] }, [0, 40, 80])
            var (minimum, natural): (Int32, Int32) = (0, 0)
            gtk_widget_measure(many.pointer, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, &natural, nil, nil)
            XCTAssertEqual([minimum, natural], [150, 150])
        }
    }

    func testColumnsBeginAtTheRightInTextFromRightToLeft() {
        GtkFixture.run { test in
            gtk_widget_set_default_direction(GTK_TEXT_DIR_RTL)
            defer { gtk_widget_set_default_direction(GTK_TEXT_DIR_LTR) }
            let widget = test.shown(box(of: 3, columns: 2...2))
            XCTAssertEqual(areas(in: widget).map { $0[0] }, [100, 0, 100])
        }
    }

    /// A field for addresses, which runs from left to right, lay on the first child.
    func testTheDirectionOfTheBoxPlacesItsChildren() {
        GtkFixture.run { test in
            let widget = test.watch(box(of: 3, columns: 2...2).content, "the box")
            gtk_widget_set_direction(widget.pointer, GTK_TEXT_DIR_RTL)
            gtk_widget_set_direction(children(of: widget.pointer)[1], GTK_TEXT_DIR_LTR)
            test.show(widget.pointer)
            XCTAssertEqual(areas(in: widget).map { $0[0] }, [100, 0, 100])
        }
    }

    func testAnotherSpacingTakesEffect() {
        GtkFixture.run { test in
            let model = Model()
            let column = test.shown(
                Column {
                    FlowBox(columns: 2...2, spacing: model.spacing) { for name in ["a", "b"] { Label(name).id(name) } }
                })
            guard let pointer = children(of: column.pointer).first else { return XCTFail("no box") }
            let widget = Widget(borrowing: pointer)
            XCTAssertEqual(areas(in: widget).map { $0[0] }, [0, 100])
            model.spacing = 20
            test.turn { areas(in: widget).map { $0[0] } == [0, 110] }
        }
    }

    /// `GtkFlowBox` wraps each child in a widget that takes the focus.
    func testTheTabKeyStopsAtTheChildrenAlone() throws {
        try GtkFixture.run { test in
            let widget = test.shown(
                FlowBox(columns: 2...2) {
                    Label("text")
                    Button("first") {}
                    Label("text")
                    Button("second") {}
                })
            let root = try XCTUnwrap(gtk_widget_get_root(widget.pointer))
            @MainActor func focus(_ direction: GtkDirectionType) -> String? {
                gtk_widget_child_focus(UnsafeMutablePointer(root), direction)
                return text(in: gtk_root_get_focus(root))
            }
            gtk_root_set_focus(root, nil)
            XCTAssertEqual(
                [GTK_DIR_TAB_FORWARD, GTK_DIR_TAB_FORWARD, GTK_DIR_UP, GTK_DIR_DOWN].map(focus),
                ["first", "second", "first", "second"])
        }
    }
}

/// The position and the size of each child in the box.
@MainActor
private func areas(in box: Widget) -> [[Int]] {
    children(of: box.pointer).map { child in
        var bounds = graphene_rect_t()
        XCTAssertNotEqual(gtk_widget_compute_bounds(child, box.pointer, &bounds), 0)
        return [bounds.origin.x, bounds.origin.y, bounds.size.width, bounds.size.height].map { Int($0) }
    }
}

@MainActor
private func box(of count: Int, columns: ClosedRange<Int>, spacing: Int = 0, width: Int = 60) -> FlowBox {
    FlowBox(columns: columns, spacing: spacing) {
        for index in 0..<count { Row {}.frame(width: width, height: 10 * (index + 1)).id(index) }
    }
}
