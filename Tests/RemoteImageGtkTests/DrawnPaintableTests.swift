import CRemoteImageGtk
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageCore
@testable import RemoteImageGtk

private let (red, green, blue, white): ([UInt8], [UInt8], [UInt8], [UInt8]) = (
    [255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255], [255, 255, 255, 255]
)
private let nothing: [UInt8] = [0, 0, 0, 0]

/// The paintables that draw images: their sizes, and the pixels that they draw for each layout.
final class DrawnPaintableTests: XCTestCase {
    // MARK: Sizes

    func testAPaintableHasTheSizeOfItsImageInPoints() throws {
        try GtkFixture.run { _ in
            let cases: [(width: Int, height: Int, scale: Double, [Int32], ratio: Double)] = [
                (41, 20, 1, [41, 20], 2.05), (41, 20, 2, [21, 10], 2.05), (40, 20, 2, [20, 10], 2),
                (10, 7, 3, [4, 3], 10.0 / 7), (20, 41, 1, [20, 41], 20.0 / 41),
            ]
            for (width, height, scale, size, ratio) in cases {
                let paintable = try XCTUnwrap(ImagePaintable.make(image(width, height, scale: scale)))
                XCTAssertEqual(sides(of: paintable), size)
                XCTAssertEqual(gdk_paintable_get_intrinsic_aspect_ratio(pointer(paintable)), ratio, accuracy: 1e-9)
                XCTAssertEqual(gdk_paintable_get_flags(pointer(paintable)), GDK_PAINTABLE_STATIC_SIZE)
                XCTAssertTrue(ImagePaintable.isOne(paintable.pointer))
            }
        }
    }

    func testASquareHasTheShorterSideOfItsImage() throws {
        try GtkFixture.run { _ in
            for (width, height) in [(40, 21), (21, 40)] {
                let paintable = try XCTUnwrap(ImagePaintable.make(image(width, height)))
                ImagePaintable.makeSquare(paintable)
                XCTAssertEqual(sides(of: paintable), [21, 21])
                XCTAssertEqual(gdk_paintable_get_intrinsic_aspect_ratio(pointer(paintable)), 1)
                XCTAssertEqual(ContentFit(instance(paintable).fit), .cover)
            }
        }
    }

    func testThePaintableOfAReleasedImageHasItsSizeAndDrawsNothing() throws {
        try GtkFixture.run { test in
            let image = image(40, 20).releasable
            let paintable = try XCTUnwrap(ImagePaintable.make(image))
            XCTAssertFalse(ImagePaintable.refresh(paintable, image), "it has its pixels")
            XCTAssertEqual(current(of: paintable), paintable.pointer, "a still image is its own current image")
            image.release()
            XCTAssertTrue(ImagePaintable.refresh(paintable, image))
            XCTAssertNil(instance(paintable).texture)
            XCTAssertEqual(sides(of: paintable), [40, 20])
            let still = try XCTUnwrap(gdk_paintable_get_current_image(pointer(paintable)))
            XCTAssertEqual(
                [gdk_paintable_get_intrinsic_width(still), gdk_paintable_get_intrinsic_height(still)], [40, 20])
            g_object_unref(UnsafeMutableRawPointer(still))
            try expect(paintable, in: (40, 20), [[20, 10]: nothing], test)
            let released = try XCTUnwrap(ImagePaintable.make(image))
            XCTAssertNil(instance(released).texture)
            XCTAssertEqual(sides(of: released), [40, 20])
        }
    }

    func testAnAnimatedPaintableHasItsFrameAsItsCurrentImage() throws {
        try GtkFixture.run { test in
            let first = image(40, 20)
            let paintable = try XCTUnwrap(ImagePaintable.make(first))
            let changes = count("invalidate-contents", of: paintable)
            let frame = PixelBuffer(size: PixelSize(width: 40, height: 20), format: .rgb8) { memory in
                for index in memory.indices { memory[index] = 90 }
            }
            ImagePaintable.show(frame, in: paintable)
            XCTAssertEqual(changes.value, 1)
            XCTAssertEqual(current(of: paintable), instance(paintable).texture.map { UnsafeMutableRawPointer($0) })
            try expect(paintable, in: (40, 20), [[1, 1]: [90, 90, 90, 255], [38, 18]: [90, 90, 90, 255]], test)
        }
    }

    // MARK: Layouts

    func testEachLayoutDrawsItsPartOfTheImage() throws {
        try GtkFixture.run { test in
            // The quarters of an image of 40 × 20 points.
            let wide = image(40, 20)
            let cases: [(ImageLayout, (Int, Int), [Point: [UInt8]])] = [
                (
                    ImageLayout(fit: .contain), (80, 80),
                    [
                        [20, 18]: nothing, [20, 22]: red, [60, 22]: green, [20, 58]: blue, [60, 58]: white,
                        [60, 62]: nothing,
                    ]
                ),
                (ImageLayout(fit: .contain, y: 0), (80, 80), [[20, 2]: red, [60, 38]: white, [60, 42]: nothing]),
                (ImageLayout(fit: .contain, y: 1), (80, 80), [[20, 38]: nothing, [20, 42]: red, [60, 78]: white]),
                (
                    ImageLayout(fit: .cover), (40, 40),
                    [[2, 2]: red, [18, 18]: red, [22, 2]: green, [2, 38]: blue, [38, 38]: white]
                ),
                (ImageLayout(fit: .cover, x: 0), (40, 40), [[2, 2]: red, [38, 2]: red, [38, 38]: blue]),
                (ImageLayout(fit: .cover, x: 1), (40, 40), [[2, 2]: green, [38, 2]: green, [2, 38]: white]),
                (
                    ImageLayout(fit: .fill), (40, 80),
                    [[2, 2]: red, [38, 30]: green, [2, 78]: blue, [38, 78]: white]
                ),
                (
                    ImageLayout(fit: .scaleDown, x: 0, y: 1), (80, 60),
                    [[2, 42]: red, [38, 42]: green, [38, 58]: white, [42, 58]: nothing, [2, 38]: nothing]
                ),
            ]
            for (layout, size, points) in cases {
                let paintable = try XCTUnwrap(ImagePaintable.make(wide))
                ImagePaintable.setLayout(layout, of: paintable)
                try expect(paintable, in: size, points, test)
            }
            // Without a layout, the image fills the area.
            try expect(
                try XCTUnwrap(ImagePaintable.make(wide)), in: (40, 80),
                [[2, 2]: red, [38, 30]: green, [2, 78]: blue],
                test)
        }
    }

    func testTheCornersOfTheImageAreRoundedWhereItIs() throws {
        try GtkFixture.run { test in
            let paintable = try XCTUnwrap(ImagePaintable.make(image(40, 20)))
            ImagePaintable.setLayout(ImageLayout(fit: .contain, cornerRadius: 10), of: paintable)
            try expect(
                paintable, in: (80, 80),
                [
                    [1, 21]: nothing, [78, 21]: nothing, [1, 58]: nothing, [12, 21]: red, [1, 32]: red,
                    [67, 58]: white,
                ],
                test)
            ImagePaintable.setLayout(ImageLayout(fit: .cover, cornerRadius: 10), of: paintable)
            try expect(
                paintable, in: (40, 40), [[1, 1]: nothing, [38, 38]: nothing, [12, 1]: red, [27, 38]: white], test)
        }
    }

    func testADrawnPaintableMayHaveTheLayoutOfItsView() throws {
        try GtkFixture.run { _ in
            let paintable = try XCTUnwrap(ImagePaintable.make(image(40, 20)))
            for (layout, isClipped) in [
                (ImageLayout(fit: .contain), false), (ImageLayout(fit: .cover), true),
                (ImageLayout(fit: .contain, cornerRadius: 1), true), (ImageLayout(fit: .fill), false),
            ] {
                let snapshot = gtk_snapshot_new()
                ImagePaintable.draw(paintable, layout, into: snapshot, 40, 40)
                let node = try XCTUnwrap(gtk_snapshot_free_to_node(snapshot))
                XCTAssertEqual(
                    gsk_render_node_get_node_type(node) == GSK_ROUNDED_CLIP_NODE
                        || gsk_render_node_get_node_type(node) == GSK_CLIP_NODE, isClipped)
                gsk_render_node_unref(node)
            }
        }
    }

    func testAnIconIsNoLargerThanItsSide() throws {
        try GtkFixture.run { test in
            let texture = try XCTUnwrap(TextureStore.texture(of: .quarters(width: 40, height: 40)))
            let icon = try XCTUnwrap(ImagePaintable.make(icon: OpaquePointer(texture.pointer), side: 20))
            XCTAssertEqual(sides(of: icon), [20, 20])
            try expect(
                icon, in: (60, 40),
                [
                    [18, 20]: nothing, [22, 12]: red, [38, 12]: green, [22, 28]: blue, [38, 28]: white,
                    [30, 8]: nothing,
                ],
                test)
        }
    }

    func testAnImageFadesInOverThePaintableBeforeIt() throws {
        try GtkFixture.run { test in
            let old = try XCTUnwrap(ImagePaintable.make(TestImage(200, width: 40, height: 20).decoded))
            let paintable = try XCTUnwrap(
                ImagePaintable.make(TestImage(100, width: 40, height: 20).decoded, over: pointer(old)))
            try expect(paintable, in: (40, 20), [[20, 10]: [200, 200, 200, 255]], test)
            let changes = count("invalidate-contents", of: paintable)
            for (progress, kept, gray) in [(0.5, 0.5, 150), (-1, 0, 200), (0.25, 0.25, 175)] {
                ImagePaintable.setProgress(progress, of: paintable)
                XCTAssertEqual(instance(paintable).progress, kept)
                XCTAssertNotNil(instance(paintable).outgoing)
                let drawn = try draw(paintable, in: (40, 20), test) { $0[20, 10] }
                XCTAssertEqual(Double(drawn[0]), Double(gray), accuracy: 3)
            }
            XCTAssertEqual(changes.value, 3)
            ImagePaintable.setProgress(2, of: paintable)
            XCTAssertEqual(instance(paintable).progress, 1)
            XCTAssertNil(instance(paintable).outgoing)
            XCTAssertEqual(shim_reference_count(old.pointer), 1, "the old paintable is released")
            try expect(paintable, in: (40, 20), [[20, 10]: [100, 100, 100, 255]], test)
        }
    }

    func testAPaintableThatFadesInReleasesTheOneBeforeItAtItsEnd() throws {
        try GtkFixture.run { test in
            let old = try XCTUnwrap(ImagePaintable.make(image(40, 20)))
            var paintable = ImagePaintable.make(image(20, 40), over: pointer(old))
            XCTAssertNotNil(paintable)
            XCTAssertEqual(shim_reference_count(old.pointer), 2)
            paintable = nil
            test.turn { shim_reference_count(old.pointer) == 1 }
        }
    }

    // MARK: Reduction

    func testAPaintableReportsEachNewSizeOfItsImageOnce() throws {
        try GtkFixture.run { _ in
            let paintable = try XCTUnwrap(ImagePaintable.make(image(40, 20)))
            var reports = 0
            let needed = Count()
            needed.value = 1
            ImagePaintable.whenSizeChanges(of: paintable) { reports += 1 }
            ImagePaintable.draw(paintable, while: { needed.value == 1 })
            /// Whether the paintable draws anything.
            @MainActor func draws(_ width: Double, _ height: Double) -> Bool {
                let snapshot = gtk_snapshot_new()
                gdk_paintable_snapshot(pointer(paintable), snapshot, width, height)
                guard let node = gtk_snapshot_free_to_node(snapshot) else { return false }
                gsk_render_node_unref(node)
                return true
            }
            for (width, height, expected) in [
                (30.0, 20.0, 1), (30, 20, 1), (20, 30, 2), (20, 30, 2), (0, 30, 2), (20, 0, 2), (20, 31, 3),
                (21, 31, 4),
            ] {
                _ = draws(width, height)
                XCTAssertEqual(reports, expected, "\(width), \(height)")
            }
            // The image is 80 × 40 points large in both areas.
            ImagePaintable.setLayout(ImageLayout(fit: .contain), of: paintable)
            for (width, height, expected) in [(80.0, 80.0, 5), (80, 60, 5), (90, 40, 5), (80, 30, 6)] {
                XCTAssertTrue(draws(width, height))
                XCTAssertEqual(reports, expected, "\(width), \(height)")
            }
            needed.value = 0
            XCTAssertFalse(draws(40, 40))
            XCTAssertEqual(reports, 6)
            needed.value = 1
            XCTAssertTrue(draws(40, 40))
            XCTAssertEqual(reports, 7)
        }
    }

    /// Either side may be much longer than it is drawn.
    func testAnImageIsReducedIfOneSideIsMoreThanTwiceAsLong() throws {
        try GtkFixture.run { test in
            for (width, height) in [(81, 30), (30, 81)] {
                let paintable = try XCTUnwrap(ImagePaintable.make(image(width, height)))
                let picture = shown(paintable, in: (40, 40), test)
                let scale = Int(gtk_widget_get_scale_factor(picture.pointer))
                guard scale == 1 else { continue }
                test.turn {
                    instance(paintable).texture.map { texture in
                        gdk_texture_get_width(texture) * gdk_texture_get_height(texture) < gint(width * height)
                    } == true
                }
                XCTAssertEqual(sides(of: paintable), [Int32(width), Int32(height)])
            }
        }
    }

    func testAnImageIsReducedToTheAreaOfItsLayout() throws {
        let cases: [((Int, Int), ImageLayout?, (Int, Int))] = [
            ((600, 180), ImageLayout(fit: .contain), (80, 24)), ((180, 600), ImageLayout(fit: .contain), (24, 80)),
            ((600, 180), ImageLayout(fit: .cover), (267, 80)), ((180, 600), ImageLayout(fit: .cover), (80, 267)),
            ((600, 180), ImageLayout(fit: .fill), (80, 80)), ((600, 180), nil, (80, 80)),
            ((600, 180), ImageLayout(fit: .scaleDown, cornerRadius: 5), (80, 24)),
        ]
        for (size, layout, reduced) in cases {
            try GtkFixture.run { test in
                let paintable = try XCTUnwrap(ImagePaintable.make(image(size.0, size.1)))
                if let layout { ImagePaintable.setLayout(layout, of: paintable) }
                let picture = shown(paintable, in: (80, 80), test)
                guard gtk_widget_get_scale_factor(picture.pointer) == 1 else { return }
                @MainActor func textureSize() -> [Int32] {
                    instance(paintable).texture.map { [gdk_texture_get_width($0), gdk_texture_get_height($0)] } ?? []
                }
                XCTAssertEqual(textureSize(), [Int32(size.0), Int32(size.1)])
                test.turn { textureSize() != [Int32(size.0), Int32(size.1)] }
                let expected = PixelBuffer.quarters(width: size.0, height: size.1)
                    .scaledDown(to: PixelSize(width: reduced.0, height: reduced.1)).size
                XCTAssertEqual(textureSize(), [Int32(expected.width), Int32(expected.height)], "\(size), \(reduced)")
                XCTAssertLessThan(expected.width, size.0)
                XCTAssertEqual(sides(of: paintable), [Int32(size.0), Int32(size.1)])
            }
        }
    }

    func testAnImageDrawnAtMostHalfAsLargeIsNotReduced() throws {
        try GtkFixture.run { test in
            let (exact, larger) = (
                try XCTUnwrap(ImagePaintable.make(image(160, 160))), try XCTUnwrap(ImagePaintable.make(image(161, 160)))
            )
            let picture = shown(exact, in: (80, 80), test)
            guard gtk_widget_get_scale_factor(picture.pointer) == 1 else { return }
            _ = shown(larger, in: (80, 80), test)
            test.turn { instance(larger).texture.map { gdk_texture_get_width($0) } == 80 }
            XCTAssertEqual(instance(exact).texture.map { gdk_texture_get_width($0) }, 160)
        }
    }

    // MARK: Textures

    func testATextureHasThePixelsOfItsImage() throws {
        try GtkFixture.run { _ in
            let pixels = PixelBuffer.quarters(width: 6, height: 4)
            let texture = try XCTUnwrap(ImageTexture(image(6, 4)))
            XCTAssertEqual([gdk_texture_get_width(texture.pointer), gdk_texture_get_height(texture.pointer)], [6, 4])
            let (first, second) = (TextureStore.texture(of: pixels), TextureStore.texture(of: pixels))
            XCTAssertEqual(first?.pointer, second?.pointer)
            XCTAssertEqual(TextureStore.count, 2)
            let alpha = PixelBuffer(size: PixelSize(width: 2, height: 1), format: .rgba8Premultiplied) { memory in
                for (index, byte) in [128, 0, 0, 128, 0, 9, 0, 255].enumerated() { memory[index] = UInt8(byte) }
            }
            var downloaded = [UInt8](repeating: 0, count: 8)
            let transparent = try XCTUnwrap(TextureStore.texture(of: alpha))
            gdk_texture_download(OpaquePointer(transparent.pointer), &downloaded, 8)
            XCTAssertEqual(downloaded, [0, 0, 128, 128, 0, 9, 0, 255])
        }
    }

    func testARemotePaintableWithoutAnImageHasNoSize() throws {
        try GtkFixture.run { test in
            let paintable = RemoteImagePaintable("http://test/a.png", pipeline: test.pipeline, scale: 3)
            @MainActor func size(_ paintable: OpaquePointer?) -> [Int32] {
                [gdk_paintable_get_intrinsic_width(paintable), gdk_paintable_get_intrinsic_height(paintable)]
            }
            @MainActor func current() -> (isTexture: Bool, [Int32]) {
                let image = gdk_paintable_get_current_image(paintable.pointer)
                defer { g_object_unref(image.map { UnsafeMutableRawPointer($0) }) }
                return (shim_is_a(image.map { UnsafeMutableRawPointer($0) }, gdk_texture_get_type()) != 0, size(image))
            }
            XCTAssertEqual(size(paintable.pointer), [0, 0])
            XCTAssertEqual(current().1, [0, 0])
            XCTAssertFalse(current().isTexture)
            var log: [String] = []
            for signal in ["invalidate-size", "invalidate-contents"] {
                Signal.connect(signal, of: UnsafeMutableRawPointer(paintable.pointer)) { log.append(signal) }
            }
            try test.transfer().succeed(TestImage(5, width: 10, height: 7).bytes)
            test.turn { paintable.model.phase.kind == .success && log.count >= 2 }
            XCTAssertEqual(log, ["invalidate-size", "invalidate-contents"])
            XCTAssertEqual(size(paintable.pointer), [4, 3])
            XCTAssertTrue(current().isTexture)
            XCTAssertEqual(current().1, [10, 7])
        }
    }

    func testAnotherPipelineLoadsTheImageAnew() throws {
        try GtkFixture.run { test in
            let paintable = RemoteImagePaintable("http://test/a.png", pipeline: test.pipeline)
            try test.transfer().succeed(TestImage(5).bytes)
            test.turn { paintable.model.phase.kind == .success }
            let transport = FakeTransport { _ in .ok(TestImage(6, width: 10, height: 7).bytes) }
            let pipeline = ImagePipeline.test(transport)
            let state = PaintableObject.of(UnsafeMutableRawPointer(paintable.pointer))
            state.show("http://test/a.png", options: ImageOptions(), pipeline: pipeline, scale: 2)
            XCTAssertNil(state.texturePointer, "the image may belong to another account")
            test.turn { paintable.model.image?.content == 6 }
            XCTAssertEqual(state.naturalSize.width, 5)
            XCTAssertEqual(state.naturalSize.height, 4)
            XCTAssertEqual([test.transport.transfers.count, transport.transfers.count], [1, 1])
            pipeline.configuration.memoryCache?.removeAll()
        }
    }

    func testThePropertiesOfAPaintableFollowItsLoad() throws {
        try GtkFixture.run { test in
            let paintable = RemoteImagePaintable(nil, pipeline: test.pipeline)
            let object = UnsafeMutableRawPointer(paintable.pointer)
            var names: Set<String> = []
            let all = [
                "phase", "progress", "error", "status", "texture", "image-width", "image-height", "animated",
            ]
            for name in all { Signal.connect(property: name, of: object) { names.insert(name) } }
            paintable.source = "http://test/a.png"
            XCTAssertTrue(names.isSuperset(of: ["phase", "progress"]))
            XCTAssertFalse(names.contains("status"))
            XCTAssertEqual(shim_get_int(object, "phase"), 1)
            names = []
            let transfer = try test.transfer()
            transfer.respond(expected: TestImage(5).bytes.count * 4)
            transfer.send(TestImage(5).bytes)
            test.turn { shim_get_double(object, "progress") == 0.25 }
            XCTAssertEqual(names, ["progress"])
            names = []
            transfer.fail(.httpStatus(404))
            test.turn { names.contains("phase") }
            XCTAssertTrue(names.isSuperset(of: ["phase", "progress", "error", "status"]))
            XCTAssertEqual([shim_get_int(object, "phase"), shim_get_int(object, "status")], [3, 404])
            XCTAssertEqual(shim_get_double(object, "progress"), 0)
            paintable.source = "http://test/b.png"
            try test.transfer(2).succeed(TestImage(5, width: 10, height: 7).bytes)
            names = []
            test.turn { names.contains("phase") }
            XCTAssertTrue(
                names.isSuperset(of: ["phase", "progress", "texture", "image-width", "image-height", "animated"]))
            XCTAssertEqual(
                ["phase", "status", "image-width", "image-height"].map { (name: String) in shim_get_int(object, name) },
                [2, 200, 10, 7])
            XCTAssertEqual(shim_get_double(object, "progress"), 1)
            XCTAssertEqual(shim_get_boolean(object, "animated"), 0)
        }
    }
}

private typealias Point = [Int]

private func image(_ width: Int, _ height: Int, scale: Double = 1) -> LoadedImage {
    let size = PixelSize(width: width, height: height)
    return LoadedImage(
        pixels: .quarters(width: width, height: height),
        info: ImageInfo(size: size, decodedSize: size, format: .png, origin: .network), scale: scale)
}

private func pointer(_ paintable: ObjectReference) -> OpaquePointer { OpaquePointer(paintable.pointer) }

private func instance(_ paintable: ObjectReference) -> RemoteImageDrawnPaintable {
    paintable.pointer.assumingMemoryBound(to: RemoteImageDrawnPaintable.self).pointee
}

private func sides(of paintable: ObjectReference) -> [Int32] {
    [gdk_paintable_get_intrinsic_width(pointer(paintable)), gdk_paintable_get_intrinsic_height(pointer(paintable))]
}

private func current(of paintable: ObjectReference) -> UnsafeMutableRawPointer? {
    let image = gdk_paintable_get_current_image(pointer(paintable)).map { UnsafeMutableRawPointer($0) }
    g_object_unref(image)
    return image
}

@MainActor
private final class Count {
    var value = 0
}

@MainActor
private func count(_ signal: String, of paintable: ObjectReference) -> Count {
    let count = Count()
    Signal.connect(signal, of: paintable.pointer) { count.value += 1 }
    return count
}

/// A picture of this size that fills itself with a paintable.
@MainActor
private func shown(_ paintable: ObjectReference, in size: (Int, Int), _ test: GtkFixture) -> Widget {
    let picture = test.watch(Widget(gtk_picture_new_for_paintable(pointer(paintable))), "the picture")
    gtk_picture_set_content_fit(picture.opaque, GTK_CONTENT_FIT_FILL)
    gtk_widget_set_overflow(picture.pointer, GTK_OVERFLOW_HIDDEN)
    test.show(picture.pointer, width: size.0, height: size.1)
    test.draw(picture.pointer)
    return picture
}

@MainActor
private func draw<Result>(
    _ paintable: ObjectReference, in size: (Int, Int), _ test: GtkFixture, _ read: (Drawing) -> Result
) throws -> Result {
    let picture = shown(paintable, in: size, test)
    XCTAssertEqual(
        [gtk_widget_get_width(picture.pointer), gtk_widget_get_height(picture.pointer)],
        [gint(size.0), gint(size.1)])
    return read(try Drawing(picture.pointer))
}

/// Expects colors at points of a picture of this size.
@MainActor
private func expect(
    _ paintable: ObjectReference, in size: (Int, Int), _ points: [Point: [UInt8]], _ test: GtkFixture,
    line: UInt = #line
) throws {
    try draw(paintable, in: size, test) { drawing in
        for (point, color) in points {
            let drawn = drawing[point[0], point[1]]
            XCTAssertTrue(
                zip(drawn, color).allSatisfy { abs(Int($0) - Int($1)) < 8 }, "\(drawn), not \(color), at \(point)",
                line: line)
        }
    }
}
