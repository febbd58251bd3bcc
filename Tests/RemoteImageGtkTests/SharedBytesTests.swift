import CRemoteImageGtk
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageGtk

/// Files that are passed to GLib. The main thread used to copy them.
final class SharedBytesTests: XCTestCase {
    func testBytesOutliveTheirArrayWithoutACopy() throws {
        var array = [UInt8](repeating: 7, count: 100_000)
        let address = Self.address(of: array)
        let bytes = try XCTUnwrap(SharedBytes.make(array))
        defer { g_bytes_unref(bytes) }
        XCTAssertEqual(g_bytes_get_size(bytes), 100_000)
        XCTAssertEqual(g_bytes_get_data(bytes, nil), address)
        // The array gets another storage when it changes.
        array[0] = 8
        array = []
        let content = UnsafeRawBufferPointer(start: g_bytes_get_data(bytes, nil), count: 100_000)
        XCTAssertTrue(content.allSatisfy { $0 == 7 })
    }

    func testAnEmptyArrayIsEmptyBytes() throws {
        let bytes = try XCTUnwrap(SharedBytes.make([]))
        XCTAssertEqual(g_bytes_get_size(bytes), 0)
        g_bytes_unref(bytes)
    }

    func testAnAsynchronousCallReturnsTheBytesThemselves() throws {
        try GtkFixture.run { test in
            let array = [UInt8](repeating: 7, count: 100_000)
            let object = try XCTUnwrap(shim_object_new(PipelineObject.type))
            defer { g_object_unref(object) }
            let call = Call()
            AsyncCall.start(
                on: object, tag: nil, nil,
                { _, result, call in
                    guard let call else { return }
                    let bytes = g_task_propagate_pointer(result, nil)
                    Unmanaged<Call>.fromOpaque(call).takeRetainedValue().bytes = bytes.map { OpaquePointer($0) }
                }, Unmanaged.passRetained(call).toOpaque()
            ) { () async throws(ImageError) in .bytes(array) }
            test.turn { call.bytes != nil }
            defer { g_bytes_unref(call.bytes) }
            XCTAssertEqual(g_bytes_get_data(call.bytes, nil), Self.address(of: array))
        }
    }

    /// Only the main thread uses it.
    private final class Call {
        var bytes: OpaquePointer?
    }

    private static func address(of array: [UInt8]) -> UnsafeRawPointer? { array.withUnsafeBytes { $0.baseAddress } }
}
