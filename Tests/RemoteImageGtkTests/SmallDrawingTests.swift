// Images that are drawn much smaller than they are in memory.

import CRemoteImageGtk
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageGtk

final class SmallDrawingTests: XCTestCase {
    /// GTK 4.8 samples only a few pixels for each drawn pixel: it turns a fine pattern into a
    /// coarse one.
    func testAnImageMuchLargerThanItsViewIsScaledDown() throws {
        try GtkFixture.run { test in
            let pipeline = ImagePipeline.test(test.transport, decoder: CheckerboardDecoder())
            let view = RemoteImageView(
                NetworkImage("http://test/a.png") { Picture($0, contentFit: .fill) }, pipeline: pipeline)
            test.watch(view.content, "the view")
            let window = test.show(view.pointer, width: 50, height: 40)
            let scale = Int(gtk_widget_get_scale_factor(view.pointer))
            try test.transfer().succeed(TestImage(1, width: 801, height: 601).bytes)
            test.turn { view.model.phase.kind == .success }
            test.turn {
                test.draw(view.pointer)
                return textureWidths(in: view.pointer) == [50 * scale]
            }
            let drawing = try Drawing(view.pointer)
            for place in [(3, 2), (20, 20), (44, 35)] {
                let gray = try XCTUnwrap(drawing[place.0, place.1].first)
                XCTAssertEqual(Double(gray), 127, accuracy: 8)
            }
            // Memory still has all the pixels, and the view draws them once it is large.
            window.resize(width: 400, height: 300)
            test.turn {
                test.draw(view.pointer)
                return textureWidths(in: view.pointer) == [801]
            }
            XCTAssertEqual(test.transport.transfers.count, 1)
            pipeline.configuration.memoryCache?.removeAll()
        }
    }

    /// A size beyond the integers ended the program.
    func testAnImageMayBeDrawnAtAnySize() throws {
        try GtkFixture.run { _ in
            let paintable = try XCTUnwrap(ImagePaintable.make(TestImage(200).decoded))
            for fit in [ContentFit.contain, .cover, .fill, .scaleDown] {
                ImagePaintable.setLayout(ImageLayout(fit: fit), of: paintable)
                for size in [1e-300, 1, 1e19, 1e300, .infinity, -1, -.infinity, .nan] {
                    for (width, height) in [(size, size), (size, 1), (1, size)] {
                        let snapshot = gtk_snapshot_new()
                        gdk_paintable_snapshot(OpaquePointer(paintable.pointer), snapshot, width, height)
                        if let node = gtk_snapshot_free_to_node(snapshot) { gsk_render_node_unref(node) }
                    }
                }
            }
        }
    }

    func testLengthsAreLimitedToTheirType() {
        XCTAssertEqual(Int32(saturating: 1e19), .max)
        XCTAssertEqual(Int32(saturating: -.infinity), .min)
        XCTAssertEqual(Int(saturating: 9.3e18), .max)
        XCTAssertEqual(Int(saturating: .nan), 0)
        XCTAssertEqual(Int(saturating: 3.9), 3)
        XCTAssertEqual(
            ReservedSize.aspectRatio(1e-300).measure(GTK_ORIENTATION_VERTICAL, forSize: 100)?.natural, 1_000_000)
        XCTAssertEqual(
            ScrollPrefetcher.rows(
                ahead: .infinity, from: 0, page: 10, whole: 100, count: 10, isBackward: false), 2..<10)
    }

    func testAnImageOfSetImageIsScaledDown() throws {
        try GtkFixture.run { test in
            let pipeline = ImagePipeline.test(test.transport, decoder: CheckerboardDecoder())
            let image = test.watch(Widget(gtk_picture_new()), "image")
            image.opaque.setImage("http://test/a.png", pipeline: pipeline)
            test.show(image.pointer, width: 80, height: 60)
            let scale = gtk_widget_get_scale_factor(image.pointer)
            try test.transfer().succeed(TestImage(1, width: 800, height: 600).bytes)
            test.turn { texture(of: image).map { gdk_texture_get_width($0) } == 80 * scale }
            // Its size in points is unchanged.
            let paintable = gtk_picture_get_paintable(image.opaque)
            XCTAssertEqual(gdk_paintable_get_intrinsic_width(paintable), 800)
            pipeline.configuration.memoryCache?.removeAll()
        }
    }

    func testARemotePaintableIsScaledDown() throws {
        try GtkFixture.run { test in
            let pipeline = ImagePipeline.test(test.transport, decoder: CheckerboardDecoder())
            let paintable = RemoteImagePaintable("http://test/a.png", pipeline: pipeline)
            let image = test.watch(Widget(gtk_picture_new_for_paintable(paintable.pointer)), "image")
            test.show(image.pointer, width: 80, height: 60)
            let scale = Int(gtk_widget_get_scale_factor(image.pointer))
            try test.transfer().succeed(TestImage(1, width: 800, height: 600).bytes)
            test.turn {
                test.draw(image.pointer)
                return textureWidths(in: image.pointer) == [80 * scale]
            }
            XCTAssertEqual(gdk_paintable_get_intrinsic_width(paintable.pointer), 800)
            gtk_picture_set_paintable(image.opaque, nil)
            pipeline.configuration.memoryCache?.removeAll()
        }
    }

    /// It would be reduced for one widget and restored for the other, again and again.
    func testAnImageDrawnInTwoSizesIsNotReducedRepeatedly() throws {
        try GtkFixture.run { test in
            let pipeline = ImagePipeline.test(test.transport, decoder: CheckerboardDecoder())
            let small = test.watch(Widget(gtk_picture_new()), "small")
            let large = test.watch(Widget(gtk_picture_new()), "large")
            let box = Widget(gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0))
            // The small widget is drawn last, and would otherwise decide.
            for (image, side) in [(large, Int32(200)), (small, 20)] {
                gtk_widget_set_size_request(image.pointer, side, side)
                gtk_widget_set_halign(image.pointer, GTK_ALIGN_START)
                gtk_widget_set_valign(image.pointer, GTK_ALIGN_START)
                gtk_box_append(
                    UnsafeMutableRawPointer(box.pointer).assumingMemoryBound(to: GtkBox.self), image.pointer)
            }
            small.opaque.setImage("http://test/a.png", pipeline: pipeline)
            test.show(box.pointer, width: 300, height: 220)
            try test.transfer().succeed(TestImage(1, width: 800, height: 600).bytes)
            test.turn { gtk_picture_get_paintable(small.opaque) != nil }
            let paintable = try XCTUnwrap(gtk_picture_get_paintable(small.opaque))
            gtk_picture_set_paintable(large.opaque, paintable)
            var widths: [Int32] = []
            test.draw(box.pointer)
            // It stays at its full size for longer than several reductions take.
            var changed = ContinuousClock.now
            test.turn {
                if let width = texture(of: small).map({ gdk_texture_get_width($0) }), width != widths.last {
                    widths.append(width)
                    changed = .now
                }
                return ContinuousClock.now - changed > WidgetLoadController.settlingTime * 6
            }
            XCTAssertEqual(widths.last, 800, "\(widths)")
            gtk_picture_set_paintable(large.opaque, nil)
            pipeline.configuration.memoryCache?.removeAll()
        }
    }
}

/// Decodes every image, at full size, into black and white squares of one pixel.
private struct CheckerboardDecoder: ImageDecoder {
    let formats: Set<ImageFormat> = [.png]

    func decode(_ bytes: [UInt8], _ request: DecodeRequest) throws(ImageError) -> DecodedImage {
        let size = request.header.size
        let pixels = PixelBuffer(size: size, format: .rgb8) { memory in
            for index in memory.indices {
                let (x, y) = (index / 3 % size.width, index / 3 / size.width)
                memory[index] = (x + y).isMultiple(of: 2) ? 255 : 0
            }
        }
        return DecodedImage(pixels: pixels, size: size)
    }
}
