import Foundation

/// An animated figure with a white border, in a square.
struct Sticker {
    let number: Int

    /// The layers at a phase of the movement, from 0 to 1.
    func layers(at phase: Float) -> [any Layer] {
        let turn = phase * 2 * .pi
        return switch number % 8 {
        case 0: sun(turn)
        case 1: cat(turn)
        case 2: cup(turn)
        case 3: boat(turn)
        case 4: owl(phase)
        case 5: whale(turn)
        case 6: plant(turn)
        default: rocket(turn)
        }
    }

    static let dark = Color(hex: 0x3A2A35)

    /// Two eyes and a smile around a point.
    func face(_ middle: Point, _ size: Float, isBlinking: Bool = false) -> [any Layer] {
        let eyes = [-0.34, 0.34].flatMap { (x: Float) -> [any Layer] in
            let eye = middle + Point(x, 0) * size
            if isBlinking {
                return [
                    Shape(.stroke([eye - Point(0.12, 0) * size, eye + Point(0.12, 0) * size], size * 0.07), Self.dark)
                ]
            }
            return [
                Shape(.ellipse(eye, Point(0.1, 0.14) * size), Self.dark),
                Shape(.circle(eye + Point(-0.03, -0.05) * size, size * 0.04), .white),
                Glow(eye + Point(x * 0.5, 0.26) * size, Point(0.2, 0.14) * size, Color(hex: 0xFF6B6B).faded(0.75)),
            ]
        }
        let smile = [Point(-0.2, 0.24), Point(0, 0.38), Point(0.2, 0.24)].map { middle + $0 * size }
        return eyes + [Shape(.stroke(smile, size * 0.08), Self.dark)]
    }

    private func sun(_ turn: Float) -> [any Layer] {
        let bounce = abs(sin(turn))
        let middle = Point(0.5, 0.58 - bounce * 0.1)
        let squash = Point(1.06 - bounce * 0.06, 0.92 + bounce * 0.09)
        let orange = Color(hex: 0xFF9F1C)
        let rays = (0..<12).map { index in
            let angle = Float(index) / 12 * 2 * .pi + turn / 12
            let ray = Path(through: [Point(-0.045, -0.24), Point(0, -0.37), Point(0.045, -0.24)])
            return Shape(ray.turned(angle).scaled(squash).moved(middle), orange)
        }
        let disc = Path.circle(.zero, 0.25).scaled(squash).moved(middle)
        let body = Shape(disc, .radial(middle - Point(0.08, 0.1), 0.42, Color(hex: 0xFFE066), Color(hex: 0xFFB627)))
        return rays + [body] + face(middle, 0.24)
    }

    private func cup(_ turn: Float) -> [any Layer] {
        let steam = (0..<3).map { index in
            let x = 0.38 + Float(index) * 0.12
            let points = (0..<6).map { step -> Point in
                let height = Float(step) * 0.055
                return Point(x + sin(turn + Float(step) * 1.1 + Float(index) * 1.6) * 0.028, 0.43 - height)
            }
            return Shape(.stroke(points, 0.045, to: 0.012), Color(hex: 0xC9D6DF))
        }
        let tilt = sin(turn) * 0.035
        let pink = Color(hex: number / 8 % 2 == 0 ? 0xEF6F6C : 0x5FA8D3)
        let around = Point(0.5, 0.85)
        let handle = Path.stroke([Point(0.68, 0.54), Point(0.84, 0.54), Point(0.84, 0.71), Point(0.66, 0.74)], 0.06)
        let body = Path(through: [
            Point(0.25, 0.47), Point(0.5, 0.45), Point(0.75, 0.47), Point(0.72, 0.7), Point(0.62, 0.85),
            Point(0.38, 0.85),
            Point(0.28, 0.7),
        ])
        return steam + [
            Shape(handle.turned(tilt, around: around), pink.lit(0.85)),
            Shape(
                body.turned(tilt, around: around),
                .linear(Point(0.3, 0.5), Point(0.72, 0.75), pink.lit(1.08), pink.lit(0.88))),
            Shape(.ellipse(Point(0.49, 0.475), Point(0.235, 0.04)).turned(tilt, around: around), Color(hex: 0x6B3E26)),
        ] + face(Point(0.49 - tilt * 0.3, 0.63), 0.21)
    }

    private func boat(_ turn: Float) -> [any Layer] {
        let (tilt, lift) = (sin(turn) * 0.12, Point(0, cos(turn) * 0.02))
        let around = Point(0.5, 0.75)
        func tilted(_ points: [Point]) -> Path { Path(points).turned(tilt, around: around).moved(lift) }
        func wave(_ level: Float, _ offset: Float) -> Path {
            let crest = (0...24).map { step -> Point in
                let x = 0.1 + Float(step) / 24 * 0.8
                return Point(x, level + sin(x * 15 - turn + offset) * 0.018)
            }
            return Path(crest + [Point(0.8, 0.92), Point(0.2, 0.92)])
        }
        return [
            Shape(wave(0.73, 2), Color(hex: 0x3A86C8)),
            Shape(
                tilted([Point(0.49, 0.15), Point(0.51, 0.15), Point(0.515, 0.7), Point(0.485, 0.7)]),
                Color(hex: 0x8A5A3B)),
            Shape(
                tilted([Point(0.53, 0.17), Point(0.53, 0.62), Point(0.8, 0.62), Point(0.7, 0.36)]), Color(hex: 0xFFD166)
            ),
            Shape(tilted([Point(0.47, 0.22), Point(0.47, 0.62), Point(0.25, 0.62)]), Color(hex: 0xF78C6B)),
            Shape(tilted([Point(0.51, 0.15), Point(0.51, 0.09), Point(0.61, 0.12)]), Color(hex: 0xEF476F)),
            Shape(
                tilted([Point(0.2, 0.66), Point(0.82, 0.66), Point(0.72, 0.82), Point(0.3, 0.82)]), Color(hex: 0xB5443A)
            ),
            Shape(
                tilted([Point(0.2, 0.66), Point(0.82, 0.66), Point(0.805, 0.695), Point(0.215, 0.695)]),
                Color(hex: 0xFFF3E2)),
            Shape(wave(0.78, 0), Color(hex: 0x5FA8E0)),
        ]
    }

    private func plant(_ turn: Float) -> [any Layer] {
        let sway = sin(turn) * 0.07
        let head = Point(0.5 + sway, 0.3)
        let green = Color(hex: 0x5B9A4B)
        let petals = (0..<9).map { index in
            Shape(
                Path.ellipse(Point(0, -0.15), Point(0.062, 0.09)).turned(Float(index) / 9 * 2 * .pi + sway * 3).moved(
                    head),
                Color(hex: number / 8 % 2 == 0 ? 0xF26D85 : 0xB388EB).lit(index.isMultiple(of: 2) ? 1 : 0.93))
        }
        let leaves = [-1, 1].map { (side: Float) in
            Shape(
                Path(through: [
                    Point(0, 0), Point(side * 0.08, -0.07), Point(side * 0.2, -0.07), Point(side * 0.11, 0.01),
                ]).turned(sway * 2)
                    .moved(Point(0.5 + sway * 0.3, 0.6)), green)
        }
        let pot = Path([Point(0.34, 0.66), Point(0.66, 0.66), Point(0.61, 0.89), Point(0.39, 0.89)])
        return [Shape(.stroke([Point(0.5, 0.7), Point(0.5 + sway * 0.3, 0.52), head], 0.035), green.lit(0.85))] + leaves
            + petals
            + [Shape(.circle(head, 0.105), Color(hex: 0xFFD166))] + face(head - Point(0, 0.02), 0.14)
            + [
                Shape(pot, .linear(Point(0.35, 0), Point(0.65, 0), Color(hex: 0xE07A4F), Color(hex: 0xB85C3A))),
                Shape(.rectangle(Point(0.31, 0.63), Point(0.69, 0.71), radius: 0.02), Color(hex: 0xE88B60)),
            ]
    }

    private func rocket(_ turn: Float) -> [any Layer] {
        let shake = Point(sin(turn * 3) * 0.008, sin(turn) * 0.025)
        let flame = 0.13 + 0.05 * sin(turn * 3)
        func tongue(_ half: Float, _ length: Float) -> Path {
            Path(through: [
                Point(0.5 - half, 0.72), Point(0.5 + half, 0.72), Point(0.5 + half * 0.4, 0.72 + length * 0.6),
                Point(0.5, 0.72 + length), Point(0.5 - half * 0.4, 0.72 + length * 0.6),
            ])
        }
        let body = Path(through: [
            Point(0.5, 0.1), Point(0.62, 0.28), Point(0.65, 0.5), Point(0.6, 0.7), Point(0.4, 0.7), Point(0.35, 0.5),
            Point(0.38, 0.28),
        ])
        let red = Color(hex: 0xE5484D)
        var layers: [(Path, Paint)] = [
            (tongue(0.1, flame + 0.06), .flat(Color(hex: 0xFF9F1C))),
            (tongue(0.055, flame), .flat(Color(hex: 0xFFE066))),
        ]
        for side: Float in [-1, 1] {
            layers.append(
                (
                    Path([
                        Point(0.5 + side * 0.13, 0.48), Point(0.5 + side * 0.28, 0.66), Point(0.5 + side * 0.27, 0.8),
                        Point(0.5 + side * 0.1, 0.69),
                    ]), .flat(red)
                ))
        }
        layers += [
            (body, .linear(Point(0.36, 0.4), Point(0.66, 0.45), Color(hex: 0xFDFDFD), Color(hex: 0xC3CEDA))),
            (
                Path(through: [
                    Point(0.5, 0.1), Point(0.585, 0.2), Point(0.6, 0.25), Point(0.5, 0.27), Point(0.4, 0.25),
                    Point(0.415, 0.2),
                ]), .flat(red)
            ),
            (.circle(Point(0.5, 0.42), 0.1), .flat(Color(hex: 0x5B6C84))),
            (
                .circle(Point(0.5, 0.42), 0.08),
                .linear(Point(0.45, 0.36), Point(0.56, 0.5), Color(hex: 0xBFE6FF), Color(hex: 0x6DB6E8))
            ),
        ]
        return layers.map { Shape($0.0.moved(shake), $0.1) } + face(Point(0.5, 0.4) + shake, 0.11)
    }
}
