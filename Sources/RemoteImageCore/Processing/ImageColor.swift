/// An sRGB color with 8 bits per channel and straight (not premultiplied) alpha.
public struct ImageColor: Hashable, Sendable {
    /// The red component, 0 to 255.
    public var red: UInt8
    /// The green component, 0 to 255.
    public var green: UInt8
    /// The blue component, 0 to 255.
    public var blue: UInt8
    /// The opacity, 0 to 255; 255, the default, is opaque.
    public var alpha: UInt8

    /// Creates a color from sRGB components, 0 to 255; opaque by default.
    public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    /// Opaque black.
    public static let black = ImageColor(red: 0, green: 0, blue: 0)
    /// Opaque white.
    public static let white = ImageColor(red: 255, green: 255, blue: 255)

    /// Red, green, blue and alpha from 0 to 1, premultiplied.
    var premultiplied: SIMD4<Float> {
        let opacity = Float(alpha) / 255
        return SIMD4(Float(red) / 255 * opacity, Float(green) / 255 * opacity, Float(blue) / 255 * opacity, opacity)
    }

    /// The color in identities: `#rrggbbaa`.
    var hex: String { "#" + [red, green, blue, alpha].map(\.hexText).joined() }
}
