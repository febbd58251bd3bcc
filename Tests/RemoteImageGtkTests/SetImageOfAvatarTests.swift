// `setImage` for the `AdwAvatar` of libadwaita, which these tests load if it is installed.

import CRemoteImageGtk
import Glibc
import RemoteImageGtk
import RemoteImageTestSupport
import XCTest

final class SetImageOfAvatarTests: XCTestCase {
    private typealias MakeAvatar = @convention(c) (CInt, UnsafePointer<CChar>?, gboolean) -> OpaquePointer?
    private typealias GetImage = @convention(c) (OpaquePointer?) -> OpaquePointer?

    /// An avatar of 48 points, and its image.
    @MainActor
    private struct Avatar {
        let widget: Widget
        let getImage: GetImage

        var image: OpaquePointer? { getImage(widget.opaque) }

        /// Skips the test if libadwaita is not installed.
        init(_ test: GtkFixture) throws {
            guard let library = dlopen("libadwaita-1.so.0", RTLD_NOW) else {
                throw XCTSkip("libadwaita is not installed.")
            }
            let make = try unsafeBitCast(XCTUnwrap(dlsym(library, "adw_avatar_new")), to: MakeAvatar.self)
            getImage = try unsafeBitCast(XCTUnwrap(dlsym(library, "adw_avatar_get_custom_image")), to: GetImage.self)
            widget = test.watch(try XCTUnwrap(Widget(of: make(48, "Ann Example", 1))), "avatar")
        }
    }

    func testTheImageIsSetWhenItIsLoaded() throws {
        try GtkFixture.run { test in
            let avatar = try Avatar(test)
            var decoded: PixelSize?
            avatar.widget.opaque.setImage("http://test/a.png", pipeline: test.pipeline) { result in
                decoded = try? result.get().info.decodedSize
            }
            XCTAssertNil(avatar.image)
            test.show(avatar.widget.pointer, width: 200, height: 100)
            let transfer = try test.transfer()
            XCTAssertNil(avatar.image, "the initials are shown")
            transfer.succeed(TestImage(1, width: 960, height: 480).bytes)
            test.turn { avatar.image != nil }
            // libadwaita draws a copy of an image that is not square.
            XCTAssertEqual(gdk_paintable_get_intrinsic_aspect_ratio(avatar.image), 1)
            XCTAssertEqual(
                gdk_paintable_get_intrinsic_width(avatar.image), gdk_paintable_get_intrinsic_height(avatar.image))
            test.turn { decoded != nil }
            let scale = Int(gtk_widget_get_scale_factor(avatar.widget.pointer))
            XCTAssertEqual(decoded?.height, 48 * scale, "decoded for the circle, not for the allocation")
        }
    }

    func testTheMiddleOfTheImageFillsTheCircle() throws {
        try GtkFixture.run { test in
            let avatar = try Avatar(test)
            avatar.widget.opaque.setImage("http://test/a.png", pipeline: test.pipeline)
            test.show(avatar.widget.pointer)
            try test.transfer().succeed(TestImage(90, width: 300, height: 20).bytes)
            test.turn { avatar.image != nil }
            test.draw(avatar.widget.pointer)
            XCTAssertEqual(try Drawing(avatar.widget.pointer).middle, [90, 90, 90, 255])
        }
    }

    func testAFailureKeepsTheInitials() throws {
        try GtkFixture.run { test in
            let avatar = try Avatar(test)
            var error: ImageError?
            avatar.widget.opaque.setImage("http://test/a.png", pipeline: test.pipeline) { result in
                if case .failure(let failure) = result { error = failure }
            }
            test.show(avatar.widget.pointer)
            try test.transfer().succeed([], status: 404)
            test.turn { error != nil }
            XCTAssertNil(avatar.image)
        }
    }

    func testAnotherAddressBringsTheInitialsBack() throws {
        try GtkFixture.run { test in
            let avatar = try Avatar(test)
            avatar.widget.opaque.setImage("http://test/a.png", pipeline: test.pipeline)
            test.show(avatar.widget.pointer)
            try test.transfer().succeed(TestImage(1).bytes)
            test.turn { avatar.image != nil }
            avatar.widget.opaque.setImage("http://test/b.png", pipeline: test.pipeline)
            XCTAssertNil(avatar.image)
            // In memory: no initials in between.
            avatar.widget.opaque.setImage("http://test/a.png", pipeline: test.pipeline)
            XCTAssertNotNil(avatar.image)
            avatar.widget.opaque.setImage(nil as String?, pipeline: test.pipeline)
            XCTAssertNil(avatar.image)
        }
    }

    func testATransitionDoesNotDelayTheImage() throws {
        try GtkFixture.run { test in
            let avatar = try Avatar(test)
            avatar.widget.opaque.setImage(
                "http://test/a.png", transition: .crossFade(.seconds(60)), pipeline: test.pipeline)
            test.show(avatar.widget.pointer)
            try test.transfer().succeed(TestImage(120, width: 80, height: 80).bytes)
            test.turn { avatar.image != nil }
            test.draw(avatar.widget.pointer)
            XCTAssertEqual(try Drawing(avatar.widget.pointer).middle, [120, 120, 120, 255])
        }
    }

    func testThePropertyCanBeNamed() throws {
        try GtkFixture.run { test in
            let picture = test.watch(Widget(gtk_picture_new()), "image")
            test.show(picture.pointer)
            picture.opaque.setImage("http://test/a.png", property: "paintable", pipeline: test.pipeline)
            try test.transfer().succeed(TestImage(1).bytes)
            test.turn { gtk_picture_get_paintable(picture.opaque) != nil }
        }
    }
}
