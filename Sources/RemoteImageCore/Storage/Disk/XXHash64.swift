// Checksums of bodies and names of entries: fast, and good enough to tell damage; not against forgery.

/// The 64-bit hash xxHash (specification 0.1.1, Collet 2016).
enum XXHash64 {
    private static let primes: (UInt64, UInt64, UInt64, UInt64, UInt64) = (
        0x9E37_79B1_85EB_CA87, 0xC2B2_AE3D_27D4_EB4F, 0x1656_67B1_9E37_79F9, 0x85EB_CA77_C2B2_AE63,
        0x27D4_EB2F_1656_67C5
    )

    static func hash(_ bytes: [UInt8], seed: UInt64 = 0) -> UInt64 {
        bytes.withUnsafeBytes { hash($0, seed: seed) }
    }

    static func hash(_ bytes: UnsafeRawBufferPointer, seed: UInt64 = 0) -> UInt64 {
        var index = 0
        var result: UInt64
        func word(_ index: Int) -> UInt64 {
            UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
        }
        if bytes.count >= 32 {
            var lanes = (
                seed &+ primes.0 &+ primes.1, seed &+ primes.1, seed, seed &- primes.0
            )
            while index + 32 <= bytes.count {
                lanes.0 = round(lanes.0, word(index))
                lanes.1 = round(lanes.1, word(index + 8))
                lanes.2 = round(lanes.2, word(index + 16))
                lanes.3 = round(lanes.3, word(index + 24))
                index += 32
            }
            result = rotated(lanes.0, 1) &+ rotated(lanes.1, 7) &+ rotated(lanes.2, 12) &+ rotated(lanes.3, 18)
            for lane in [lanes.0, lanes.1, lanes.2, lanes.3] {
                result = (result ^ round(0, lane)) &* primes.0 &+ primes.3
            }
        } else {
            result = seed &+ primes.4
        }
        result &+= UInt64(bytes.count)
        while index + 8 <= bytes.count {
            result = rotated(result ^ round(0, word(index)), 27) &* primes.0 &+ primes.3
            index += 8
        }
        if index + 4 <= bytes.count {
            let half = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt32.self))
            result = rotated(result ^ (UInt64(half) &* primes.0), 23) &* primes.1 &+ primes.2
            index += 4
        }
        while index < bytes.count {
            result = rotated(result ^ (UInt64(bytes[index]) &* primes.4), 11) &* primes.0
            index += 1
        }
        result = (result ^ (result >> 33)) &* primes.1
        result = (result ^ (result >> 29)) &* primes.2
        return result ^ (result >> 32)
    }

    private static func round(_ lane: UInt64, _ input: UInt64) -> UInt64 {
        rotated(lane &+ input &* primes.1, 31) &* primes.0
    }

    private static func rotated(_ value: UInt64, _ bits: UInt64) -> UInt64 {
        value << bits | value >> (64 - bits)
    }
}

extension UInt64 {
    /// Sixteen hexadecimal digits.
    var hexText: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
