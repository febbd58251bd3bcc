// The errors with which a program answers a request.

import CRemoteImageGtk

extension ImageError {
    /// The error of the program: the same code for an error of this library, a code of connections
    /// for network errors of GIO, else ``ImageError/Code/source``.
    ///
    /// Errors that report a cancellation become ``ImageError/Code/source``, since only the library
    /// cancels loads.
    ///
    /// - Parameters:
    ///   - hidesMessage: Whether the message is left out, because it may contain a secret.
    ///   - isForPeople: Whether views show the message.
    package init(ofProgram error: UnsafePointer<GError>, hidesMessage: Bool = false, isForPeople: Bool = false) {
        let (domain, number) = (error.pointee.domain, error.pointee.code)
        let name = g_quark_to_string(domain).map { String(cString: $0) } ?? "unknown domain"
        let message = hidesMessage ? nil : error.pointee.message.map { String(cString: $0) }
        self.init(
            Self.code(domain, number),
            "the program failed the request: \(name) \(number)" + (message.map { ", \($0)" } ?? ""),
            message: isForPeople ? message : nil)
    }

    private static func code(_ domain: GQuark, _ number: gint) -> Code {
        if domain == ImageErrorDomain.quark, ImageErrorDomain.codes.indices.contains(Int(number)) {
            let code = ImageErrorDomain.codes[Int(number)]
            return code == .cancelled ? .source : code
        }
        if domain == g_resolver_error_quark() { return .connection }
        if domain == g_tls_error_quark() { return .tls }
        guard domain == g_io_error_quark() else { return .source }
        switch UInt32(bitPattern: number) {
        case G_IO_ERROR_TIMED_OUT.rawValue: return .timeout
        case G_IO_ERROR_HOST_NOT_FOUND.rawValue, G_IO_ERROR_HOST_UNREACHABLE.rawValue,
            G_IO_ERROR_NETWORK_UNREACHABLE.rawValue, G_IO_ERROR_CONNECTION_REFUSED.rawValue,
            G_IO_ERROR_CONNECTION_CLOSED.rawValue, G_IO_ERROR_NOT_CONNECTED.rawValue,
            G_IO_ERROR_PROXY_FAILED.rawValue, G_IO_ERROR_PROXY_AUTH_FAILED.rawValue:
            return .connection
        default: return .source
        }
    }
}
