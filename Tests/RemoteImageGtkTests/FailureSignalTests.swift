import CRemoteImageGtk
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageGtk

/// The signal `failed` of pipelines, which reports the failed requests of all views.
final class FailureSignalTests: XCTestCase {
    func testAPipelineReportsTheFailuresOfItsRequests() throws {
        try GtkFixture.run { test in
            let object = try XCTUnwrap(shim_object_new(PipelineObject.type))
            let pipeline = PipelineObject.of(object).pipeline
            pipeline.start(ImageRequest("photo.jpg"))
            test.settle()
            let failures = Self.failures(of: object)
            pipeline.start(ImageRequest("film.jpg"), isVisible: true)
            test.turn { !failures.value.isEmpty }
            XCTAssertEqual(failures.value, ["film.jpg true"])
            g_object_unref(object)
        }
    }

    func testTheDefaultPipelineReportsTheFailuresOfTheSharedOne() throws {
        GtkFixture.run { test in
            _ = PipelineObject.defaultPipeline
            let failures = Self.failures(of: PipelineObject.defaultInstance)
            ImagePipeline.shared.start(ImageRequest("photo.jpg"))
            test.turn { !failures.value.isEmpty }
            XCTAssertEqual(failures.value, ["photo.jpg false"])
            g_signal_handler_disconnect(PipelineObject.defaultInstance, failures.handler)
        }
    }

    func testARequestThatFailsAfterTheObjectIsReleasedIsNotReported() throws {
        try GtkFixture.run { test in
            let object = try XCTUnwrap(shim_object_new(PipelineObject.type))
            let pipeline = PipelineObject.of(object).pipeline
            let failures = Self.failures(of: object)
            pipeline.start(ImageRequest("photo.jpg"))
            // The failure is on its way to the main thread.
            XCTAssertEqual(shim_reference_count(object), 1)
            g_object_unref(object)
            pipeline.start(ImageRequest("film.jpg"))
            test.settle()
            XCTAssertEqual(failures.value, [])
        }
    }

    private final class Failures {
        var value: [String] = []
        var handler: gulong = 0
    }

    @MainActor
    private static func failures(of object: UnsafeMutableRawPointer) -> Failures {
        let failures = Failures()
        failures.handler = SignalClosure.connect("failed", of: object) { (uri: String, isVisible: Bool) in
            failures.value.append("\(uri) \(isVisible)")
        }
        return failures
    }
}
