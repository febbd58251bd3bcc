/// Smooth noise from random values on a lattice, the basis of ridges, clouds and waves.
struct Noise {
    private static let side = 64
    private let lattice: [Float]

    init(_ random: inout Random) {
        lattice = (0..<Self.side * Self.side).map { _ in random.float(-1...1) }
    }

    /// The noise at a point, from -1 to 1. It varies over a distance of 1 and repeats after 64.
    @inline(__always)
    func value(_ x: Float, _ y: Float) -> Float {
        let (column, row) = (Int(x) - (x < 0 ? 1 : 0), Int(y) - (y < 0 ? 1 : 0))
        let (dx, dy) = (smooth(x - Float(column)), smooth(y - Float(row)))
        let mask = Self.side - 1
        let (top, bottom) = ((row & mask) * Self.side, ((row + 1) & mask) * Self.side)
        let (left, right) = (column & mask, (column + 1) & mask)
        let upper = mix(lattice[top + left], lattice[top + right], dx)
        return mix(upper, mix(lattice[bottom + left], lattice[bottom + right], dx), dy)
    }

    /// The sum of octaves of noise: each has twice the frequency and half the strength of the last.
    @inline(__always)
    func fractal(_ x: Float, _ y: Float, octaves: Int) -> Float {
        var (sum, strength, x, y): (Float, Float, Float, Float) = (0, 0.55, x, y)
        for _ in 0..<octaves {
            sum += strength * value(x, y)
            // A turn hides the directions of the lattice.
            (x, y) = (x * 1.7 + y * 1.1 + 7.3, y * 1.7 - x * 1.1 + 3.1)
            strength *= 0.5
        }
        return sum
    }

    /// The brightness of rock from 0 to 1: faces between sharp edges, lit from one side.
    func rock(_ x: Float, _ y: Float, lightX: Float) -> Float {
        smooth(0.5 + (edges(x, y) - edges(x + 0.14 * lightX, y - 0.05)) * 1.9)
    }

    /// Fractal noise with sharp edges.
    private func edges(_ x: Float, _ y: Float) -> Float {
        var (sum, strength, x, y): (Float, Float, Float, Float) = (0, 1, x, y)
        for _ in 0..<4 {
            sum -= strength * abs(value(x, y))
            (x, y) = (x * 1.9 + y * 0.7 + 7.3, y * 1.9 - x * 0.7 + 3.1)
            strength *= 0.55
        }
        return sum
    }

    /// Fractal noise along a row, where y does not change: faster than ``fractal(_:_:octaves:)``.
    func line(_ y: Float, octaves: Int) -> NoiseLine {
        let mask = Self.side - 1
        let values = (0..<octaves).flatMap { octave in
            let y = (y + Float(octave) * 13.7) * Float(1 << octave)
            let row = Int(y.rounded(.down))
            let share = smooth(y - Float(row))
            let (top, bottom) = ((row & mask) * Self.side, ((row + 1) & mask) * Self.side)
            return (0..<Self.side).map { mix(lattice[top + $0], lattice[bottom + $0], share) }
        }
        return NoiseLine(values: values)
    }

    /// Fractal noise along a line, for outlines.
    func outline(_ x: Float, seed: Float, octaves: Int) -> Float {
        var (sum, strength, x): (Float, Float, Float) = (0, 0.55, x)
        for octave in 0..<octaves {
            sum += strength * value(x, seed + Float(octave) * 5.3)
            x = x * 2.03 + 1.7
            strength *= 0.5
        }
        return sum
    }
}

/// One row of fractal noise.
struct NoiseLine {
    /// 64 values for each octave.
    fileprivate let values: [Float]

    @inline(__always)
    func value(_ x: Float) -> Float {
        var (sum, strength, x): (Float, Float, Float) = (0, 0.55, x + 64)
        for start in stride(from: 0, to: values.count, by: 64) {
            let cell = Int32(x)
            let share = smooth(x - Float(cell))
            let (left, right) = (Int(cell & 63), Int((cell + 1) & 63))
            sum += strength * mix(values[start + left], values[start + right], share)
            x = x * 2 + 5.3
            strength *= 0.5
        }
        return sum
    }
}

@inline(__always)
func mix(_ a: Float, _ b: Float, _ share: Float) -> Float { a + (b - a) * share }

/// A step from 0 to 1 with a smooth start and end. Input outside 0...1 is clamped.
@inline(__always)
func smooth(_ x: Float) -> Float {
    let x = clamp(x)
    return x * x * (3 - 2 * x)
}

@inline(__always)
func smooth(_ x: Float, from: Float, to: Float) -> Float { smooth((x - from) / (to - from)) }

@inline(__always)
func clamp(_ x: Float) -> Float { max(0, min(1, x)) }
