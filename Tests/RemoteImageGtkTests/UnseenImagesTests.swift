import CRemoteImageGtk
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageCore
@testable import RemoteImageGtk

/// The release of images out of sight, and their return.
final class UnseenImagesTests: XCTestCase {
    @MainActor
    private final class Holder: ImageHolder {
        var count = 0

        func releaseImage() { count += 1 }
    }

    func testAHolderReleasesItsImageOnceAfterItsDelay() {
        GtkFixture.run { test in
            let (images, first, second) = (UnseenImages(), Holder(), Holder())
            images.add(first, after: .zero)
            images.add(second, after: .seconds(60))
            test.turn { first.count == 1 }
            test.settle()
            XCTAssertEqual([first.count, second.count], [1, 0])
            // A shorter delay ends first.
            images.add(second, after: .milliseconds(1))
            test.turn { second.count == 1 }
            images.releaseAll()
            XCTAssertEqual([first.count, second.count], [1, 1])
        }
    }

    func testLowMemoryEndsTheDelaysOfHoldersThatHaveNotComeBack() {
        GtkFixture.run { _ in
            let images = UnseenImages()
            let holders = (0..<3).map { _ in Holder() }
            for holder in holders { images.add(holder, after: .seconds(60)) }
            images.remove(holders[1])
            images.releaseAll()
            XCTAssertEqual(holders.map(\.count), [1, 0, 1])
            images.releaseAll()
            XCTAssertEqual(holders.map(\.count), [1, 0, 1])
            images.add(holders[1], after: .seconds(60))
            images.releaseAll()
            XCTAssertEqual(holders.map(\.count), [1, 1, 1])
        }
    }

    func testAHolderThatComesBackKeepsItsImage() {
        GtkFixture.run { test in
            let (images, back, other) = (UnseenImages(), Holder(), Holder())
            images.add(back, after: .milliseconds(1))
            images.remove(back)
            images.add(other, after: .milliseconds(5))
            test.turn { other.count == 1 }
            XCTAssertEqual(back.count, 0)
        }
    }

    func testAHolderThatLeavesAgainIsReleasedAfterItsSecondDelay() {
        GtkFixture.run { test in
            let (images, holder) = (UnseenImages(), Holder())
            images.add(holder, after: .milliseconds(5))
            images.remove(holder)
            images.add(holder, after: .milliseconds(40))
            test.turn { holder.count == 1 }
            images.releaseAll()
            XCTAssertEqual(holder.count, 1)
        }
    }

    func testAHolderThatEndsDuringItsDelayIsNotNeeded() {
        GtkFixture.run { test in
            let (images, other) = (UnseenImages(), Holder())
            var gone: Holder? = Holder()
            weak let kept = gone
            if let gone { images.add(gone, after: .milliseconds(1)) }
            gone = nil
            XCTAssertNil(kept, "the delay does not keep it")
            images.add(other, after: .milliseconds(5))
            test.turn { other.count == 1 }
        }
    }

    // MARK: The shown image

    @MainActor
    func testAReleasedImageIsShownAgainByItsOwnPixelsAlone() {
        let (image, other) = (TestImage(5).decoded, TestImage(6, width: 9).decoded)
        var shown = ShownImage(image)
        XCTAssertFalse(shown.isAwaited)
        XCTAssertTrue(shown.isShown(by: image))
        XCTAssertFalse(shown.isShown(by: other))
        XCTAssertFalse(shown.refill(from: image), "it has its pixels")
        shown.release()
        XCTAssertTrue(shown.isAwaited && shown.image.isReleased)
        XCTAssertFalse(shown.isShown(by: other))
        XCTAssertTrue(shown.isAwaited)
        XCTAssertFalse(shown.refill(from: other))
        XCTAssertTrue(shown.refill(from: image))
        XCTAssertTrue(shown.isAwaited, "until the model shows it")
        XCTAssertFalse(shown.image.isReleased)
        XCTAssertTrue(shown.isShown(by: image))
        XCTAssertFalse(shown.isAwaited)
    }

    // MARK: Bindings

    func testAPaintableIsBoundToOnePropertyUntilItIsReplaced() throws {
        try GtkFixture.run { test in
            let paintables = ["a", "b"].map { name in
                RemoteImagePaintable("http://test/\(name).png", pipeline: test.pipeline)
            }
            let objects = paintables.map { UnsafeMutableRawPointer($0.pointer) }
            let picture = test.watch(Widget(gtk_picture_new()), "the picture")
            let label = test.watch(Widget(gtk_label_new("")), "the label")
            XCTAssertFalse(PaintableBinding.bind(objects[0], to: label.pointer, "paintable"))
            XCTAssertFalse(PaintableBinding.bind(objects[0], to: picture.pointer, "alternative-text"))
            let before = gdk_paintable_new_empty(3, 3)
            gtk_picture_set_paintable(picture.opaque, before)
            g_object_unref(before.map { UnsafeMutableRawPointer($0) })
            XCTAssertTrue(PaintableBinding.bind(objects[0], to: picture.pointer, "paintable"))
            XCTAssertNil(gtk_picture_get_paintable(picture.opaque), "there is no image yet")
            XCTAssertTrue(PaintableBinding.isBound(objects[0], to: picture.pointer, "paintable"))
            XCTAssertFalse(PaintableBinding.isBound(objects[1], to: picture.pointer, "paintable"))
            XCTAssertFalse(PaintableBinding.isBound(objects[0], to: picture.pointer, "other"))
            test.show(picture.pointer)
            try test.transfer().succeed(TestImage(5, width: 10, height: 7).bytes)
            @MainActor func width() -> Int32? {
                gtk_picture_get_paintable(picture.opaque).map { gdk_paintable_get_intrinsic_width($0) }
            }
            test.turn { width() == 10 }
            PaintableBinding.unbind(objects[1], from: picture.pointer, "paintable")
            XCTAssertEqual(width(), 10, "it is not bound")
            XCTAssertTrue(PaintableBinding.bind(objects[1], to: picture.pointer, "paintable"))
            XCTAssertNil(width())
            try test.transfer(2).succeed(TestImage(6, width: 12, height: 7).bytes)
            test.turn { width() == 12 }
            PaintableBinding.unbind(objects[0], from: picture.pointer, "paintable")
            XCTAssertEqual(width(), 12, "it was replaced")
            PaintableBinding.unbind(objects[1], from: picture.pointer, "paintable")
            XCTAssertNil(width())
            XCTAssertFalse(PaintableBinding.isBound(objects[1], to: picture.pointer, "paintable"))
        }
    }
}
