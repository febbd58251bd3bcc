// Compressed data for tests of content codings, written without a compression library.

public enum Gzip {
    /// `count` zeros in gzip format (RFC 1952), compressed about 159:1 with fixed Huffman codes
    /// (RFC 1951 section 3.2.6).
    public static func zeros(count: Int) -> [UInt8] {
        let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
        let trailer = littleEndian(checksumOfZeros(count)) + littleEndian(UInt32(truncatingIfNeeded: count))
        return header + deflated(0, count: count) + trailer
    }

    /// Up to 65,535 bytes in gzip format (RFC 1952), as an uncompressed block.
    public static func stored(_ bytes: [UInt8]) -> [UInt8] {
        let length = UInt16(bytes.count)
        let lengths = [length, ~length].flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
        var checksum = UInt32.max
        for byte in bytes {
            checksum ^= UInt32(byte)
            for _ in 0..<8 { checksum = checksum >> 1 ^ (checksum & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
        return [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 1] + lengths + bytes + littleEndian(~checksum)
            + littleEndian(UInt32(bytes.count))
    }

    /// `count` copies of `byte` in zlib format (RFC 1950), which PNG uses. `byte` is at most 143,
    /// the last literal with an 8-bit code.
    public static func zlib(repeating byte: UInt8, count: Int) -> [UInt8] {
        // The closed form of Adler-32 for equal bytes.
        let prime = 65_521
        let first = (1 + count % prime * Int(byte)) % prime
        let second = (count + Int(byte) * (count * (count + 1) / 2 % prime)) % prime
        return [0x78, 0x01] + deflated(byte, count: count) + littleEndian(UInt32(second << 16 | first)).reversed()
    }

    private static func deflated(_ byte: UInt8, count: Int) -> [UInt8] {
        var bits = BitWriter()
        bits.write(0b011, count: 3)  // the last block; fixed codes
        var left = count
        while left > 0 {
            if left < count, left >= 258 {
                bits.writeCode(0b1100_0101, count: 8)  // the longest match, 258 bytes,
                bits.writeCode(0, count: 5)  // at distance 1
                left -= 258
            } else {
                bits.writeCode(0b0011_0000 + Int(byte), count: 8)  // the byte itself
                left -= 1
            }
        }
        bits.writeCode(0, count: 7)  // the end of the block
        return bits.bytes
    }

    private static func checksumOfZeros(_ count: Int) -> UInt32 {
        var checksum = UInt32.max
        for _ in 0..<(count * 8) { checksum = checksum >> 1 ^ (checksum & 1 == 1 ? 0xEDB8_8320 : 0) }
        return ~checksum
    }

    private static func littleEndian(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
}

private struct BitWriter {
    private(set) var bytes: [UInt8] = []
    private var bitCount = 0

    /// Writes a number, lowest bit first.
    mutating func write(_ value: Int, count: Int) {
        for bit in 0..<count {
            if bitCount % 8 == 0 { bytes.append(0) }
            if value >> bit & 1 == 1 { bytes[bytes.count - 1] |= 1 << (bitCount % 8) }
            bitCount += 1
        }
    }

    /// Writes a Huffman code, highest bit first.
    mutating func writeCode(_ code: Int, count: Int) {
        for bit in (0..<count).reversed() { write(code >> bit & 1, count: 1) }
    }
}
