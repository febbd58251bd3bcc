import Foundation

/// Stars that are brighter away from the horizon.
struct Stars: Layer {
    private let stars: [(place: Point, brightness: Float)]

    init(_ random: inout Random, width: Float, horizon: Float) {
        stars = (0..<Int(260 * width)).map { _ in
            let place = Point(random.float(0...width), random.float(0...horizon))
            let brightness = random.float(0.1...1)
            return (place, brightness * brightness * (1 - place.y / horizon * 0.7))
        }
    }

    func paint(_ row: inout Row) {
        for (place, brightness) in stars {
            let size = 0.0009 + brightness * 0.0014
            let radius = max(row.pixel, size)
            // Stars that are smaller than a pixel are fainter.
            let share = size * size / (radius * radius)
            guard abs(place.y - row.y) < radius else { continue }
            for column in row.columns(place.x - radius, place.x + radius) {
                let away = (Point(row.x(column), row.y) - place).length / radius
                row.blend(.white, max(0, 1 - away) * brightness * share, at: column)
            }
        }
    }
}

/// Curtains of northern lights.
struct Aurora: Layer {
    let noise: Noise
    let horizon: Float

    func paint(_ row: inout Row) {
        guard row.y < horizon else { return }
        for curtain in 0..<3 {
            let shift = Float(curtain)
            let (y, middle) = (row.y, horizon * (0.62 - shift * 0.16))
            // The foot of a curtain winds by up to 0.2, and its light ends 0.4 above it.
            guard y > middle - 0.6, y < middle + 0.24 else { continue }
            let heights = row.samples(width: 0.01) { x in
                middle + noise.outline(x * 1.3, seed: 3 + shift * 7, octaves: 3) * 0.2 - y
            }
            let rays = row.samples(width: 0.01) { x in
                0.6 + noise.value(x * 22 + y * 2, 40 + shift) * 0.25 + noise.value(x * 5, 50 + shift) * 0.4
            }
            for column in row.colors.indices {
                let above = heights[column]
                guard above > -0.04, above < 0.4 else { continue }
                let end = above < 0 ? smooth(1 + above / 0.04) : smooth((0.4 - above) * 4)
                let strength = rays[column] * end / (1 + above * above * 70) * (0.62 - shift * 0.14)
                guard strength > 0.004 else { continue }
                row.blend(Self.green.mixed(with: Self.violet, smooth(above / 0.3)), min(1, strength), at: column)
            }
        }
    }

    private static let green = Color(hex: 0x4FF0A8)
    private static let violet = Color(hex: 0x8A5BE0)
}

/// Falling rain or snow, in three distances.
struct Precipitation: Layer {
    private let flakes: [(place: Point, radius: Float, opacity: Float)]
    /// The length of the streaks: 0 for snow.
    private let length: Float

    init(_ random: inout Random, width: Float, isSnow: Bool) {
        length = isSnow ? 0 : 0.045
        flakes = (0..<Int(isSnow ? 420 * width : 340 * width)).map { _ in
            let nearness = random.float()
            let radius = isSnow ? 0.0014 + nearness * nearness * nearness * 0.007 : 0.0006 + nearness * 0.0006
            return (
                Point(random.float(-0.1...width + 0.1), random.float(-0.05...1)), radius,
                isSnow ? 0.85 - nearness * 0.3 : 0.2 + nearness * 0.2
            )
        }
    }

    func paint(_ row: inout Row) {
        for (place, size, opacity) in flakes {
            let radius = max(size, row.pixel * 0.7)
            let along = row.y - place.y
            guard along > -radius, along < length + radius else { continue }
            // Rain is slanted.
            let x = place.x - max(0, min(length, along)) * 0.18
            let dy = max(0, -along, along - length)
            for column in row.columns(x - radius, x + radius) {
                let away = Point(row.x(column) - x, dy).length / radius
                row.blend(.white, smooth(1.35 * (1 - away)) * opacity * min(1, size / row.pixel), at: column)
            }
        }
    }
}

/// Mist that drifts between two heights.
struct Mist: Layer {
    let noise: Noise
    let color: Color
    let middle: Float
    let height: Float
    let opacity: Float

    func paint(_ row: inout Row) {
        let away = abs(row.y - middle) / height
        guard away < 1 else { return }
        let line = noise.line(row.y * 9 + middle * 20, octaves: 3)
        let drifts = row.samples(width: 0.01) { line.value($0 * 2.2) }
        for column in row.colors.indices {
            row.blend(color, smooth(1 - away) * clamp(0.6 + drifts[column] * 0.9) * opacity, at: column)
        }
    }
}
