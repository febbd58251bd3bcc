// The environment, visibility and size of a widget on which `setImage` was called.

import CRemoteImageGtk
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageGtk

final class SetImagePlaceTests: XCTestCase {
    /// The pipeline used to be looked up at the call, before the widget had a parent.
    func testAnImageThatIsSetWithoutAParentUsesThePipelineOfItsLaterParent() throws {
        try GtkFixture.run { test in
            let picture = test.watch(Widget(gtk_picture_new()), "image")
            let box = Widget(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
            var options = ImageOptions()
            options.headers[.accept] = "image/png"
            var images: [LoadedImage] = []
            picture.opaque.setImage("http://test/a.png") { images += (try? $0.get()).map { [$0] } ?? [] }
            box.imagePipeline = test.pipeline
            box.imageOptions = options
            append(picture.pointer, to: box)
            test.show(box.pointer)
            let transfer = try test.transfer()
            XCTAssertEqual(transfer.request.headers[.accept], "image/png")
            transfer.succeed(TestImage(5).bytes)
            test.turn { images.count == 1 }
            XCTAssertEqual(images.first?.content, 5)
        }
    }

    /// The image used to stay, for good if the load for the other account failed.
    func testTheImageOfAnotherAccountIsReplacedByThePlaceholder() throws {
        // A preview hash takes the place of the image. The placeholder `.none` must not keep the
        // image either.
        for hash: PreviewHash? in [nil, .blurHash("LEHV6nWB2yk8pyo0adR*.7kCMdnj")] {
            try GtkFixture.run { test in
                let (picture, box) = Self.pictureInBox(test)
                @MainActor func signIn(_ account: String) {
                    let provider = AuthorizationProvider(account: account, origins: ["http://test"]) { _ in account }
                    box.imageOptions = ImageOptions(authorization: provider)
                }
                signIn("anna")
                picture.opaque.setImage(
                    "http://test/a.png", placeholder: hash == nil ? .none : .clear,
                    options: ImageOptions(previewHash: hash))
                test.show(box.pointer)
                try test.transfer().succeed(TestImage(5).bytes)
                test.turn { Self.width(of: picture) == TestImage(5).size.width }
                signIn("bob")
                XCTAssertEqual(Self.width(of: picture), hash == nil ? nil : 32)
                XCTAssertEqual(try test.transfer(2).request.headers[.authorization], "bob")
            }
        }
    }

    /// Such a model is loading before its first report.
    func testThePreviewOfAnImageThatLoadsImmediatelyIsShown() {
        GtkFixture.run { test in
            let picture = test.watch(Widget(gtk_picture_new()), "image")
            picture.opaque.setImage(
                "http://test/a.png",
                options: ImageOptions(
                    loadOptions: .loadImmediately, previewHash: .blurHash("LEHV6nWB2yk8pyo0adR*.7kCMdnj")),
                pipeline: test.pipeline)
            XCTAssertEqual(Self.width(of: picture), 32)
        }
    }

    @MainActor
    private static func width(of picture: Widget) -> Int? {
        gtk_picture_get_paintable(picture.opaque).map { Int(gdk_paintable_get_intrinsic_width($0)) }
    }

    /// A request with the placeholder `.none` used to keep the image of the request before it, for
    /// good if its own load failed.
    func testARequestForAnotherAccountKeepsNoImageOfTheOldOne() throws {
        for cancelsFirst in [false, true] {
            try GtkFixture.run { test in
                let picture = test.watch(Widget(gtk_picture_new()), "image")
                @MainActor func set(_ address: String, _ account: String) {
                    let provider = AuthorizationProvider(account: account, origins: ["http://test"]) { _ in account }
                    picture.opaque.setImage(
                        address, placeholder: .none, options: ImageOptions(authorization: provider),
                        pipeline: test.pipeline)
                }
                set("http://test/a.png", "anna")
                test.show(picture.pointer)
                try test.transfer().succeed(TestImage(5).bytes)
                test.turn { gtk_picture_get_paintable(picture.opaque) != nil }
                let shown = gtk_picture_get_paintable(picture.opaque)
                set("http://test/b.png", "anna")
                XCTAssertEqual(gtk_picture_get_paintable(picture.opaque), shown, "the same account")
                if cancelsFirst { picture.opaque.cancelImageRequest() }
                set("http://test/b.png", "bob")
                XCTAssertNil(gtk_picture_get_paintable(picture.opaque))
            }
        }
    }

    func testTheImageOfAnotherPipelineIsReplacedByThePlaceholder() throws {
        for loadOptions: LoadOptions in [.standard, .loadImmediately] {
            try GtkFixture.run { test in
                let (picture, box) = Self.pictureInBox(test)
                picture.opaque.setImage("http://test/a.png", options: ImageOptions(loadOptions: loadOptions))
                test.show(box.pointer)
                try test.transfer().succeed(TestImage(5).bytes)
                test.turn { gtk_picture_get_paintable(picture.opaque) != nil }
                let other = FakeTransport()
                box.imagePipeline = .test(other)
                XCTAssertNil(gtk_picture_get_paintable(picture.opaque))
                test.turn { other.transfers.count == 1 }
            }
        }
    }

    func testTheAnimationOfAnotherPipelineEndsWithItsImage() {
        GtkFixture.run { test in
            let (picture, box) = Self.pictureInBox(test)
            let transport = FakeTransport { _ in .ok(SampleImage.animatedGIF) }
            let pipeline = ImagePipeline.test(transport, decoder: GIFDecoder())
            box.imagePipeline = pipeline
            picture.opaque.setImage("http://test/a.gif")
            test.show(box.pointer)
            test.turn { AnimationBudget.shared.heldByteCount > 0 }
            box.imagePipeline = .test(FakeTransport())
            XCTAssertNil(gtk_picture_get_paintable(picture.opaque))
            XCTAssertEqual(AnimationBudget.shared.heldByteCount, 0)
            pipeline.configuration.memoryCache?.removeAll()
        }
    }

    func testTheCachedImageOfAnotherPipelineIsReported() throws {
        try GtkFixture.run { test in
            let (picture, box) = Self.pictureInBox(test)
            let (other, second) = (
                ImagePipeline.test(FakeTransport { _ in .ok(TestImage(6).bytes) }), Widget(gtk_picture_new())
            )
            append(second.pointer, to: box)
            second.opaque.setImage("http://test/a.png", pipeline: other)
            let request = WidgetImageRequest(
                WidgetLoadController.Declaration(source: "http://test/a.png"),
                on: try XCTUnwrap(PaintableTarget(picture.pointer)), placeholder: .clear, transition: nil,
                playsAnimation: true, completion: nil)
            var contents: [UInt8?] = []
            request.phaseFollower = { [unowned request] in contents.append(request.phase.image?.content) }
            request.start()
            test.show(box.pointer)
            try test.transfer().succeed(TestImage(5).bytes)
            test.turn { contents.last == 5 && gtk_picture_get_paintable(second.opaque) != nil }
            box.imagePipeline = other
            XCTAssertEqual(contents.last, 6)
            other.configuration.memoryCache?.removeAll()
        }
    }

    func testAnImageStaysWhileItIsLoadedWithOtherOptionsButNotAfterAFailure() throws {
        try GtkFixture.run { test in
            let (picture, box) = Self.pictureInBox(test)
            picture.opaque.setImage("http://test/a.png")
            test.show(box.pointer)
            try test.transfer().succeed(TestImage(5).bytes)
            test.turn { gtk_picture_get_paintable(picture.opaque) != nil }
            let shown = gtk_picture_get_paintable(picture.opaque)
            var options = ImageOptions()
            options.headers[.accept] = "image/png"
            box.imageOptions = options
            let transfer = try test.transfer(2)
            XCTAssertEqual(gtk_picture_get_paintable(picture.opaque), shown)
            transfer.succeed([], status: 404)
            test.turn { gtk_picture_get_paintable(picture.opaque) == nil }
        }
    }

    /// A picture in a box that has the pipeline of the test.
    @MainActor
    private static func pictureInBox(_ test: GtkFixture) -> (picture: Widget, box: Widget) {
        let picture = test.watch(Widget(gtk_picture_new()), "image")
        gtk_widget_set_size_request(picture.pointer, 80, 60)
        let box = Widget(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
        box.imagePipeline = test.pipeline
        append(picture.pointer, to: box)
        return (picture, box)
    }

    func testAHiddenImageIsCancelledAndLoadsAgainWhenItIsShown() throws {
        try GtkFixture.run { test in
            let picture = test.watch(Widget(gtk_picture_new()), "image")
            var options = ImageOptions()
            options.disappearDelay = .milliseconds(20)
            var count = 0
            picture.opaque.setImage("http://test/a.png", options: options, pipeline: test.pipeline) { _ in count += 1 }
            test.show(picture.pointer)
            let transfer = try test.transfer()
            gtk_widget_set_visible(picture.pointer, 0)
            test.turn { transfer.isCancelled }
            XCTAssertEqual(count, 0, "it is wanted still")
            gtk_widget_set_visible(picture.pointer, 1)
            try test.transfer(2).succeed(TestImage(5).bytes)
            test.turn { count == 1 }
        }
    }

    func testInAScrolledWindowOnlyVisibleImagesLoad() {
        GtkFixture.run { test in
            test.pipeline.setConcurrency(transfers: 64, perHost: 64)
            let window = Widget(gtk_scrolled_window_new())
            let box = Widget(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
            for number in 0..<100 {
                let picture = Widget(gtk_picture_new())
                gtk_widget_set_size_request(picture.pointer, 100, 100)
                append(picture.pointer, to: box)
                picture.opaque.setImage("http://test/\(number).png", pipeline: test.pipeline)
            }
            gtk_scrolled_window_set_child(window.opaque, box.pointer)
            test.show(window.pointer, width: 150, height: 200)
            test.turn { test.transport.transfers.count >= 4 }
            test.draw(window.pointer)
            // Two images in the window, and two or three in the margin below it.
            XCTAssertLessThan(test.transport.transfers.count, 6)
            gtk_adjustment_set_value(gtk_scrolled_window_get_vadjustment(window.opaque), 5000)
            test.turn { test.transport.addresses.contains("http://test/50.png") }
            XCTAssertLessThan(test.transport.transfers.count, 15)
        }
    }

    func testAnIconIsDecodedForTheSizeAtWhichItIsDrawn() throws {
        try GtkFixture.run { test in
            let icon = test.watch(Widget(gtk_image_new()), "icon")
            gtk_image_set_pixel_size(icon.opaque, 16)
            let scale = Int(gtk_widget_get_scale_factor(icon.pointer))
            var image: LoadedImage?
            icon.opaque.setImage("http://test/a.png", pipeline: test.pipeline) { image = try? $0.get() }
            test.show(icon.pointer, width: 120, height: 90)
            try test.transfer().succeed(TestImage(5, width: 800, height: 600).bytes)
            test.turn { image != nil }
            XCTAssertEqual(image?.info.decodedSize, PixelSize(width: 120 * scale, height: 90 * scale))
        }
    }

    func testAnImageThatHasGrownIsDecodedAgain() throws {
        try GtkFixture.run { test in
            let picture = test.watch(Widget(gtk_picture_new()), "image")
            let scale = Int(gtk_widget_get_scale_factor(picture.pointer))
            picture.opaque.setImage("http://test/a.png", pipeline: test.pipeline)
            let window = test.show(picture.pointer, width: 80, height: 60)
            try test.transfer().succeed(TestImage(5, width: 800, height: 600).bytes)
            @MainActor func width() -> Int? { texture(of: picture).map { Int(gdk_texture_get_width($0)) } }
            test.turn { width() == 80 * scale }
            window.resize(width: 240, height: 180)
            // The pipeline has no store: the bytes are requested again.
            try test.transfer(2).succeed(TestImage(5, width: 800, height: 600).bytes)
            test.turn { width() == 240 * scale }
        }
    }

    func testAnImageThatFailedWithoutANetworkLoadsAgainWhenItReturns() throws {
        try GtkFixture.run { test in
            let network = NetworkConditions()
            let pipeline = ImagePipeline.test(test.transport) { $0.network = network }
            let picture = test.watch(Widget(gtk_picture_new()), "image")
            var failures = 0
            picture.opaque.setImage("http://test/a.png", pipeline: pipeline) { _ in failures += 1 }
            test.show(picture.pointer)
            network.isConnected = false
            try test.transfer().fail(ImageError(.connection))
            test.turn { failures == 1 }
            network.isConnected = true
            try test.transfer(2).succeed(TestImage(5).bytes)
            test.turn { gtk_picture_get_paintable(picture.opaque) != nil }
            XCTAssertEqual(failures, 1, "told once")
            pipeline.configuration.memoryCache?.removeAll()
        }
    }
}
