import CRemoteImageGtk
import RemoteImageGtk
import RemoteImageTestSupport
import XCTest

/// Images that become visible in one frame load in reading order, and before the images of earlier
/// frames.
final class ReadingOrderTests: XCTestCase {
    func testAScreenfulLoadsFromTopToBottom() throws {
        try GtkFixture.run { test in
            test.pipeline.setConcurrency(transfers: 2, perHost: 2)
            let box = Widget(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
            for number in 0..<12 { append(Self.view(number, test).pointer, to: box) }
            test.show(box.pointer, width: 100, height: 600)
            XCTAssertEqual(try Self.served(12, test), Array(0..<12))
        }
    }

    func testViewsScrolledIntoSightLoadFirstAndInReadingOrder() throws {
        try GtkFixture.run { test in
            test.pipeline.setConcurrency(transfers: 1, perHost: 1)
            let grid = Widget(gtk_grid_new())
            // Attached in another order than the reading order.
            let order = (0..<400).sorted { ($0 * 7919) % 400 < ($1 * 7919) % 400 }
            for number in order {
                gtk_grid_attach(
                    grid.pointer.withMemoryRebound(to: GtkGrid.self, capacity: 1) { $0 },
                    Self.view(number, test).pointer, Int32(number % 4), Int32(number / 4), 1, 1)
            }
            let window = Widget(gtk_scrolled_window_new())
            gtk_scrolled_window_set_child(window.opaque, grid.pointer)
            test.show(window.pointer, width: 400, height: 100)
            let running = try test.transfer()
            test.draw(window.pointer)
            let adjustment = gtk_scrolled_window_get_vadjustment(window.opaque)
            gtk_adjustment_set_value(adjustment, 1005)
            test.draw(window.pointer)
            test.settle()
            running.succeed([], status: 404)
            let served = try Self.served(13, test).dropFirst()
            XCTAssertEqual(Array(served), Array(80..<92))
        }
    }

    func testReadingOrderFromRightToLeftBeginsAtTheRight() throws {
        try GtkFixture.run { test in
            test.pipeline.setConcurrency(transfers: 1, perHost: 1)
            let grid = Widget(gtk_grid_new())
            gtk_widget_set_direction(grid.pointer, GTK_TEXT_DIR_RTL)
            for number in (0..<40).reversed() {
                gtk_grid_attach(
                    grid.pointer.withMemoryRebound(to: GtkGrid.self, capacity: 1) { $0 },
                    Self.view(number, test, direction: GTK_TEXT_DIR_RTL).pointer, Int32(number % 4),
                    Int32(number / 4), 1, 1)
            }
            let window = Widget(gtk_scrolled_window_new())
            gtk_scrolled_window_set_child(window.opaque, grid.pointer)
            test.show(window.pointer, width: 400, height: 50)
            let running = try test.transfer()
            test.draw(window.pointer)
            gtk_adjustment_set_value(gtk_scrolled_window_get_vadjustment(window.opaque), 255)
            test.draw(window.pointer)
            test.settle()
            running.succeed([], status: 404)
            XCTAssertEqual(Array(try Self.served(9, test).dropFirst()), Array(20..<28))
        }
    }

    func testRowsThatAreBoundAgainInOneFrameLoadInReadingOrder() throws {
        try GtkFixture.run { test in
            test.pipeline.setConcurrency(transfers: 1, perHost: 1)
            let box = Widget(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
            let views = (0..<6).map { Self.view($0, test) }
            for view in views { append(view.pointer, to: box) }
            test.show(box.pointer, width: 100, height: 300)
            XCTAssertEqual(try Self.served(6, test), Array(0..<6))
            views[0].source = "http://test/100.png"
            let running = try test.transfer(7)
            test.draw(box.pointer)
            for (number, view) in views.enumerated() where number > 0 {
                view.source = ImageSource("http://test/\(200 + number).png")
            }
            test.settle()
            test.draw(box.pointer)
            for (number, view) in views.enumerated() where number > 3 {
                view.source = ImageSource("http://test/\(300 + number).png")
            }
            test.settle()
            running.succeed([], status: 404)
            XCTAssertEqual(Array(try Self.served(12, test).dropFirst(7)), [304, 305, 201, 202, 203])
        }
    }

    @MainActor
    private static func view(
        _ number: Int, _ test: GtkFixture, direction: GtkTextDirection = GTK_TEXT_DIR_NONE
    ) -> RemoteImageView {
        var options = ImageOptions()
        options.viewportMargin = 0
        options.disappearDelay = .zero
        let view = test.view(NetworkImage("http://test/\(number).png", options: options) { Picture($0) })
        gtk_widget_set_size_request(view.pointer, 100, 50)
        gtk_widget_set_direction(view.pointer, direction)
        return view
    }

    /// The numbers of the first `count` requested images, in order. All of them fail.
    @MainActor
    private static func served(_ count: Int, _ test: GtkFixture) throws -> [Int] {
        for number in 1...count { try test.transfer(number).succeed([], status: 404) }
        return test.transport.addresses.prefix(count).compactMap { address in
            Int(address.dropFirst("http://test/".count).dropLast(".png".count))
        }
    }
}
