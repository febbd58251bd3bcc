/// The content of a `data:` address (RFC 2397): `data:[<type>][;base64],<data>`. Spaces around
/// `base64` and a fragment are ignored, as in browsers (https://fetch.spec.whatwg.org/#data-urls).
enum DataAddress {
    static func isOne(_ text: String) -> Bool {
        text.utf8.prefix(5).elementsEqual("data:".utf8) { ($0 | 0x20) == $1 || $0 == $1 }
    }

    /// Decodes the data. Throws ``ImageError/Code/invalidURL`` if `text` is not a valid `data:`
    /// address, and ``ImageError/Code/tooLarge`` for more than `limit` bytes, which are not
    /// decoded.
    static func bytes(of text: String, limit: Int) throws(ImageError) -> [UInt8] {
        let content = text.utf8.prefix { $0 != UInt8(ascii: "#") }
        guard isOne(text), let comma = content.firstIndex(of: UInt8(ascii: ",")) else {
            throw ImageError(.invalidURL, "\(text.prefix(40))…")
        }
        let data = PercentDecoded(text: content[content.index(after: comma)...])
        let isBase64 = isBase64(content[..<comma])
        let limit = max(0, limit)
        // One byte above the limit is enough to detect that the data is too large.
        let end = limit == .max ? limit : limit + 1
        guard let bytes = isBase64 ? Base64.decode(data, limit: end) : Array(data.prefix(end)) else {
            throw ImageError(.invalidURL, "broken Base64")
        }
        guard bytes.count <= limit else { throw ImageError(.tooLarge, "more than \(limit) bytes in the address") }
        return bytes
    }

    private static func isBase64(_ type: Substring.UTF8View) -> Bool {
        let space = UInt8(ascii: " ")
        let name = type.reversed().drop { $0 == space || $0 == 0x0C }
        return name.prefix(6).elementsEqual("46esab".utf8) { ($0 | 0x20) == $1 || $0 == $1 }
            && name.dropFirst(6).first { $0 != space } == UInt8(ascii: ";")
    }
}

/// Bytes with percent-encoding decoded. A `%` that two hexadecimal digits do not follow is kept as
/// it is.
struct PercentDecoded: Sequence, IteratorProtocol {
    var text: Substring.UTF8View

    var underestimatedCount: Int { text.count / 3 }

    mutating func next() -> UInt8? {
        guard let byte = text.popFirst() else { return nil }
        guard byte == UInt8(ascii: "%") else { return byte }
        let digits = text.prefix(2)
        guard digits.count == 2, let high = hexValue(digits.first), let low = hexValue(digits.last) else { return byte }
        text = text.dropFirst(2)
        return high << 4 | low
    }

    private func hexValue(_ byte: UInt8?) -> UInt8? {
        byte.flatMap { Character(UnicodeScalar($0)).hexDigitValue }.map(UInt8.init)
    }
}
