import CRemoteImageGtk
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageGtk

/// The sizes, the layout and the looks of images in views and existing widgets.
final class ShownImageDetailTests: XCTestCase {
    // MARK: Pictures

    func testTheLengthsOfAPictureFollowFromItsImageAndItsFit() {
        GtkFixture.run { _ in
            let (across, along) = (GTK_ORIENTATION_HORIZONTAL, GTK_ORIENTATION_VERTICAL)
            // An image of 40 × 20 points.
            let cases: [(ContentFit, GtkOrientation, size: Int32, natural: Int32)] = [
                (.contain, across, -1, 40), (.contain, along, -1, 20), (.contain, across, 10, 20),
                (.contain, across, 100, 200), (.contain, along, 100, 50), (.contain, along, 30, 15),
                (.scaleDown, across, 100, 40), (.scaleDown, along, 100, 20), (.scaleDown, across, 10, 20),
                (.scaleDown, along, 30, 15), (.scaleDown, across, 21, 40), (.scaleDown, along, 41, 20),
                (.cover, along, 41, 21), (.contain, across, 0, 0), (.scaleDown, along, 0, 0),
            ]
            for (fit, orientation, size, natural) in cases {
                let content = PictureContent(Picture(TestImage(5, width: 40, height: 20).decoded, contentFit: fit))
                let length = content.measure(orientation, forSize: size)
                XCTAssertEqual([length.minimum, length.natural], [0, natural], "\(fit), \(orientation), \(size)")
            }
        }
    }

    func testThePositionAndTheCornersHaveLimits() {
        GtkFixture.run { _ in
            let picture = Picture(TestImage().decoded, contentFit: .cover)
            let positions: [(Double, Double, Double, Double)] = [
                (0, 1, 0, 1), (-3, 5, 0, 1), (2, -1, 1, 0), (0.25, 0.75, 0.25, 0.75),
            ]
            for (x, y, shownX, shownY) in positions {
                let layout = ImageLayout(fit: .cover, x: shownX, y: shownY)
                XCTAssertEqual(picture.position(x: x, y: y).layout, layout)
            }
            XCTAssertEqual(picture.layout, ImageLayout(fit: .cover))
            XCTAssertEqual(picture.cornerRadius(-4).layout.cornerRadius, 0)
            XCTAssertEqual(picture.cornerRadius(6).layout.cornerRadius, 6)
            XCTAssertEqual(picture.accessibleLabel("A cat").accessibleLabel, "A cat")
        }
    }

    func testADeclaredPictureHasItsFitAndItsText() {
        GtkFixture.run { test in
            let image = TestImage(5, width: 40, height: 20).decoded
            let cases: [(Picture, GtkContentFit, GtkOverflow)] = [
                (Picture(image), GTK_CONTENT_FIT_CONTAIN, GTK_OVERFLOW_VISIBLE),
                (Picture(image, contentFit: .cover), GTK_CONTENT_FIT_COVER, GTK_OVERFLOW_HIDDEN),
                (Picture(image, contentFit: .fill), GTK_CONTENT_FIT_FILL, GTK_OVERFLOW_VISIBLE),
                (Picture(image, contentFit: .scaleDown), GTK_CONTENT_FIT_SCALE_DOWN, GTK_OVERFLOW_VISIBLE),
                // The paintable has the whole widget for its own layout.
                (Picture(image).position(x: 0, y: 0), GTK_CONTENT_FIT_FILL, GTK_OVERFLOW_VISIBLE),
                (Picture(image, contentFit: .cover).cornerRadius(4), GTK_CONTENT_FIT_FILL, GTK_OVERFLOW_HIDDEN),
            ]
            for (picture, fit, overflow) in cases {
                let widget = test.watch(WidgetNode.makeWidget(picture.accessibleLabel("A cat").body), "the picture")
                XCTAssertEqual(gtk_picture_get_content_fit(widget.opaque), fit)
                XCTAssertEqual(gtk_widget_get_overflow(widget.pointer), overflow)
                XCTAssertNotEqual(gtk_picture_get_can_shrink(widget.opaque), 0)
                XCTAssertEqual(
                    gtk_picture_get_alternative_text(widget.opaque).map { String(cString: $0) }, "A cat")
                XCTAssertEqual(gdk_paintable_get_intrinsic_width(gtk_picture_get_paintable(widget.opaque)), 40)
            }
        }
    }

    // MARK: Renderings

    func testARenderingHasTheColorsOfTheWidget() throws {
        try GtkFixture.run { test in
            let pixels = PixelBuffer(size: PixelSize(width: 2, height: 1), format: .rgba8Premultiplied) { memory in
                for (index, byte) in [10, 60, 200, 255, 30, 20, 90, 128].enumerated() { memory[index] = UInt8(byte) }
            }
            let view = test.view(
                NetworkImage(ImageSource.pixels(identity: "two colors") { pixels }) { Picture($0, contentFit: .fill) })
            test.show(view.pointer, width: 60, height: 40)
            test.turn { view.model.phase.kind == .success }
            test.draw(view.pointer)
            var results: [PixelBuffer?] = []
            Task { results.append(await view.content.rendered()) }
            test.turn { results.count == 1 }
            let rendered = try XCTUnwrap(results[0])
            XCTAssertEqual(rendered.format, .rgba8Premultiplied)
            rendered.withUnsafeBytes { bytes in
                let (left, right) = (Array(bytes[0..<4]), Array(bytes[(bytes.count - 4)...]))
                for (found, expected) in [(left, [10, 60, 200, 255]), (right, [30, 20, 90, 128])] {
                    for (a, b) in zip(found, expected) { XCTAssertEqual(Int(a), b, accuracy: 2, "\(found)") }
                }
            }
        }
    }

    func testARenderingHasThePixelsOfAVisibleWidget() {
        GtkFixture.run { test in
            let label = test.watch(Label("text").content, "the label")
            let scale = Int(gtk_widget_get_scale_factor(label.pointer))
            var results: [PixelBuffer?] = []
            Task { results.append(await label.rendered()) }
            test.turn { results.count == 1 }
            XCTAssertNil(results[0], "it is in no window")
            test.show(label.pointer, width: 90, height: 40)
            Task { results.append(await label.rendered()) }
            test.turn { results.count == 2 }
            XCTAssertEqual(results[1]?.size, PixelSize(width: 90 * scale, height: 40 * scale))
            // It is hidden before its next frame.
            Task { results.append(await label.rendered()) }
            Task { gtk_widget_set_visible(label.pointer, 0) }
            test.turn { results.count == 3 }
            XCTAssertNil(results[2])
        }
    }

    // MARK: Indicators

    /// The bar has the straight part of the lower edge.
    func testABarNeedsItsMinimumWidthBetweenTheCorners() throws {
        let cases: [(width: Int, radius: Double, page: String)] = [
            (160, 0, "bar"), (159, 0, "spinner"), (200, 20, "bar"), (199, 20, "spinner"),
        ]
        for (width, radius, page) in cases {
            try GtkFixture.run { test in
                let view = test.view(
                    NetworkImage("http://test/a.png") {
                        Picture($0)
                    } inProgress: {
                        LoadingIndicator($0, delay: .zero, cornerRadius: radius)
                    })
                test.show(view.pointer, width: width, height: 100)
                let transfer = try test.transfer()
                test.turn { indicatorPage(in: view) == "spinner" }
                transfer.respond(expected: 100)
                transfer.send([UInt8](repeating: 1, count: 40))
                test.turn { view.model.progress.completedByteCount == 40 }
                test.draw(view.pointer)
                XCTAssertEqual(indicatorPage(in: view), page, "\(width), \(radius)")
                let overlay = try XCTUnwrap(first(gtk_overlay_get_type(), in: view.pointer))
                var size = (width: Int32(0), height: Int32(0))
                gtk_widget_get_size_request(Widget(of: overlay)?.pointer, &size.width, &size.height)
                XCTAssertEqual([size.width, size.height], [16, 16])
                guard page == "bar" else { return }
                let bar = try XCTUnwrap(Widget(of: first(gtk_progress_bar_get_type(), in: view.pointer)))
                XCTAssertEqual(
                    [gtk_widget_get_margin_start(bar.pointer), gtk_widget_get_margin_end(bar.pointer)],
                    [Int32(radius), Int32(radius)])
                XCTAssertEqual(gtk_widget_get_valign(bar.pointer), GTK_ALIGN_END)
                XCTAssertEqual(gtk_progress_bar_get_fraction(bar.opaque), 0.4, accuracy: 1e-9)
            }
        }
    }

    func testANarrowViewWithAPreviewHasNoSpinner() throws {
        try GtkFixture.run { test in
            let hash = PreviewHash.blurHash("LEHV6nWB2yk8pyo0adR*.7kCMdnj", aspectRatio: 2)
            let view = test.view(
                NetworkImage("http://test/a.png", options: ImageOptions(previewHash: hash)) {
                    Picture($0)
                } inProgress: {
                    LoadingIndicator($0, delay: .zero)
                })
            let window = test.show(view.pointer, width: 200, height: 100)
            let transfer = try test.transfer()
            test.turn { drawnContents(of: view.pointer).count == 1 }
            XCTAssertNil(indicatorPage(in: view))
            let preview = try XCTUnwrap(first(gtk_picture_get_type(), in: view.pointer))
            transfer.respond(expected: 100)
            transfer.send([UInt8](repeating: 1, count: 40))
            test.turn { indicatorPage(in: view) == "bar" }
            window.resize(width: 100, height: 100)
            test.turn { gtk_widget_get_width(view.pointer) == 100 }
            transfer.send([UInt8](repeating: 1, count: 10))
            let stack = try XCTUnwrap(Widget(of: first(gtk_stack_get_type(), in: view.pointer)))
            test.turn { gtk_widget_get_visible(stack.pointer) == 0 }
            window.resize(width: 220, height: 100)
            test.turn { gtk_widget_get_width(view.pointer) == 220 }
            transfer.send([UInt8](repeating: 1, count: 10))
            test.turn { gtk_widget_get_visible(stack.pointer) != 0 }
            XCTAssertEqual(indicatorPage(in: view), "bar")
            XCTAssertEqual(first(gtk_picture_get_type(), in: view.pointer), preview, "the preview stays")
        }
    }

    func testABarOfALoadShowsTheFractionIfTheLengthIsKnown() throws {
        try GtkFixture.run { test in
            let view = test.view(
                NetworkImage("http://test/a.png") {
                    Picture($0)
                } inProgress: {
                    ProgressBar($0)
                })
            test.show(view.pointer)
            let transfer = try test.transfer()
            let bar = try XCTUnwrap(first(gtk_progress_bar_get_type(), in: view.pointer))
            XCTAssertEqual(gtk_progress_bar_get_fraction(bar), 0)
            transfer.respond(expected: 200)
            transfer.send([UInt8](repeating: 1, count: 50))
            test.turn { gtk_progress_bar_get_fraction(bar) == 0.25 }
        }
    }

    // MARK: Existing widgets

    func testAPlaceholderIconHasItsSizeInAPicture() {
        GtkFixture.run { test in
            let picture = test.watch(Widget(gtk_picture_new()), "image")
            let placeholders: [(ImagePlaceholder, Int32)] = [
                (.iconName("image-missing-symbolic"), 48), (.iconName("image-missing-symbolic", size: 20), 20),
                (.iconName("image-missing-symbolic", size: 0), 1),
            ]
            for (placeholder, side) in placeholders {
                picture.opaque.setImage(nil as String?, placeholder: placeholder, pipeline: test.pipeline)
                let icon = gtk_picture_get_paintable(picture.opaque)
                XCTAssertEqual(
                    [gdk_paintable_get_intrinsic_width(icon), gdk_paintable_get_intrinsic_height(icon)], [side, side])
            }
            let image = test.watch(Widget(gtk_image_new()), "icon")
            image.opaque.setImage(
                nil as String?, placeholder: .iconName("image-missing-symbolic", size: 20), pipeline: test.pipeline)
            XCTAssertEqual(gtk_image_get_icon_name(image.opaque).map { String(cString: $0) }, "image-missing-symbolic")
            XCTAssertEqual(gtk_image_get_pixel_size(image.opaque), -1, "it has its own size")
            test.show(image.pointer)
        }
    }

    func testTheOriginalContentOfEachKindComesBack() throws {
        try GtkFixture.run { test in
            let paintable = gdk_paintable_new_empty(30, 20)
            let icon = g_themed_icon_new("user-home-symbolic")
            defer {
                g_object_unref(paintable.map { UnsafeMutableRawPointer($0) })
                g_object_unref(icon.map { UnsafeMutableRawPointer($0) })
            }
            let picture = test.watch(Widget(gtk_picture_new_for_paintable(paintable)), "picture")
            let image = test.watch(Widget(gtk_image_new_from_paintable(paintable)), "image")
            let themed = test.watch(Widget(gtk_image_new_from_gicon(icon)), "icon")
            let empty = test.watch(Widget(gtk_picture_new()), "empty")
            let box = Widget(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
            let all = [picture, image, themed, empty]
            for (number, widget) in all.enumerated() {
                append(widget.pointer, to: box)
                widget.opaque.setImage("http://test/\(number).png", placeholder: .original, pipeline: test.pipeline)
            }
            @MainActor func isOriginal() -> [Bool] {
                [
                    gtk_picture_get_paintable(picture.opaque) == paintable,
                    gtk_image_get_paintable(image.opaque) == paintable,
                    gtk_image_get_gicon(themed.opaque).map { g_icon_equal($0, icon) != 0 } ?? false,
                    gtk_picture_get_paintable(empty.opaque) == nil,
                ]
            }
            XCTAssertEqual(isOriginal(), [true, true, true, true])
            test.show(box.pointer)
            for number in all.indices { try test.transfer(number + 1).succeed(TestImage(5).bytes) }
            test.turn { isOriginal() == [false, false, false, false] }
            for widget in all {
                widget.opaque.setImage(nil as String?, placeholder: .original, pipeline: test.pipeline)
            }
            XCTAssertEqual(isOriginal(), [true, true, true, true])
        }
    }

    func testAnAnimationOfAnExistingWidgetPlaysOnlyIfItShould() throws {
        for plays in [true, false] {
            try GtkFixture.run { test in
                let gif = GIFFile.animation(
                    [1, 2, 3].map { GIFFile(width: 4, height: 4, pixels: [UInt8](repeating: $0, count: 16)) },
                    delay: .milliseconds(20))
                let transport = FakeTransport { _ in .ok(gif) }
                let pipeline = ImagePipeline.test(transport, decoder: GIFDecoder())
                let picture = test.watch(Widget(gtk_picture_new()), "image")
                var image: LoadedImage?
                picture.opaque.setImage("http://test/a.gif", pipeline: pipeline, playsAnimation: plays) {
                    image = try? $0.get()
                }
                var changeCount = 0
                test.show(picture.pointer)
                test.turn { image != nil }
                XCTAssertNotNil(image?.animation)
                let paintable = try XCTUnwrap(gtk_picture_get_paintable(picture.opaque))
                Signal.connect("invalidate-contents", of: UnsafeMutableRawPointer(paintable)) { changeCount += 1 }
                if plays {
                    test.turn { changeCount > 2 }
                } else {
                    for _ in 0..<3 { test.draw(picture.pointer) }
                    XCTAssertEqual(changeCount, 0)
                }
                image = nil
                pipeline.configuration.memoryCache?.removeAll()
            }
        }
    }
}
