/// A generator of numbers that depends on its seed alone, so that a painting is the same in each
/// run (SplitMix64 by Steele, Lea and Flood, 2014).
struct Random {
    private var state: UInt64

    /// - Parameter purpose: Makes the sequences of parts of one picture independent.
    init(_ seed: Int, _ purpose: Int = 0) {
        state = UInt64(bitPattern: Int64(seed)) &* 0xD134_2543_DE82_EF95 &+ UInt64(bitPattern: Int64(purpose)) << 32
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
        return bits ^ bits >> 31
    }

    mutating func float(_ range: ClosedRange<Float> = 0...1) -> Float {
        range.lowerBound + Float(next() >> 40) / Float(1 << 24) * (range.upperBound - range.lowerBound)
    }

    mutating func int(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(next() >> 1) % range.count
    }

    mutating func chance(_ probability: Float) -> Bool { float() < probability }

    /// `items` must not be empty.
    mutating func pick<Item>(_ items: [Item]) -> Item { items[int(0...items.count - 1)] }
}
