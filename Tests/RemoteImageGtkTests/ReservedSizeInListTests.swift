import CRemoteImageGtk
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageGtk

final class ReservedSizeInListTests: XCTestCase {
    /// For the width of its rows, a list makes their boxes try widths far beyond the window. A
    /// critical message of GTK, which ends the test, says that a minimum height is larger there.
    func testAnAspectRatioIsReservedBelowWrappedTextInNestedBoxes() {
        checkAList(homogeneous: true)
    }

    /// Their minimum height does not contain the views' heights in GTK 4.18 and later; that of GTK
    /// 4.8 does.
    func testAnAspectRatioInNestedBoxesOfOtherWidthsLogsNothing() {
        checkAList(homogeneous: false)
    }

    private func checkAList(homogeneous: Bool) {
        GtkFixture.run { test in
            let text = String(repeating: "A text of several lines. ", count: 8)
            let widget = test.shownOverNetwork(
                ImageList(Array(0..<30), id: \.self) { number in Self.row(number, text, homogeneous: homogeneous) })
            let list = OpaquePointer(widget.pointer)
            for position in stride(from: 0.0, to: 2000, by: 400) {
                gtk_adjustment_set_value(gtk_scrolled_window_get_vadjustment(list), position)
                test.draw(widget.pointer)
                let reserved = descendants(of: widget.pointer).filter {
                    gtk_widget_has_css_class($0, "reserved") != 0 && gtk_widget_get_child_visible(Self.row(of: $0)) != 0
                }
                XCTAssertGreaterThan(reserved.count, 1)
                guard homogeneous || gtk_get_minor_version() <= 8 else { continue }
                for view in reserved { Self.checkHeight(of: view) }
            }
            let across = gtk_scrolled_window_get_hadjustment(list)
            XCTAssertEqual(gtk_adjustment_get_upper(across), gtk_adjustment_get_page_size(across))
        }
    }

    func testAnAspectRatioIsReservedInAScrollView() {
        GtkFixture.run { test in
            let text = String(repeating: "A text of several lines. ", count: 8)
            let widget = test.shownOverNetwork(ScrollView { Column { Self.row(0, text) } })
            test.draw(widget.pointer)
            let reserved = descendants(of: widget.pointer).filter { gtk_widget_has_css_class($0, "reserved") != 0 }
            XCTAssertEqual(reserved.count, 2)
            for view in reserved { Self.checkHeight(of: view) }
        }
    }

    @MainActor
    private static func checkHeight(of view: UnsafeMutablePointer<GtkWidget>) {
        let width = gtk_widget_get_width(view)
        XCTAssertGreaterThan(width, 40)
        // Of two views in a row, one may be a point wider and determines the height.
        XCTAssertEqual(Double(gtk_widget_get_height(view)), Double(width) / 1.5, accuracy: 1.5)
    }

    @MainActor
    private static func row(_ number: Int, _ text: String, homogeneous: Bool = true) -> DeclaredWidget {
        Row(spacing: 8) {
            NetworkImage("http://test/avatar.png").frame(width: 40, height: 40)
            Column(spacing: 4) {
                Label(text).textAlignment(0)
                Row(spacing: 4, homogeneous: homogeneous) {
                    Self.view(2 * number)
                    Self.view(2 * number + 1)
                }
            }
        }
        .body
    }

    @MainActor
    private static func view(_ number: Int) -> NetworkImage {
        var options = ImageOptions()
        options.reservedSize = .aspectRatio(1.5)
        return NetworkImage("http://test/\(number).png", options: options)
            .contentFit(.cover).expand(vertical: false).cssClass("reserved")
    }

    /// The widget of GtkListView around a descendant of a row. It is hidden while it has no place.
    @MainActor
    private static func row(
        of widget: UnsafeMutablePointer<GtkWidget>
    ) -> UnsafeMutablePointer<GtkWidget> {
        guard let parent = gtk_widget_get_parent(widget), shim_is_a(parent, gtk_list_view_get_type()) == 0 else {
            return widget
        }
        return row(of: parent)
    }
}
