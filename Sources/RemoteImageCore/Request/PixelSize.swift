/// The size of an image in pixels.
public struct PixelSize: Hashable, Sendable, CustomStringConvertible {
    /// Pixels from left to right.
    public var width: Int
    /// Pixels from top to bottom.
    public var height: Int

    /// Creates a size in pixels.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// The larger one of width and height.
    public var longestSide: Int { max(width, height) }

    /// Width × height, saturating at `Int.max`: a header may claim any size.
    public var pixelCount: Int {
        let (product, overflow) = width.multipliedReportingOverflow(by: height)
        return overflow ? .max : product
    }

    /// The same image lying on its side.
    public var transposed: PixelSize { PixelSize(width: height, height: width) }

    public var description: String { "\(width) × \(height)" }
}
