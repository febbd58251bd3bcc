/// A rectangle in points: where a widget is, and what of a viewport can be seen.
struct Rect: Equatable {
    var x: Double
    var y: Double
    var width: Double
    var height: Double

    /// The same, moved.
    func moved(x dx: Double, y dy: Double) -> Rect {
        Rect(x: x + dx, y: y + dy, width: width, height: height)
    }

    /// Larger by `margin` on each side.
    func grown(by margin: Double) -> Rect {
        Rect(x: x - margin, y: y - margin, width: width + 2 * margin, height: height + 2 * margin)
    }

    /// What both have in common; nil where they do not touch. A widget without any size has a place all the same.
    func intersection(with other: Rect) -> Rect? {
        let (left, top) = (max(x, other.x), max(y, other.y))
        let (right, bottom) = (min(x + width, other.x + other.width), min(y + height, other.y + other.height))
        guard right >= left, bottom >= top else { return nil }
        return Rect(x: left, y: top, width: right - left, height: bottom - top)
    }
}
