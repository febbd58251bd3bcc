import CRemoteImageGtk
import RemoteImageGtk
import XCTest

final class ErrorDomainTests: XCTestCase {
    func testEveryCodeHasItsOwnNumber() {
        XCTAssertEqual(ImageErrorDomain.codes.count, ImageError.Code.allCases.count)
        XCTAssertEqual(Set(ImageErrorDomain.codes), Set(ImageError.Code.allCases))
    }

    func testAnErrorHasADomainACodeAndAMessage() throws {
        let error = try XCTUnwrap(ImageErrorDomain.makeError(ImageError(.timeout, "It took too long.")))
        defer { g_error_free(error) }
        XCTAssertEqual(String(cString: g_quark_to_string(error.pointee.domain)), "remote-image-error-quark")
        XCTAssertEqual(Int(error.pointee.code), ImageErrorDomain.codes.firstIndex(of: .timeout))
        XCTAssertEqual(String(cString: error.pointee.message), "The server took too long")
    }
}
