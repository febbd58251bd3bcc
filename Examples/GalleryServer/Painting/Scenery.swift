import Foundation

/// Small things that stand in landscapes.
enum Scenery {
    /// A conifer of which each branch is visible. `foot` is the bottom of its trunk.
    static func conifer(_ foot: Point, height: Float, _ color: Color, _ random: inout Random) -> [any Layer] {
        let tiers = 11
        var (left, right): ([Point], [Point]) = ([], [])
        for tier in 0..<tiers {
            let share = Float(tier + 1) / Float(tiers)
            let y = foot.y - height * (1 - share * 0.9)
            let half = height * 0.2 * pow(share, 0.8)
            let (l, r) = (half * random.float(0.75...1.15), half * random.float(0.75...1.15))
            left += [Point(foot.x - l, y + height * 0.03), Point(foot.x - l * 0.45, y + height * 0.005)]
            right += [Point(foot.x + r, y + height * 0.03), Point(foot.x + r * 0.45, y + height * 0.005)]
        }
        let trunk = Path.rectangle(
            foot + Point(-height * 0.012, -height * 0.14), foot + Point(height * 0.012, height * 0.02))
        return [
            Shape(trunk, color.lit(0.8)), Shape(Path([foot + Point(0, -height)] + right + left.reversed()), color),
        ]
    }

    /// A tree with a round crown, lit from the side of the sun.
    static func tree(_ foot: Point, height: Float, _ color: Color, lightX: Float, _ random: inout Random) -> [any Layer]
    {
        var layers: [any Layer] = [
            Glow(foot + Point(-lightX * height * 0.3, 0), Point(height * 0.6, height * 0.07), Color.black.faded(0.4)),
            Shape(
                .stroke([foot, foot + Point(height * 0.01, -height * 0.5)], height * 0.07, to: height * 0.03),
                color.lit(0.45)),
        ]
        for tone in 0..<3 {
            for _ in 0..<9 {
                let angle = random.float(0...6.28)
                let away = random.float(0...0.24) * height
                let middle = foot + Point(0, -height * 0.62) + Point(cos(angle), sin(angle) * 0.8) * away
                let lift = Point(lightX, -0.9) * (height * 0.055 * Float(tone))
                let radius = height * (0.19 - 0.045 * Float(tone)) * random.float(0.75...1.1)
                layers.append(Shape(.circle(middle + lift, radius), color.lit(0.68 + Float(tone) * 0.2)))
            }
        }
        return layers
    }

    static func sailboat(_ foot: Point, height: Float, light: Light) -> [any Layer] {
        func at(_ x: Float, _ y: Float) -> Point { foot + Point(x, y) * height }
        let hull = Color(hex: 0x7A2F2A).under(light.ambient)
        let sail = Color(hex: 0xFFF8EC).under(light.ambient.mixed(with: .white, 0.45))
        return [
            Glow(at(0, 0.05), Point(height * 0.5, height * 0.08), Color.black.faded(0.45)),
            Shape(Path([at(0.02, -1), at(0.04, -0.16), at(0.44, -0.16), at(0.3, -0.5)]), sail),
            Shape(Path([at(-0.02, -0.92), at(-0.04, -0.18), at(-0.34, -0.16)]), sail.lit(0.86)),
            Shape(Path([at(-0.44, -0.13), at(0.5, -0.13), at(0.36, 0.03), at(-0.32, 0.03)]), hull),
        ]
    }

    /// A cabin with a lit window.
    static func cabin(_ foot: Point, height: Float, light: Light, snow: Bool) -> [any Layer] {
        func at(_ x: Float, _ y: Float) -> Point { foot + Point(x, y) * height }
        let wall = light.ground(Color(hex: 0x6B4630), distance: 0.1)
        let roof = snow ? Color(hex: 0xF4F7FC).under(light.ambient) : light.ground(Color(hex: 0x4A2E2A), distance: 0.1)
        let window = Color(hex: 0xFFD27A)
        return [
            Glow(at(0, 0), Point(height * 1.1, height * 0.18), Color.black.faded(0.35)),
            Shape(.rectangle(at(0.3, -1.1), at(0.44, -0.6)), wall.lit(0.7)),
            Shape(Path([at(-0.6, 0), at(-0.6, -0.45), at(-0.15, -0.96), at(0.3, -0.45), at(0.3, 0)]), wall),
            Shape(Path([at(0.3, 0), at(0.3, -0.45), at(0.75, -0.45), at(0.75, 0)]), wall.lit(0.72)),
            Shape(Path([at(-0.15, -0.98), at(0.55, -0.98), at(0.86, -0.4), at(0.28, -0.4)]), roof.lit(0.9)),
            Shape(Path([at(-0.15, -0.98), at(-0.72, -0.42), at(-0.68, -0.36), at(-0.15, -0.87)]), roof),
            Shape(.rectangle(at(-0.3, -0.42), at(-0.04, -0.16)), window),
            Shape(.rectangle(at(0.44, -0.34), at(0.6, -0.16)), window.lit(0.95)),
            Glow(at(-0.17, -0.28), Point(height * 0.8, height * 0.7), window.faded(0.28)),
        ]
    }

    static func lighthouse(_ foot: Point, height: Float, light: Light) -> [any Layer] {
        func at(_ x: Float, _ y: Float) -> Point { foot + Point(x, y) * height }
        let (white, red) = (Color(hex: 0xF8F4EA).under(light.ambient), Color(hex: 0xB8382E).under(light.ambient))
        var layers: [any Layer] = []
        for band in 0..<5 {
            let (low, high) = (Float(band) / 5, Float(band + 1) / 5)
            func half(_ share: Float) -> Float { 0.13 - share * 0.055 }
            let path = Path([
                at(-half(low), -low * 0.8), at(half(low), -low * 0.8), at(half(high), -high * 0.8),
                at(-half(high), -high * 0.8),
            ])
            let color = band.isMultiple(of: 2) ? white : red
            layers.append(Shape(path, .linear(at(-0.13, 0), at(0.13, 0), color, color.lit(0.62))))
        }
        let lamp = Color(hex: 0xFFE9A8)
        layers += [
            Shape(.rectangle(at(-0.1, -0.83), at(0.1, -0.8)), red.lit(0.6)),
            Shape(.rectangle(at(-0.055, -0.92), at(0.055, -0.83)), lamp),
            Shape(Path([at(-0.08, -0.92), at(0.08, -0.92), at(0, -1)]), red),
            Glow(at(0, -0.875), Point(height * 0.9, height * 0.5), lamp.faded(0.4)),
        ]
        return layers
    }

    static func birds(_ place: Point, _ color: Color, _ random: inout Random) -> [any Layer] {
        (0..<random.int(3...7)).map { _ in
            let middle = place + Point(random.float(-0.12...0.12), random.float(-0.05...0.05))
            let (span, lift) = (random.float(0.008...0.016), random.float(0.3...0.7))
            let wings = [
                middle + Point(-span, -span * lift), middle + Point(-span * 0.4, -span * lift * 0.9), middle,
                middle + Point(span * 0.4, -span * lift * 0.9), middle + Point(span, -span * lift),
            ]
            return Shape(.stroke(wings, span * 0.16), color)
        }
    }

    static func balloon(_ middle: Point, height: Float, _ color: Color, light: Light) -> [any Layer] {
        let body = Path(through: [
            Point(0, -0.5), Point(0.34, -0.36), Point(0.38, -0.08), Point(0.2, 0.2), Point(0.07, 0.33),
            Point(-0.07, 0.33), Point(-0.2, 0.2), Point(-0.38, -0.08), Point(-0.34, -0.36),
        ]).scaled(Point(height, height)).moved(middle)
        let tint = color.under(light.ambient.mixed(with: .white, 0.5))
        let stripe = Color(hex: 0xFFF3DC).under(light.ambient.mixed(with: .white, 0.5))
        let basket = Path.rectangle(
            middle + Point(-0.055, 0.4) * height, middle + Point(0.055, 0.49) * height, radius: height * 0.015)
        return [
            Shape(body, tint),
            Shape(body.scaled(Point(0.62, 1), around: middle), stripe),
            Shape(body.scaled(Point(0.28, 1), around: middle), tint),
            Shape(
                body,
                .linear(
                    middle + Point(-0.4, -0.3) * height, middle + Point(0.4, 0.2) * height, Color.white.faded(0.16),
                    Color(0.05, 0, 0.1, 1).faded(0.5))),
            Shape(basket, Color(hex: 0x5A3A24).under(light.ambient)),
        ]
    }
}
