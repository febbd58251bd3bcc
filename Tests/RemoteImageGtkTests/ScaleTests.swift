import CRemoteImageGtk
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageGtk

/// A screen with 1.25 pixels per point. GTK 4.8 does not support it; the tests fake the surface of
/// later versions.
final class ScaleTests: XCTestCase {
    func testAViewRequestsThePixelsOfAFractionalScale() throws {
        try withSurface { surface, test in
            let view = test.view(NetworkImage("http://test/a.png") { Picture($0) })
            test.show(view.pointer, width: 101, height: 80)
            try test.transfer().succeed(TestImage(width: 1010, height: 800).bytes)
            test.turn { view.model.phase.kind == .success }
            XCTAssertEqual(view.model.image?.info.decodedSize, PixelSize(width: 127, height: 101))
            // The window moves to a screen with a larger scale, which rounds up to the same
            // integer.
            surface.setScale(1.5)
            try test.transfer(2).succeed(TestImage(width: 1010, height: 800).bytes)
            test.turn { view.model.image?.info.decodedSize == PixelSize(width: 152, height: 120) }
        }
    }

    func testAScaleChangeAfterTheLayoutHasSettledDecodesAgain() throws {
        try withSurface { surface, test in
            let view = test.view(NetworkImage("http://test/a.png"))
            test.show(view.pointer, width: 100, height: 80)
            try test.transfer().succeed(TestImage(width: 1000, height: 800).bytes)
            test.turn { view.model.phase.kind == .success }
            test.draw(view.pointer)
            test.settle()
            // There is no more layout: only the new scale causes a request.
            surface.setScale(2)
            try test.transfer(2).succeed(TestImage(width: 1000, height: 800).bytes)
            test.turn { view.model.image?.info.decodedSize == PixelSize(width: 200, height: 160) }
        }
    }

    func testAScaleChangeDuringALoadIsApplied() throws {
        try withSurface { surface, test in
            var options = ImageOptions()
            options.reservedSize = .points(width: 100, height: 80)
            let view = test.view(NetworkImage("http://test/a.png", options: options) { Picture($0) })
            test.show(view.pointer, width: 100, height: 80)
            let transfer = try test.transfer()
            surface.setScale(1.5)
            transfer.succeed(TestImage(width: 1000, height: 800).bytes)
            test.turn {
                // The pipeline has no store: if the first image was decoded already, the bytes are
                // requested again.
                for transfer in test.transport.transfers where transfer.state == .running {
                    transfer.succeed(TestImage(width: 1000, height: 800).bytes)
                }
                return view.model.image?.info.decodedSize == PixelSize(width: 150, height: 120)
            }
        }
    }

    func testRoundingErrorsOfTheScaleAddNoPixel() throws {
        try withSurface { surface, test in
            surface.setScale(1.1)
            let widget = test.watch(Label("").content, "label")
            XCTAssertEqual(PixelSize(width: 100, height: 101, in: widget.pointer), PixelSize(width: 110, height: 112))
            test.show(widget.pointer)
        }
    }

    func testSetImageRequestsThePixelsOfAFractionalScale() throws {
        try withSurface { surface, test in
            let picture = test.watch(Widget(gtk_picture_new()), "image")
            picture.opaque.setImage("http://test/a.png", pipeline: test.pipeline)
            test.show(picture.pointer, width: 80, height: 60)
            @MainActor func width() -> Int? { texture(of: picture).map { Int(gdk_texture_get_width($0)) } }
            try test.transfer().succeed(TestImage(5, width: 800, height: 600).bytes)
            test.turn { width() == 100 }
            surface.setScale(1.75)
            try test.transfer(2).succeed(TestImage(5, width: 800, height: 600).bytes)
            test.turn { width() == 140 }
        }
    }

    /// The radius used to be divided by the whole number of the property `scale-factor`.
    func testAPreviewHasTheCornersOfTheImageAtAFractionalScale() throws {
        try withSurface { _, test in
            let hash = PreviewHash.blurHash("LEHV6nWB2yk8pyo0adR*.7kCMdnj", aspectRatio: 2)
            let options = ImageOptions(previewHash: hash, processors: [.roundedCorners(radius: 20)])
            let view = test.view(NetworkImage("http://test/a.png", options: options))
            test.show(view.pointer)
            @MainActor func radius() -> Double? {
                first(gtk_picture_get_type(), in: view.pointer).flatMap { gtk_picture_get_paintable($0) }.map {
                    UnsafeMutableRawPointer($0).assumingMemoryBound(to: RemoteImageDrawnPaintable.self).pointee.radius
                }
            }
            test.turn { radius() == 16 }
        }
    }

    func testHiddenAndDestroyedViewsFollowNoSurface() throws {
        try withSurface { surface, test in
            let view = test.view(NetworkImage("http://test/a.png") { Picture($0) })
            let window = test.show(view.pointer)
            XCTAssertTrue(surface.isFollowed)
            gtk_widget_set_visible(view.pointer, 0)
            XCTAssertFalse(surface.isFollowed)
            gtk_widget_set_visible(view.pointer, 1)
            test.turn { surface.isFollowed }
            window.destroy()
            test.turn { !surface.isFollowed }
        }
    }

    private func withSurface(_ body: @MainActor (FakeSurface, GtkFixture) throws -> Void) throws {
        try GtkFixture.run { test in
            let surface = try XCTUnwrap(FakeSurface(scale: 1.25))
            let source = PixelScale.source
            PixelScale.source = { _ in surface.pointer }
            defer { PixelScale.source = source }
            try body(surface, test)
        }
    }

    func testAScaleIsAtLeastOne() throws {
        try withSurface { surface, test in
            let widget = test.watch(Label("").content, "label")
            for (scale, expected) in [(0.5, 1.0), (1, 1), (1.25, 1.25), (3, 3)] {
                surface.setScale(scale)
                XCTAssertEqual(PixelScale.of(widget.pointer), expected)
            }
            XCTAssertEqual(PixelSize(width: 10, height: 7, in: widget.pointer), PixelSize(width: 30, height: 21))
            let target = TargetSize((10, 7), in: widget.pointer, fit: .cover)
            XCTAssertEqual(target, TargetSize(PixelSize(width: 30, height: 21), fit: .cover))
            for size in [(0, 7), (10, 0), (-1, 7)] {
                XCTAssertNil(TargetSize(size, in: widget.pointer, fit: .cover))
            }
            XCTAssertEqual(
                TargetSize((1, 1), in: widget.pointer, fit: .contain),
                TargetSize(PixelSize(width: 3, height: 3), fit: .contain))
            test.show(widget.pointer)
        }
    }

    func testAWidgetFollowsItsScaleWhileItIsMapped() throws {
        try withSurface { surface, test in
            let widget = test.watch(Label("").content, "label")
            test.show(widget.pointer)
            var count = 0
            let scale = PixelScale(widget.pointer) { count += 1 }
            scale.map()
            XCTAssertEqual(count, 0, "the first scale is no change")
            surface.setScale(1.25)
            XCTAssertEqual(count, 0)
            surface.setScale(1.5)
            XCTAssertEqual(count, 1)
            scale.unmap()
            surface.setScale(2)
            XCTAssertEqual(count, 1)
            scale.map()
            XCTAssertEqual(count, 2, "it has changed meanwhile")
            scale.map()
            surface.setScale(3)
            XCTAssertEqual(count, 3, "it is followed once")
            scale.unmap()
        }
    }
}
