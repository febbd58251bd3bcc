// The GLib error domain `remote-image-error-quark` with the codes of `RemoteImageError`.

import CRemoteImageGtk

/// Turns an `ImageError` into a `GError`.
package enum ImageErrorDomain {
    /// The codes in the order of the C header. Add new codes at the end, since the numbers are part
    /// of the binary interface.
    package static let codes: [ImageError.Code] = [
        .invalidURL, .forbiddenScheme, .forbiddenAddress, .connection, .timeout, .tls, .tooManyRedirects, .protocol,
        .incomplete, .tooLarge, .httpStatus, .emptyBody, .encoding, .notAnImage, .unsupportedFormat, .corrupt,
        .tooManyPixels, .decodeTimeout, .processing, .source, .notStored, .cancelled, .io,
    ]

    /// The domain, whose errors have an HTTP status before the `GError` (GLib's extended errors).
    package static let quark: GQuark = g_error_domain_register(
        "remote-image-error-quark", gsize(MemoryLayout<Int32>.size), { _ in },
        { old, new in
            if let old, let new { status(in: new).pointee = status(in: old).pointee }
        }, { _ in })

    /// The place of the status, which GLib aligns to twice the size of a pointer and sets to 0.
    private static func status(in error: UnsafePointer<GError>) -> UnsafeMutablePointer<Int32> {
        (UnsafeMutableRawPointer(mutating: error) - 2 * MemoryLayout<gsize>.size).assumingMemoryBound(to: Int32.self)
    }

    /// The HTTP status of the response; 0 for none, and for an error of another domain.
    package static func status(of error: UnsafePointer<GError>) -> Int32 {
        error.pointee.domain == quark ? status(in: error).pointee : 0
    }

    /// Makes a `GError`. The caller frees it.
    package static func makeError(_ error: ImageError) -> UnsafeMutablePointer<GError>? {
        // Codes without an entry become `source`.
        let code = codes.firstIndex(of: error.code) ?? codes.firstIndex(of: .source) ?? 0
        let new = g_error_new_literal(quark, gint(code), error.localizedDescription)
        if let new { status(in: new).pointee = Int32(clamping: error.responseStatus ?? 0) }
        return new
    }
}

extension ImageError {
    /// The HTTP status of the response, also of one with a damaged image.
    var responseStatus: Int? { status ?? info?.status }
}

extension ImageError.Code {
    /// The nick of the code in GObject spelling, for example `http-status`.
    var nick: String {
        switch self {
        case .invalidURL: return "invalid-url"
        case .notAnImage: return "not-an-image"
        default:
            return rawValue.reduce(into: "") { nick, letter in
                nick += letter.isUppercase ? "-\(letter.lowercased())" : String(letter)
            }
        }
    }
}
