import Foundation

/// Red, green, blue and opacity from 0 to 1, in sRGB, premultiplied by the opacity.
typealias Color = SIMD4<Float>

/// A position: y from 0 at the top to 1 at the bottom, x in the same unit from the left.
typealias Point = SIMD2<Float>

extension Color {
    /// An opaque color, for example 0xFF8800.
    init(hex: UInt32) {
        self.init(
            Float(hex >> 16 & 0xFF) / 255, Float(hex >> 8 & 0xFF) / 255, Float(hex & 0xFF) / 255, 1)
    }

    static let white = Color(hex: 0xFFFFFF)
    static let black = Color(hex: 0x000000)

    @inline(__always)
    func mixed(with other: Color, _ share: Float) -> Color { self + (other - self) * share }

    /// The color with another brightness: 0 is black, 1 the same color.
    @inline(__always)
    func lit(_ brightness: Float) -> Color {
        Color(x * brightness, y * brightness, z * brightness, w)
    }

    func faded(_ opacity: Float) -> Color { self * opacity }

    /// The color under light of another color.
    func under(_ light: Color) -> Color { self * light }
}

extension Point {
    var length: Float { (x * x + y * y).squareRoot() }

    /// A vector of the same length, turned to the right by a quarter.
    var normal: Point { Point(-y, x) }

    /// The vector turned clockwise by an angle in radians.
    func turned(by angle: Float) -> Point {
        let (sine, cosine) = (sin(angle), cos(angle))
        return Point(x * cosine - y * sine, x * sine + y * cosine)
    }
}
