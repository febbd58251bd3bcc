import Glibc
import RemoteImageCore

/// A file that is deleted when the last reference is released.
public final class TemporaryFile: Sendable {
    public let path: String

    public init(_ bytes: [UInt8]) throws {
        var template = Array("/tmp/remote-image-test-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw ImageError(.io, String(cString: strerror(errno))) }
        path = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
        let count = write(descriptor, bytes, bytes.count)
        close(descriptor)
        guard count == bytes.count else { throw ImageError(.io, path) }
    }

    deinit { unlink(path) }
}
