// The shape behind rounded corners, circles and borders.

/// A rounded rectangle that fills an image, with the coverage of each pixel.
struct RoundedRectangle {
    private let size: PixelSize
    private let radius: Float
    private let center: SIMD2<Float>

    /// - Parameter radius: The radius in pixels, at most half the shorter side.
    init(_ size: PixelSize, radius: Float) {
        self.size = size
        self.radius = max(0, min(radius, Float(min(size.width, size.height)) / 2))
        center = SIMD2(Float(size.width), Float(size.height)) / 2
    }

    /// The image, transparent outside the shape, with a border of `width` pixels inside its edge.
    func apply(to pixels: PixelBuffer, borderWidth: Float, borderColor: SIMD4<Float>) -> PixelBuffer {
        // A border wider than half the image covers all of it; the limit only keeps `band` in the
        // range of `Int`.
        let borderWidth = min(borderWidth, Float(max(size.width, size.height)))
        let band = Int(max(radius, borderWidth).rounded(.up)) + 1
        return pixels.changingRows { y, row in
            // Pixels in the middle of the image are inside the shape and unaffected by its border.
            let isEdgeRow = y < band || y >= size.height - band || 2 * band >= size.width
            let columns = isEdgeRow ? [0..<size.width] : [0..<band, (size.width - band)..<size.width]
            for x in columns.joined() {
                let distance = distance(x, y)
                let inside = coverage(distance)
                let border = inside - coverage(distance + borderWidth)
                let pixel = border > 0 ? row[x].under(borderColor * (border / inside)) : row[x]
                row[x] = inside < 1 ? pixel.faded(to: inside) : pixel
            }
        }
    }

    /// The signed distance of a pixel's center from the edge of the shape, negative inside.
    private func distance(_ x: Int, _ y: Int) -> Float {
        let fromCenter = SIMD2(abs(Float(x) + 0.5 - center.x), abs(Float(y) + 0.5 - center.y))
        let corner = fromCenter - center + radius
        let outside = SIMD2(max(corner.x, 0), max(corner.y, 0))
        return (outside * outside).sum().squareRoot() + min(max(corner.x, corner.y), 0) - radius
    }

    private func coverage(_ distance: Float) -> Float {
        min(1, max(0, 0.5 - distance))
    }
}

/// A line inside the edge of an image.
public struct ImageBorder: Hashable, Sendable {
    /// The width in pixels, at least 0.
    public let width: Double
    /// The color of the border.
    public let color: ImageColor

    /// Creates a border. The width is in pixels; a negative width counts as 0.
    public init(width: Double, color: ImageColor) {
        self.width = max(0, width)
        self.color = color
    }

    var identity: String { "\(width),\(color.hex)" }
}
