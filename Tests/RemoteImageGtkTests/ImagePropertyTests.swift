import CRemoteImageGtk
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageGtk

/// The options that the properties of the GObject classes set.
final class ImagePropertyTests: XCTestCase {
    private func options(_ change: @MainActor @Sendable (inout ImageProperties) -> Void) -> ImageOptions {
        MainActor.assumeIsolated {
            var properties = ImageProperties()
            change(&properties)
            return properties.options
        }
    }

    func testPropertiesWithTheirDefaultsSetNoOption() {
        XCTAssertTrue(options { _ in }.isEmpty)
    }

    // MARK: Loading

    func testPropertiesThatLimitALoadSetTheirOptions() {
        XCTAssertEqual(options { $0.loading.expiry = 0 }, ImageOptions(expiry: .zero))
        XCTAssertEqual(options { $0.loading.expiry = 90 }, ImageOptions(expiry: .seconds(90)))
        XCTAssertEqual(options { $0.loading.delay = 20 }, ImageOptions(delay: .milliseconds(20)))
        XCTAssertEqual(options { $0.loading.timeout = 5 }, ImageOptions(timeout: .seconds(5)))
        XCTAssertEqual(options { $0.loading.showsStored = true }, ImageOptions(cachePolicy: .staleWhileRevalidate))
        XCTAssertEqual(options { $0.loading.viewportMargin = 0 }.viewportMargin, 0)
        XCTAssertEqual(options { $0.loading.disappearDelay = 0 }.disappearDelay, .zero)
    }

    func testEachPreviewHasTheNumberOfItsFlag() {
        for (number, previews) in [(1, PreviewOptions.embeddedThumbnail), (2, .progressive)] {
            XCTAssertEqual(options { $0.loading.previews = UInt32(number) }, ImageOptions(previews: previews))
        }
    }

    func testRetriesKeepTheOtherDefaultsOfThePolicy() {
        XCTAssertEqual(
            options { $0.loading.maxRetries = 5 }, ImageOptions(retryPolicy: .standard(maxRetryCount: 5)))
        XCTAssertEqual(options { $0.loading.maxRetries = 0 }, ImageOptions(retryPolicy: .never))
        XCTAssertEqual(
            options { $0.loading.waitsForNetwork = true },
            ImageOptions(retryPolicy: .standard(waitsForConnectivity: true)))
    }

    // MARK: Previews and sizes

    func testABlurHashHasTheAspectRatioOfTheImage() {
        func hash(_ change: @Sendable (inout DisplayProperties) -> Void) -> PreviewHash? {
            options {
                $0.display.blurHash = "hash"
                change(&$0.display)
            }.previewHash
        }
        XCTAssertEqual(hash { _ in }, .blurHash("hash"))
        XCTAssertEqual(hash { $0.aspectRatio = 2 }, .blurHash("hash", aspectRatio: 2))
        XCTAssertEqual(hash { ($0.reservedWidth, $0.reservedHeight) = (30, 10) }, .blurHash("hash", aspectRatio: 3))
        XCTAssertEqual(hash { $0.reservedWidth = 30 }, .blurHash("hash"))
    }

    func testAThumbHashTakesPrecedenceOverABlurHash() {
        let options = options { ($0.thumbHash, $0.display.blurHash) = ("thumb", "blur") }
        XCTAssertEqual(options.previewHash, .thumbHash("thumb"))
    }

    func testAReservedSizeNeedsBothSidesOrAnAspectRatio() {
        func size(_ width: Int32, _ height: Int32, _ ratio: Double) -> ReservedSize? {
            options {
                ($0.display.reservedWidth, $0.display.reservedHeight, $0.display.aspectRatio) = (width, height, ratio)
            }.reservedSize
        }
        XCTAssertNil(size(0, 0, 0))
        XCTAssertNil(size(10, 0, 0))
        XCTAssertNil(size(0, 10, 0))
        XCTAssertEqual(size(0, 0, 1.5), .aspectRatio(1.5))
        XCTAssertEqual(size(30, 20, 7), .points(width: 30, height: 20))
        XCTAssertEqual(size(30, 0, 1.5), .points(width: 30, height: 20))
        XCTAssertEqual(size(0, 20, 1.5), .points(width: 30, height: 20))
        XCTAssertEqual(size(0, 32767, 10_000), .points(width: 1_000_000, height: 32767))
        XCTAssertEqual(size(30, 0, .leastNonzeroMagnitude), .points(width: 30, height: 1_000_000))
    }

    func testCachedImagesTakePartInATransitionOnly() {
        XCTAssertTrue(options { $0.display.transitionsCached = true }.isEmpty)
        let both = options { ($0.transitionDuration, $0.display.transitionsCached) = (200, true) }
        XCTAssertEqual(both.transition, .crossFade(.milliseconds(200), appliesToMemoryHits: true))
        XCTAssertFalse(options { $0.transitionDuration = 200 }.transition.appliesToMemoryHits)
    }

    // MARK: Processors

    func testAnEqualProcessorChangesNothing() throws {
        try GtkFixture.run { test in
            let view = try XCTUnwrap(RemoteImageView(of: RemoteImageViewState.make()))
            test.watch(view.content, "the view")
            view.content.imagePipeline = test.pipeline
            shim_set_pointer(view.pointer, "uri", "http://test/a.png")
            Self.set([.grayscale, .circle()], of: view)
            test.show(view.pointer)
            XCTAssertEqual(view.model.options.processors.map(\.identity), ["grayscale", "circle()"])
            try test.transfer().succeed(TestImage(100, width: 60, height: 40).bytes)
            test.turn { view.model.phase.kind == .success }
            Self.set([.grayscale, .circle()], of: view)
            XCTAssertEqual(view.model.phase.kind, .success)
            Self.set([.grayscale], of: view)
            XCTAssertEqual(view.model.phase.kind, .loading)
            // The pipeline of the test has no store.
            try test.transfer(2).succeed(TestImage(100, width: 60, height: 40).bytes)
            test.turn { view.model.phase.kind == .success }
        }
    }

    @MainActor
    private static func set(_ processors: [ImageProcessor], of view: RemoteImageView) {
        guard let object = ProcessorObject.make(processors) else { return XCTFail("no processor") }
        shim_set_pointer(view.pointer, "processor", object)
        g_object_unref(object)
    }
}
