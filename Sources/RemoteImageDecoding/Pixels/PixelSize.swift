/// The size of an image in pixels.
public struct PixelSize: Hashable, Sendable, CustomStringConvertible, ExpressibleByIntegerLiteral {
    /// The width in pixels.
    public var width: Int
    /// The height in pixels.
    public var height: Int

    /// Creates a size in pixels.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// Creates a square of this side, in pixels.
    public init(side: Int) { self.init(width: side, height: side) }

    /// A square: `600` stands for 600 × 600 pixels.
    public init(integerLiteral side: Int) { self.init(side: side) }

    /// The larger one of width and height.
    public var longestSide: Int { max(width, height) }

    /// Width × height, saturating at `Int.max`, since a header may claim any size.
    public var pixelCount: Int {
        let (product, overflow) = width.multipliedReportingOverflow(by: height)
        return overflow ? .max : product
    }

    /// Whether an image of this size is larger than a box, in one direction at least.
    package func exceeds(_ box: PixelSize) -> Bool { width > box.width || height > box.height }

    /// The size with width and height exchanged.
    public var transposed: PixelSize { PixelSize(width: height, height: width) }

    public var description: String { "\(width) × \(height)" }
}
