/// Reads numbers of any length in bits. Bits after the end are zeros.
struct BitReader {
    private let reader: ByteReader
    private let end: Int
    private let isLowestFirst: Bool
    private var position: Int

    /// - Parameter isLowestFirst: Whether the lowest bit of a byte and of a number comes first, and
    ///   not the highest one.
    init(_ reader: ByteReader, from start: Int, to end: Int, lowestFirst isLowestFirst: Bool = false) {
        (self.reader, self.end, position) = (reader, end * 8, start * 8)
        self.isLowestFirst = isLowestFirst
    }

    /// Whether no read went past the end.
    var isComplete: Bool { position <= end }

    mutating func skip(_ count: Int) { position += count }

    mutating func flag() -> Bool { number(1) == 1 }

    mutating func number(_ count: Int) -> Int {
        var value = 0
        for index in 0..<count {
            let byte = Int(position < end ? reader.byte(at: position / 8) ?? 0 : 0)
            value =
                isLowestFirst
                ? value | (byte >> (position % 8) & 1) << index : value << 1 | byte >> (7 - position % 8) & 1
            position += 1
        }
        return value
    }

    /// A variable-length number with a prefix of zeros (AV1 specification, section 4.10.3; ITU-T
    /// H.265, section 9.2).
    mutating func universalCode() -> Int {
        var zeros = 0
        while zeros < 32, !flag() { zeros += 1 }
        return zeros < 32 ? number(zeros) + 1 << zeros - 1 : Int(UInt32.max)
    }
}
