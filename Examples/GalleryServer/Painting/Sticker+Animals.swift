import Foundation

/// The animals among the stickers.
extension Sticker {
    func cat(_ turn: Float) -> [any Layer] {
        let fur: UInt32 = number / 8 % 2 == 0 ? 0xF4A259 : 0x8D99AE
        let (color, dark) = (Color(hex: fur), Color(hex: fur).lit(0.82))
        let tail = [
            Point(0.66, 0.8), Point(0.82, 0.78), Point(0.86, 0.62 + 0.02 * sin(turn)),
            Point(0.8 + 0.05 * sin(turn), 0.5),
        ]
        // The paw waves twice in each round.
        let shoulder = Point(0.35, 0.62)
        let arm = [Point.zero, Point(-0.1, -0.05), Point(-0.16, -0.17)].map {
            shoulder + $0.turned(by: 0.35 * sin(turn * 2))
        }
        let head = Point(0.5, 0.4)
        let ears = [-1, 1].flatMap { (side: Float) -> [any Layer] in
            let ear = Path([Point(side * 0.2, -0.08), Point(side * 0.19, -0.29), Point(side * 0.04, -0.17)]).moved(head)
            return [
                Shape(ear, color),
                Shape(ear.scaled(Point(0.55, 0.55), around: head + Point(side * 0.15, -0.14)), Color(hex: 0xF7B5A7)),
            ]
        }
        let whiskers = [-1, 1].flatMap { (side: Float) in
            [-0.02, 0.03].map { (y: Float) in
                Shape(
                    .stroke([head + Point(side * 0.1, 0.06), head + Point(side * 0.26, 0.05 + y)], 0.009, to: 0.004),
                    Self.dark)
            }
        }
        let body = Path(through: [
            Point(0.5, 0.5), Point(0.67, 0.68), Point(0.7, 0.88), Point(0.3, 0.88), Point(0.33, 0.68),
        ])
        return [
            Shape(.stroke(tail, 0.075, to: 0.06), dark), Shape(body, color),
            Shape(.ellipse(Point(0.5, 0.77), Point(0.1, 0.1)), Color(hex: 0xFFF3E2)),
            Shape(.stroke(arm, 0.1, to: 0.09), color), Shape(.circle(arm[2], 0.052), Color(hex: 0xFFF3E2)),
        ]
            + ears + [Shape(.ellipse(head, Point(0.23, 0.19)), color)] + whiskers
            + face(head - Point(0, 0.01), 0.26, isBlinking: turn > 5.6)
    }

    func owl(_ phase: Float) -> [any Layer] {
        let brown = Color(hex: number / 8 % 2 == 0 ? 0x8C6A5D : 0x6D7BA6)
        let isBlinking = (phase > 0.55 && phase < 0.65) || (phase > 0.75 && phase < 0.85)
        let flap = max(0, sin(phase * 4 * .pi)) * (phase < 0.5 ? 0.5 : 0)
        let body = Path(through: [
            Point(0.5, 0.2), Point(0.7, 0.24), Point(0.75, 0.5), Point(0.7, 0.78), Point(0.5, 0.87), Point(0.3, 0.78),
            Point(0.25, 0.5),
            Point(0.3, 0.24),
        ])
        var layers: [any Layer] = [-1, 1].flatMap { (side: Float) -> [any Layer] in
            let wing = Path.ellipse(Point(0.5 + side * 0.25, 0.6), Point(0.075, 0.18))
            let ear = Path([
                Point(0.5 + side * 0.08, 0.25), Point(0.5 + side * 0.23, 0.12), Point(0.5 + side * 0.22, 0.35),
            ])
            let foot = Path.ellipse(Point(0.5 + side * 0.1, 0.87), Point(0.06, 0.03))
            return [
                Shape(foot, Color(hex: 0xF4A259)), Shape(ear, brown.lit(0.85)),
                Shape(wing.turned(-side * flap, around: Point(0.5 + side * 0.22, 0.45)), brown.lit(0.75)),
            ]
        }
        layers += [Shape(body, brown), Shape(.ellipse(Point(0.5, 0.66), Point(0.15, 0.18)), Color(hex: 0xF3DFC9))]
        for row in 0..<3 {
            for column in 0..<(3 - row % 2) {
                let middle = Point(0.5 + (Float(column) - Float(2 - row % 2) / 2) * 0.085, 0.6 + Float(row) * 0.065)
                let feather = [middle - Point(0.026, 0.014), middle + Point(0, 0.012), middle + Point(0.026, -0.014)]
                layers.append(Shape(.stroke(feather, 0.012), brown.lit(1.1)))
            }
        }
        for x: Float in [0.4, 0.6] {
            let eye = Point(x, 0.4)
            layers.append(Shape(.circle(eye, 0.105), Color(hex: 0xFFF8EC)))
            if isBlinking {
                layers.append(
                    Shape(
                        .stroke([eye - Point(0.06, 0), eye + Point(0, 0.025), eye + Point(0.06, 0)], 0.02), Self.dark))
            } else {
                let look = Point(phase < 0.5 ? 0.012 : -0.012, 0.008)
                layers += [
                    Shape(.circle(eye + look, 0.07), Color(hex: 0xFFC145)),
                    Shape(.circle(eye + look, 0.044), Self.dark),
                    Shape(.circle(eye + look - Point(0.018, 0.02), 0.016), .white),
                ]
            }
        }
        return layers + [Shape(Path([Point(0.465, 0.46), Point(0.535, 0.46), Point(0.5, 0.53)]), Color(hex: 0xF4A259))]
    }

    func whale(_ turn: Float) -> [any Layer] {
        let lift = Point(0, sin(turn) * 0.025)
        let blue = Color(hex: 0x4A8FC7)
        let wag = sin(turn + 0.8) * 0.18
        let tail = Path(through: [
            Point(0.8, 0.55), Point(0.9, 0.36), Point(0.84, 0.36), Point(0.8, 0.41), Point(0.73, 0.37), Point(0.7, 0.4),
            Point(0.72, 0.58),
        ])
        .turned(wag, around: Point(0.72, 0.62)).moved(lift)
        let body = Path(through: [
            Point(0.12, 0.62), Point(0.2, 0.46), Point(0.42, 0.42), Point(0.62, 0.5), Point(0.76, 0.54),
            Point(0.78, 0.64), Point(0.64, 0.78),
            Point(0.36, 0.82), Point(0.17, 0.75),
        ]).moved(lift)
        let belly = Path(through: [
            Point(0.14, 0.67), Point(0.35, 0.72), Point(0.6, 0.7), Point(0.6, 0.77), Point(0.36, 0.81),
            Point(0.19, 0.76),
        ]).moved(lift)
        let height = 0.13 + 0.05 * sin(turn)
        let spray = [-1, 1].map { (side: Float) in
            Shape(
                .stroke(
                    [
                        Point(0.4, 0.42), Point(0.4 + side * 0.03, 0.42 - height),
                        Point(0.4 + side * 0.12, 0.44 - height),
                    ].map { $0 + lift }, 0.04, to: 0.05),
                Color(hex: 0x9AD4F5))
        }
        let fin = Path.ellipse(Point(0.45, 0.76), Point(0.05, 0.09)).turned(0.9 + wag, around: Point(0.45, 0.72)).moved(
            lift)
        return spray + [
            Shape(tail, blue.lit(0.9)),
            Shape(body, .linear(Point(0.4, 0.42), Point(0.4, 0.8), blue.lit(1.12), blue.lit(0.92))),
            Shape(belly, Color(hex: 0xE8F3FA)), Shape(fin, blue.lit(0.8)),
        ] + face(Point(0.29, 0.57) + lift, 0.17)
    }
}
