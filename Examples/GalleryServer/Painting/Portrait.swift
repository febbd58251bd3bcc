import Foundation

/// The head and shoulders of a person, in a square.
struct Portrait {
    let person: Person

    func layers() -> [any Layer] {
        backdrop + [
            Zoom(
                1.2, around: Point(0.5, 0.55), hairBehind + shoulders + head + face + hairInFront + extras)
        ]
    }

    private var skin: Color { person.skin }
    private var shade: Color { skin.under(Color(hex: 0xD9A592)) }
    private var hair: Color { person.hairColor }
    private static let middle = Point(0.5, 0.45)

    /// A point relative to the middle of the head, in widths of the picture.
    private func at(_ x: Float, _ y: Float) -> Point { Self.middle + Point(x, y) }

    /// A smooth outline that is the same on both sides, from the points of its right side.
    private func symmetric(_ right: [Point]) -> Path {
        Path(
            through: (right + right.reversed().filter { $0.x > 0 }.map { Point(-$0.x, $0.y) }).map { Self.middle + $0 })
    }

    private var backdrop: [any Layer] {
        let color = person.background
        return [
            Shape(.rectangle(.zero, Point(1, 1)), .linear(.zero, Point(0.6, 1), color.lit(1.07), color.lit(0.9))),
            Shape(.circle(Point(0.5, 0.5), 0.4), Color.white.faded(0.17)),
        ]
    }

    private var shoulders: [any Layer] {
        let color = person.shirt
        let body = symmetric([
            Point(0, 0.25), Point(0.08, 0.255), Point(0.2, 0.31), Point(0.3, 0.38), Point(0.355, 0.52),
            Point(0.37, 0.75),
            Point(0, 0.8),
        ])
        let neck = Path.rectangle(at(-0.068, 0.1), at(0.068, 0.33), radius: 0.06)
        let shading = Paint.linear(at(-0.3, 0.3), at(0.34, 0.5), color.lit(1.06), color.lit(0.78))
        let chin = Glow(at(0.01, 0.195), Point(0.085, 0.06), shade.lit(0.62))
        switch person.clothes {
        case .crew:
            let hole = Path.ellipse(at(0, 0.262), Point(0.1, 0.062))
            return [
                Shape(body, shading), Shape(hole.scaled(Point(1.16, 1.2), around: at(0, 0.262)), color.lit(0.7)),
                Shape(hole, skin.lit(0.94)), Shape(neck, skin.lit(0.97)), chin,
            ]
        case .collar:
            let opening = Path([at(-0.075, 0.23), at(0.075, 0.23), at(0.0, 0.4)])
            let right = Path([at(0.066, 0.215), at(0.125, 0.27), at(0.06, 0.395), at(0.0, 0.335)])
            let left = Path(right.points.map { Point(1 - $0.x, $0.y) })
            return [
                Shape(body, shading), Shape(opening, skin.lit(0.95)), Shape(neck, skin.lit(0.97)), chin,
                Shape(left, color.lit(1.22)), Shape(right, color.lit(1.05)),
            ]
        case .hood:
            let hood = symmetric([Point(0, 0.2), Point(0.14, 0.2), Point(0.2, 0.3), Point(0.11, 0.385), Point(0, 0.4)])
            let inside = Path.ellipse(at(0, 0.27), Point(0.095, 0.07))
            let cords = [-0.045, 0.045].map { (x: Float) in
                Shape(.stroke([at(x, 0.36), at(x * 1.2, 0.43), at(x * 1.1, 0.48)], 0.012), color.lit(1.35))
            }
            return [
                Shape(body, shading), Shape(hood, color.lit(0.86)), Shape(inside, color.lit(0.6)),
                Shape(neck, skin.lit(0.97)),
                chin,
            ] + cords
        case .turtleneck:
            let roll = Path.rectangle(at(-0.088, 0.2), at(0.088, 0.36), radius: 0.035)
            return [
                Shape(body, shading), Shape(neck, skin.lit(0.97)), chin,
                Shape(roll, .linear(at(-0.085, 0), at(0.085, 0), color.lit(1.1), color.lit(0.72))),
            ]
        }
    }

    private var head: [any Layer] {
        let ears = [-0.158, 0.158].flatMap { (x: Float) -> [Shape] in
            let ear = Path.ellipse(at(x, 0.025), Point(0.03, 0.044))
            return [
                Shape(ear, x < 0 ? skin : shade),
                Shape(ear.scaled(Point(0.5, 0.55), around: at(x, 0.025)), shade.lit(0.88)),
            ]
        }
        let outline = symmetric([
            Point(0, -0.195), Point(0.1, -0.175), Point(0.155, -0.08), Point(0.158, 0.03), Point(0.13, 0.135),
            Point(0.07, 0.2), Point(0, 0.218),
        ])
        return ears + [Shape(outline, .linear(at(-0.06, -0.1), at(0.2, 0.14), skin, shade))]
    }

    private var face: [any Layer] {
        let brown = Color(hex: 0x2A1C1A)
        var layers: [any Layer] = [
            Glow(at(-0.092, 0.092), Point(0.05, 0.036), Color(hex: 0xF06A5A).faded(0.3)),
            Glow(at(0.092, 0.092), Point(0.05, 0.036), Color(hex: 0xF06A5A).faded(0.3)),
            Shape(.stroke([at(0.004, 0.03), at(0.022, 0.078), at(-0.002, 0.088)], 0.011, to: 0.009), shade.lit(0.87)),
        ]
        if person.hasBeard { layers.append(beard) }
        for x: Float in [-0.066, 0.066] {
            layers += [
                Shape(.ellipse(at(x, 0.018), Point(0.0165, 0.02)), brown),
                Shape(.circle(at(x - 0.005, 0.011), 0.0055), Color.white.faded(0.9)),
                Shape(
                    .stroke(
                        [at(x - 0.03, -0.034 + abs(x) * 0.05), at(x, -0.047), at(x + 0.03, -0.034 + abs(x) * 0.05)],
                        0.013),
                    hair.mixed(with: brown, 0.5)),
            ]
        }
        let lip = Color(hex: 0xA8433F).mixed(with: skin, 0.2)
        switch person.number % 3 {
        case 0: layers.append(Shape(.stroke([at(-0.045, 0.128), at(0, 0.15), at(0.045, 0.128)], 0.013), lip.lit(0.85)))
        case 1:
            let mouth = Path(through: [
                at(-0.05, 0.124), at(0, 0.132), at(0.05, 0.124), at(0.03, 0.158), at(0, 0.168), at(-0.03, 0.158),
            ])
            layers += [
                Shape(mouth, Color(hex: 0x7A2A30)),
                Shape(.stroke([at(-0.034, 0.134), at(0, 0.14), at(0.034, 0.134)], 0.013), Color(hex: 0xFFF8F0)),
            ]
        default:
            layers.append(
                Shape(.stroke([at(-0.035, 0.137), at(0.005, 0.148), at(0.045, 0.126)], 0.013), lip.lit(0.85)))
        }
        return layers
    }

    private var beard: Shape {
        Shape(
            Path(through: [
                at(-0.158, 0.03), at(-0.13, 0.085), at(-0.06, 0.108), at(0, 0.102), at(0.06, 0.108), at(0.13, 0.085),
                at(0.158, 0.03), at(0.148, 0.13), at(0.085, 0.222), at(0, 0.245), at(-0.085, 0.222), at(-0.148, 0.13),
            ]), .linear(at(-0.1, 0), at(0.15, 0.2), hair.lit(1.15), hair.lit(0.85)))
    }

    // MARK: Hair

    private func strand(_ points: [(Float, Float)], _ brightness: Float = 1) -> Shape {
        Shape(Path(through: points.map { at($0.0, $0.1) }), hair.lit(brightness))
    }

    /// Hair above the forehead, down to the temples.
    private func cap(lift: Float = 0, hairline: Float = -0.11, width: Float = 1, opacity: Float = 1) -> Shape {
        let points: [(Float, Float)] = [
            (-0.165, 0.02), (-0.178, -0.08), (-0.13, -0.19 - lift), (0, -0.232 - lift), (0.13, -0.19 - lift),
            (0.178, -0.08),
            (0.165, 0.02), (0.145, -0.05), (0.09, hairline), (0, hairline - 0.012), (-0.09, hairline), (-0.145, -0.05),
        ]
        return Shape(Path(through: points.map { at($0.0 * width, $0.1) }), hair.faded(opacity))
    }

    private func puffs(_ count: Int, from start: Float, to end: Float, reach: Float, size: Float) -> [any Layer] {
        (0..<count).map { index in
            let angle = mix(start, end, Float(index) / Float(count - 1))
            let center = at(sin(angle) * reach, -0.03 - cos(angle) * reach)
            return Shape(.circle(center, size), hair.lit(1.12 - 0.1 * Float(index % 3)))
        }
    }

    private var hairBehind: [any Layer] {
        switch person.hair {
        case .long:
            [
                strand(
                    [
                        (0, -0.235), (0.16, -0.17), (0.2, 0), (0.205, 0.2), (0.225, 0.38), (0, 0.42), (-0.225, 0.38),
                        (-0.205, 0.2), (-0.2, 0), (-0.16, -0.17),
                    ], 0.8)
            ]
        case .bob:
            [
                strand(
                    [
                        (0, -0.235), (0.16, -0.18), (0.205, 0), (0.215, 0.15), (0.12, 0.2), (-0.12, 0.2),
                        (-0.215, 0.15), (-0.205, 0), (-0.16, -0.18),
                    ], 0.8)
            ]
        case .wavy:
            puffs(15, from: -2.55, to: 2.55, reach: 0.2, size: 0.072)
        case .bun: [Shape(.circle(at(0, -0.26), 0.075), hair.lit(0.86)), cap(lift: 0.004)]
        case .curls: puffs(17, from: -2.2, to: 2.2, reach: 0.19, size: 0.062)
        case .afro:
            [Shape(.circle(at(0, -0.075), 0.235), hair.lit(0.9))] + puffs(19, from: -2, to: 2, reach: 0.2, size: 0.06)
        case .scarf:
            [
                Shape(
                    symmetric([
                        Point(0, -0.24), Point(0.17, -0.17), Point(0.205, 0.02), Point(0.18, 0.22), Point(0.22, 0.36),
                        Point(0, 0.44),
                    ]), person.shirt.lit(0.72))
            ]
        default: []
        }
    }

    private var hairInFront: [any Layer] {
        switch person.hair {
        case .long:
            // Parted in the middle.
            [-1, 1].map { (side: Float) in
                strand(
                    [
                        (0, -0.235), (side * 0.13, -0.2), (side * 0.185, -0.07), (side * 0.178, 0.1),
                        (side * 0.152, 0.07), (side * 0.13, -0.06), (side * 0.05, -0.15),
                    ], side < 0 ? 1.1 : 0.95)
            }
        case .bob:
            [
                strand(
                    [
                        (-0.165, 0.03), (-0.185, -0.08), (-0.13, -0.2), (0, -0.238), (0.13, -0.2), (0.185, -0.08),
                        (0.165, 0.03), (0.142, -0.045), (0.07, -0.068), (-0.07, -0.068), (-0.142, -0.045),
                    ], 1.06)
            ]
        case .bun: [cap(hairline: -0.13)]
        case .curls: puffs(9, from: -1.25, to: 1.25, reach: 0.158, size: 0.046)
        case .wavy: [cap(lift: 0.005, hairline: -0.135)]
        case .short: [cap()]
        case .parted:
            [
                strand(
                    [
                        (-0.165, 0.01), (-0.178, -0.09), (-0.13, -0.2), (-0.03, -0.236), (0.1, -0.215), (0.175, -0.12),
                        (0.166, 0.01), (0.145, -0.055), (0.06, -0.085), (-0.06, -0.15), (-0.12, -0.1), (-0.147, -0.04),
                    ], 1.05)
            ]
        case .quiff:
            [
                cap(hairline: -0.13),
                strand(
                    [
                        (-0.12, -0.14), (-0.14, -0.22), (-0.03, -0.28), (0.1, -0.27), (0.155, -0.2), (0.13, -0.13),
                        (0.03, -0.155),
                    ], 1.1),
            ]
        case .shaved: [cap(lift: -0.03, hairline: -0.125, width: 0.92, opacity: 0.55)]
        case .afro: puffs(9, from: -1.2, to: 1.2, reach: 0.165, size: 0.05)
        case .cap:
            [
                Shape(
                    symmetric([
                        Point(0, -0.262), Point(0.13, -0.225), Point(0.182, -0.085), Point(0.172, -0.045),
                        Point(0, -0.07),
                    ]), person.shirt.lit(0.92)),
                Shape(.rectangle(at(-0.182, -0.115), at(0.182, -0.05), radius: 0.03), person.shirt.lit(1.12)),
                Shape(.circle(at(0, -0.272), 0.03), person.shirt.lit(1.2)),
            ]
        case .scarf:
            [-1, 1].map { (side: Float) in
                Shape(
                    Path(
                        through: [
                            (0, -0.245), (side * 0.14, -0.205), (side * 0.19, -0.05), (side * 0.17, 0.14),
                            (side * 0.1, 0.25), (0, 0.29), (side * 0.02, 0.235), (side * 0.11, 0.17),
                            (side * 0.143, 0.03), (side * 0.11, -0.09), (0, -0.14),
                        ].map { at($0.0, $0.1) }), person.shirt.lit(side < 0 ? 1.12 : 0.98))
            }
        }
    }

    private var extras: [any Layer] {
        var layers: [any Layer] = []
        if person.hasGlasses {
            let frame = Color(hex: 0x2B2B33)
            for x: Float in [-0.068, 0.068] {
                let ring = (0...24).map { step in
                    let angle = Float(step) / 24 * 2 * .pi
                    return at(x + cos(angle) * 0.05, 0.02 + sin(angle) * 0.046)
                }
                layers += [Shape(Path(ring), Color.white.faded(0.16)), Shape(.stroke(ring, 0.01), frame)]
            }
            layers.append(Shape(.stroke([at(-0.02, 0.014), at(0, 0.006), at(0.02, 0.014)], 0.01), frame))
        }
        if person.hasEarrings && person.hair != .scarf {
            let gold = Color(hex: 0xF0C24B)
            layers += [
                Shape(.circle(at(-0.165, 0.082), 0.014), gold), Shape(.circle(at(0.165, 0.082), 0.014), gold.lit(0.85)),
            ]
        }
        return layers
    }
}
