import CRemoteImageGtk
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageCore
@testable import RemoteImageGtk

/// The sizes for which images of existing widgets are decoded, and the widgets that can show one.
final class PaintableTargetTests: XCTestCase {
    func testAnImageIsDecodedForTheSizeAndTheFitOfItsWidget() throws {
        try GtkFixture.run { test in
            let picture = test.watch(Widget(gtk_picture_new()), "the picture")
            let icon = test.watch(Widget(gtk_image_new()), "the image")
            let scale = Int(gtk_widget_get_scale_factor(picture.pointer))
            @MainActor func check(
                _ widget: Widget, _ size: (Int, Int), _ fit: ContentFit?, _ expected: (Int, Int, ContentFit)?,
                line: UInt = #line
            ) throws {
                let target = try XCTUnwrap(PaintableTarget(widget.pointer)).target((size.0, size.1), fit)
                let wanted = expected.flatMap { width, height, fit in
                    TargetSize(PixelSize(width: width * scale, height: height * scale), fit: fit)
                }
                XCTAssertEqual(target, wanted, line: line)
            }
            gtk_picture_set_content_fit(picture.opaque, GTK_CONTENT_FIT_COVER)
            try check(picture, (30, 20), nil, (30, 20, .cover))
            try check(picture, (30, 20), .fill, (30, 20, .fill))
            gtk_picture_set_content_fit(picture.opaque, GTK_CONTENT_FIT_SCALE_DOWN)
            try check(picture, (20, 31), nil, (20, 31, .scaleDown))
            for size in [(0, 20), (30, 0), (-1, 20)] {
                try check(picture, size, nil, nil)
                try check(icon, size, nil, nil)
            }
            try check(icon, (30, 20), nil, (30, 20, .contain))
            try check(icon, (30, 20), .cover, (30, 20, .cover))
            // The pixel size of a `GtkImage` is its minimum.
            for (side, width, height) in [(20, 30, 20), (25, 30, 25), (30, 30, 30), (40, 40, 40)] {
                gtk_image_set_pixel_size(icon.opaque, gint(side))
                try check(icon, (30, 20), nil, (width, height, .contain))
                try check(icon, (20, 30), nil, (height, width, .contain))
            }
            try check(icon, (0, 0), nil, (40, 40, .contain))
        }
    }

    func testOnlyAWidgetWithAPaintableShowsAnImage() {
        GtkFixture.run { test in
            let widgets = [gtk_picture_new(), gtk_image_new(), gtk_label_new("")].map {
                test.watch(Widget($0), "widget")
            }
            for (property, expected) in [
                (nil, [true, true, false]), ("paintable", [true, true, false]),
                ("tooltip-text", [false, false, false]),
                ("custom-image", [false, false, false]),
            ] as [(String?, [Bool])] {
                XCTAssertEqual(widgets.map { PaintableTarget($0.pointer, property: property) != nil }, expected)
            }
        }
    }

    func testAPlaceholderIconHasItsSideButAtLeastOnePoint() throws {
        try GtkFixture.run { test in
            let picture = test.watch(Widget(gtk_picture_new()), "the picture")
            let target = try XCTUnwrap(PaintableTarget(picture.pointer))
            for (size, side) in [(24, 24), (1, 1), (0, 1), (-7, 1)] as [(Int, Int32)] {
                target.show(.iconName("image-missing", size: size))
                let paintable = try XCTUnwrap(gtk_picture_get_paintable(picture.opaque))
                XCTAssertEqual(gdk_paintable_get_intrinsic_width(paintable), side)
                XCTAssertEqual(gdk_paintable_get_intrinsic_height(paintable), side)
            }
            let shown = gtk_picture_get_paintable(picture.opaque)
            target.show(.none)
            XCTAssertEqual(gtk_picture_get_paintable(picture.opaque), shown)
            target.show(.image(TestImage(3, width: 12, height: 7).decoded))
            XCTAssertEqual(gtk_picture_get_paintable(picture.opaque).map { gdk_paintable_get_intrinsic_width($0) }, 12)
            target.show(.clear)
            XCTAssertNil(gtk_picture_get_paintable(picture.opaque))
        }
    }
}
