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

    package static let quark: GQuark = g_quark_from_static_string(g_intern_string("remote-image-error-quark"))

    /// Makes a `GError`. The caller frees it.
    package static func makeError(_ error: ImageError) -> UnsafeMutablePointer<GError>? {
        // Codes without an entry become `source`.
        let code = codes.firstIndex(of: error.code) ?? codes.firstIndex(of: .source) ?? 0
        return g_error_new_literal(quark, gint(code), error.localizedMessage)
    }
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
