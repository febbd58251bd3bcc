import CRemoteImageGtk
import CRemoteImagePlatform
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageGtk

/// The last reference to an object of the library may be dropped on any thread, as garbage
/// collectors of other languages do. The object ends on the main thread.
final class LastReferenceTests: XCTestCase {
    func testAPaintableReleasedOnAnotherThreadEndsOnTheMainThread() throws {
        try GtkFixture.run { test in
            let (object, model) = try Self.makePaintable(test)
            let end = ObjectEnd(of: object)
            Self.dropOnAnotherThread(object)
            test.turn { end.wasOnMainThread != nil }
            XCTAssertEqual(end.wasOnMainThread, true)
            test.turn { model.model == nil }
            // A response for the released paintable reaches nothing.
            let transfer = try test.transfer()
            test.turn { transfer.isCancelled }
            transfer.succeed(TestImage(7).bytes)
            test.settle()
        }
    }

    func testAPaintableWithAnImageEndsOnTheMainThread() throws {
        try GtkFixture.run { test in
            let (object, model) = try Self.makePaintable(test)
            try test.transfer().succeed(TestImage(7).bytes)
            test.turn { model.model?.phase.kind == .success }
            let end = ObjectEnd(of: object)
            Self.dropOnAnotherThread(object)
            test.turn { end.wasOnMainThread != nil }
            XCTAssertEqual(end.wasOnMainThread, true)
        }
    }

    func testAPipelineReleasedOnAnotherThreadEndsOnTheMainThread() throws {
        try GtkFixture.run { test in
            let object = try XCTUnwrap(shim_object_new(PipelineObject.type))
            PipelineObject.of(object).prefetch([])
            let end = ObjectEnd(of: object)
            Self.dropOnAnotherThread(object)
            test.turn { end.wasOnMainThread != nil }
            XCTAssertEqual(end.wasOnMainThread, true)
        }
    }

    func testAViewReleasedOnAnotherThreadEndsOnTheMainThread() throws {
        try GtkFixture.run { test in
            let object = UnsafeMutableRawPointer(RemoteImageViewState.make())
            g_object_ref_sink(object)
            let view = RemoteImageViewState.of(object)
            var options = ImageOptions()
            options.loadOptions = .loadImmediately
            view.show(NetworkImage("http://test/a.png", options: options).pipeline(test.pipeline))
            let transfer = try test.transfer()
            let end = ObjectEnd(of: object)
            Self.dropOnAnotherThread(object)
            test.turn { end.wasOnMainThread != nil }
            XCTAssertEqual(end.wasOnMainThread, true)
            test.turn { transfer.isCancelled }
        }
    }

    func testAnImagePaintableReleasedOnAnotherThreadEndsOnTheMainThread() throws {
        try GtkFixture.run { test in
            let object = try Self.makeImage()
            let end = ObjectEnd(of: object)
            Self.dropOnAnotherThread(object)
            test.turn { end.wasOnMainThread != nil }
            XCTAssertEqual(end.wasOnMainThread, true)
        }
    }

    @MainActor
    private final class WeakModel {
        weak var model: NetworkImageModel?
    }

    /// A loading paintable, with the only reference to it.
    @MainActor
    private static func makePaintable(_ test: GtkFixture) throws -> (UnsafeMutableRawPointer, WeakModel) {
        let object = try XCTUnwrap(shim_object_new(PaintableObject.type))
        let state = PaintableObject.of(object)
        state.show("http://test/a.png", options: ImageOptions(), pipeline: test.pipeline, scale: 1)
        let model = WeakModel()
        model.model = state.model
        _ = try test.transfer()
        return (object, model)
    }

    /// The paintable of an image, with the only reference to it.
    @MainActor
    private static func makeImage() throws -> UnsafeMutableRawPointer {
        let size = PixelSize(width: 4, height: 4)
        let pixels = PixelBuffer(size: size, format: .rgb8) { $0.initializeMemory(as: UInt8.self, repeating: 7) }
        let info = ImageInfo(size: size, decodedSize: size, format: nil, origin: .memory)
        let image = try XCTUnwrap(ImagePaintable.make(LoadedImage(pixels: pixels, info: info)))
        return g_object_ref(image.pointer)
    }

    private static func dropOnAnotherThread(_ object: UnsafeMutableRawPointer) {
        let thread = g_thread_new(
            "dropper",
            { object in
                g_object_unref(object)
                return nil
            }, object)
        _ = g_thread_join(thread)
    }
}

/// Records whether an object ended on the main thread.
private final class ObjectEnd {
    private(set) var wasOnMainThread: Bool?

    init(of object: UnsafeMutableRawPointer) {
        // Called between dispose and finalize, by the thread that runs both.
        g_object_weak_ref(
            object.assumingMemoryBound(to: GObject.self),
            { data, _ in
                guard let data else { return }
                Unmanaged<ObjectEnd>.fromOpaque(data).takeRetainedValue().wasOnMainThread =
                    platform_is_main_thread() != 0
            }, Unmanaged.passRetained(self).toOpaque())
    }
}
