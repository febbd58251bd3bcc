/// An Exif block, which is a small TIFF file (CIPA DC-008 section 4.5, TIFF 6.0 section 2).
struct ExifBlock {
    private let reader: ByteReader
    private let start: Int
    private let end: Int
    private let isLittleEndian: Bool

    /// A real directory has a few dozen entries.
    private static let entryLimit = 512

    /// `nil` without a valid byte order mark.
    init?(_ reader: ByteReader, from start: Int, to end: Int) {
        if reader.has([0x49, 0x49, 0x2A, 0x00], at: start) {
            isLittleEndian = true
        } else if reader.has([0x4D, 0x4D, 0x00, 0x2A], at: start) {
            isLittleEndian = false
        } else {
            return nil
        }
        (self.reader, self.start, self.end) = (reader, start, end)
    }

    /// The orientation of the image (tag 0x0112); `up` if the tag is missing or invalid.
    var orientation: ImageOrientation {
        guard let directory = number32(start + 4), let value = value(of: 0x0112, in: directory) else { return .up }
        return UInt8(exactly: value).flatMap(ImageOrientation.init(rawValue:)) ?? .up
    }

    /// The byte range of the JPEG thumbnail (tags 0x0201 and 0x0202 of the second directory). `nil`
    /// if it is missing or not completely in the block.
    var thumbnail: Range<Int>? {
        guard let first = number32(start + 4), let count = number16(start + first),
            let second = number32(start + first + 2 + count * 12), second > 0,
            let offset = value(of: 0x0201, in: second), let length = value(of: 0x0202, in: second), length > 0,
            start + offset + length <= min(end, reader.count)
        else { return nil }
        return (start + offset)..<(start + offset + length)
    }

    /// The single value of a tag in a directory: a SHORT, a LONG or, from some writers, an SLONG.
    private func value(of tag: Int, in directory: Int) -> Int? {
        guard let count = number16(start + directory) else { return nil }
        for entry in 0..<min(count, Self.entryLimit) {
            let index = start + directory + 2 + entry * 12
            guard let found = number16(index) else { return nil }
            guard found == tag else { continue }
            guard number32(index + 4) == 1 else { return nil }
            return switch number16(index + 2) {
            case 3: number16(index + 8)
            case 4, 9: number32(index + 8)
            default: nil
            }
        }
        return nil
    }

    private func number16(_ index: Int) -> Int? {
        guard index + 2 <= end else { return nil }
        return isLittleEndian ? reader.littleEndian16(at: index) : reader.bigEndian16(at: index)
    }

    private func number32(_ index: Int) -> Int? {
        guard index + 4 <= end else { return nil }
        return isLittleEndian ? reader.littleEndian32(at: index) : reader.bigEndian32(at: index)
    }
}
