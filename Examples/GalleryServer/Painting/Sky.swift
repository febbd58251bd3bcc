/// A sky with a sun or moon and clouds.
struct Sky: Layer {
    private let light: Light
    private let horizon: Float
    private let sun: Point
    /// The noise of the clouds, and the share of the sky that they cover.
    private let noise: Noise
    private let cover: Float
    /// The width of clouds in relation to their height: 1 for heaps, more for streaks.
    private let stretch: Float
    /// The height below which each column is hidden by ridges.
    private let hiddenBelow: [Float]
    private let lowest: Float

    init(
        light: Light, horizon: Float, sun: Point, noise: Noise, cover: Float, stretch: Float, hiddenBelow: [Float]
    ) {
        (self.light, self.horizon, self.sun, self.noise) = (light, horizon, sun, noise)
        (self.cover, self.stretch, self.hiddenBelow) = (cover, stretch, hiddenBelow)
        lowest = hiddenBelow.max() ?? .infinity
    }

    private var sunRadius: Float { light.isNight ? 0.032 : 0.036 }

    func paint(_ row: inout Row) {
        guard row.y < min(horizon + 0.15, lowest) else { return }
        let height = clamp((horizon - row.y) / max(0.3, horizon))
        let base = light.horizon.mixed(with: light.middle, smooth(height / 0.45))
            .mixed(with: light.zenith, smooth(height, from: 0.3, to: 1.1))
        let (lit, shadow) = light.clouds
        // A flat layer of clouds, seen in perspective. Its noise varies slowly along the row.
        let distance = 0.42 / (max(0, horizon - row.y) + 0.16)
        let scale = 2.6 * distance / stretch
        let (dense, thin) = (noise.line(distance * 7, octaves: 5), noise.line(distance * 7 - 0.16, octaves: 3))
        let densities = cover > 0 ? row.samples(width: 0.005) { dense.value($0 * scale) } : []
        let thicknesses =
            cover > 0
            ? row.samples(width: 0.01) { thin.value(($0 - max(-0.12, min(0.12, $0 - sun.x))) * scale) } : []
        let lowFade = smooth(horizon - row.y, from: 0.0, to: 0.14)
        for column in row.colors.indices {
            guard row.y < hiddenBelow[column] else { continue }
            let toSun = Point(row.x(column), row.y) - sun
            let away = toSun.x * toSun.x + toSun.y * toSun.y
            let glow = glow(away)
            var color = base.mixed(with: light.sun, glow)
            if !light.isCovered { paintSun(&color, toSun, away, row.pixel) }
            if cover > 0 {
                let density = densities[column]
                let amount = smooth((density + cover - 0.42) / 0.34) * lowFade
                if amount > 0 {
                    let thickness = thicknesses[column]
                    let shade = smooth(0.55 + (density - thickness) * 1.1 - (density + cover - 0.6) * 0.7)
                    let cloud = shadow.mixed(with: lit, clamp(shade + glow * 0.7))
                    color = color.mixed(with: cloud, amount * 0.94)
                }
            }
            row.colors[column] = color
        }
    }

    /// The brightness around the sun at a squared distance.
    private func glow(_ away: Float) -> Float {
        if light.isCovered { return 0.25 / (1 + away * 22) }
        let strength: Float = light.isNight ? 0.3 : 0.85
        return strength * (0.5 / (1 + away * 150) + 0.5 / (1 + away * 9)) - strength * 0.06
    }

    private func paintSun(_ color: inout Color, _ toSun: Point, _ away: Float, _ pixel: Float) {
        guard away < sunRadius * sunRadius * 1.2 else { return }
        let disc = clamp((sunRadius - away.squareRoot()) / pixel + 0.5)
        var face = light.sun
        if light.isNight {
            // Seas of the moon.
            let spots = noise.fractal(toSun.x * 42 + 5, toSun.y * 42 + 9, octaves: 3)
            face = face.lit(1 - smooth(spots, from: -0.05, to: 0.4) * 0.16)
        }
        color = color.mixed(with: face.mixed(with: .white, light.isNight ? 0 : 0.5), disc)
    }
}
