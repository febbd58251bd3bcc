/// A lake or sea that mirrors what is behind it.
struct Water: Layer {
    /// The line where the water begins.
    let level: Float
    let behind: [any Layer]
    let light: Light
    /// The color of deep water under white light.
    let depths: Color
    let sunX: Float
    let noise: Noise
    /// 0 for a mirror, 1 for waves.
    let roughness: Float

    func paint(_ row: inout Row) {
        let depth = row.y - level
        guard depth > 0 else { return }
        var mirror = Row(width: row.colors.count, pixel: row.pixel)
        let wobble = noise.value(depth * 120 + 3, 5) * (0.004 + depth * 0.05) * (0.3 + roughness)
        mirror.y = level - max(row.pixel, depth * (1 - roughness * 0.25) + wobble)
        for layer in behind { layer.paint(&mirror) }
        // Waves are larger near the viewer.
        let distance = 1 / (depth + 0.035)
        let deep = depths.under(light.ambient)
        let sunWidth = 0.02 + depth * (0.18 + roughness * 0.25)
        let last = row.colors.count - 1
        let line = noise.line(distance * 5.5, octaves: 3)
        let waves = row.samples(width: 0.0026) { line.value(($0 - 0.7) * distance * 0.55 + 31) }
        for column in row.colors.indices {
            let (x, wave) = (row.x(column), waves[column])
            let shift = Int(wave * (0.004 + depth * 0.06) * (0.4 + roughness) / row.pixel)
            var color = mirror.colors[max(0, min(last, column + shift))]
            color = color.mixed(with: deep, clamp(0.16 + depth * 0.75 + wave * (0.1 + roughness * 0.35)))
            let crest = smooth(wave, from: 0.22, to: 0.62) * roughness
            color = color.mixed(with: light.horizon, crest * 0.35)
            if !light.isCovered {
                let away = abs(x - sunX) / sunWidth
                let sparkle = smooth(wave * 1.7 + 0.75 - away, from: 0.3, to: 0.75) / (1 + depth * 1.2)
                color = color.mixed(with: light.sun, sparkle * (light.isNight ? 0.55 : 0.75))
            }
            let coverage = min(1, depth / row.pixel + 0.5)
            row.blend(color, coverage, at: column)
        }
    }
}
