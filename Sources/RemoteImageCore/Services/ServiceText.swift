// Text in the addresses of image services.

enum ServiceText {
    /// Percent-encodes text for one component of an address: all bytes but the unreserved ones
    /// (RFC 3986 section 2.3) and those in `allowed`.
    static func encoded(_ text: String, allowing allowed: String = "") -> String {
        AddressText.encode(Array(text.utf8)[...]) { !AddressText.isHostByte($0) && !allowed.utf8.contains($0) }
    }

    /// Percent-encodes the path or address of an original, and keeps its slashes and colons.
    ///
    /// Throws ``ImageError/Code/invalidURL`` if it is empty, contains control characters, or has a
    /// segment `.` or `..`: such a segment would be resolved within the address of the service, so
    /// that another image would be requested than the signed one.
    static func encodedPath(_ path: String) throws(ImageError) -> String {
        guard !path.isEmpty else { throw ImageError(.invalidURL, "the path of the image is empty") }
        guard path.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw ImageError(.invalidURL, "the path of the image has control characters")
        }
        let segments = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard !segments.contains(where: { $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) }) else {
            throw ImageError(.invalidURL, "the path of the image has a segment . or ..: \(path.prefix(200))")
        }
        return encoded(path, allowing: "/:")
    }

    /// The address of a server without slashes at its end.
    static func base(_ address: String) -> String {
        var base = address[...]
        while base.last == "/" { base.removeLast() }
        return String(base)
    }

    /// Base64 for addresses, without padding (RFC 4648 section 5).
    static func base64(_ bytes: [UInt8], isPadded: Bool = false) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
            for index in 0...group.count { text.append(alphabet[Int(bits >> UInt32(18 - 6 * index) & 63)]) }
            if isPadded { text += [UInt8](repeating: UInt8(ascii: "="), count: 3 - group.count) }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes of hexadecimal digits; `nil` for other text.
    static func bytes(ofHexadecimal text: String) -> [UInt8]? {
        let digits = text.utf8.map { Character(UnicodeScalar($0)).hexDigitValue }
        guard digits.count.isMultiple(of: 2), !digits.contains(nil) else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { UInt8((digits[$0] ?? 0) << 4 | (digits[$0 + 1] ?? 0)) }
    }
}
