// Boxes of the ISO base media format (ISO/IEC 14496-12 section 4.2).

/// The boxes of one level of a file.
enum ISOBox {
    /// No real file has so many boxes on one level before its image.
    static let limit = 1024

    /// The contents of the boxes of a name that are in `range`, as far as they are there.
    static func boxes(
        _ reader: ByteReader, in range: Range<Int>, named name: StaticString, limit: Int = limit
    ) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var index = range.lowerBound
        var count = 0
        while count < limit {
            count += 1
            guard index + 8 <= range.upperBound, let size = reader.bigEndian32(at: index) else { break }
            var (length, header) = (size, 8)
            if size == 1 {
                // A 64-bit length. One whose upper half is used is longer than what we have.
                guard let high = reader.bigEndian32(at: index + 8), let low = reader.bigEndian32(at: index + 12) else {
                    break
                }
                (length, header) = (high == 0 ? low : range.upperBound - index, 16)
            } else if size == 0 {
                length = range.upperBound - index
            }
            guard length >= header else { break }
            let end = min(range.upperBound, index + length)
            if reader.has(name, at: index + 4), index + header <= end { found.append((index + header)..<end) }
            index += length
        }
        return found
    }
}
