// Boxes of the ISO base media format (ISO/IEC 14496-12 section 4.2).

/// The boxes of one level of a file.
enum ISOBox {
    /// The maximum number of boxes that are read on one level. Real files have fewer.
    static let limit = 1024

    /// The contents of the boxes with a name in `range`, clamped to it. Boxes after the first
    /// `limit` ones are ignored; a caller that must see every box checks ``areAllRead(_:in:)``.
    static func boxes(
        _ reader: ByteReader, in range: Range<Int>, named name: StaticString, limit: Int = limit
    ) -> [Range<Int>] {
        var found: [Range<Int>] = []
        _ = walk(reader, in: range, limit: limit) { box, content in
            if reader.has(name, at: box + 4) { found.append(content) }
        }
        return found
    }

    /// The content of the first box with a name in `range`.
    static func first(_ reader: ByteReader, in range: Range<Int>, named name: StaticString) -> Range<Int>? {
        boxes(reader, in: range, named: name).first
    }

    /// The children of the first `meta` box of a file, a full box: its version and flags precede
    /// them.
    static func meta(_ reader: ByteReader) -> Range<Int>? {
        first(reader, in: 0..<reader.count, named: "meta")?.dropFirst(4)
    }

    /// The starts of all boxes with a name in `range`.
    static func starts(_ reader: ByteReader, in range: Range<Int>, named name: StaticString) -> [Int] {
        var found: [Int] = []
        _ = walk(reader, in: range, limit: .max) { box, _ in
            if reader.has(name, at: box + 4) { found.append(box) }
        }
        return found
    }

    /// The starts and contents of all boxes in `range`, at most `limit`.
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
    /// - Returns: Whether the range has at most `limit` boxes.
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
                // A 64-bit length. If its upper half is not 0, the box is longer than the file.
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
