/// Ground with an outline against what is behind it.
struct Ridge: Layer {
    /// The color at a position, and at a depth below the outline.
    typealias Surface = (_ x: Float, _ y: Float, _ depth: Float) -> Color

    private let surface: Surface
    /// The width of the smallest detail of the surface. Colors are interpolated within it.
    private let detail: Float
    /// The highest and lowest point of the outline within each column.
    private let tops: [(high: Float, low: Float)]
    private let top: Float
    /// The height below which each column is hidden by nearer ridges.
    private var hiddenBelow: [Float]

    /// - Parameter outline: The y of the outline at an x.
    init(on canvas: Canvas, detail: Float = 0.0045, outline: (Float) -> Float, surface: @escaping Surface) {
        let pixel = canvas.pixel
        self.detail = detail
        var left = outline(0)
        tops = (0..<canvas.size.width).map { column in
            let (middle, right) = (outline((Float(column) + 0.5) * pixel), outline(Float(column + 1) * pixel))
            defer { left = right }
            return (min(left, middle, right), max(left, middle, right))
        }
        top = tops.map(\.high).min() ?? 0
        hiddenBelow = Array(repeating: .infinity, count: tops.count)
        self.surface = surface
    }

    func paint(_ row: inout Row) {
        guard row.y > top - row.pixel else { return }
        let step = max(1, Int(detail / row.pixel))
        // The colors at the ends of the current step.
        var (start, left, right) = (-2 * step, Color.zero, Color.zero)
        for column in row.colors.indices where row.y < hiddenBelow[column] {
            let (high, low) = tops[column]
            let coverage = (row.y + row.pixel / 2 - high) / (low - high + row.pixel)
            guard coverage > 0 else { continue }
            if column >= start + step {
                left = column == start + step ? right : color(at: column, of: row)
                start = column
                right = color(at: min(column + step, tops.count - 1), of: row)
            }
            let color = left.mixed(with: right, Float(column - start) / Float(step))
            row.blend(color, min(1, coverage), at: column)
        }
    }

    private func color(at column: Int, of row: Row) -> Color {
        let (high, low) = tops[column]
        return surface(row.x(column), row.y, max(0, row.y - (high + low) / 2))
    }

    /// The height of the outline at an x within the canvas.
    func height(at x: Float, on canvas: Canvas) -> Float {
        let column = max(0, min(tops.count - 1, Int(x / canvas.pixel)))
        return tops[column].low
    }

    /// Lets ridges skip pixels that nearer ridges hide. Returns the height below which each column
    /// is hidden by any of them or by water at a level.
    static func hideCovered(_ ridges: inout [Ridge], above level: Float, on canvas: Canvas) -> [Float] {
        var hiddenBelow = [Float](repeating: level, count: canvas.size.width)
        for index in ridges.indices.reversed() {
            ridges[index].hiddenBelow = hiddenBelow
            for column in hiddenBelow.indices {
                hiddenBelow[column] = min(hiddenBelow[column], ridges[index].tops[column].low + canvas.pixel)
            }
        }
        return hiddenBelow
    }
}
