// Reads numbers from untrusted bytes; a read out of bounds returns `nil`.

import Glibc

/// A view of bytes that checks the bounds of every access.
package struct ByteReader {
    private let bytes: UnsafeRawBufferPointer

    /// The memory must outlive the reader.
    package init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    package var count: Int { bytes.count }

    package func byte(at index: Int) -> UInt8? {
        index >= 0 && index < bytes.count ? bytes[index] : nil
    }

    package func bigEndian16(at index: Int) -> Int? {
        guard let high = byte(at: index), let low = byte(at: index + 1) else { return nil }
        return Int(high) << 8 | Int(low)
    }

    package func bigEndian32(at index: Int) -> Int? {
        guard let high = bigEndian16(at: index), let low = bigEndian16(at: index + 2) else { return nil }
        return high << 16 | low
    }

    package func littleEndian16(at index: Int) -> Int? {
        guard let low = byte(at: index), let high = byte(at: index + 1) else { return nil }
        return Int(high) << 8 | Int(low)
    }

    package func littleEndian24(at index: Int) -> Int? {
        guard let low = littleEndian16(at: index), let high = byte(at: index + 2) else { return nil }
        return Int(high) << 16 | low
    }

    package func littleEndian32(at index: Int) -> Int? {
        guard let low = littleEndian16(at: index), let high = littleEndian16(at: index + 2) else { return nil }
        return high << 16 | low
    }

    package func has(_ expected: [UInt8], at index: Int = 0) -> Bool {
        guard index >= 0, index <= bytes.count - expected.count else { return false }
        return bytes[index..<(index + expected.count)].elementsEqual(expected)
    }

    package func has(_ expected: StaticString, at index: Int = 0) -> Bool {
        guard index >= 0, index <= bytes.count - expected.utf8CodeUnitCount else { return false }
        return expected.withUTF8Buffer { bytes[index..<(index + $0.count)].elementsEqual($0) }
    }

    package func has(_ expected: String, at index: Int) -> Bool {
        has(Array(expected.utf8), at: index)
    }
}

extension ByteReader {
    /// The bytes of a range, clamped to the view.
    package subscript(range: Range<Int>) -> Slice<UnsafeRawBufferPointer> {
        bytes[range.clamped(to: 0..<bytes.count)]
    }

    /// The first position of a byte from `start` on.
    package func firstIndex(of byte: UInt8, from start: Int) -> Int? {
        guard start >= 0, start < count, let base = bytes.baseAddress else { return nil }
        guard let found = memchr(base + start, Int32(byte), count - start) else { return nil }
        return UnsafeRawPointer(found) - base
    }
}

extension [UInt8] {
    /// Calls `body` with a reader of the bytes.
    package func withReader<Result, Failure: Error>(
        _ body: (ByteReader) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withUnsafeBufferPointer { bytes throws(Failure) in try body(ByteReader(UnsafeRawBufferPointer(bytes))) }
    }
}

extension Int {
    /// The lowest bytes of the number, the highest first.
    package func bigEndianBytes(_ count: Int = 4) -> [UInt8] { littleEndianBytes(count).reversed() }

    /// The lowest bytes of the number, the lowest first.
    func littleEndianBytes(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: self >> (8 * $0)) }
    }
}
