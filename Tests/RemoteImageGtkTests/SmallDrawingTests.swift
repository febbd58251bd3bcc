// Pictures that are drawn much smaller than they are in memory.

import CGtk
import TestSupport
import XCTest

@testable import RemoteImageGtk

final class SmallDrawingTests: XCTestCase {
    /// GTK 4.8 looks at a few pixels of each place only: of a fine pattern it makes another, coarse one.
    func testAPictureOfAViewThatIsMuchLargerThanItsPlaceIsScaledDown() throws {
        try GtkFixture.run { test in
            let pipeline = ImagePipeline.test(test.transport, decoder: CheckerboardDecoder())
            let view = RemoteImageView(
                NetworkImage("http://test/a.png") { Picture($0, contentFit: .fill) }, pipeline: pipeline)
            test.watch(view.content, "the view")
            let window = test.show(view.pointer, width: 50, height: 40)
            let scale = Int(gtk_widget_get_scale_factor(view.pointer))
            try test.transfer().succeed(TestPicture(1, width: 801, height: 601).bytes)
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
            // Memory has all the pixels still, and so has the view as soon as it is large.
            window.resize(width: 400, height: 300)
            test.turn {
                test.draw(view.pointer)
                return textureWidths(in: view.pointer) == [801]
            }
            XCTAssertEqual(test.transport.transfers.count, 1)
            pipeline.configuration.memoryCache?.removeAll()
        }
    }

    func testAPictureOfSetImageIsScaledDownToo() throws {
        try GtkFixture.run { test in
            let pipeline = ImagePipeline.test(test.transport, decoder: CheckerboardDecoder())
            let picture = test.watch(Widget(gtk_picture_new()), "picture")
            picture.opaque.setImage("http://test/a.png", pipeline: pipeline)
            test.show(picture.pointer, width: 80, height: 60)
            let scale = gtk_widget_get_scale_factor(picture.pointer)
            try test.transfer().succeed(TestPicture(1, width: 800, height: 600).bytes)
            test.turn { texture(of: picture).map { gdk_texture_get_width($0) } == 80 * scale }
            // It is as large in points as ever.
            let paintable = gtk_picture_get_paintable(picture.opaque)
            XCTAssertEqual(gdk_paintable_get_intrinsic_width(paintable), 800)
            pipeline.configuration.memoryCache?.removeAll()
        }
    }
}

/// Decodes every picture, in all its pixels, into black and white squares of one pixel.
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
