// Checksums of bodies and names of entries. The hash is fast and detects damage, but not forgery.

/// The 64-bit hash xxHash (specification 0.1.1, Collet 2016) of bytes that are added in pieces of
/// any size.
struct XXHash64 {
    private static let primes: (UInt64, UInt64, UInt64, UInt64, UInt64) = (
        0x9E37_79B1_85EB_CA87, 0xC2B2_AE3D_27D4_EB4F, 0x1656_67B1_9E37_79F9, 0x85EB_CA77_C2B2_AE63,
        0x27D4_EB2F_1656_67C5
    )
    private static let stripe = 32

    private let seed: UInt64
    private var lanes: (UInt64, UInt64, UInt64, UInt64)
    private var byteCount = 0
    /// Bytes that do not fill a stripe yet.
    private var rest: [UInt8] = []

    init(seed: UInt64 = 0) {
        self.seed = seed
        lanes = (seed &+ Self.primes.0 &+ Self.primes.1, seed &+ Self.primes.1, seed, seed &- Self.primes.0)
    }

    static func hash(_ bytes: [UInt8], seed: UInt64 = 0) -> UInt64 {
        bytes.withUnsafeBytes { hash($0, seed: seed) }
    }

    static func hash(_ bytes: UnsafeRawBufferPointer, seed: UInt64 = 0) -> UInt64 {
        var hash = XXHash64(seed: seed)
        let index = hash.addStripes(of: bytes)
        hash.byteCount = bytes.count
        return hash.value(endingWith: UnsafeRawBufferPointer(rebasing: bytes[index...]))
    }

    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        byteCount += bytes.count
        var bytes = bytes
        if !rest.isEmpty {
            let missing = min(bytes.count, Self.stripe - rest.count)
            rest += bytes[..<missing]
            bytes = UnsafeRawBufferPointer(rebasing: bytes[missing...])
            guard rest.count == Self.stripe else { return }
            let full = rest
            rest = []
            _ = full.withUnsafeBytes { addStripes(of: $0) }
        }
        let index = addStripes(of: bytes)
        rest += bytes[index...]
    }

    /// The hash of all added bytes.
    var value: UInt64 { rest.withUnsafeBytes { value(endingWith: $0) } }

    /// Adds all whole stripes and returns the index of the remaining bytes.
    private mutating func addStripes(of bytes: UnsafeRawBufferPointer) -> Int {
        var index = 0
        // A local copy, so that the lanes stay in registers.
        var lanes = lanes
        while index + Self.stripe <= bytes.count {
            lanes.0 = Self.round(lanes.0, Self.word(bytes, index))
            lanes.1 = Self.round(lanes.1, Self.word(bytes, index + 8))
            lanes.2 = Self.round(lanes.2, Self.word(bytes, index + 16))
            lanes.3 = Self.round(lanes.3, Self.word(bytes, index + 24))
            index += Self.stripe
        }
        self.lanes = lanes
        return index
    }

    private func value(endingWith bytes: UnsafeRawBufferPointer) -> UInt64 {
        let primes = Self.primes
        var index = 0
        var result: UInt64
        if byteCount >= Self.stripe {
            result =
                Self.rotated(lanes.0, 1) &+ Self.rotated(lanes.1, 7) &+ Self.rotated(lanes.2, 12)
                &+ Self.rotated(lanes.3, 18)
            for lane in [lanes.0, lanes.1, lanes.2, lanes.3] {
                result = (result ^ Self.round(0, lane)) &* primes.0 &+ primes.3
            }
        } else {
            result = seed &+ primes.4
        }
        result &+= UInt64(byteCount)
        while index + 8 <= bytes.count {
            result = Self.rotated(result ^ Self.round(0, Self.word(bytes, index)), 27) &* primes.0 &+ primes.3
            index += 8
        }
        if index + 4 <= bytes.count {
            let half = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt32.self))
            result = Self.rotated(result ^ (UInt64(half) &* primes.0), 23) &* primes.1 &+ primes.2
            index += 4
        }
        while index < bytes.count {
            result = Self.rotated(result ^ (UInt64(bytes[index]) &* primes.4), 11) &* primes.0
            index += 1
        }
        result = (result ^ (result >> 33)) &* primes.1
        result = (result ^ (result >> 29)) &* primes.2
        return result ^ (result >> 32)
    }

    private static func word(_ bytes: UnsafeRawBufferPointer, _ index: Int) -> UInt64 {
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
    }

    private static func round(_ lane: UInt64, _ input: UInt64) -> UInt64 {
        rotated(lane &+ input &* primes.1, 31) &* primes.0
    }

    private static func rotated(_ value: UInt64, _ bits: UInt64) -> UInt64 {
        value << bits | value >> (64 - bits)
    }
}

extension FixedWidthInteger where Self: UnsignedInteger {
    /// The value as hexadecimal digits, two for each byte.
    var hexText: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: Self.bitWidth / 4 - digits.count) + digits
    }
}
