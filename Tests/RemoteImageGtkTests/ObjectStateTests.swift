import CRemoteImageGtk
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageCore
@testable import RemoteImageGtk

/// The GObjects that programs in other languages hold: sources, processors and pipelines.
final class ObjectStateTests: XCTestCase {
    /// The error with which a source fails.
    @MainActor
    private static func error(
        of source: ImageSource, in pipeline: ImagePipeline, _ test: GtkFixture
    ) -> ImageError? {
        let pending = PendingImage(ImageRequest(source), in: pipeline)
        var errors: [ImageError?] = []
        Task {
            do { _ = try await pending.image } catch { errors.append(error as? ImageError) }
        }
        test.turn { errors.count == 1 }
        return errors.first.flatMap { $0 }
    }

    func testASourceThatNoConstructorMadeFails() {
        GtkFixture.run { test in
            let object = ObjectReference(owned: shim_object_new(SourceObject.type))
            let error = Self.error(of: SourceObject.of(object.pointer).source, in: test.pipeline, test)
            XCTAssertEqual(error?.code, .source)
            XCTAssertEqual(error?.detail, "the source was not made by one of its constructors")
        }
    }

    func testAProcessorHasItsStepsInTheirOrder() throws {
        try GtkFixture.run { _ in
            let object = ObjectReference(owned: try XCTUnwrap(ProcessorObject.make([.grayscale, .circle()])))
            XCTAssertEqual(ProcessorObject.of(object.pointer).description, "grayscale, circle()")
            XCTAssertEqual(
                ProcessorObject.processors(in: ObjectSlot(object.pointer)).map(\.identity), ["grayscale", "circle()"])
            XCTAssertEqual(ProcessorObject.processors(in: ObjectSlot(nil)).map(\.identity), [])
            let empty = ObjectReference(owned: try XCTUnwrap(shim_object_new(ProcessorObject.type)))
            XCTAssertEqual(ProcessorObject.of(empty.pointer).description, "")
        }
    }

    func testTheCurrentImageOfAPaintableIsItsTextureWithAllPixels() throws {
        try GtkFixture.run { test in
            let object = ObjectReference(owned: shim_object_new(PaintableObject.type))
            let (state, paintable) = (PaintableObject.of(object.pointer), OpaquePointer(object.pointer))
            state.show("http://test/a.png", options: ImageOptions(), pipeline: test.pipeline, scale: 2)
            let before = try XCTUnwrap(gdk_paintable_get_current_image(paintable))
            XCTAssertEqual(gdk_paintable_get_intrinsic_width(before), 0)
            XCTAssertEqual(gdk_paintable_get_intrinsic_height(before), 0)
            g_object_unref(UnsafeMutableRawPointer(before))
            try test.transfer().succeed(TestImage(5, width: 60, height: 40).bytes)
            test.turn { state.texturePointer != nil }
            let image = try XCTUnwrap(gdk_paintable_get_current_image(paintable))
            XCTAssertEqual(UnsafeMutableRawPointer(image), state.texturePointer)
            XCTAssertEqual([gdk_texture_get_width(image), gdk_texture_get_height(image)], [60, 40])
            g_object_unref(UnsafeMutableRawPointer(image))
            XCTAssertEqual(gdk_paintable_get_intrinsic_width(paintable), 30)
            XCTAssertEqual(gdk_paintable_get_intrinsic_height(paintable), 20)
        }
    }

    func testBytesOfGLibAreCopied() throws {
        for bytes in [[], [7], [1, 2, 3]] as [[UInt8]] {
            let shared = try XCTUnwrap(SharedBytes.make(bytes))
            XCTAssertEqual([UInt8](gbytes: shared), bytes)
            g_bytes_unref(shared)
        }
    }

    // MARK: Pipelines

    func testAPrefetchRunsUntilItIsCancelled() {
        GtkFixture.run { test in
            let object = ObjectReference(owned: shim_object_new(PipelineObject.type))
            let log = Watched<[String]>([])
            let source = ImageSource.provider(
                ClosureImageProvider(identity: "waiting") {
                    log.update { $0.append("begun") }
                    do throws(ImageError) { try await Promise<Void>().value } catch {
                        log.update { $0.append(error.code.rawValue) }
                        throw error
                    }
                    throw ImageError(.source)
                })
            let state = PipelineObject.of(object.pointer)
            state.prefetch([ImageRequest(source)])
            test.turn { log.value == ["begun"] }
            state.cancelPrefetch()
            test.turn { log.value == ["begun", "cancelled"] }
        }
    }

    /// The filter did not see the requests and responses so far.
    func testAFilterThatIsSetAfterTheFirstUseFailsTheLoads() {
        GtkFixture.run { test in
            let object = ObjectReference(owned: shim_object_new(PipelineObject.type))
            let state = PipelineObject.of(object.pointer)
            let pipeline = state.pipeline
            let criticals = Criticals()
            XCTAssertFalse(state.isFilterable())
            XCTAssertEqual(criticals.messages.count, 1)
            XCTAssertEqual(
                Self.error(of: "http://127.0.0.1:1/a.png", in: pipeline, test),
                ImageError(.source, "a filter was set after the first use of the pipeline"))
        }
    }

    func testAnExplicitDisposalOfAPipelineReleasesItsFilters() {
        GtkFixture.run { _ in
            let object = ObjectReference(owned: shim_object_new(PipelineObject.type))
            let filters = PipelineObject.of(object.pointer).filters
            (filters.request, filters.response) = ({ _ in }, { _ in nil })
            // A cycle through the data of a filter holds another reference.
            let other = ObjectReference(borrowing: object.pointer)
            g_object_run_dispose(object.pointer.assumingMemoryBound(to: GObject.self))
            XCTAssertTrue(filters.request == nil && filters.response == nil)
            withExtendedLifetime(other) {}
        }
    }

    /// Running loads may still need them.
    func testAPipelineKeepsItsFiltersWhenItsLastReferenceIsReleased() throws {
        try GtkFixture.run { _ in
            let object = try XCTUnwrap(shim_object_new(PipelineObject.type))
            let filters = PipelineObject.of(object).filters
            (filters.request, filters.response) = ({ _ in }, { _ in nil })
            g_object_unref(object)
            XCTAssertTrue(filters.request != nil && filters.response != nil)
        }
    }

    func testARefusedPropertyIsNotNotified() {
        GtkFixture.run { test in
            let object = ObjectReference(owned: shim_object_new(PipelineObject.type))
            let state = PipelineObject.of(object.pointer)
            var log: [String] = []
            let handlers = SignalConnections()
            for name in ["timeout", "proxy"] {
                handlers.connect(property: name, of: object.pointer) { log.append(name) }
            }
            shim_set_number(object.pointer, "timeout", 5)
            XCTAssertEqual(log, ["timeout"])
            _ = state.pipeline
            let criticals = Criticals()
            shim_set_number(object.pointer, "timeout", 6)
            XCTAssertEqual(criticals.messages.count, 1)
            XCTAssertEqual(log, ["timeout"])
            shim_set_pointer(object.pointer, "proxy", "none")
            XCTAssertEqual(log, ["timeout", "proxy"])
            XCTAssertEqual([shim_get_int(object.pointer, "timeout")], [5])
            handlers.end()
        }
    }
}
