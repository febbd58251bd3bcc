// The text of an address before libcurl parses it, read as browsers do (the URL standard,
// https://url.spec.whatwg.org): white space is removed, `\` is a slash, and characters that need it
// are percent-encoded.
//
// libcurl's own encoding leaves `"<>|` unchanged and replaces a space in a query with a plus sign,
// and libcurl refuses white space. Unlike browsers, this refuses `\` in and before the authority:
// some parsers take it for a part of the user name, so a program might check a different host than
// the one that is used.

/// The text of an address without its fragment, in ASCII except for an international host name.
struct AddressText {
    let string: String
    private let original: [UInt8]

    /// Checks and encodes the text of an absolute address (RFC 3986 section 4.3) with the scheme
    /// http or https.
    init(absolute text: [UInt8]) throws(ImageError) {
        let text = Self.trimmed(text)
        original = text
        guard let scheme = Self.scheme(of: text[...]) else { throw Self.invalid(text, "not absolute") }
        guard WebAddress.Scheme(rawValue: scheme) != nil else {
            throw ImageError(.forbiddenScheme, Self.shortened(text))
        }
        let rest = text[(scheme.utf8.count + 1)...]
        string = try "\(scheme)://" + Self.encode(afterSlashes: rest.drop { $0 == Self.slash }, of: text)
    }

    /// Resolves a reference, which may also be an absolute address, against `base`.
    init(_ reference: [UInt8], relativeTo base: WebAddress) throws(ImageError) {
        let text = Self.trimmed(reference)
        var rest = text.prefix { $0 != UInt8(ascii: "#") }
        if let scheme = Self.scheme(of: rest) {
            rest = rest.dropFirst(scheme.utf8.count + 1)
            // `http:a` is relative to a base with the same scheme.
            guard scheme == base.scheme.rawValue, !rest.starts(with: "//".utf8) else {
                self = try AddressText(absolute: text)
                return
            }
        }
        original = text
        if rest.prefix(2).count(where: Self.isSlash) == 2 {
            string =
                try "\(base.scheme.rawValue)://"
                + Self.encode(afterSlashes: rest.drop { $0 == Self.slash }, of: text)
        } else {
            string = base.prefix(for: rest.first) + Self.encode(path: rest)
        }
    }

    /// The text without white space and control characters around it, and without tabs and line
    /// breaks within it.
    static func trimmed(_ text: [UInt8]) -> [UInt8] {
        guard needsTrimming(text) else { return text }
        guard let first = text.firstIndex(where: { $0 > 0x20 }), let last = text.lastIndex(where: { $0 > 0x20 })
        else { return [] }
        return text[first...last].filter { !isRemoved($0) }
    }

    static func trimmed(_ text: String) -> String {
        needsTrimming(text.utf8) ? String(decoding: trimmed(Array(text.utf8)), as: UTF8.self) : text
    }

    private static func needsTrimming(_ text: some BidirectionalCollection<UInt8>) -> Bool {
        (text.first ?? 0xFF) <= 0x20 || (text.last ?? 0xFF) <= 0x20 || text.contains(where: isRemoved)
    }

    /// The scheme of the text in lower case; `nil` if it has none (RFC 3986 section 3.1).
    static func scheme(of text: some Collection<UInt8>) -> String? {
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

    /// Checks the authority and encodes the user information, the path and the query.
    private static func encode(afterSlashes rest: ArraySlice<UInt8>, of text: [UInt8]) throws(ImageError) -> String {
        let authority = rest.prefix { !"/?#".utf8.contains($0) }
        if authority.isEmpty { throw invalid(text, "no host") }
        if authority.contains(where: { $0 < 0x80 && isUnsafe($0) }) { throw invalid(text, "bad host") }
        let path = encode(path: rest[authority.endIndex...].prefix { $0 != UInt8(ascii: "#") })

        guard let at = authority.lastIndex(of: UInt8(ascii: "@")) else {
            return String(decoding: authority, as: UTF8.self) + path
        }
        return encode(authority[..<at], isUnsafe) + String(decoding: authority[at...], as: UTF8.self) + path
    }

    /// Encodes a path and a query.
    private static func encode(path text: ArraySlice<UInt8>) -> String {
        let path = text.prefix { $0 != UInt8(ascii: "?") }
        let slashed = path.contains(UInt8(ascii: "\\")) ? path.map { isSlash($0) ? slash : $0 }[...] : path
        return withPlainDots(encode(slashed, isUnsafe)) + encode(text[path.endIndex...], isUnsafeInQuery)
    }

    /// The path with the dots of encoded dot segments, which libcurl leaves unchanged.
    private static func withPlainDots(_ path: String) -> String {
        guard path.utf8.contains(UInt8(ascii: "%")) else { return path }
        return path.split(separator: "/", omittingEmptySubsequences: false).map { segment -> Substring in
            switch segment.lowercased() {
            case "%2e": "."
            case "%2e.", ".%2e", "%2e%2e": ".."
            default: segment
            }
        }.joined(separator: "/")
    }

    static func encode(_ bytes: ArraySlice<UInt8>, _ isUnsafe: (UInt8) -> Bool) -> String {
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
    /// allows only in some places, are common and are left unchanged, as in browsers.
    private static func isUnsafe(_ byte: UInt8) -> Bool {
        byte <= 0x20 || byte >= 0x7F || "\"<>\\^`{|}".utf8.contains(byte)
    }

    /// Bytes that browsers encode in a query.
    private static func isUnsafeInQuery(_ byte: UInt8) -> Bool {
        byte <= 0x20 || byte >= 0x7F || "\"<>'".utf8.contains(byte)
    }

    private static let slash = UInt8(ascii: "/")
    static func isSlash(_ byte: UInt8) -> Bool { byte == slash || byte == UInt8(ascii: "\\") }
    private static func isRemoved(_ byte: UInt8) -> Bool { byte == 0x09 || byte == 0x0A || byte == 0x0D }
    private static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x7F }
    private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
    private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- UInt8(ascii: "a") < 26 }
    private static func isSchemeByte(_ byte: UInt8) -> Bool {
        isLetter(byte) || isDigit(byte) || "+-.".utf8.contains(byte)
    }
}

extension WebAddress {
    /// The part of this address that precedes a relative reference with this first byte.
    fileprivate func prefix(for first: UInt8?) -> Substring {
        guard let first else { return string[...] }
        let query = string.firstIndex(of: "?") ?? string.endIndex
        return switch first {
        case UInt8(ascii: "?"): string[..<query]
        case UInt8(ascii: "/"), UInt8(ascii: "\\"): string[..<path.startIndex]
        default: string[...(path.lastIndex(of: "/") ?? path.startIndex)]
        }
    }
}
