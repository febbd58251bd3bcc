// The encoding of numbers and texts in the files of the store: numbers have eight bytes, the lowest
// first; the length precedes a text.

extension UInt64 {
    var bytes: [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: self >> (8 * $0)) } }
}

/// Writes fields one after the other.
struct FieldWriter {
    var bytes: [UInt8]

    mutating func add(_ number: UInt64) { bytes += number.bytes }
    mutating func add(_ number: Int) { add(UInt64(bitPattern: Int64(number))) }
    mutating func add(_ number: Double) { add(number.bitPattern) }
    mutating func add(_ text: String) {
        add(text.utf8.count)
        bytes += text.utf8
    }
}

/// Reads fields one after the other. Returns `nil` where the bytes do not contain one.
struct FieldReader {
    let bytes: [UInt8]
    var index: Int

    mutating func word() -> UInt64? {
        guard index + 8 <= bytes.count else { return nil }
        defer { index += 8 }
        return (0..<8).reduce(0) { $0 | UInt64(bytes[index + $1]) << (8 * UInt64($1)) }
    }

    mutating func number() -> Int? {
        word().flatMap { Int(exactly: Int64(bitPattern: $0)) }.flatMap { $0 >= 0 ? $0 : nil }
    }

    mutating func string() -> String? {
        guard let count = number(), count <= bytes.count - index else { return nil }
        defer { index += count }
        return String(decoding: bytes[index..<(index + count)], as: UTF8.self)
    }

    mutating func time() -> Double? {
        word().map(Double.init(bitPattern:)).flatMap { $0.isFinite ? $0 : nil }
    }
}
