/// SHA-256 (FIPS 180-4), for names that must not reveal their source. A library for this one
/// function would be larger than the rest of the core.
enum SHA256 {
    /// The first 128 bits of the hash, in hexadecimal digits.
    static func name(of text: String) -> String {
        hash(Array(text.utf8)).prefix(4).map(\.hexText).joined()
    }

    static func hash(_ message: [UInt8]) -> [UInt32] {
        var padded = message + [0x80]
        padded += [UInt8](repeating: 0, count: (120 - padded.count % 64) % 64)
        let bitCount = UInt64(message.count) * 8
        for shift in stride(from: UInt64(56), through: 0, by: -8) {
            padded.append(UInt8(truncatingIfNeeded: bitCount >> shift))
        }
        var state = initial
        for start in stride(from: 0, to: padded.count, by: 64) { add(padded[start..<(start + 64)], to: &state) }
        return state
    }

    private static func add(_ block: ArraySlice<UInt8>, to state: inout [UInt32]) {
        var words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { index in
            block[index..<(index + 4)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
        for index in 16..<64 {
            let (early, late) = (words[index - 15], words[index - 2])
            let small = rotated(early, 7) ^ rotated(early, 18) ^ early >> 3
            let large = rotated(late, 17) ^ rotated(late, 19) ^ late >> 10
            words.append(words[index - 16] &+ small &+ words[index - 7] &+ large)
        }
        var s = state
        for index in 0..<64 {
            let mixed = rotated(s[4], 6) ^ rotated(s[4], 11) ^ rotated(s[4], 25)
            let choice = (s[4] & s[5]) ^ (~s[4] & s[6])
            let first = s[7] &+ mixed &+ choice &+ constants[index] &+ words[index]
            let majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2])
            let second = (rotated(s[0], 2) ^ rotated(s[0], 13) ^ rotated(s[0], 22)) &+ majority
            s = [first &+ second, s[0], s[1], s[2], s[3] &+ first, s[4], s[5], s[6]]
        }
        for index in 0..<8 { state[index] &+= s[index] }
    }

    private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 { word >> count | word << (32 - count) }

    // The fractional parts of the square roots and cube roots of the first primes (sections 5.3.3
    // and 4.2.2).
    private static let initial = primes(8).map { fraction(of: $0, root: 2) }
    private static let constants = primes(64).map { fraction(of: $0, root: 3) }

    private static func primes(_ count: Int) -> [UInt64] {
        var found: [UInt64] = []
        var candidate: UInt64 = 2
        while found.count < count {
            if !found.contains(where: { candidate % $0 == 0 }) { found.append(candidate) }
            candidate += 1
        }
        return found
    }

    /// The first 32 bits after the binary point: the largest x with x^root ≤ prime · 2^(32 · root),
    /// by bisection.
    private static func fraction(of prime: UInt64, root: Int) -> UInt32 {
        var (low, high) = (UInt64(0), UInt64(1) << 40)
        while high - low > 1 {
            let middle = (low + high) / 2
            if isPower(of: middle, root: root, atMost: prime) { low = middle } else { high = middle }
        }
        return UInt32(truncatingIfNeeded: low)
    }

    private static func isPower(of value: UInt64, root: Int, atMost prime: UInt64) -> Bool {
        let power = (1..<root).reduce(UInt128(value)) { product, _ in product * UInt128(value) }
        return power <= UInt128(prime) << UInt128(32 * root)
    }
}
