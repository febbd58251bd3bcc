import CRemoteImageGtk
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageGtk

private let address = "http://test/a.png"

/// A processor may change the shape of an image, which is then laid out and drawn in the new shape.
final class ProcessedShapeTests: XCTestCase {
    func testACircleOfALandscapeImageIsDrawnAsACircle() throws {
        try GtkFixture.run { test in
            let view = test.view(NetworkImage(address, options: Self.circle))
            test.show(view.pointer, width: 200, height: 100)
            try test.transfer().succeed(TestImage(90, width: 300, height: 200).bytes)
            test.turn { view.model.phase.kind == .success }
            test.draw(view.pointer)
            let drawing = try Drawing(view.pointer)
            XCTAssertEqual(drawing.middle, [90, 90, 90, 255])
            // A circle of 100 points in the middle of 200 points. An ellipse would reach from 25 to
            // 175.
            XCTAssertEqual(Self.coveredWidth(of: drawing), 100, accuracy: 1)
        }
    }

    /// Rounded corners and other processed images stayed at the pixels of their first size.
    func testAProcessedImageIsDecodedAgainWhenItsViewHasGrown() throws {
        try GtkFixture.run { test in
            let view = test.view(NetworkImage(address, options: Self.circle) { Picture($0) })
            let window = test.show(view.pointer, width: 50, height: 50)
            let scale = Int(gtk_widget_get_scale_factor(window.widget))
            try test.transfer().succeed(TestImage(90, width: 1000, height: 800).bytes)
            test.turn { view.model.phase.kind == .success }
            XCTAssertLessThan(try XCTUnwrap(view.model.image?.info.decodedSize.width), 100 * scale)
            window.resize(width: 400, height: 400)
            try test.transfer(2).succeed(TestImage(90, width: 1000, height: 800).bytes)
            test.turn { view.model.image.map { $0.info.decodedSize.width >= 400 * scale } == true }
        }
    }

    func testAViewIsMeasuredByTheProcessedImage() throws {
        try GtkFixture.run { test in
            let view = test.view(NetworkImage(address, scale: 2, options: Self.circle))
            test.show(view.pointer, width: 200, height: 100)
            try test.transfer().succeed(TestImage(90, width: 300, height: 200).bytes)
            test.turn { view.model.phase.kind == .success }
            var (width, height): (Int32, Int32) = (0, 0)
            gtk_widget_measure(view.pointer, GTK_ORIENTATION_HORIZONTAL, -1, nil, &width, nil, nil)
            gtk_widget_measure(view.pointer, GTK_ORIENTATION_VERTICAL, -1, nil, &height, nil, nil)
            XCTAssertEqual([width, height], [100, 100])
        }
    }

    func testSetImageShowsTheProcessedShape() throws {
        try GtkFixture.run { test in
            let picture = Widget(gtk_picture_new())
            test.show(picture.pointer, width: 200, height: 100)
            var image: LoadedImage?
            picture.opaque.setImage(address, options: Self.circle, pipeline: test.pipeline) { image = try? $0.get() }
            try test.transfer().succeed(TestImage(90, width: 300, height: 200).bytes)
            test.turn { image != nil }
            let paintable = try XCTUnwrap(gtk_picture_get_paintable(picture.opaque))
            XCTAssertEqual(gdk_paintable_get_intrinsic_width(paintable), 200)
            XCTAssertEqual(gdk_paintable_get_intrinsic_height(paintable), 200)
            XCTAssertEqual(gdk_paintable_get_intrinsic_aspect_ratio(paintable), 1)
            test.draw(picture.pointer)
            XCTAssertEqual(Self.coveredWidth(of: try Drawing(picture.pointer)), 100, accuracy: 1)
        }
    }

    func testAPaintableHasTheProcessedShape() throws {
        try GtkFixture.run { test in
            let paintable = RemoteImagePaintable(address, options: Self.circle, pipeline: test.pipeline, scale: 2)
            try test.transfer().succeed(TestImage(90, width: 300, height: 200).bytes)
            test.turn { paintable.model.phase.kind == .success }
            XCTAssertEqual(gdk_paintable_get_intrinsic_width(paintable.pointer), 100)
            XCTAssertEqual(gdk_paintable_get_intrinsic_height(paintable.pointer), 100)
        }
    }

    func testAViewerLaysOutTheProcessedShape() throws {
        try GtkFixture.run { test in
            let viewer = RemoteImageViewer(address, options: Self.circle, pipeline: test.pipeline)
            test.watch(viewer.content, "the viewer")
            test.show(viewer.pointer, width: 200, height: 100)
            try test.transfer().succeed(TestImage(90, width: 60, height: 40).bytes)
            let view = try XCTUnwrap(viewer.view)
            test.turn { gtk_widget_get_width(view.pointer) == 40 }
            XCTAssertEqual(gtk_widget_get_height(view.pointer), 40)
        }
    }

    func testTheDragIconHasTheProcessedShape() throws {
        try GtkFixture.run { test in
            let view = test.view(NetworkImage(address, options: Self.circle))
            test.show(view.pointer)
            try test.transfer().succeed(TestImage(90, width: 300, height: 200).bytes)
            test.turn { view.model.image != nil }
            let icon = try XCTUnwrap(view.model.image.flatMap { ImageDrag.icon($0) })
            let pointer = OpaquePointer(icon.pointer)
            XCTAssertEqual(gdk_paintable_get_intrinsic_width(pointer), gdk_paintable_get_intrinsic_height(pointer))
            XCTAssertEqual(gdk_paintable_get_intrinsic_width(pointer), Int32(ImageDrag.iconSide))
        }
    }

    @MainActor
    private static var circle: ImageOptions {
        var options = ImageOptions()
        options.processors = [.circle()]
        return options
    }

    /// The number of drawn points in the middle row.
    private static func coveredWidth(of drawing: Drawing) -> Int {
        (0..<drawing.width).count { drawing[$0, drawing.height / 2][3] > 127 }
    }
}
