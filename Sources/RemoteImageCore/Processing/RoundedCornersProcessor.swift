/// Rounds the corners of an image with antialiased edges and an optional border.
public struct RoundedCornersProcessor: ImageProcessor {
    /// The radius in pixels. Values above half the shorter side have the same effect as half the
    /// shorter side.
    public let radius: Double
    /// The border inside the edge; `nil` for none.
    public let border: ImageBorder?

    /// Rounds the corners. `radius` is in pixels; there is no border by default.
    public init(radius: Double, border: ImageBorder? = nil) {
        self.radius = max(0, radius)
        self.border = border
    }

    public var identity: String {
        "roundedCorners(\(radius)\(border.map { ",\($0.identity)" } ?? ""))"
    }

    public var hasStableIdentity: Bool { true }

    public func process(_ pixels: PixelBuffer) throws(ImageError) -> PixelBuffer {
        RoundedRectangle(pixels.size, radius: Float(radius)).apply(
            to: pixels, borderWidth: Float(border?.width ?? 0), borderColor: border?.color.premultiplied ?? .zero)
    }
}

extension ImageProcessor where Self == RoundedCornersProcessor {
    /// Rounds the corners. `radius` is in pixels.
    public static func roundedCorners(radius: Double, border: ImageBorder? = nil) -> RoundedCornersProcessor {
        RoundedCornersProcessor(radius: radius, border: border)
    }

    /// Draws a border inside the edge of an image. `width` is in pixels.
    public static func border(width: Double, color: ImageColor) -> RoundedCornersProcessor {
        RoundedCornersProcessor(radius: 0, border: ImageBorder(width: width, color: color))
    }
}
