/// A solid of revolution, such as a vase, lit from one side.
struct Vessel: Layer {
    enum Material {
        case clay, glazed, glass
    }

    /// The middle of its bottom.
    let foot: Point
    let height: Float
    /// Half widths at shares of the height, from the bottom to the top.
    let profile: [(share: Float, half: Float)]
    let color: Color
    let material: Material
    /// -1 if the light comes from the left, 1 from the right.
    let lightX: Float

    private func half(_ share: Float) -> Float {
        guard let upper = profile.firstIndex(where: { $0.share >= share }), upper > 0 else {
            return share <= 0 ? profile[0].half : profile[profile.count - 1].half
        }
        // A monotone cubic: smooth, and never wider than its knots.
        func slope(_ index: Int) -> Float {
            guard index > 0, index < profile.count - 1 else { return 0 }
            let (before, after) = (steepness(index), steepness(index + 1))
            return before * after <= 0 ? 0 : 2 * before * after / (before + after)
        }
        let (low, high) = (profile[upper - 1], profile[upper])
        let span = high.share - low.share
        let t = (share - low.share) / span
        let rest = 1 - t
        let bend = rest * slope(upper - 1) - t * slope(upper)
        return mix(low.half, high.half, smooth(t)) + t * rest * bend * span
    }

    /// The change of width per height below a knot.
    private func steepness(_ knot: Int) -> Float {
        (profile[knot].half - profile[knot - 1].half) / (profile[knot].share - profile[knot - 1].share)
    }

    func paint(_ row: inout Row) {
        let widest = profile.map(\.half).max() ?? 0
        guard row.isWithin(foot.y - height, foot.y + widest * 0.2) else { return }
        for column in row.columns(foot.x - widest, foot.x + widest) {
            let x = row.x(column) - foot.x
            // The bottom is seen from above: its front is lower than its sides.
            let round = max(0, 1 - x * x / (widest * widest)).squareRoot()
            let share = (foot.y - row.y + round * profile[0].half * 0.18) / height
            let half = half(share)
            let sides = (half - abs(x)) / row.pixel + 0.5
            let ends = min(share * height, (foot.y - row.y) + height) / row.pixel + 0.5
            let coverage = clamp(min(sides, ends))
            guard coverage > 0 else { continue }
            row.blend(shaded(max(-1, min(1, x / half)), share), coverage, at: column)
        }
    }

    /// The color where the surface faces sideways by `u`.
    private func shaded(_ u: Float, _ share: Float) -> Color {
        let facing = (1 - u * u).squareRoot()
        let toLight = u * lightX
        let diffuse = clamp(0.55 * toLight + 0.75 * facing)
        // Light that the table reflects into the shadow.
        let bounced = smooth(-toLight, from: 0.6, to: 1) * 0.16
        var shade = color.lit(0.38 + 0.72 * diffuse + bounced)
        switch material {
        case .clay: return shade
        case .glazed:
            let shine = smooth(1 - abs(toLight - 0.5) / 0.12) * smooth(share, from: 0.1, to: 0.3)
            return shade.mixed(with: .white, shine * smooth((1 - share) / 0.1) * 0.55)
        case .glass:
            let shine = smooth(1 - abs(toLight - 0.62) / 0.08) * 0.8 + smooth(1 - abs(toLight + 0.7) / 0.1) * 0.25
            shade = color.lit(0.6 + 0.5 * facing)
            shade = shade.faded(0.5 + 0.42 * (1 - facing))
            return shade + Color.white * shine * (1 - shade.w * 0.3) * 0.6 - Color(0, 0, 0, shine * 0.1)
        }
    }
}

/// A round fruit, lit from one side.
struct Ball: Layer {
    let center: Point
    let radius: Point
    let color: Color
    /// The color of patches on the skin.
    let blush: Color
    let noise: Noise
    let lightX: Float
    /// The strength of the highlight.
    let gloss: Float

    func paint(_ row: inout Row) {
        let v = (row.y - center.y) / radius.y
        guard abs(v) < 1 + row.pixel / radius.y else { return }
        for column in row.columns(center.x - radius.x, center.x + radius.x) {
            let u = (row.x(column) - center.x) / radius.x
            let away = u * u + v * v
            let coverage = clamp((1 - away.squareRoot()) * min(radius.x, radius.y) / row.pixel + 0.5)
            guard coverage > 0 else { continue }
            let facing = max(0, 1 - away).squareRoot()
            let diffuse = clamp(0.5 * u * lightX - 0.5 * v + 0.62 * facing)
            let patches = noise.fractal(u * 1.4 + center.x * 40, v * 1.1 + center.y * 30, octaves: 4)
            let skin = color.mixed(with: blush, smooth(patches + 0.45 * u * lightX, from: -0.2, to: 0.5))
            let bounced = smooth(v * 0.7 - u * lightX * 0.4, from: 0.5, to: 1) * 0.14
            let highlight = Point(u - 0.38 * lightX, v + 0.42).length
            let shine = smooth(1 - highlight / 0.3) * gloss
            let shaded = skin.lit(0.34 + 0.78 * diffuse + bounced).mixed(with: .white, shine)
            row.blend(shaded, coverage, at: column)
        }
    }
}

/// The front of a bowl, below the front edge of its opening.
struct BowlFront: Layer {
    let vessel: Vessel
    let rim: Point
    let half: Float

    func paint(_ row: inout Row) {
        let before = row.colors
        vessel.paint(&row)
        for column in row.columns(rim.x - half, rim.x + half) {
            let u = (row.x(column) - rim.x) / half
            let edge = rim.y + half * 0.2 * max(0, 1 - u * u).squareRoot()
            let below = clamp((row.y - edge) / row.pixel + 0.5)
            row.colors[column] = before[column].mixed(with: row.colors[column], below)
        }
    }
}
