import CRemoteImageGtk
import RemoteImageGtk
import RemoteImageTestSupport
import XCTest

/// What is mirrored in right-to-left layouts, and what is not.
final class RightToLeftTests: XCTestCase {
    /// The position of an image is not mirrored, as in CSS backgrounds: a face at the left of an
    /// image is there for every reader.
    func testThePositionOfAnImageIsNotMirrored() throws {
        try withRightToLeft { test in
            let view = test.view(
                NetworkImage("http://test/a.png") { Picture($0, contentFit: .contain).position(x: 0, y: 0) })
            test.show(view.pointer, width: 200, height: 100)
            try test.transfer().succeed(TestImage(250, width: 400, height: 400).bytes)
            test.turn { view.model.phase.kind == .success }
            test.draw(view.pointer)
            let drawing = try Drawing(view.pointer)
            XCTAssertEqual(drawing[50, 50], [250, 250, 250, 255])
            XCTAssertEqual(drawing[150, 50], [0, 0, 0, 0])
        }
    }

    func testHorizontalContentBeginsAtTheRight() throws {
        try withRightToLeft { test in
            let view = test.view(
                NetworkImage("http://test/a.png") {
                    Picture($0)
                } placeholder: {
                    Spinner()
                } failure: { error, retry in
                    Row(spacing: 4) {
                        Label("why")
                        Button("Again", action: retry)
                    }
                })
            test.show(view.pointer, width: 200, height: 100)
            try test.transfer().succeed([], status: 404)
            test.turn { view.model.phase.kind == .failure }
            test.draw(view.pointer)
            let label = try bounds(of: gtk_label_get_type(), in: view)
            let button = try bounds(of: gtk_button_get_type(), in: view)
            XCTAssertGreaterThan(label.minX, button.minX)
        }
    }

    func testTheSpinnerAndTheErrorAreCentred() throws {
        try withRightToLeft { test in
            let view = test.view(NetworkImage("http://test/a.png"))
            test.show(view.pointer, width: 300, height: 200)
            let transfer = try test.transfer()
            test.turn { indicatorPage(in: view) == "spinner" }
            test.draw(view.pointer)
            let spinner = try bounds(of: gtk_spinner_get_type(), in: view)
            XCTAssertEqual(spinner.minX + spinner.width / 2, 150, accuracy: 1)
            transfer.succeed([], status: 404)
            test.turn { view.model.phase.kind == .failure }
            test.draw(view.pointer)
            let button = try bounds(of: gtk_button_get_type(), in: view)
            XCTAssertEqual(button.minX + button.width / 2, 150, accuracy: 1)
        }
    }

    func testTheProgressBarFillsFromTheRight() throws {
        try withRightToLeft { test in
            let view = test.view(NetworkImage("http://test/a.png"))
            test.show(view.pointer, width: 300, height: 200)
            let transfer = try test.transfer()
            transfer.respond(expected: 100)
            transfer.send([UInt8](repeating: 1, count: 30))
            // After the delay in which nothing is shown.
            test.turn { indicatorPage(in: view) == "bar" }
            let bar = try XCTUnwrap(first(gtk_progress_bar_get_type(), in: view.pointer))
            test.turn { abs(gtk_progress_bar_get_fraction(bar) - 0.3) < 0.01 }
            test.draw(view.pointer)
            let filled = try XCTUnwrap(
                descendants(of: Widget(of: bar)?.pointer)
                    .first { String(cString: gtk_widget_get_css_name($0)) == "progress" })
            let area = try bounds(of: filled, in: view)
            XCTAssertEqual(area.minX + area.width, 300, accuracy: 2)
            XCTAssertEqual(area.width, 90, accuracy: 4)
        }
    }

    /// A scrolling row begins at the right, and is scrolled to its end at first.
    func testInAScrollingRowTheViewsAtTheRightLoad() throws {
        try withRightToLeft { test in
            test.pipeline.setConcurrency(transfers: 64, perHost: 64)
            var options = ImageOptions()
            options.viewportMargin = 0
            let views = (0..<40).map { number in
                let view = test.view(NetworkImage("http://test/\(number).png", options: options))
                gtk_widget_set_size_request(view.pointer, 50, 50)
                return view
            }
            let row = TestColumn(GTK_ORIENTATION_HORIZONTAL, views)
            test.show(row.widget.pointer, width: 200, height: 60)
            test.draw(row.widget.pointer)
            test.turn { test.transport.transfers.count >= 5 }
            XCTAssertEqual(row.begun, Array(0...4))
        }
    }

    private func withRightToLeft(_ body: @MainActor (GtkFixture) throws -> Void) throws {
        try GtkFixture.run { test in
            gtk_widget_set_default_direction(GTK_TEXT_DIR_RTL)
            defer { gtk_widget_set_default_direction(GTK_TEXT_DIR_LTR) }
            try body(test)
        }
    }
}

/// The bounds of the first widget of a class within a view, in points.
@MainActor
private func bounds(of type: GType, in view: RemoteImageView) throws -> (minX: Double, width: Double) {
    try bounds(of: try XCTUnwrap(Widget(of: first(type, in: view.pointer))).pointer, in: view)
}

@MainActor
private func bounds(
    of widget: UnsafeMutablePointer<GtkWidget>, in view: RemoteImageView
) throws -> (minX: Double, width: Double) {
    var bounds = graphene_rect_t()
    XCTAssertNotEqual(gtk_widget_compute_bounds(widget, view.pointer, &bounds), 0)
    return (Double(bounds.origin.x), Double(bounds.size.width))
}
