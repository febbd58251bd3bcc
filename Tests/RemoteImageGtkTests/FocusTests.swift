import CRemoteImageGtk
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageGtk

/// The keyboard focus of a view whose content changes.
final class FocusTests: XCTestCase {
    /// GTK used to move the focus of the retry button to another widget of the window.
    func testTheFocusOfARetryButtonStaysAtTheView() throws {
        try GtkFixture.run { test in
            let (view, before, window) = try Self.showFailure(test)
            try Self.retryWithFocus(in: view)
            test.turn { view.model.isLoading }
            XCTAssertEqual(Self.focus(of: window), view.pointer)
            // GTK moves the focus of a removed widget after the next frame.
            test.draw(view.pointer)
            XCTAssertEqual(Self.focus(of: window), view.pointer)

            // It fails again: its button gets the focus.
            try test.transfer(2).succeed([], status: 404)
            test.turn { view.model.phase.kind == .failure }
            let next = try Self.retryButton(in: view)
            XCTAssertEqual(Self.focus(of: window), next)
            XCTAssertEqual(gtk_widget_get_focusable(view.pointer), 0)

            // The view keeps the focus while it shows the image, until another widget gets it.
            Self.click(next)
            try test.transfer(3).succeed(TestImage(1).bytes)
            test.turn { view.model.phase.kind == .success }
            test.draw(view.pointer)
            XCTAssertEqual(Self.focus(of: window), view.pointer)
            gtk_widget_grab_focus(before.pointer)
            XCTAssertEqual(gtk_widget_get_focusable(view.pointer), 0)
        }
    }

    func testAViewDoesNotTakeTheFocusOfOtherWidgets() throws {
        try GtkFixture.run { test in
            let (view, before, window) = try Self.showFailure(test)
            gtk_widget_grab_focus(before.pointer)
            Self.click(try Self.retryButton(in: view))
            try test.transfer(2).succeed([], status: 404)
            test.turn { view.model.phase.kind == .failure }
            test.draw(view.pointer)
            XCTAssertEqual(Self.focus(of: window), before.pointer)
        }
    }

    func testAKeptFocusEndsWithItsWindow() throws {
        try GtkFixture.run { test in
            let (view, _, window) = try Self.showFailure(test)
            try Self.retryWithFocus(in: view)
            XCTAssertEqual(Self.focus(of: window), view.pointer)
            window.destroy()
            gtk_widget_unparent(view.pointer)

            let box = Widget(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
            let entry = Widget(gtk_entry_new())
            for child in [entry.pointer, view.pointer] { append(child, to: box) }
            let other = test.show(box.pointer, width: 300, height: 300)
            gtk_widget_grab_focus(entry.pointer)
            let focus = Self.focus(of: other)
            XCTAssertEqual(gtk_widget_get_focusable(view.pointer), 0)
            test.turn {
                for transfer in test.transport.transfers where transfer.state == .running {
                    transfer.succeed([], status: 404)
                }
                return view.model.phase.kind == .failure
            }
            test.draw(view.pointer)
            XCTAssertEqual(Self.focus(of: other), focus)
        }
    }

    /// Both the menu and a kept focus make a view focusable.
    func testAContextMenuIsIndependentOfAKeptFocus() throws {
        try GtkFixture.run { test in
            let (view, before, window) = try Self.showFailure(test)
            try Self.retryWithFocus(in: view)
            view.hasContextMenu = true
            gtk_widget_grab_focus(before.pointer)
            XCTAssertEqual(gtk_widget_get_focusable(view.pointer), 1)
            XCTAssertEqual(Self.focus(of: window), before.pointer)
            view.hasContextMenu = false
            XCTAssertEqual(gtk_widget_get_focusable(view.pointer), 0)
        }
    }

    /// Themes have no rule for the focus of the view.
    func testAFocusedViewShowsAFocusRing() throws {
        try GtkFixture.run { test in
            let view = test.view(NetworkImage("http://test/a.png") { Picture($0, contentFit: .fill) })
            view.hasContextMenu = true
            let window = test.show(view.pointer)
            try test.transfer().succeed(TestImage(200).bytes)
            test.turn { view.model.phase.kind == .success }
            gtk_widget_grab_focus(view.pointer)
            for isVisible in [false, true] {
                var drawing = try Drawing(view.pointer)
                // GTK hides the focus of a window again after a few seconds.
                for _ in 0..<10 {
                    gtk_window_set_focus_visible(window.window, isVisible ? 1 : 0)
                    test.draw(view.pointer)
                    drawing = try Drawing(view.pointer)
                    if (drawing[0, 50] != [200, 200, 200, 255]) == isVisible { break }
                }
                drawing = try Drawing(everywhere: view.pointer)
                let (right, bottom) = (drawing.width - 1, drawing.height - 1)
                for (x, y) in [(0, 50), (50, 0), (right, 50), (50, bottom)] {
                    XCTAssertEqual(drawing[x, y] != [200, 200, 200, 255], isVisible, "\(x), \(y)")
                }
                XCTAssertEqual(drawing.middle, [200, 200, 200, 255])
            }
        }
    }

    /// A view that has failed, below a button that can have the focus.
    @MainActor
    private static func showFailure(_ test: GtkFixture) throws -> (RemoteImageView, Widget, TestWindow) {
        let box = Widget(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
        let before = Widget(gtk_button_new_with_label("before"))
        let view = test.view(NetworkImage("http://test/a.png"))
        gtk_widget_set_vexpand(view.pointer, 1)
        for child in [before.pointer, view.pointer] { append(child, to: box) }
        let window = test.show(box.pointer, width: 300, height: 300)
        try test.transfer().succeed([], status: 404)
        test.turn { view.model.phase.kind == .failure }
        test.draw(view.pointer)
        return (view, before, window)
    }

    /// Clicks the retry button, which has the focus.
    @MainActor
    private static func retryWithFocus(in view: RemoteImageView) throws {
        let button = try retryButton(in: view)
        gtk_widget_grab_focus(button)
        click(button)
    }

    @MainActor
    private static func retryButton(in view: RemoteImageView) throws -> UnsafeMutablePointer<GtkWidget> {
        try XCTUnwrap(Widget(of: first(gtk_button_get_type(), in: view.pointer))).pointer
    }

    @MainActor
    private static func click(_ button: UnsafeMutablePointer<GtkWidget>) {
        shim_emit(button, g_signal_lookup("clicked", gtk_button_get_type()))
    }

    @MainActor
    private static func focus(of window: TestWindow) -> UnsafeMutablePointer<GtkWidget>? {
        gtk_root_get_focus(window.window.map { OpaquePointer($0) })
    }
}
