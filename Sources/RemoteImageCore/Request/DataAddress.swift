/// The content of a `data:` address (RFC 2397): `data:[<type>][;base64],<data>`.
enum DataAddress {
    static func isOne(_ text: String) -> Bool {
        text.utf8.prefix(5).elementsEqual("data:".utf8) { ($0 | 0x20) == $1 || $0 == $1 }
    }

    /// The bytes. Throws ``ImageError/Code/invalidURL`` where the text is no `data:` address.
    static func bytes(of text: String) throws(ImageError) -> [UInt8] {
        let content = Array(text.utf8)
        guard isOne(text), let comma = content.firstIndex(of: UInt8(ascii: ",")) else {
            throw ImageError(.invalidURL, "\(text.prefix(40))…")
        }
        let data = percentDecoded(content[(comma + 1)...])
        let type = String(decoding: content[5..<comma], as: UTF8.self).lowercased()
        guard type.hasSuffix(";base64") else { return data }
        guard let bytes = Base64.decode(data) else { throw ImageError(.invalidURL, "broken Base64") }
        return bytes
    }

    private static func percentDecoded(_ text: ArraySlice<UInt8>) -> [UInt8] {
        guard text.contains(UInt8(ascii: "%")) else { return Array(text) }
        var decoded: [UInt8] = []
        decoded.reserveCapacity(text.count)
        var index = text.startIndex
        while index < text.endIndex {
            if text[index] == UInt8(ascii: "%"), index + 2 < text.endIndex,
                let high = hexValue(text[index + 1]), let low = hexValue(text[index + 2])
            {
                decoded.append(high << 4 | low)
                index += 3
            } else {
                decoded.append(text[index])
                index += 1
            }
        }
        return decoded
    }

    private static func hexValue(_ byte: UInt8) -> UInt8? {
        Character(UnicodeScalar(byte)).hexDigitValue.map(UInt8.init)
    }
}
