/// An SVG file has no signature; it is XML whose first element is `svg`.
enum SVGSignature {
    /// The number of bytes to search, since comments and declarations may precede the element.
    private static let window = 1024

    static func isOne(_ reader: ByteReader) -> Bool {
        var index = reader.has([0xEF, 0xBB, 0xBF]) ? 3 : 0
        while let byte = reader.byte(at: index), byte <= 0x20 { index += 1 }
        guard reader.byte(at: index) == UInt8(ascii: "<") else { return false }
        let end = min(reader.count, window)
        while index + 4 <= end {
            if reader.has("<svg", at: index), let next = reader.byte(at: index + 4) {
                return next <= 0x20 || next == UInt8(ascii: ">")
            }
            index += 1
        }
        return false
    }
}
