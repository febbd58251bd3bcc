import Foundation

/// The things of a still life.
struct Arrangement {
    let middle: Float
    /// The height of the picture where things stand.
    let table: Float
    let lightX: Float
    let noise: Noise
    var random: Random
    let accents: [UInt32]

    mutating func layers(of subject: StillLife.Subject) -> [any Layer] {
        switch subject {
        case .fruit: fruit()
        case .bottles: bottles()
        case .flowers: flowers()
        case .coffee: coffee()
        case .pears: pears()
        }
    }

    // MARK: Things

    private func at(_ x: Float, _ y: Float) -> Point { Point(middle + x, table + y) }
    private func accent(_ index: Int) -> Color { Color(hex: accents[index % accents.count]) }

    /// The shadow of a thing on the table.
    private func shadow(_ foot: Point, _ half: Float, length: Float) -> [any Layer] {
        [
            Glow(
                foot + Point(-lightX * length * 0.5, -half * 0.05), Point(half + length * 0.6, half * 0.42),
                Color.black.faded(0.5)),
            Glow(foot + Point(0, half * 0.03), Point(half * 1.25, half * 0.3), Color.black.faded(0.75)),
        ]
    }

    private func vessel(
        _ foot: Point, height: Float, _ profile: [(Float, Float)], _ color: Color, _ material: Vessel.Material
    ) -> [any Layer] {
        let scaled = profile.map { (share: $0.0, half: $0.1 * height) }
        return shadow(foot, scaled[0].half * 1.15, length: height * 0.5) + [
            Vessel(foot: foot, height: height, profile: scaled, color: color, material: material, lightX: lightX)
        ]
    }

    /// The opening of a vessel, seen from above.
    private func opening(_ middle: Point, _ half: Float, _ color: Color, inside: Color) -> [any Layer] {
        [
            Shape(.ellipse(middle, Point(half, half * 0.2)), color.lit(1.12)),
            Shape(
                .ellipse(middle + Point(0, half * 0.02), Point(half * 0.9, half * 0.16)),
                .linear(
                    middle - Point(half * lightX, 0), middle + Point(half * lightX, 0), inside.lit(0.9),
                    inside.lit(0.45))),
        ]
    }

    private mutating func ball(_ foot: Point, _ radius: Float, kind: Int? = nil, hasShadow: Bool = true) -> [any Layer]
    {
        let kind = kind ?? random.int(0...4)
        let (color, blush, gloss): (UInt32, UInt32, Float) =
            [
                (0xD8342A, 0xE8A040, 0.6), (0xF08A24, 0xF6A53A, 0.25), (0xA8BE3C, 0xD9C850, 0.5),
                (0xF2CC3A, 0xF8DC60, 0.3), (0x6A2F5A, 0x8A3F52, 0.4),
            ][kind]
        let shape = kind == 3 ? Point(1.2, 0.9) : Point(1, kind == 1 ? 0.97 : 0.93)
        let center = foot - Point(0, radius * shape.y * 0.94)
        var layers: [any Layer] = hasShadow ? shadow(foot, radius * 0.8, length: radius) : []
        layers.append(
            Ball(
                center: center, radius: shape * radius, color: Color(hex: color), blush: Color(hex: blush),
                noise: noise,
                lightX: lightX, gloss: gloss))
        if kind != 1 && kind != 3 {
            let top = center - Point(0, radius * 0.86)
            layers += [
                Glow(top, Point(radius * 0.34, radius * 0.13), Color(hex: 0x2A1A08).faded(0.6)),
                Shape(
                    .stroke(
                        [top, top + Point(0.03, -0.16) * radius, top + Point(0.14, -0.34) * radius], radius * 0.06,
                        to: radius * 0.09), Color(hex: 0x4A3420)),
            ]
        }
        return layers
    }

    private func pear(_ foot: Point, height: Float, _ color: Color) -> [any Layer] {
        let profile: [(Float, Float)] = [
            (0, 0.2), (0.03, 0.26), (0.28, 0.385), (0.66, 0.2), (0.9, 0.14), (0.97, 0.09), (1, 0.02),
        ]
        let top = foot - Point(0, height * 0.98)
        let stem = Path.stroke(
            [top, top + Point(0.01, -0.08) * height, top + Point(0.06, -0.17) * height], height * 0.025,
            to: height * 0.04)
        return vessel(foot, height: height, profile, color, .glazed) + [Shape(stem, Color(hex: 0x4A3420))]
    }

    // MARK: Subjects

    private mutating func fruit() -> [any Layer] {
        let color = accent(random.int(0...3))
        let (rim, foot) = (at(0, -0.165), at(0, 0))
        let half: Float = 0.27
        var layers = shadow(foot, half * 0.62, length: 0.24)
        layers += opening(rim, half, color, inside: color.lit(0.7))
        for (x, y, radius) in [
            (-0.14, -0.04, 0.086), (0.14, -0.045, 0.084), (0.0, -0.075, 0.092), (-0.19, 0.02, 0.07),
            (0.19, 0.02, 0.072),
            (-0.085, 0.03, 0.09), (0.085, 0.035, 0.088),
        ] as [(Float, Float, Float)] {
            layers += ball(rim + Point(x, y + 0.045), radius, hasShadow: false)
        }
        let profile: [(share: Float, half: Float)] = [
            (0, 0.11), (0.08, 0.1), (0.16, 0.12), (0.5, 0.23), (0.85, 0.266), (1, half),
        ]
        // The front of the bowl covers the fruit below its rim.
        layers.append(
            BowlFront(
                vessel: Vessel(
                    foot: foot, height: 0.165, profile: profile, color: color, material: .glazed, lightX: lightX),
                rim: rim, half: half))
        let side: Float = random.chance(0.5) ? 1 : -1
        layers += ball(at(side * 0.38, 0.045), 0.07, kind: 3)
        layers += ball(at(-side * 0.35, 0.03), 0.062)
        return layers
    }

    private mutating func bottles() -> [any Layer] {
        let shapes: [[(Float, Float)]] = [
            [(0, 0.13), (0.04, 0.14), (0.55, 0.14), (0.72, 0.05), (0.95, 0.045), (0.955, 0.055), (1, 0.055)],
            [(0, 0.16), (0.1, 0.22), (0.4, 0.2), (0.6, 0.07), (0.93, 0.055), (0.97, 0.085), (1, 0.085)],
            [(0, 0.17), (0.05, 0.185), (0.62, 0.185), (0.78, 0.075), (0.94, 0.07), (0.95, 0.09), (1, 0.09)],
            [(0, 0.1), (0.05, 0.11), (0.4, 0.09), (0.7, 0.045), (0.96, 0.04), (1, 0.055)],
        ]
        let colors: [(Color, Vessel.Material)] = [
            (Color(hex: 0x2F6B4A), .glass), (accent(1), .glazed), (Color(hex: 0x9A5A22), .glass), (accent(2), .clay),
            (Color(hex: 0x3F7FA0), .glass), (accent(0), .glazed),
        ]
        var layers: [any Layer] = []
        let first = random.int(0...5)
        for (index, x) in ([-0.3, -0.1, 0.12, 0.31] as [Float]).enumerated() {
            let foot = at(x + random.float(-0.02...0.02), index.isMultiple(of: 2) ? -0.03 : 0.04)
            let (color, material) = colors[(first + index) % colors.count]
            layers += vessel(
                foot, height: random.float(0.38...0.55), shapes[(index + first) % shapes.count], color, material)
        }
        layers += ball(at(random.float(-0.05...0.05) + 0.02, 0.1), 0.06, kind: 3)
        layers += ball(at(0.2, 0.085), 0.05, kind: 1)
        return layers
    }

    private mutating func flowers() -> [any Layer] {
        let color = accent(random.int(0...3))
        let mouth = at(0, -0.3)
        var (stems, blossoms): ([any Layer], [any Layer]) = ([], [])
        let petals: [UInt32] = random.pick([
            [0xE8506A, 0xF6A6B8, 0xFFE9E4], [0xF3B33D, 0xF7D774, 0xE5743A], [0x8A6FC0, 0xC3B1E8, 0xF4EEFA],
            [0xF5EFE2, 0xE9C46A, 0xE76F51],
        ])
        for index in 0..<11 {
            let angle = (Float(index) / 10 - 0.5) * 2.5 + random.float(-0.1...0.1)
            let reach = random.float(0.17...0.31)
            let head = mouth + Point(sin(angle), -cos(angle) * 0.95) * reach
            let bend = mouth + Point(sin(angle) * reach * 0.3, -reach * 0.55)
            let green = Color(hex: random.pick([0x3F6B3A, 0x5B8A48, 0x2F5538]))
            stems.append(Shape(.stroke([mouth + Point(0, 0.04), bend, head], 0.009), green))
            stems += leaf(bend, angle: angle + random.float(-1.3...1.3), length: random.float(0.09...0.15), green)
            let size = random.float(0.05...0.078)
            blossoms.append(
                Glow(head + Point(-lightX * 0.012, 0.016), Point(size, size) * 1.25, Color.black.faded(0.3)))
            blossoms += blossom(head, size, Color(hex: random.pick(petals)))
        }
        let profile: [(Float, Float)] = [
            (0, 0.2), (0.06, 0.23), (0.4, 0.36), (0.68, 0.26), (0.84, 0.17), (0.95, 0.2), (1, 0.25),
        ]
        let body = vessel(at(0, 0), height: 0.3, profile, color, random.chance(0.6) ? .glazed : .clay)
        return opening(mouth, 0.075, color, inside: color.lit(0.4)) + stems + body + blossoms
            + blossom(at(0.24, 0.06), 0.035, Color(hex: petals[0])) + ball(at(-0.26, 0.05), 0.06)
    }

    private func leaf(_ foot: Point, angle: Float, length: Float, _ color: Color) -> [any Layer] {
        let shape = Path(through: [
            Point(0, 0), Point(0.16, -0.35), Point(0.11, -0.75), Point(0, -1), Point(-0.11, -0.75), Point(-0.16, -0.35),
        ]).scaled(Point(length, length)).turned(angle).moved(foot)
        let tip = foot + Point(sin(angle), -cos(angle)) * length
        return [
            Shape(shape, .linear(foot, tip, color.lit(0.8), color.lit(1.25))),
            Shape(.stroke([foot, tip], length * 0.025, to: 0), color.lit(0.7)),
        ]
    }

    private mutating func blossom(_ middle: Point, _ size: Float, _ color: Color) -> [any Layer] {
        let turn = random.float()
        var layers: [any Layer] = []
        for ring in 0..<2 {
            let length = size * (1 - 0.36 * Float(ring))
            for petal in 0..<8 {
                let angle = (Float(petal) + turn + Float(ring) * 0.5) / 8 * 2 * .pi
                let shape = Path.ellipse(Point(0, -length * 0.56), Point(length * 0.27, length * 0.46))
                    .turned(angle).scaled(Point(1, 0.88)).moved(middle)
                layers.append(
                    Shape(shape, .radial(middle, size, color.lit(0.72 + 0.1 * Float(ring)), color.lit(1.05))))
            }
        }
        let heart = Color(hex: 0xE0A030)
        return layers + [
            Shape(
                .circle(middle, size * 0.22),
                .radial(middle + Point(lightX, -1) * size * 0.08, size * 0.3, heart.lit(1.2), heart.lit(0.7)))
        ]
    }

    private mutating func coffee() -> [any Layer] {
        let (cup, side) = (accent(random.int(0...2)), -lightX)
        var layers: [any Layer] = []
        // A stack of books.
        var top: Float = 0.01
        for index in 0..<3 {
            let (half, thick) = (random.float(0.17...0.21), random.float(0.045...0.062))
            let shift = side * 0.23 + random.float(-0.02...0.02)
            let cover = accent(index + 1)
            if index == 0 {
                let middle = at(shift - lightX * 0.04, top)
                layers.append(Glow(middle, Point(half * 1.25, 0.045), Color.black.faded(0.8)))
            }
            let (low, high) = (at(shift - half, top - thick), at(shift + half, top))
            layers += [
                Shape(
                    .rectangle(low, high, radius: 0.006),
                    .linear(low, high, cover.lit(lightX < 0 ? 1.08 : 0.7), cover.lit(lightX < 0 ? 0.7 : 1.08))),
                Shape(
                    .rectangle(low + Point(0.02, 0.009), high + Point(0, -0.009)),
                    .linear(low, high, Color(hex: 0xF2E9D6), Color(hex: 0xCDBEA2))),
            ]
            top -= thick
        }
        layers += ball(at(side * 0.23, top + 0.008), 0.07, kind: random.pick([0, 2]))
        // The cup on its saucer.
        let foot = at(-side * 0.16, 0.055)
        let (rim, half) = (foot - Point(0, 0.17), Float(0.115))
        layers += shadow(foot + Point(0, 0.01), 0.19, length: 0.1)
        layers += [
            Shape(.ellipse(foot + Point(0, 0.012), Point(0.19, 0.042)), cup.lit(0.7)),
            Shape(
                .ellipse(foot, Point(0.19, 0.042)),
                .linear(foot + Point(0.19 * lightX, 0), foot - Point(0.19 * lightX, 0), cup.lit(1.12), cup.lit(0.75))),
            Glow(foot + Point(-lightX * 0.03, 0), Point(0.11, 0.03), Color.black.faded(0.5)),
            Shape(
                .stroke(
                    [
                        rim + Point(-side * 0.1, 0.035), rim + Point(-side * 0.165, 0.025),
                        rim + Point(-side * 0.175, 0.08),
                        rim + Point(-side * 0.085, 0.12),
                    ], 0.022), cup.lit(0.8)),
            Vessel(
                foot: foot, height: 0.17, profile: [(0, 0.055), (0.1, 0.065), (0.5, 0.1), (1, half)], color: cup,
                material: .glazed, lightX: lightX),
        ]
        layers += opening(rim, half, cup, inside: Color(hex: 0x5A3018))
        for index in 0..<2 {
            let x = Float(index) * 0.05 - 0.025
            let steam = (0..<6).map { step in
                rim + Point(x + sin(Float(step) * 1.3 + Float(index) * 2) * 0.022, -0.015 - Float(step) * 0.05)
            }
            layers.append(Shape(.stroke(steam, 0.026, to: 0.004), Color.white.faded(0.16)))
        }
        return layers
    }

    private mutating func pears() -> [any Layer] {
        let jug = accent(random.int(0...3))
        let side: Float = random.chance(0.5) ? 1 : -1
        let foot = at(side * 0.2, -0.03)
        let handle = Path.stroke(
            [
                foot + Point(side * 0.07, -0.34), foot + Point(side * 0.19, -0.34), foot + Point(side * 0.2, -0.2),
                foot + Point(side * 0.1, -0.13),
            ], 0.03)
        let profile: [(Float, Float)] = [(0, 0.2), (0.05, 0.23), (0.35, 0.31), (0.7, 0.19), (0.9, 0.18), (1, 0.22)]
        var layers: [any Layer] = [Shape(handle, jug.lit(0.86))]
        layers += vessel(foot, height: 0.4, profile, jug, .glazed)
        layers += opening(foot - Point(0, 0.4), 0.088, jug, inside: jug.lit(0.45))
        for (index, x) in ([-0.3, -0.1, 0.14] as [Float]).enumerated() {
            let color = Color(hex: random.pick([0xB9B23C, 0xD0B040, 0x98A23A, 0xC98A38]))
            layers += pear(at(x * side, 0.05 + Float(index % 2) * 0.035), height: random.float(0.2...0.25), color)
        }
        return layers
    }
}
