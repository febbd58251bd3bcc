enum Base64 {
    static func decode(_ text: String) -> [UInt8]? { decode(Array(text.utf8)) }

    /// Decodes Base64 without padding or with complete padding (RFC 4648 section 4), and ignores
    /// white space, as browsers do (https://infra.spec.whatwg.org/#forgiving-base64). Returns `nil`
    /// for other text.
    ///
    /// - Parameter limit: Decoding stops after this many bytes.
    static func decode(_ text: some Sequence<UInt8>, limit: Int = .max) -> [UInt8]? {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(min(limit, text.underestimatedCount / 4 * 3))
        var bits: UInt32 = 0
        var bitCount = 0
        var (count, paddingCount) = (0, 0)
        for byte in text {
            guard decoded.count < limit else { return decoded }
            let value: UInt8
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = byte - 65
            case UInt8(ascii: "a")...UInt8(ascii: "z"): value = byte - 71
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = byte + 4
            case UInt8(ascii: "+"): value = 62
            case UInt8(ascii: "/"): value = 63
            case 0x20, 0x09, 0x0A, 0x0C, 0x0D: continue
            case UInt8(ascii: "="):
                paddingCount += 1
                continue
            default: return nil
            }
            if paddingCount > 0 { return nil }
            count += 1
            bits = bits << 6 | UInt32(value)
            bitCount += 6
            if bitCount >= 8 {
                bitCount -= 8
                decoded.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
            }
        }
        let isComplete = paddingCount == 0 ? bitCount < 6 : paddingCount <= 2 && (count + paddingCount) % 4 == 0
        return isComplete ? decoded : nil
    }
}
