import Foundation

/// A closed outline with straight edges, dense enough to look round.
struct Path {
    var points: [Point]

    init(_ points: [Point]) { self.points = points }

    /// A smooth outline through points (a closed Catmull-Rom spline).
    init(through knots: [Point]) { points = Self.spline(knots, isClosed: true) }

    static func ellipse(_ center: Point, _ radius: Point) -> Path {
        Path(
            (0..<64).map { step in
                let angle = Float(step) / 64 * 2 * .pi
                return center + radius * Point(cos(angle), sin(angle))
            })
    }

    static func circle(_ center: Point, _ radius: Float) -> Path { ellipse(center, Point(radius, radius)) }

    /// An upright rectangle with round corners.
    static func rectangle(_ topLeft: Point, _ bottomRight: Point, radius: Float = 0) -> Path {
        let inset = Point(radius, radius)
        let (low, high) = (topLeft + inset, bottomRight - inset)
        guard radius > 0 else {
            return Path([low, Point(high.x, low.y), high, Point(low.x, high.y)])
        }
        let corners = [high, Point(low.x, high.y), low, Point(high.x, low.y)]
        return Path(
            corners.enumerated().flatMap { quarter, corner in
                (0...8).map { step in
                    let angle = (Float(quarter) + Float(step) / 8) * .pi / 2
                    return corner + Point(cos(angle), sin(angle)) * radius
                }
            })
    }

    /// A smooth stroke through points, whose width changes from its start to its end. Its ends are
    /// round.
    static func stroke(_ knots: [Point], _ width: Float, to endWidth: Float? = nil) -> Path {
        let line = spline(knots, isClosed: false)
        var (left, right): ([Point], [Point]) = ([], [])
        for (index, point) in line.enumerated() {
            let direction = line[min(index + 1, line.count - 1)] - line[max(index - 1, 0)]
            let share = Float(index) / Float(line.count - 1)
            let half = mix(width, endWidth ?? width, share) / 2
            let side = direction.normal / max(direction.length, 1e-6) * half
            left.append(point + side)
            right.append(point - side)
            if index == 0 || index == line.count - 1 {
                let cap = (1..<8).map { point + side.turned(by: Float($0) / 8 * -.pi) }
                if index == 0 { left = cap.map { point * 2 - $0 } + left } else { left += cap }
            }
        }
        return Path(left + right.reversed())
    }

    private static func spline(_ knots: [Point], isClosed: Bool) -> [Point] {
        let count = knots.count
        func knot(_ index: Int) -> Point {
            isClosed ? knots[(index + count) % count] : knots[max(0, min(count - 1, index))]
        }
        let curves = isClosed ? count : count - 1
        let points = (0..<curves).flatMap { index in
            let (a, b, c, d) = (knot(index - 1), knot(index), knot(index + 1), knot(index + 2))
            return (0..<10).map { step -> Point in
                let t = Float(step) / 10
                let linear = (c - a) * t
                let square = (a * 2 - b * 5 + c * 4 - d) * (t * t)
                let cube = (b * 3 - a - c * 3 + d) * (t * t * t)
                return b + (linear + square + cube) / 2
            }
        }
        return isClosed ? points : points + [knot(count - 1)]
    }

    func moved(_ offset: Point) -> Path { Path(points.map { $0 + offset }) }

    func scaled(_ factor: Point, around center: Point = .zero) -> Path {
        Path(points.map { center + ($0 - center) * factor })
    }

    /// Turned clockwise by an angle in radians.
    func turned(_ angle: Float, around center: Point = .zero) -> Path {
        Path(points.map { center + ($0 - center).turned(by: angle) })
    }
}

/// The colors inside a shape.
enum Paint {
    case flat(Color)
    /// From one point to another.
    case linear(Point, Point, Color, Color)
    /// From a center to the distance of the second radius.
    case radial(Point, Float, Color, Color)

    func color(_ x: Float, _ y: Float) -> Color {
        switch self {
        case .flat(let color): return color
        case .linear(let start, let end, let first, let second):
            let (along, at) = (end - start, Point(x, y) - start)
            return first.mixed(with: second, clamp((along * at).sum() / (along * along).sum()))
        case .radial(let center, let radius, let first, let second):
            return first.mixed(with: second, smooth((Point(x, y) - center).length / radius))
        }
    }
}

/// An outline with colors.
struct Shape: Layer {
    private let outline: [Point]
    private let paint: Paint
    private let (top, bottom): (Float, Float)

    init(_ path: Path, _ paint: Paint) {
        (outline, self.paint) = (path.points, paint)
        top = outline.map(\.y).min() ?? 0
        bottom = outline.map(\.y).max() ?? 0
    }

    init(_ path: Path, _ color: Color) { self.init(path, .flat(color)) }

    func paint(_ row: inout Row) {
        guard row.isWithin(top, bottom) else { return }
        let y = row.y
        row.fill(outline) { paint.color($0, y) }
    }
}

/// A soft spot of light or shadow: full color in the middle, none at the edge of its ellipse.
struct Glow: Layer {
    let center: Point
    let radius: Point
    let color: Color

    init(_ center: Point, _ radius: Point, _ color: Color) {
        (self.center, self.radius, self.color) = (center, radius, color)
    }

    func paint(_ row: inout Row) {
        let dy = (row.y - center.y) / radius.y
        guard abs(dy) < 1 else { return }
        let half = radius.x * (1 - dy * dy).squareRoot()
        for column in row.columns(center.x - half, center.x + half) {
            let dx = (row.x(column) - center.x) / radius.x
            let strength = max(0, 1 - dx * dx - dy * dy)
            row.blend(color, strength * strength, at: column)
        }
    }
}
