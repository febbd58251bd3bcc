/// Writes numbers of any bit width, highest bit first.
struct HighBitWriter {
    private(set) var bytes: [UInt8] = []
    private var count = 0

    mutating func write(_ value: Int, _ width: Int) {
        for bit in (0..<width).reversed() {
            if count % 8 == 0 { bytes.append(0) }
            let isSet = bit < 63 && value >> bit & 1 == 1
            if isSet { bytes[bytes.count - 1] |= 0x80 >> UInt8(count % 8) }
            count += 1
        }
    }
}
