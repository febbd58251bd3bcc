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
        guard let bytes = base64Decoded(data) else { throw ImageError(.invalidURL, "broken Base64") }
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

    /// Base64 with or without padding, white space left out (RFC 4648 section 4); nil where it is none.
    private static func base64Decoded(_ text: [UInt8]) -> [UInt8]? {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(text.count / 4 * 3)
        var bits: UInt32 = 0
        var bitCount = 0
        for (index, byte) in text.enumerated() {
            let value: UInt8
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = byte - 65
            case UInt8(ascii: "a")...UInt8(ascii: "z"): value = byte - 71
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = byte + 4
            case UInt8(ascii: "+"): value = 62
            case UInt8(ascii: "/"): value = 63
            case 0x20, 0x09, 0x0A, 0x0D: continue
            case UInt8(ascii: "="):
                guard text[index...].allSatisfy({ $0 == UInt8(ascii: "=") || $0 <= 0x20 }) else { return nil }
                return decoded
            default: return nil
            }
            bits = bits << 6 | UInt32(value)
            bitCount += 6
            if bitCount >= 8 {
                bitCount -= 8
                decoded.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
            }
        }
        return bitCount < 6 ? decoded : nil
    }
}
