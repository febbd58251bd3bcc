import CRemoteImageGtk
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageGtk

/// When the signals of a view are emitted: never during a layout, in which handlers must not change
/// widgets.
final class SignalTimeTests: XCTestCase {
    /// The image in memory is shown during the allocation. A handler that showed a caption at once
    /// left it without a size, since GTK ignored its resize request.
    func testAHandlerOfAnImageFromMemoryMayShowACaption() throws {
        try GtkFixture.run { test in
            try Self.loadIntoMemory(test)
            let (view, caption, box) = Self.showCard(test)
            Signal.connect("loaded", of: view.pointer) { gtk_widget_set_visible(caption.pointer, 1) }
            test.draw(box.pointer)
            gtk_widget_set_visible(view.pointer, 1)
            test.turn { gtk_widget_get_visible(caption.pointer) != 0 }
            test.draw(box.pointer)
            XCTAssertGreaterThan(gtk_widget_get_height(caption.pointer), 0)
            XCTAssertLessThan(gtk_widget_get_height(view.pointer), gtk_widget_get_height(box.pointer))
        }
    }

    func testHandlersAreCalledOutsideOfFrames() throws {
        try GtkFixture.run { test in
            try Self.loadIntoMemory(test)
            let (view, _, box) = Self.showCard(test)
            let clock = try XCTUnwrap(gtk_widget_get_frame_clock(box.pointer)).rawPointer
            var isInFrame = false
            let frames = SignalConnections()
            frames.connect("before-paint", of: clock) { isInFrame = true }
            frames.connect("after-paint", of: clock) { isInFrame = false }
            var log: [String] = []
            func record(_ name: String) { log.append(isInFrame ? "\(name) in a frame" : name) }
            // The view owns its handlers, which must not own it.
            let pointer = view.pointer
            Signal.connect(property: "phase", of: pointer) {
                record("phase \(RemoteImageViewState.of(pointer).phase.kind.cssClass)")
            }
            Signal.connect("loaded", of: view.pointer) { record("loaded") }
            gtk_widget_set_visible(view.pointer, 1)
            test.turn { log.last?.hasPrefix("loaded") == true }
            XCTAssertEqual(log, ["phase success", "loaded"])
            frames.end()
        }
    }

    func testAViewThatEndsAfterItsLayoutReportsNothing() throws {
        try GtkFixture.run { test in
            try Self.loadIntoMemory(test)
            let (view, _, _) = Self.showCard(test)
            var count = 0
            Signal.connect("loaded", of: view.pointer) { count += 1 }
            gtk_widget_set_visible(view.pointer, 1)
            let state = RemoteImageViewState.of(view.pointer)
            // The allocation of the next frame.
            state.withDelayedSignals { state.allocate(width: 100, height: 50) }
            XCTAssertEqual(view.model.phase.kind, .success)
            gtk_widget_unparent(view.pointer)
            g_object_run_dispose(view.pointer.object)
            test.settle()
            XCTAssertEqual(count, 0)
        }
    }

    /// A view below a caption, both hidden, in a window.
    @MainActor
    private static func showCard(_ test: GtkFixture) -> (RemoteImageView, Widget, Widget) {
        let box = Widget(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
        // Without a reserved size, the image itself would cause another layout.
        var options = ImageOptions()
        options.reservedSize = .points(width: 60, height: 40)
        let view = test.view(NetworkImage("http://test/a.png", options: options) { Picture($0) })
        let caption = Widget(gtk_label_new("A cat"))
        for child in [caption.pointer, view.pointer] {
            gtk_widget_set_visible(child, 0)
            append(child, to: box)
        }
        let scroller = Widget(gtk_scrolled_window_new())
        gtk_scrolled_window_set_child(scroller.opaque, box.pointer)
        test.show(scroller.pointer)
        return (view, caption, box)
    }

    @MainActor
    private static func loadIntoMemory(_ test: GtkFixture) throws {
        let earlier = test.view(NetworkImage("http://test/a.png") { Picture($0) })
        let window = test.show(earlier.pointer, width: 300, height: 200)
        try test.transfer().succeed(TestImage(width: 120, height: 90).bytes)
        test.turn { earlier.model.phase.kind == .success }
        window.destroy()
    }
}

extension OpaquePointer {
    fileprivate var rawPointer: UnsafeMutableRawPointer { UnsafeMutableRawPointer(self) }
}
