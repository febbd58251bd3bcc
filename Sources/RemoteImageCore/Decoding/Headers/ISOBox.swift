// Boxes of the ISO base media format (ISO/IEC 14496-12 section 4.2).

/// The boxes of one level of a file.
enum ISOBox {
    /// No real file has so many boxes on one level before its image.
    static let limit = 1024

    /// The contents of the boxes of a name that are in `range`, as far as they are there. Boxes
    /// behind `limit` others are ignored: where a decoder must not find more than was read here,
    /// ``areAllRead(_:in:)`` is asked first.
    static func boxes(
        _ reader: ByteReader, in range: Range<Int>, named name: StaticString, limit: Int = limit
    ) -> [Range<Int>] {
        var found: [Range<Int>] = []
        _ = walk(reader, in: range, limit: limit) { box, content in
            if reader.has(name, at: box + 4) { found.append(content) }
        }
        return found
    }

    /// The starts and the contents of all boxes that are in `range`, up to `limit`.
    static func all(_ reader: ByteReader, in range: Range<Int>) -> [(start: Int, content: Range<Int>)] {
        var found: [(Int, Range<Int>)] = []
        _ = walk(reader, in: range, limit: limit) { found.append(($0, $1)) }
        return found
    }

    /// Whether ``boxes(_:in:named:limit:)`` reads every box in `range`.
    static func areAllRead(_ reader: ByteReader, in range: Range<Int>) -> Bool {
        walk(reader, in: range, limit: limit) { _, _ in }
    }

    /// Calls `body` with the start of each box and its content.
    ///
    /// - Returns: Whether the walk ended before the limit.
    private static func walk(
        _ reader: ByteReader, in range: Range<Int>, limit: Int, _ body: (Int, Range<Int>) -> Void
    ) -> Bool {
        var index = range.lowerBound
        var count = 0
        while index + 8 <= range.upperBound, let size = reader.bigEndian32(at: index) {
            guard count < limit else { return false }
            count += 1
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
            if index + header <= end { body(index, (index + header)..<end) }
            index += length
        }
        return true
    }
}
