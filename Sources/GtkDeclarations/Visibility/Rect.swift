/// A rectangle in points: the bounds of a widget, or the visible part of a viewport.
package struct Rect: Equatable {
    package var x: Double
    package var y: Double
    package var width: Double
    package var height: Double

    package init(x: Double, y: Double, width: Double, height: Double) {
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }

    /// The rectangle, moved.
    func moved(x dx: Double, y dy: Double) -> Rect {
        Rect(x: x + dx, y: y + dy, width: width, height: height)
    }

    /// The rectangle, grown by `margin` on each side.
    func grown(by margin: Double) -> Rect {
        Rect(x: x - margin, y: y - margin, width: width + 2 * margin, height: height + 2 * margin)
    }

    /// The intersection, `nil` if the rectangles do not touch. It may be empty, since a widget of
    /// size 0 has a position, too.
    package func intersection(with other: Rect) -> Rect? {
        let (left, top) = (max(x, other.x), max(y, other.y))
        let (right, bottom) = (min(x + width, other.x + other.width), min(y + height, other.y + other.height))
        guard right >= left, bottom >= top else { return nil }
        return Rect(x: left, y: top, width: right - left, height: bottom - top)
    }
}

extension FixedWidthInteger {
    /// The integer part of a length, or the nearest value that the type has; 0 for no number.
    ///
    /// Inlinable, so that other modules do not call it for any type: that is much slower.
    @inlinable
    package init(saturating length: Double) {
        if length.isNaN {
            self = 0
        } else if length >= Double(Self.max) {
            self = .max
        } else if length <= Double(Self.min) {
            self = .min
        } else {
            self = Self(length)
        }
    }
}
