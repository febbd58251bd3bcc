import CRemoteImageGtk
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageGtk

/// The property `stored-sizes` of the GObject classes, and the options that it sets.
final class ResizedImagesPropertyTests: XCTestCase {
    func testAViewSetsTheOptionOfItsRequests() throws {
        try GtkFixture.run { test in
            let view = try XCTUnwrap(RemoteImageView(of: RemoteImageViewState.make()))
            test.watch(view.content, "the view")
            view.content.imagePipeline = test.pipeline
            shim_set_pointer(view.pointer, "uri", "http://test/a.png")
            test.show(view.pointer)
            XCTAssertEqual(view.model.options.cachesResizedImages, true)
            shim_set_number(view.pointer, "stored-sizes", 0)
            XCTAssertEqual(view.model.options.cachesResizedImages, false)
            shim_set_number(view.pointer, "stored-sizes", 1)
            XCTAssertEqual(view.model.options.cachesResizedImages, true)
            _ = try test.transfer()
            XCTAssertEqual(test.transport.transfers.count, 1, "The running load continues.")
        }
    }

    func testAPaintableSetsTheOptionOfItsRequests() throws {
        try GtkFixture.run { test in
            let object = try XCTUnwrap(shim_object_new(PaintableObject.type))
            shim_set_pointer(object, "uri", "file:///none.png")
            shim_set_number(object, "stored-sizes", 0)
            XCTAssertEqual(PaintableObject.of(object).model.options.cachesResizedImages, false)
            shim_set_number(object, "stored-sizes", 1)
            XCTAssertEqual(PaintableObject.of(object).model.options.cachesResizedImages, true)
            g_object_unref(object)
        }
    }

    func testAPipelineSetsTheOptionOfAllItsRequests() throws {
        try GtkFixture.run { _ in
            for (value, expected) in [(0, false), (1, true)] {
                let object = try XCTUnwrap(shim_object_new(PipelineObject.type))
                shim_set_number(object, "stored-sizes", Int32(value))
                let configuration = PipelineObject.of(object).pipeline.configuration
                XCTAssertEqual(configuration.options.cachesResizedImages, expected)
                g_object_unref(object)
            }
        }
    }

    func testAViewKeepsTheOptionOfItsPipelineByDefault() throws {
        let own = MainActor.assumeIsolated { ImageProperties().options }
        let options = own.merged(over: ImageOptions(cachesResizedImages: false))
        XCTAssertEqual(options.cachesResizedImages, false)
    }
}
