/// Crops an image to the largest centered circle, with an optional border.
public struct CircleProcessor: ImageProcessor {
    /// The border inside the edge of the circle; `nil` for none.
    public let border: ImageBorder?

    /// - Parameter border: The border inside the edge of the circle: none by default.
    public init(border: ImageBorder? = nil) {
        self.border = border
    }

    public var identity: String { "circle(\(border?.identity ?? ""))" }

    public var hasStableIdentity: Bool { true }

    public func process(_ pixels: PixelBuffer) throws(ImageError) -> PixelBuffer {
        let side = min(pixels.size.width, pixels.size.height)
        let square = pixels.cropped(
            x: (pixels.size.width - side) / 2, y: (pixels.size.height - side) / 2,
            to: PixelSize(width: side, height: side))
        return try RoundedCornersProcessor(radius: Double(side) / 2, border: border).process(square)
    }
}

extension ImageProcessor where Self == CircleProcessor {
    /// Crops to the largest centered circle.
    public static func circle(border: ImageBorder? = nil) -> CircleProcessor {
        CircleProcessor(border: border)
    }
}
