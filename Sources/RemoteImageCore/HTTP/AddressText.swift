// The text of an address before libcurl parses it. Characters that no address may contain are
// refused, and those that need it are percent-encoded.
//
// libcurl's own encoding leaves `"<>|` unchanged, replaces a space in a query with a plus sign, and
// parses `http:///x` as the host x; browsers do none of this.

/// The text of an address without its fragment, in ASCII except for an international host name.
struct AddressText {
    let string: String
    private let original: [UInt8]

    /// Checks and encodes the text of an absolute address (RFC 3986 section 4.3) with the scheme
    /// http or https.
    init(absolute text: [UInt8]) throws(ImageError) {
        original = text
        try Self.checkBytes(of: text)
        guard let scheme = Self.scheme(of: text) else { throw Self.invalid(text, "not absolute") }
        guard WebAddress.Scheme(rawValue: scheme) != nil else {
            throw ImageError(.forbiddenScheme, Self.shortened(text))
        }
        let rest = text[(scheme.utf8.count + 1)...]
        guard rest.starts(with: "//".utf8) else { throw Self.invalid(text, "no host") }
        string = "\(scheme)://" + (try Self.encode(afterSlashes: rest.dropFirst(2), of: text))
    }

    /// Checks and encodes the text of a reference without a scheme (RFC 3986 section 4.2).
    init(relative text: [UInt8]) throws(ImageError) {
        original = text
        try Self.checkBytes(of: text)
        if text.starts(with: "//".utf8) {
            string = "//" + (try Self.encode(afterSlashes: text[2...], of: text))
        } else {
            string = Self.encode(text.prefix { $0 != UInt8(ascii: "#") })
        }
    }

    /// The scheme of the text in lower case; `nil` if it has none (RFC 3986 section 3.1).
    static func scheme(of text: [UInt8]) -> String? {
        guard let colon = text.firstIndex(where: { !isSchemeByte($0) }), text[colon] == UInt8(ascii: ":"),
            let first = text.first, isLetter(first)
        else { return nil }
        return String(decoding: text[..<colon], as: UTF8.self).lowercased()
    }

    static func isHostByte(_ byte: UInt8) -> Bool {
        isLetter(byte) || isDigit(byte) || "-._~".utf8.contains(byte)
    }

    // MARK: Errors

    func invalid(_ reason: String) -> ImageError {
        Self.invalid(original, reason)
    }

    /// The text for error messages, at most 200 bytes, since a `data:` address may be megabytes
    /// long.
    var shortened: String { Self.shortened(original) }

    private static func invalid(_ text: [UInt8], _ reason: String) -> ImageError {
        ImageError(.invalidURL, text.isEmpty ? "it is empty" : "\(reason): \(shortened(text))")
    }

    private static func shortened(_ text: [UInt8]) -> String {
        let limit = 200
        let text = UserInformation.removed(from: text)
        let printable = text.prefix(limit).map { isControl($0) ? UInt8(ascii: "?") : $0 }
        return String(decoding: printable, as: UTF8.self) + (text.count > limit ? "…" : "")
    }

    // MARK: Checks and encoding

    private static func checkBytes(of text: [UInt8]) throws(ImageError) {
        if text.contains(where: isControl) { throw invalid(text, "control characters") }
        let space = UInt8(ascii: " ")
        if text.first == space || text.last == space { throw invalid(text, "a space at an end") }
    }

    /// Checks the authority and encodes the user information, the path and the query.
    private static func encode(afterSlashes rest: ArraySlice<UInt8>, of text: [UInt8]) throws(ImageError) -> String {
        let authority = rest.prefix { !"/?#".utf8.contains($0) }
        // Some parsers read a backslash here as a slash and others as part of the user name, so a
        // check of the host might check a different host than the one that is used.
        if authority.isEmpty { throw invalid(text, "no host") }
        if authority.contains(where: { $0 < 0x80 && isUnsafe($0) }) { throw invalid(text, "bad host") }
        let path = rest[authority.endIndex...].prefix { $0 != UInt8(ascii: "#") }

        guard let at = authority.lastIndex(of: UInt8(ascii: "@")) else {
            return String(decoding: authority, as: UTF8.self) + encode(path)
        }
        return encode(authority[..<at]) + String(decoding: authority[at...], as: UTF8.self) + encode(path)
    }

    private static func encode(_ bytes: ArraySlice<UInt8>) -> String {
        guard bytes.contains(where: isUnsafe) else { return String(decoding: bytes, as: UTF8.self) }
        var encoded: [UInt8] = []
        encoded.reserveCapacity(bytes.count + 32)
        for byte in bytes {
            if isUnsafe(byte) {
                encoded += [UInt8(ascii: "%"), hexDigit(byte >> 4), hexDigit(byte & 15)]
            } else {
                encoded.append(byte)
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }

    /// Bytes that RFC 3986 allows nowhere in an address. Brackets and stray percent signs, which it
    /// allows only in some places, are common in queries and are left unchanged, as in browsers.
    private static func isUnsafe(_ byte: UInt8) -> Bool {
        byte <= 0x20 || byte >= 0x7F || "\"<>\\^`{|}".utf8.contains(byte)
    }

    private static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x7F }
    private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
    private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- UInt8(ascii: "a") < 26 }
    private static func isSchemeByte(_ byte: UInt8) -> Bool {
        isLetter(byte) || isDigit(byte) || "+-.".utf8.contains(byte)
    }
}
