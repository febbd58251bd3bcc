import CRemoteImageGtk
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageGtk

/// The default content of a view after a failure.
final class DefaultFailureTests: XCTestCase {
    private enum Part: Equatable {
        case icon, text, button
    }

    /// A failed view of 200 × 160 points, and a function that changes its size.
    @MainActor
    private static func fail(
        _ body: (GtkFixture, RemoteImageView, _ resize: (Int, Int) -> Void) throws -> Void, in test: GtkFixture
    ) throws {
        let view = test.view(NetworkImage("http://test/a.png"))
        let window = test.show(view.pointer, width: 200, height: 160)
        try test.transfer().succeed([], status: 404)
        test.turn { view.model.phase.kind == .failure }
        test.draw(view.pointer)
        try body(test, view) { width, height in
            window.resize(width: width, height: height)
            test.turn { gtk_widget_get_width(view.pointer) == Int32(width) }
            test.draw(view.pointer)
        }
    }

    /// The drawn parts of a view, in order.
    @MainActor
    private static func parts(of view: RemoteImageView) -> [Part] {
        drawn(in: view).compactMap { widget in
            if shim_is_a(widget, gtk_button_get_type()) != 0 { return .button }
            if shim_is_a(widget, gtk_label_get_type()) != 0 { return .text }
            return shim_is_a(widget, gtk_image_get_type()) != 0 ? .icon : nil
        }
    }

    /// The mapped widgets of a view, without those within its buttons.
    @MainActor
    private static func drawn(in view: RemoteImageView) -> [UnsafeMutablePointer<GtkWidget>] {
        descendants(of: view.pointer).filter { widget in
            gtk_widget_get_mapped(widget) != 0
                && gtk_widget_get_ancestor(gtk_widget_get_parent(widget), gtk_button_get_type()) == nil
        }
    }

    func testTheContentFitsIntoTheSizeOfTheView() throws {
        try GtkFixture.run { test in
            try Self.fail(
                { test, view, resize in
                    XCTAssertEqual(Self.parts(of: view), [.icon, .text, .button])
                    let message = try XCTUnwrap(text(in: view.pointer))
                    for (width, height, parts) in [
                        (60, 60, [Part.button]), (200, 60, [.button]), (60, 160, [.button]), (24, 24, [.icon]),
                    ] {
                        resize(width, height)
                        XCTAssertEqual(Self.parts(of: view), parts, "\(width) × \(height)")
                        let tooltips = Self.drawn(in: view).compactMap { gtk_widget_get_tooltip_text($0) }
                        XCTAssertEqual(tooltips.map { String(cString: $0) }, [message])
                    }
                    resize(200, 160)
                    XCTAssertEqual(Self.parts(of: view), [.icon, .text, .button])
                }, in: test)
        }
    }

    func testTheButtonOfASmallViewLoadsAgain() throws {
        try GtkFixture.run { test in
            try Self.fail(
                { test, view, resize in
                    resize(60, 60)
                    let button = try XCTUnwrap(Self.drawn(in: view).first { shim_is_a($0, gtk_button_get_type()) != 0 })
                    XCTAssertNil(shim_check_label(UnsafeMutableRawPointer(button), "Try again"))
                    Emission.emit("clicked", of: OpaquePointer(button))
                    try test.transfer(2).succeed(TestImage(9).bytes)
                    test.turn { view.model.phase.kind == .success }
                }, in: test)
        }
    }

    func testTheFocusStaysInTheFailure() throws {
        try GtkFixture.run { test in
            try Self.fail(
                { test, view, resize in
                    let before = try XCTUnwrap(gtk_button_new_with_label("Before"))
                    gtk_widget_insert_before(before, view.pointer, gtk_widget_get_first_child(view.pointer))
                    resize(200, 160)
                    let focused = { gtk_root_get_focus(gtk_widget_get_root(view.pointer)) }
                    let isButtonOfFailure = {
                        Self.drawn(in: view).contains {
                            $0 == focused() && $0 != before && shim_is_a($0, gtk_button_get_type()) != 0
                        }
                    }
                    let button = Self.drawn(in: view).last { shim_is_a($0, gtk_button_get_type()) != 0 }
                    gtk_widget_grab_focus(try XCTUnwrap(button))
                    XCTAssertTrue(isButtonOfFailure())
                    for size in [(60, 60), (200, 160)] {
                        resize(size.0, size.1)
                        XCTAssertTrue(isButtonOfFailure(), "\(size)")
                    }
                    gtk_widget_unparent(before)
                }, in: test)
        }
    }
}
