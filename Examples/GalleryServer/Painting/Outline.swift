/// Outlines of ridges: the y at an x.
struct Outline {
    let noise: Noise

    /// Round hills.
    func hills(_ x: Float, at level: Float, height: Float, width: Float, seed: Float, octaves: Int = 4) -> Float {
        level - noise.outline(x / width, seed: seed, octaves: octaves) * height
    }

    /// Sharp mountains.
    func peaks(_ x: Float, at level: Float, height: Float, width: Float, seed: Float) -> Float {
        var (sum, strength, x): (Float, Float, Float) = (0, 0.6, x / width)
        for octave in 0..<6 {
            let ridge = 1 - 2 * abs(noise.value(x, seed + Float(octave) * 4.7))
            sum += strength * (octave == 0 ? ridge : ridge * (0.4 + 0.6 * clamp(sum + 0.4)))
            x = x * 2.07 + 3.3
            strength *= 0.42
        }
        return level - sum * height
    }

    /// Table mountains with steep sides.
    func mesas(_ x: Float, at level: Float, height: Float, width: Float, seed: Float) -> Float {
        let base = noise.outline(x / width, seed: seed, octaves: 2)
        let table = smooth(base, from: 0.05, to: 0.13) * 0.62 + smooth(base, from: 0.24, to: 0.29) * 0.3
        return level - (table + noise.outline(x / width * 9, seed: seed, octaves: 3) * 0.05) * height
    }

    /// Dunes: long windward slopes.
    func dunes(_ x: Float, at level: Float, height: Float, width: Float, seed: Float) -> Float {
        let warped = x / width + noise.value(x / width * 0.7, seed) * 0.7
        return level - height * (noise.value(warped, seed + 3) + noise.value(warped * 2.2, seed + 9) * 0.25)
    }

    /// A forest of conifers that stand on a ground line. Their heights are around `height`.
    func conifers(_ x: Float, on ground: Float, height: Float, seed: Float) -> Float {
        let spacing = height * 0.3
        let cell = (x / spacing).rounded(.down)
        var top: Float = 0
        for neighbour in -1...1 {
            let index = cell + Float(neighbour)
            let random = noise.value(index * 7.31 + 0.5, seed) + noise.value(index * 3.7, seed + 11)
            let tree = height * (0.72 + random * 0.32)
            let middle = (index + 0.5 + noise.value(index * 5.9, seed + 23) * 0.4) * spacing
            let away = abs(x - middle) / (tree * 0.2)
            guard away < 1 else { continue }
            // Branches make steps.
            let steps = (1 - away) * 6
            let whole = Float(Int(steps))
            top = max(top, tree * mix(1 - away, (whole + smooth((steps - whole) * 1.6)) / 6, 0.75))
        }
        return ground - top
    }
}
