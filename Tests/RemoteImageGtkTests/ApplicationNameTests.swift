import CRemoteImageGtk
import XCTest

@testable import RemoteImageGtk

/// The application name under which responses are stored. A program without GLib has none.
final class ApplicationNameTests: XCTestCase {
    func testTheNameIsTheApplicationIDOrTheProgramName() throws {
        let program = g_get_prgname().map { String(cString: $0) }
        if let program { XCTAssertEqual(ImagePipeline.applicationName, program) }
        let application = try XCTUnwrap(g_application_new("io.github.example.Viewer", shim_application_non_unique))
        let known = g_application_get_default()
        g_application_set_default(application)
        XCTAssertEqual(ImagePipeline.applicationName, "io.github.example.Viewer")
        g_application_set_default(known)
        g_object_unref(application)
    }
}
