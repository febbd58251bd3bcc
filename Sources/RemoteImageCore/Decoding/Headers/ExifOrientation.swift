/// The orientation in an Exif block, which is a small TIFF file (CIPA DC-008 section 4.5, TIFF 6.0 section 2).
enum ExifOrientation {
    /// A real directory has a few dozen entries.
    private static let entryLimit = 512

    /// - Returns: `up` where the block is broken or says nothing.
    static func read(_ reader: ByteReader, from start: Int, to end: Int) -> ImageOrientation {
        let isLittleEndian: Bool
        if reader.has([0x49, 0x49, 0x2A, 0x00], at: start) {
            isLittleEndian = true
        } else if reader.has([0x4D, 0x4D, 0x00, 0x2A], at: start) {
            isLittleEndian = false
        } else {
            return .up
        }
        func number16(_ index: Int) -> Int? {
            guard index + 2 <= end else { return nil }
            return isLittleEndian ? reader.littleEndian16(at: index) : reader.bigEndian16(at: index)
        }
        func number32(_ index: Int) -> Int? {
            guard index + 4 <= end else { return nil }
            return isLittleEndian ? reader.littleEndian32(at: index) : reader.bigEndian32(at: index)
        }
        guard let offset = number32(start + 4), let count = number16(start + offset) else { return .up }
        for entry in 0..<min(count, entryLimit) {
            let index = start + offset + 2 + entry * 12
            guard let tag = number16(index) else { return .up }
            // Orientation, of type SHORT, one of them.
            guard tag == 0x0112 else { continue }
            guard number16(index + 2) == 3, number32(index + 4) == 1, let value = number16(index + 8) else {
                return .up
            }
            return UInt8(exactly: value).flatMap(ImageOrientation.init(rawValue:)) ?? .up
        }
        return .up
    }
}
