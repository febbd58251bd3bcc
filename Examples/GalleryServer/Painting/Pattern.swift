import Foundation

/// A decorative figure on a transparent ground, in a square.
struct Pattern {
    private let number: Int
    private var random: Random
    private let colors: [Color]

    init(number: Int) {
        self.number = number
        random = Random(number, 11)
        colors = Self.palettes[(number * 3 + number / 5) % Self.palettes.count].map { Color(hex: $0) }
    }

    mutating func layers() -> [any Layer] {
        switch number % 5 {
        case 0: rosette()
        case 1: wreath()
        case 2: circles()
        case 3: garland()
        default: butterfly()
        }
    }

    private static let palettes: [[UInt32]] = [
        [0xE4572E, 0xF3A712, 0xA8C686, 0x669BBC, 0x29335C], [0x2A9D8F, 0xE9C46A, 0xF4A261, 0xE76F51, 0x264653],
        [0x7B2CBF, 0xC77DFF, 0xFF9E6D, 0xFFD670, 0x3C096C], [0xEF476F, 0xFFD166, 0x06D6A0, 0x118AB2, 0x073B4C],
        [0x386641, 0x6A994E, 0xA7C957, 0xE9B44C, 0xBC4749], [0xF28482, 0xF6BD60, 0x84A59D, 0xF5CAC3, 0x52796F],
    ]
    private static let middle = Point(0.5, 0.5)

    private func petal(_ length: Float, _ width: Float) -> Path {
        Path(through: [
            Point(0, 0), Point(width * 0.7, -length * 0.35), Point(width, -length * 0.68), Point(0, -length),
            Point(-width, -length * 0.68), Point(-width * 0.7, -length * 0.35),
        ])
    }

    /// Rings of translucent petals.
    private mutating func rosette() -> [any Layer] {
        let count = random.pick([8, 10, 12])
        var layers: [any Layer] = [Glow(Self.middle + Point(0, 0.02), Point(0.48, 0.48), Color.black.faded(0.35))]
        for ring in 0..<4 {
            let length = 0.46 - Float(ring) * 0.09
            for index in 0..<count {
                let angle = (Float(index) + Float(ring) * 0.5) / Float(count) * 2 * .pi
                let shape = petal(length, length * 2.2 / Float(count)).turned(angle).moved(Self.middle)
                let color = colors[ring]
                layers.append(Shape(shape, .radial(Self.middle, length, color.lit(0.7).faded(0.9), color.faded(0.66))))
            }
        }
        for index in 0..<count {
            let angle = Float(index) / Float(count) * 2 * .pi
            layers.append(Shape(.circle(Self.middle + Point(sin(angle), cos(angle)) * 0.115, 0.014), .white))
        }
        return layers + [
            Shape(.circle(Self.middle, 0.06), .radial(Self.middle, 0.07, colors[1].lit(1.15), colors[1].lit(0.8)))
        ]
    }

    /// Leaves and berries around a circle.
    private mutating func wreath() -> [any Layer] {
        var (shadows, leaves): ([any Layer], [any Layer]) = ([], [])
        for index in 0..<54 {
            let turn = Float(index) / 54 * 2 * .pi
            let place = Self.middle + Point(sin(turn), -cos(turn)) * random.float(0.31...0.36)
            let color = colors[[0, 1, 2, 4][index % 4]].lit(random.float(0.85...1.1))
            let length = random.float(0.11...0.17)
            let lean = turn + .pi / 2 + (index.isMultiple(of: 2) ? 0.7 : -0.7) + random.float(-0.25...0.25)
            let tip = place + Point(sin(lean), -cos(lean)) * length
            shadows.append(Glow((place + tip) / 2 + Point(0, 0.02), Point(0.09, 0.09), Color.black.faded(0.2)))
            leaves += [
                Shape(
                    petal(length, length * 0.26).turned(lean).moved(place),
                    .linear(place, tip, color.lit(0.78), color.lit(1.12))),
                Shape(.stroke([place, tip], 0.004, to: 0.001), color.lit(0.65)),
            ]
            if index % 3 == 0 {
                let berry = place + Point(random.float(-0.05...0.05), random.float(-0.05...0.05))
                let red = colors[3]
                leaves.append(
                    Shape(
                        .circle(berry, 0.02), .radial(berry - Point(0.006, 0.007), 0.026, red.lit(1.35), red.lit(0.72)))
                )
            }
        }
        return shadows + leaves
    }

    /// Overlapping translucent discs with bright rims.
    private mutating func circles() -> [any Layer] {
        (0..<16).flatMap { index -> [any Layer] in
            let angle = Float(index) * 2.4
            let place = Self.middle + Point(sin(angle), cos(angle)) * (0.085 * Float(index).squareRoot())
            let radius = random.float(0.06...0.135)
            let color = colors[index % 4]
            return [
                Glow(place + Point(0.008, 0.02), Point(radius, radius) * 1.2, Color.black.faded(0.28)),
                Shape(
                    .circle(place, radius),
                    .radial(
                        place - Point(radius, radius) * 0.3, radius * 1.5, color.lit(1.1).faded(0.5), color.faded(0.82))
                ),
                Shape(
                    .ellipse(place - Point(radius, radius) * 0.42, Point(radius * 0.26, radius * 0.16)).turned(
                        -0.7, around: place - Point(radius, radius) * 0.42), Color.white.faded(0.6)),
            ]
        }
    }

    /// Ribbons that wind around each other.
    private mutating func garland() -> [any Layer] {
        let lobes = Float(random.int(3...7))
        return (0..<5).flatMap { index -> [any Layer] in
            let phase = Float(index) / 5 * 2 * .pi / lobes * 2
            let points = (0...120).map { step -> Point in
                let turn = Float(step) / 120 * 2 * .pi
                let reach = 0.31 + 0.13 * cos(turn * lobes + phase * lobes / 2 + Float(index))
                return Self.middle + Point(sin(turn + phase), -cos(turn + phase)) * reach
            }
            let color = colors[index]
            let ribbon = Path.stroke(points, 0.026)
            return [
                Shape(ribbon.moved(Point(0.004, 0.012)), Color.black.faded(0.16)),
                Shape(
                    ribbon,
                    .linear(Point(0.1, 0.1), Point(0.9, 0.9), color.lit(1.2).faded(0.92), color.lit(0.82).faded(0.92))),
            ]
        } + [
            Shape(
                .circle(Self.middle, 0.07),
                .radial(Self.middle - Point(0.02, 0.03), 0.1, colors[1].lit(1.2), colors[1].lit(0.75)))
        ]
    }

    /// A butterfly with translucent wings.
    private mutating func butterfly() -> [any Layer] {
        let upper = [
            Point(0.02, 0.46), Point(0.12, 0.24), Point(0.33, 0.12), Point(0.44, 0.2), Point(0.4, 0.4),
            Point(0.2, 0.52),
        ]
        let lower = [
            Point(0.02, 0.5), Point(0.2, 0.53), Point(0.34, 0.62), Point(0.33, 0.78), Point(0.2, 0.86),
            Point(0.09, 0.7),
        ]
        let spots = (0..<8).map { index in
            let y = index < 4 ? random.float(0.26...0.38) : random.float(0.62...0.74)
            return (Point(random.float(0.17...0.33) - (index < 4 ? 0 : 0.05), y), random.float(0.012...0.028))
        }
        let dark = colors[4]
        var layers: [any Layer] = []
        for side: Float in [-1, 1] {
            func mirrored(_ points: [Point]) -> Path { Path(through: points.map { Point(0.5 + side * $0.x, $0.y) }) }
            for (wing, color) in [(mirrored(lower), colors[1]), (mirrored(upper), colors[0])] {
                let center = Point(0.5 + side * 0.22, 0.45)
                layers += [
                    Shape(wing.moved(Point(0, 0.02)), Color.black.faded(0.18)),
                    Shape(wing, dark.faded(0.92)),
                    Shape(
                        wing.scaled(Point(0.86, 0.86), around: center),
                        .radial(Point(0.5, 0.5), 0.45, color.lit(1.15).faded(0.95), color.lit(0.85).faded(0.8))),
                ]
            }
            for (place, radius) in spots {
                layers.append(
                    Shape(.circle(Point(0.5 + side * place.x, place.y), radius), colors[2].lit(1.1).faded(0.85)))
            }
            layers.append(
                Shape(
                    .stroke(
                        [Point(0.5, 0.36), Point(0.5 + side * 0.05, 0.24), Point(0.5 + side * 0.12, 0.18)], 0.012,
                        to: 0.006), dark))
            layers.append(Shape(.circle(Point(0.5 + side * 0.12, 0.18), 0.012), dark))
        }
        let body = Path.ellipse(Point(0.5, 0.52), Point(0.026, 0.19))
        return layers + [Shape(body, .linear(Point(0.47, 0.5), Point(0.53, 0.5), dark.lit(1.3), dark.lit(0.7)))]
    }
}
