import CRemoteImageGtk
import RemoteImageGtk
import RemoteImageTestSupport
import XCTest

final class SetImageTests: XCTestCase {
    func testAPictureAndAnIconShowARemoteImage() throws {
        try GtkFixture.run { test in
            let box = Widget(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
            let picture = test.watch(Widget(gtk_picture_new()), "image")
            gtk_widget_set_size_request(picture.pointer, 80, 60)
            let icon = test.watch(Widget(gtk_image_new()), "icon")
            gtk_image_set_pixel_size(icon.opaque, 16)
            for widget in [picture, icon] { append(widget.pointer, to: box) }
            let results = Results()
            picture.opaque.setImage("http://test/a.png", pipeline: test.pipeline, completion: results.add)
            icon.pointer.setImage("http://test/b.png", pipeline: test.pipeline, completion: results.add)
            test.show(box.pointer)
            for number in 1...2 {
                try test.transfer(number).succeed(TestImage(UInt8(number), width: 800, height: 600).bytes)
            }
            test.turn { results.images.count == 2 }
            XCTAssertNotNil(gtk_picture_get_paintable(picture.opaque))
            XCTAssertNotNil(gtk_image_get_paintable(icon.opaque))
            XCTAssertEqual(Set(results.images.map(\.content)), [1, 2])
            // Decoded for the size of the widget, not with all pixels.
            XCTAssertTrue(results.images.allSatisfy { $0.info.decodedSize.width < 800 })
        }
    }

    func testARowThatIsBoundAgainNeverShowsItsOldImage() throws {
        try GtkFixture.run { test in
            let picture = test.watch(Widget(gtk_picture_new()), "image")
            let (first, second) = (Results(), Results())
            picture.opaque.setImage("http://test/a.png", pipeline: test.pipeline, completion: first.add)
            test.show(picture.pointer)
            let old = try test.transfer()
            picture.opaque.setImage("http://test/b.png", pipeline: test.pipeline, completion: second.add)
            XCTAssertEqual(first.errors, [.cancelled])
            old.succeed(TestImage(1).bytes)
            try test.transfer(2).succeed(TestImage(2).bytes)
            test.turn { second.images.count == 1 }
            XCTAssertEqual(second.images.first?.content, 2)
            XCTAssertEqual(first.count, 1)
            // In memory: shown when the call returns, without a placeholder.
            picture.opaque.setImage(
                "http://test/b.png", placeholder: .custom { _ in XCTFail("not needed") }, pipeline: test.pipeline)
            XCTAssertNotNil(gtk_picture_get_paintable(picture.opaque))
        }
    }

    func testTheOriginalContentComesBack() throws {
        try GtkFixture.run { test in
            let icon = test.watch(Widget(gtk_image_new_from_icon_name("user-info-symbolic")), "icon")
            let name = { gtk_image_get_icon_name(icon.opaque).map { String(cString: $0) } }
            let results = Results()
            icon.opaque.setImage(
                "http://test/a.png", placeholder: .original, pipeline: test.pipeline, completion: results.add)
            test.show(icon.pointer)
            XCTAssertEqual(name(), "user-info-symbolic")
            try test.transfer().succeed(TestImage(1).bytes)
            test.turn { results.images.count == 1 }
            XCTAssertNil(name())
            icon.opaque.setImage(
                "http://test/b.png", placeholder: .original, pipeline: test.pipeline, completion: results.add)
            XCTAssertEqual(name(), "user-info-symbolic")
            try test.transfer(2).succeed(TestImage(2).bytes)
            test.turn { results.images.count == 2 }
            // An icon of the program is the new original content.
            gtk_image_set_from_icon_name(icon.opaque, "user-home-symbolic")
            icon.opaque.setImage(nil as ImageSource?, placeholder: .original, pipeline: test.pipeline)
            XCTAssertEqual(name(), "user-home-symbolic")
        }
    }

    /// Only requests with this placeholder used to keep the content, which the first one had
    /// removed.
    func testTheOriginalContentComesBackAfterARequestWithAnotherPlaceholder() throws {
        for loadsFirst in [true, false] {
            try GtkFixture.run { test in
                let picture = test.watch(Widget(gtk_picture_new()), "image")
                let own = try XCTUnwrap(gdk_paintable_new_empty(3, 2))
                gtk_picture_set_paintable(picture.opaque, own)
                defer { g_object_unref(UnsafeMutableRawPointer(own)) }
                picture.opaque.setImage("http://test/a.png", pipeline: test.pipeline)
                XCTAssertNil(gtk_picture_get_paintable(picture.opaque))
                test.show(picture.pointer)
                let transfer = try test.transfer()
                if loadsFirst {
                    transfer.succeed(TestImage(1).bytes)
                    test.turn { gtk_picture_get_paintable(picture.opaque) != nil }
                }
                picture.opaque.setImage("http://test/b.png", placeholder: .original, pipeline: test.pipeline)
                XCTAssertEqual(gtk_picture_get_paintable(picture.opaque), own)
            }
        }
    }

    /// A texture or a film may be large.
    func testARequestDoesNotKeepThePaintableThatItReplaces() throws {
        try GtkFixture.run { test in
            let picture = test.watch(Widget(gtk_picture_new()), "image")
            let own = try XCTUnwrap(gdk_paintable_new_empty(3, 2))
            let object = WeakObject(UnsafeMutableRawPointer(own))
            gtk_picture_set_paintable(picture.opaque, own)
            g_object_unref(UnsafeMutableRawPointer(own))
            picture.opaque.setImage("http://test/a.png", pipeline: test.pipeline)
            XCTAssertNil(object.strong())
            test.show(picture.pointer)
            try test.transfer().succeed(TestImage(1).bytes)
            test.turn { gtk_picture_get_paintable(picture.opaque) != nil }
            picture.opaque.setImage("http://test/b.png", placeholder: .original, pipeline: test.pipeline)
            XCTAssertNil(gtk_picture_get_paintable(picture.opaque))
        }
    }

    /// The icon of an earlier placeholder used to come back.
    func testAPlaceholderIconIsNotTheOriginalContent() {
        GtkFixture.run { test in
            let icon = test.watch(Widget(gtk_image_new_from_icon_name("user-info-symbolic")), "icon")
            let name = { gtk_image_get_icon_name(icon.opaque).map { String(cString: $0) } }
            test.show(icon.pointer)
            icon.opaque.setImage(
                "http://test/a.png", placeholder: .iconName("image-missing-symbolic"), pipeline: test.pipeline)
            XCTAssertEqual(name(), "image-missing-symbolic")
            icon.opaque.setImage("http://test/b.png", placeholder: .original, pipeline: test.pipeline)
            XCTAssertEqual(name(), "user-info-symbolic")
            icon.opaque.setImage(
                "http://test/a.png", placeholder: .iconName("image-missing-symbolic"), pipeline: test.pipeline)
            // An icon that the program sets in its place is the new original content.
            gtk_image_set_from_icon_name(icon.opaque, "user-home-symbolic")
            icon.opaque.setImage(nil as ImageSource?, placeholder: .original, pipeline: test.pipeline)
            XCTAssertEqual(name(), "user-home-symbolic")
        }
    }

    func testCancellingEndsTheTransferAndReportsOnce() throws {
        try GtkFixture.run { test in
            let picture = test.watch(Widget(gtk_picture_new()), "image")
            let results = Results()
            picture.opaque.setImage("http://test/a.png", pipeline: test.pipeline, completion: results.add)
            test.show(picture.pointer)
            let transfer = try test.transfer()
            picture.opaque.cancelImageRequest()
            picture.opaque.cancelImageRequest()
            test.turn { transfer.isCancelled }
            XCTAssertEqual(results.errors, [.cancelled])
            XCTAssertEqual(results.count, 1)
        }
    }

    func testACancelledRequestReleasesWhatItsClosuresRetain() throws {
        try GtkFixture.run { test in
            let picture = test.watch(Widget(gtk_picture_new()), "image")
            weak var retained: Results?
            do {
                let results = Results()
                retained = results
                picture.opaque.setImage(
                    "http://test/a.png", placeholder: .custom { _ in _ = results }, pipeline: test.pipeline)
            }
            test.show(picture.pointer)
            _ = try test.transfer()
            XCTAssertNotNil(retained)
            picture.opaque.cancelImageRequest()
            test.turn { retained == nil }
        }
    }

    func testTheCompletionOfACachedImageMayStartAnotherRequest() throws {
        try GtkFixture.run { test in
            let picture = test.watch(Widget(gtk_picture_new()), "image")
            test.show(picture.pointer)
            picture.opaque.setImage("http://test/a.png", pipeline: test.pipeline)
            try test.transfer().succeed(TestImage(5).bytes)
            test.turn { gtk_picture_get_paintable(picture.opaque) != nil }
            var shown: [String] = []
            picture.opaque.setImage(
                "http://test/a.png", placeholder: .custom { _ in shown.append("first") }, pipeline: test.pipeline
            ) { _ in
                picture.opaque.setImage(
                    "http://test/b.png", placeholder: .custom { _ in shown.append("second") }, pipeline: test.pipeline)
            }
            XCTAssertEqual(try test.transfer(2).request.address.string, "http://test/b.png")
            XCTAssertEqual(shown, ["second"])
        }
    }

    func testEachPlaceholderIsShown() throws {
        GtkFixture.run { test in
            let picture = test.watch(Widget(gtk_picture_new()), "image")
            test.show(picture.pointer)
            @MainActor func set(_ placeholder: ImagePlaceholder) -> OpaquePointer? {
                picture.opaque.setImage("http://test/a.png", placeholder: placeholder, pipeline: test.pipeline)
                return gtk_picture_get_paintable(picture.opaque)
            }
            let icon = set(.iconName("image-missing-symbolic"))
            XCTAssertNotNil(icon)
            XCTAssertEqual(set(.none), icon, "it stays")
            XCTAssertNil(set(.clear))
            let pixels = PixelBuffer(size: PixelSize(width: 3, height: 2), format: .rgb8) {
                $0.initializeMemory(as: UInt8.self, repeating: 7)
            }
            let info = ImageInfo(size: pixels.size, decodedSize: pixels.size, format: nil, origin: .local)
            let image = set(.image(LoadedImage(pixels: pixels, info: info)))
            XCTAssertEqual(gdk_paintable_get_intrinsic_width(image), 3)
            XCTAssertNil(set(.custom { gtk_picture_set_paintable($0.opaque, nil) }))
            picture.opaque.setImage(nil as String?, pipeline: test.pipeline)
        }
    }

    func testAFailureKeepsThePlaceholder() throws {
        try GtkFixture.run { test in
            let icon = test.watch(Widget(gtk_image_new()), "icon")
            let results = Results()
            icon.opaque.setImage(
                "http://test/a.png", placeholder: .iconName("image-missing-symbolic"), pipeline: test.pipeline,
                completion: results.add)
            test.show(icon.pointer)
            try test.transfer().succeed([], status: 404)
            test.turn { results.errors == [.httpStatus] }
            XCTAssertEqual(gtk_image_get_icon_name(icon.opaque).map { String(cString: $0) }, "image-missing-symbolic")
        }
    }

    func testAnImageFadesInOverItsPlaceholder() throws {
        try GtkFixture.run { test in
            let picture = test.watch(Widget(gtk_picture_new()), "image")
            test.show(picture.pointer)
            let results = Results()
            picture.opaque.setImage(
                "http://test/a.png", placeholder: .iconName("image-missing-symbolic"),
                transition: .crossFade(.milliseconds(40)), pipeline: test.pipeline, completion: results.add)
            try test.transfer().succeed(TestImage(200, width: 100, height: 100).bytes)
            test.turn { results.images.count == 1 }
            test.turn {
                test.draw(picture.pointer)
                return (try? Drawing(picture.pointer).middle) == [200, 200, 200, 255]
            }
        }
    }
}

/// The results that completion handlers received.
@MainActor
private final class Results {
    private(set) var images: [LoadedImage] = []
    private(set) var errors: [ImageError.Code] = []
    var count: Int { images.count + errors.count }

    func add(_ result: Result<LoadedImage, ImageError>) {
        switch result {
        case .success(let image): images.append(image)
        case .failure(let error): errors.append(error.code)
        }
    }
}
