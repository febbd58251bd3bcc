/// Reads numbers of any length in bits, the highest bit first. Bits after the end are zeros.
struct BitReader {
    private let reader: ByteReader
    private let end: Int
    private var position: Int

    init(_ reader: ByteReader, from start: Int, to end: Int) {
        (self.reader, self.end, position) = (reader, end * 8, start * 8)
    }

    /// Whether no read went past the end.
    var isComplete: Bool { position <= end }

    mutating func skip(_ count: Int) { position += count }

    mutating func flag() -> Bool { number(1) == 1 }

    mutating func number(_ count: Int) -> Int {
        var value = 0
        for _ in 0..<count {
            let byte = position < end ? reader.byte(at: position / 8) ?? 0 : 0
            value = value << 1 | Int(byte >> UInt8(7 - position % 8) & 1)
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
