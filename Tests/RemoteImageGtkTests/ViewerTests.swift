import CGtk
import TestSupport
import XCTest

@testable import RemoteImageGtk

final class ViewerTests: XCTestCase {
    func testAViewerShowsTheWholePictureAndZoomsToItsPixels() throws {
        try GtkFixture.run { test in
            let viewer = RemoteImageViewer("http://test/a.png", pipeline: test.pipeline)
            test.watch(viewer.content, "the viewer")
            let window = test.show(viewer.pointer, width: 200, height: 150)
            try test.transfer().succeed(TestPicture(90, width: 1000, height: 750).bytes)
            let view = try XCTUnwrap(viewer.view)
            test.turn { gtk_widget_get_width(view.pointer) == 200 && view.model.phase.kind == .success }
            XCTAssertEqual(gtk_widget_get_height(view.pointer), 150)
            XCTAssertNil(viewer.zoom)
            let scale = Int(gtk_widget_get_scale_factor(view.pointer))
            test.turn { view.model.image?.info.decodedSize.width == 200 * scale }

            // Zoomed in it has more pixels, and the middle stays in the middle.
            viewer.zoom = 1
            test.turn { gtk_widget_get_width(view.pointer) == 1000 }
            // There is no store here: the bytes come again.
            try test.transfer(2).succeed(TestPicture(90, width: 1000, height: 750).bytes)
            test.turn { view.model.image?.info.decodedSize.width == 1000 }
            let adjustment = gtk_scrolled_window_get_hadjustment(viewer.content.opaque)
            test.turn { abs(gtk_adjustment_get_value(adjustment) - 400) < 2 }

            viewer.zoom = 100
            XCTAssertEqual(viewer.zoom, 8)
            viewer.zoom = nil
            test.turn { gtk_widget_get_width(view.pointer) == 200 }
            // The whole picture stays whole when the window changes.
            window.resize(width: 100, height: 150)
            test.turn { gtk_widget_get_width(view.pointer) == 100 }
            XCTAssertEqual(gtk_widget_get_height(view.pointer), 75)
        }
    }

    func testKeysAndTheDoubleClickZoom() throws {
        try GtkFixture.run { test in
            let viewer = RemoteImageViewer("http://test/a.png", pipeline: test.pipeline)
            test.show(viewer.pointer, width: 200, height: 150)
            try test.transfer().succeed(TestPicture(90, width: 1000, height: 750).bytes)
            test.turn { viewer.view?.model.phase.kind == .success }
            let zoom = try XCTUnwrap(ViewerZoom.data[viewer.pointer])
            @MainActor func press(_ key: Int32) { XCTAssertTrue(ViewerInput.press(UInt32(key), zoom)) }
            press(GDK_KEY_plus)
            XCTAssertEqual(try XCTUnwrap(viewer.zoom), 0.25, accuracy: 0.01)
            press(GDK_KEY_1)
            XCTAssertEqual(viewer.zoom, 1)
            press(GDK_KEY_minus)
            XCTAssertEqual(viewer.zoom, 0.8)
            press(GDK_KEY_0)
            XCTAssertNil(viewer.zoom)
            XCTAssertFalse(ViewerInput.press(UInt32(GDK_KEY_a), zoom))
            zoom.toggle(around: (10, 10))
            XCTAssertEqual(viewer.zoom, 1)
            zoom.toggle(around: nil)
            XCTAssertNil(viewer.zoom)
        }
    }
}
