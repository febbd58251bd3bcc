/// A part of a painting. Layers are painted from back to front.
protocol Layer {
    func paint(_ row: inout Row)
}

/// One row of pixels, over which layers are painted. A painting needs no more memory than this.
struct Row {
    /// The side of a pixel.
    private(set) var pixel: Float
    /// The middle of the row.
    var y: Float
    /// The x of the left edge.
    private var left: Float = 0
    var colors: [Color]
    /// The changes of coverage along the row, for shapes.
    private var changes: [Float]

    init(width: Int, pixel: Float) {
        (self.pixel, y) = (pixel, 0)
        colors = Array(repeating: .zero, count: width)
        changes = Array(repeating: 0, count: width + 2)
    }

    /// Clears the row and moves it to a line of the picture.
    mutating func begin(_ line: Int) {
        y = (Float(line) + 0.5) * pixel
        for column in colors.indices { colors[column] = .zero }
    }

    @inline(__always)
    func x(_ column: Int) -> Float { left + (Float(column) + 0.5) * pixel }

    /// The columns between two positions.
    func columns(_ start: Float, _ end: Float) -> Range<Int> {
        let last = Float(colors.count)
        let first = Int(max(0, min(last, (start - left) / pixel)))
        return first..<max(first, Int(max(0, min(last, (end - left) / pixel + 1))))
    }

    /// Paints in coordinates in which `origin` is the top left corner and lengths are divided by
    /// `scale`.
    mutating func zoomed(_ scale: Float, from origin: Point, _ paint: (inout Row) -> Void) {
        let saved = (pixel, y, left)
        (pixel, y, left) = (pixel / scale, origin.y + y / scale, origin.x + left / scale)
        paint(&self)
        (pixel, y, left) = saved
    }

    /// Values along the row that vary little: they are computed for every n-th column only, where n
    /// columns are about `width`, and interpolated between them.
    @inline(__always)
    func samples(width: Float, _ value: (_ x: Float) -> Float) -> [Float] {
        let step = max(1, Int(width / pixel))
        var values = [Float](repeating: 0, count: colors.count)
        let share = 1 / Float(step)
        var left = value(x(0))
        for start in stride(from: 0, to: colors.count, by: step) {
            let right = value(x(start + step))
            for column in start..<min(start + step, colors.count) {
                values[column] = mix(left, right, Float(column - start) * share)
            }
            left = right
        }
        return values
    }

    /// Whether the row is between two heights.
    func isWithin(_ top: Float, _ bottom: Float) -> Bool { y > top - pixel && y < bottom + pixel }

    /// Paints a color over the pixel in a column.
    @inline(__always)
    mutating func blend(_ color: Color, _ coverage: Float, at column: Int) {
        colors[column] += (color - colors[column] * color.w) * coverage
    }

    /// Paints the area inside a closed outline. Edges are antialiased: the coverage is exact along
    /// the row, and has eight steps across it.
    mutating func fill(_ outline: [Point], _ color: (_ x: Float) -> Color) {
        guard var last = outline.last else { return }
        var (lowest, highest) = (Float.infinity, -Float.infinity)
        let steps: Float = 8
        for point in outline {
            defer { last = point }
            let (upper, lower) = point.y < last.y ? (point, last) : (last, point)
            let first = max(0, ((upper.y - y) / pixel * steps + steps / 2).rounded(.up))
            let end = min(steps, ((lower.y - y) / pixel * steps + steps / 2).rounded(.up))
            guard first < end else { continue }
            let slope = (lower.x - upper.x) / (lower.y - upper.y)
            let direction: Float = (point.y < last.y ? 1 : -1) / steps
            for step in Int(first)..<Int(end) {
                let sampleY = y + ((Float(step) / steps) - 0.5) * pixel
                let x = max(0, min(Float(colors.count), (upper.x + (sampleY - upper.y) * slope - left) / pixel))
                let (column, rest) = (Int(x), x - Float(Int(x)))
                changes[column] += direction * (1 - rest)
                changes[column + 1] += direction * rest
                (lowest, highest) = (min(lowest, x), max(highest, x))
            }
        }
        guard lowest <= highest else { return }
        var covered: Float = 0
        for column in Int(lowest)...Int(highest) + 1 {
            covered += changes[column]
            changes[column] = 0
            guard column < colors.count, abs(covered) > 0.002 else { continue }
            blend(color(x(column)), min(1, abs(covered)), at: column)
        }
    }
}

/// Layers in larger or smaller coordinates.
struct Zoom: Layer {
    let scale: Float
    /// The point of the layers at the top left corner.
    let origin: Point
    let layers: [any Layer]

    /// - Parameter center: The point that keeps its place.
    init(_ scale: Float, around center: Point, _ layers: [any Layer]) {
        (self.scale, self.layers) = (scale, layers)
        origin = center - center / scale
    }

    func paint(_ row: inout Row) {
        row.zoomed(scale, from: origin) { row in
            for layer in layers { layer.paint(&row) }
        }
    }
}
