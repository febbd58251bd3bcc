/// The small number in the bottom right corner of a picture.
enum Label {
    static func layers(_ number: Int, on canvas: Canvas) -> [any Layer] {
        let dot: Float = 0.025 / Float(Digits.height)
        let digits = String(number).compactMap(\.wholeNumberValue)
        let advance = Float(Digits.width + 1) * dot
        let start = Point(canvas.width - 0.025 - Float(digits.count) * advance, 0.95)
        let middle = start + Point(Float(digits.count) * advance, 0.025) / 2
        var layers: [any Layer] = [
            Glow(middle, Point(Float(digits.count) * advance * 0.5 + 0.035, 0.04), Color.black.faded(0.55))
        ]
        for (index, digit) in digits.enumerated() {
            for row in 0..<Digits.height {
                for column in 0..<Digits.width where Digits.isSet(digit, column: column, row: row) {
                    let corner = start + Point(Float(index) * advance + Float(column) * dot, Float(row) * dot)
                    let square = Path.rectangle(corner, corner + Point(dot, dot) * 1.02)
                    layers.append(Shape(square, Color.white.faded(0.92)))
                }
            }
        }
        return layers
    }
}
