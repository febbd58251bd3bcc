// Converts text to a normalised address. libcurl splits it into its parts; `AddressText` first
// checks and encodes what libcurl is lenient about or leaves unchanged.

import CRemoteImageCurl

/// Parses addresses with libcurl's URL functions.
///
/// International host names are converted to their ASCII form (IDNA). libcurl supports that only in
/// a UTF-8 locale, so the program calls `setlocale` when it starts; otherwise such names are
/// invalid.
enum AddressParser {
    static func parse(_ text: String) throws(ImageError) -> WebAddress {
        try parse(AddressText(absolute: Array(text.utf8)))
    }

    /// Resolves `reference` against `base` (RFC 3986 section 5). The reference is the value of a
    /// `Location` header, as bytes because servers put UTF-8 there.
    static func resolve(_ reference: [UInt8], against base: WebAddress) throws(ImageError) -> WebAddress {
        try parse(AddressText(reference, relativeTo: base))
    }

    private static func parse(_ text: AddressText) throws(ImageError) -> WebAddress {
        let parsed = CurlAddress()
        if let problem = parsed.set(CURLUPART_URL, text.string) { throw text.invalid(problem) }

        guard let scheme = parsed.get(CURLUPART_SCHEME).flatMap(WebAddress.Scheme.init(rawValue:)) else {
            throw ImageError(.forbiddenScheme, text.shortened)
        }
        guard let written = parsed.get(CURLUPART_HOST), let ascii = parsed.get(CURLUPART_HOST, CURLU_PUNYCODE),
            ascii.utf8.allSatisfy({ $0 < 0x80 })
        else { throw text.invalid("international host names need a UTF-8 locale") }
        guard let port = parsed.get(CURLUPART_PORT, CURLU_DEFAULT_PORT).flatMap({ UInt16($0) }), port != 0 else {
            throw text.invalid("bad port")
        }

        var host = ascii.lowercased()
        if host.hasPrefix("[") {
            // libcurl has checked and normalised the IPv6 address.
            if let zone = parsed.get(CURLUPART_ZONEID) { host = "\(host.dropLast())%25\(zone)]" }
        } else {
            guard host.utf8.allSatisfy(AddressText.isHostByte) else { throw text.invalid("bad host") }
            if host != written, let problem = parsed.set(CURLUPART_HOST, host) { throw text.invalid(problem) }
        }
        guard let string = parsed.get(CURLUPART_URL, CURLU_NO_DEFAULT_PORT) else { throw text.invalid("no address") }
        return WebAddress(string: string, scheme: scheme, host: host, port: port)
    }
}

/// Owns a `CURLU`.
private struct CurlAddress: ~Copyable {
    private let handle: OpaquePointer?

    init() { handle = curl_url() }
    deinit { curl_url_cleanup(handle) }

    /// Returns `nil`, or the reason for which libcurl refuses the value.
    func set(_ part: CURLUPart, _ value: String) -> String? {
        // Any scheme is accepted here; the caller checks the scheme and reports other ones.
        let code = curl_url_set(handle, part, value, UInt32(CURLU_NON_SUPPORT_SCHEME))
        return code == CURLUE_OK ? nil : String(cString: curl_url_strerror(code))
    }

    func get(_ part: CURLUPart, _ flags: Int32 = 0) -> String? {
        var value: UnsafeMutablePointer<CChar>?
        guard curl_url_get(handle, part, &value, UInt32(flags)) == CURLUE_OK, let value else { return nil }
        defer { curl_free(value) }
        return String(validatingCString: value)
    }
}
