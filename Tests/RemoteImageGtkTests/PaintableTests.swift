import CRemoteImageGtk
import HTTPTypes
import Observation
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageGtk

@Observable
private final class FitModel {
    var fit = ContentFit.cover
}

final class PaintableTests: XCTestCase {
    func testAPaintableLoadsAndNotifiesTheWidgetsThatDrawIt() throws {
        try GtkFixture.run { test in
            let paintable = RemoteImagePaintable("http://test/a.png", pipeline: test.pipeline, scale: 2)
            let picture = Widget(gtk_picture_new_for_paintable(paintable.pointer))
            gtk_picture_set_content_fit(picture.opaque, GTK_CONTENT_FIT_COVER)
            test.show(picture.pointer, width: 100, height: 100)
            XCTAssertEqual(gdk_paintable_get_intrinsic_width(paintable.pointer), 0)
            try test.transfer().succeed(TestImage(77, width: 60, height: 40).bytes)
            test.turn { gdk_paintable_get_intrinsic_width(paintable.pointer) == 30 }
            XCTAssertEqual(gdk_paintable_get_intrinsic_height(paintable.pointer), 20, "points, not pixels")
            test.draw(picture.pointer)
            XCTAssertEqual(try Drawing(everywhere: picture.pointer).middle, [77, 77, 77, 255])
        }
    }

    func testANewSourceRemovesTheOldImage() throws {
        try GtkFixture.run { test in
            let paintable = RemoteImagePaintable("http://test/a.png", pipeline: test.pipeline)
            try test.transfer().succeed(TestImage(5).bytes)
            test.turn { paintable.model.phase.kind == .success }
            paintable.source = "http://test/b.png"
            XCTAssertEqual(gdk_paintable_get_intrinsic_width(paintable.pointer), 0)
            try test.transfer(2).succeed(TestImage(6).bytes)
            test.turn { paintable.model.image?.content == 6 }
        }
    }

    func testANewSourceHasTheOptionsAndTheScaleOfThePaintable() throws {
        try GtkFixture.run { test in
            var options = ImageOptions()
            options.keepsImageWhileLoading = true
            let paintable = RemoteImagePaintable(
                "http://test/a.png", options: options, pipeline: test.pipeline, scale: 2)
            @MainActor func size() -> [Int32] {
                [
                    gdk_paintable_get_intrinsic_width(paintable.pointer),
                    gdk_paintable_get_intrinsic_height(paintable.pointer),
                ]
            }
            try test.transfer().succeed(TestImage(5, width: 60, height: 40).bytes)
            test.turn { paintable.model.phase.kind == .success }
            paintable.source = "http://test/b.png"
            XCTAssertEqual(paintable.source, "http://test/b.png")
            XCTAssertEqual(size(), [30, 20], "the old image is kept")
            try test.transfer(2).succeed(TestImage(6, width: 20, height: 50).bytes)
            test.turn { paintable.model.image?.content == 6 }
            XCTAssertEqual(size(), [10, 25])
        }
    }

    func testAPictureOfAPaintableHasTheDeclaredFit() throws {
        try GtkFixture.run { test in
            let paintable = RemoteImagePaintable("http://test/a.png", pipeline: test.pipeline)
            try test.transfer().succeed(TestImage(5).bytes)
            test.turn { paintable.model.phase.kind == .success }
            let model = FitModel()
            let column = test.shown(Column { paintable.picture(contentFit: model.fit) })
            let picture = try XCTUnwrap(Widget(of: first(gtk_picture_get_type(), in: column.pointer)))
            XCTAssertEqual(gtk_picture_get_content_fit(picture.opaque), GTK_CONTENT_FIT_COVER)
            var bindCount = 0
            Signal.connect(property: "paintable", of: UnsafeMutableRawPointer(picture.pointer)) { bindCount += 1 }
            for (fit, expected) in [
                (ContentFit.fill, GTK_CONTENT_FIT_FILL), (.scaleDown, GTK_CONTENT_FIT_SCALE_DOWN),
                (.contain, GTK_CONTENT_FIT_CONTAIN),
            ] {
                model.fit = fit
                test.turn { gtk_picture_get_content_fit(picture.opaque) == expected }
            }
            XCTAssertEqual(bindCount, 0, "the picture keeps its image")
            let other = test.shown(paintable.picture())
            XCTAssertEqual(gtk_picture_get_content_fit(other.opaque), GTK_CONTENT_FIT_CONTAIN)
        }
    }

    func testAPaintableThatFailedWithoutANetworkLoadsAgainWhenItReturns() throws {
        try GtkFixture.run { test in
            let network = NetworkConditions()
            let pipeline = ImagePipeline.test(test.transport) { $0.network = network }
            let paintable = RemoteImagePaintable("http://test/a.png", pipeline: pipeline)
            network.isConnected = false
            try test.transfer().fail(ImageError(.connection))
            test.turn { paintable.model.phase.kind == .failure }
            network.isConnected = true
            try test.transfer(2).succeed(TestImage(5).bytes)
            test.turn { paintable.model.image?.content == 5 }
            pipeline.configuration.memoryCache?.removeAll()
        }
    }

    func testAPaintableThatWasADragIconStillLoads() throws {
        try GtkFixture.run { test in
            let paintable = RemoteImagePaintable("http://test/a.png", pipeline: test.pipeline)
            let source = gtk_drag_source_new()
            gtk_drag_source_set_icon(source, paintable.pointer, 0, 0)
            g_object_unref(source.map { UnsafeMutableRawPointer($0) })
            // The drag source is released; the test still holds the paintable, which loads.
            try test.transfer().succeed(TestImage(5).bytes)
            test.turn { paintable.model.phase.kind == .success }
        }
    }

    func testAnImageInMemoryIsAnIconForANotification() throws {
        try GtkFixture.run { test in
            let request = ImageRequest("http://test/a.png")
            XCTAssertNil(test.pipeline.cachedTexture(for: request))
            let view = test.view(NetworkImage("http://test/a.png"))
            test.show(view.pointer)
            try test.transfer().succeed(TestImage(9, width: 24, height: 24).bytes)
            test.turn { view.model.phase.kind == .success }
            let texture = try XCTUnwrap(test.pipeline.cachedTexture(for: request))
            // A notification is sent over the message bus, so its icon must be serializable.
            let written = try XCTUnwrap(g_icon_serialize(texture.pointer))
            defer { g_variant_unref(written) }
            let icon = g_icon_deserialize(written)
            defer { g_object_unref(icon.map { UnsafeMutableRawPointer($0) }) }
            XCTAssertNotNil(icon)
            let notification = g_notification_new("An image came")
            g_notification_set_icon(notification, texture.pointer)
            g_object_unref(notification.map { UnsafeMutableRawPointer($0) })
            XCTAssertEqual(test.transport.transfers.count, 1)
        }
    }

    func testAStoredImageIsATextureWithoutTheNetwork() throws {
        try GtkFixture.run { test in
            let folder = try TemporaryFolder()
            let transport = FakeTransport { request in
                request.address.string.hasSuffix("a.png")
                    ? .ok(TestImage(9).bytes, headers: [.cacheControl: "max-age=3600"]) : .status(404)
            }
            let pipeline = ImagePipeline.test(transport) { $0.responseStore = DiskCache(path: folder.path("store")) }
            let request = ImageRequest("http://test/a.png")
            let outcome = Outcome()
            Task {
                // Nothing is stored yet, and no request is sent.
                outcome.before = await pipeline.storedTexture(for: request) != nil
                let image = try? await pipeline.image(for: request)
                outcome.isLoaded = image != nil
                await pipeline.finishWriting()
                pipeline.configuration.memoryCache?.removeAll()
                outcome.width = await pipeline.storedTexture(for: request)
                    .map { gdk_texture_get_width($0.pointer) }
            }
            test.turn { outcome.width != nil }
            XCTAssertEqual(outcome.before, false)
            XCTAssertEqual(outcome.width.flatMap { $0 }, 8)
            XCTAssertEqual(transport.transfers.count, 1)
            pipeline.configuration.memoryCache?.removeAll()
        }
    }

    @MainActor
    private final class Outcome {
        var before: Bool?
        var isLoaded = false
        var width: Int32??
    }
}
