// Packed bytes for tests of content codings, without a packer.

public enum Gzip {
    /// `count` zeros, packed a thousandfold or less: fixed Huffman codes (RFC 1951 section 3.2.6) in the
    /// container of RFC 1952.
    public static func zeros(count: Int) -> [UInt8] {
        let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
        let trailer = littleEndian(checksumOfZeros(count)) + littleEndian(UInt32(truncatingIfNeeded: count))
        return header + deflatedZeros(count) + trailer
    }

    /// The same in the container of RFC 1950, which PNG uses.
    public static func zlibZeros(count: Int) -> [UInt8] {
        // Adler-32: one, and the count of bytes modulo the largest prime below 2^16.
        [0x78, 0x01] + deflatedZeros(count) + littleEndian(UInt32(count % 65_521) << 16 | 1).reversed()
    }

    private static func deflatedZeros(_ count: Int) -> [UInt8] {
        var bits = BitWriter()
        bits.write(0b011, count: 3)  // the last block; fixed codes
        var left = count
        while left > 0 {
            if left < count, left >= 258 {
                bits.writeCode(0b1100_0101, count: 8)  // the longest match, 258 bytes,
                bits.writeCode(0, count: 5)  // at distance 1
                left -= 258
            } else {
                bits.writeCode(0b0011_0000, count: 8)  // a literal zero
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

    /// The lowest bit first.
    mutating func write(_ value: Int, count: Int) {
        for bit in 0..<count {
            if bitCount % 8 == 0 { bytes.append(0) }
            if value >> bit & 1 == 1 { bytes[bytes.count - 1] |= 1 << (bitCount % 8) }
            bitCount += 1
        }
    }

    /// A Huffman code: the highest bit first.
    mutating func writeCode(_ code: Int, count: Int) {
        for bit in (0..<count).reversed() { write(code >> bit & 1, count: 1) }
    }
}
