extension ImageProcessor {
    /// Crops to the largest centered circle, with smooth edges, and a border inside the edge if
    /// wanted.
    public static func circle(border: ImageBorder? = nil) -> ImageProcessor {
        ImageProcessor("circle(\(border?.identity ?? ""))", cornerRadius: .infinity) { pixels in
            let side = min(pixels.size.width, pixels.size.height)
            let square = pixels.cropped(
                x: (pixels.size.width - side) / 2, y: (pixels.size.height - side) / 2,
                to: PixelSize(width: side, height: side))
            return square.rounded(radius: Double(side) / 2, border)
        }
    }

    /// Rounds the corners, with smooth edges, and a border inside the edge if wanted.
    ///
    /// `radius` is in pixels, at least 0; more than half the shorter side has the same effect as
    /// half of it.
    public static func roundedCorners(radius: Double, border: ImageBorder? = nil) -> ImageProcessor {
        let radius = max(0, radius)
        return ImageProcessor(
            "roundedCorners(\(radius)\(border.map { ",\($0.identity)" } ?? ""))",
            cornerRadius: radius > 0 ? radius : nil
        ) { $0.rounded(radius: radius, border) }
    }

    /// Draws a border inside the edge of an image. `width` is in pixels.
    public static func border(width: Double, color: ImageColor) -> ImageProcessor {
        roundedCorners(radius: 0, border: ImageBorder(width: width, color: color))
    }
}

extension PixelBuffer {
    fileprivate func rounded(radius: Double, _ border: ImageBorder?) -> PixelBuffer {
        RoundedRectangle(size, radius: Float(radius)).apply(
            to: self, borderWidth: Float(border?.width ?? 0), borderColor: border?.color.premultiplied ?? .zero)
    }
}
