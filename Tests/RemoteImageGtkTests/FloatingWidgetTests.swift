import CRemoteImageGtk
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageGtk

/// A new widget has a floating reference until it gets a parent. The library used to take it over
/// when the program set a property, and released the widget a moment later.
final class FloatingWidgetTests: XCTestCase {
    func testAContextMenuKeepsAFloatingView() {
        assertStaysFloating { view, _ in shim_set_number(view, "context-menu", 1) }
    }

    func testAPropertyThatReplacesThePhaseKeepsAFloatingView() {
        assertStaysFloating { view, _ in
            shim_set_number(view, "load-options", Int32(LoadOptions.loadImmediately.rawValue))
            shim_set_pointer(view, "uri", "not an address")
        }
    }

    func testLoadingKeepsAFloatingView() {
        assertStaysFloating { view, test in
            RemoteImageViewState.of(view).show(NetworkImage("http://test/a.png").pipeline(test.pipeline))
            RemoteImageViewState.of(view).load()
        }
    }

    func testReloadingKeepsAFloatingView() {
        assertStaysFloating { view, test in
            RemoteImageViewState.of(view).show(NetworkImage("http://test/a.png").pipeline(test.pipeline))
            RemoteImageViewState.of(view).reload()
        }
    }

    func testAHandleKeepsAFloatingView() {
        assertStaysFloating { view, _ in RemoteImageView(of: view)?.accessibleLabel = "A cat" }
    }

    func testOptionsOfAnAncestorKeepAFloatingView() {
        assertStaysFloating { view, test in
            WidgetEnvironment.change(at: view.assumingMemoryBound(to: GtkWidget.self)) { $0.pipeline = test.pipeline }
        }
    }

    func testSetImageKeepsAFloatingPicture() {
        assertStaysFloating(UnsafeMutableRawPointer(gtk_picture_new())) { picture, test in
            OpaquePointer(picture).setImage(
                "http://test/a.png", placeholder: .custom { _ in }, pipeline: test.pipeline)
            OpaquePointer(picture).cancelImageRequest()
        }
    }

    /// Checks that a widget survives `use` with its floating reference alone.
    private func assertStaysFloating(
        _ made: @MainActor @autoclosure () -> UnsafeMutableRawPointer = UnsafeMutableRawPointer(
            RemoteImageViewState.make()),
        file: StaticString = #filePath, line: UInt = #line,
        use: @MainActor (UnsafeMutableRawPointer, GtkFixture) -> Void
    ) {
        GtkFixture.run { test in
            let widget = made()
            // A reference that was taken over is released in the next iteration of the main loop.
            let end = WeakObject(widget)
            use(widget, test)
            test.settle()
            guard let alive = end.strong() else { return XCTFail("the widget ended", file: file, line: line) }
            XCTAssertNotEqual(g_object_is_floating(widget), 0, file: file, line: line)
            // The reference for the check, and the floating one.
            XCTAssertEqual(shim_reference_count(alive.pointer), 2, file: file, line: line)
            g_object_ref_sink(widget)
            g_object_unref(widget)
        }
    }
}
