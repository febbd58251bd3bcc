/// How many pixels of an image are wanted: the box that it is drawn in.
///
/// A target never enlarges: where the image is smaller than the box, all its pixels are wanted.
public struct TargetSize: Hashable, Sendable {
    /// How an image is fitted into a box.
    public enum Fit: Hashable, Sendable {
        /// The whole image is inside the box.
        case contain
        /// The image fills the box; what is over is cut off when it is drawn.
        case cover
    }

    /// The box, in pixels. Both sides are at least 1.
    public let box: PixelSize
    /// How the image is fitted into the box.
    public let fit: Fit

    /// - Parameter box: Pixels. A side below 1 counts as 1.
    public init(_ box: PixelSize, fit: Fit = .contain) {
        self.box = PixelSize(width: max(1, box.width), height: max(1, box.height))
        self.fit = fit
    }

    /// The longest side is wanted to have this many pixels, whatever the shape of the image.
    public static func longestSide(_ pixels: Int) -> TargetSize {
        TargetSize(PixelSize(width: pixels, height: pixels), fit: .contain)
    }

    /// The size in which an image of `size` is drawn in the box, each side rounded and at least 1,
    /// never larger than `size`.
    public func drawnSize(of size: PixelSize) -> PixelSize {
        let factor = factor(for: size)
        guard factor < 1 else { return size }
        return PixelSize(
            width: max(1, Int((Double(size.width) * factor).rounded())),
            height: max(1, Int((Double(size.height) * factor).rounded())))
    }

    /// The size in which a drawing of `size`, which may be enlarged, is drawn in the box: each side rounded, from 1 to 16,384.
    public func fittedSize(of size: PixelSize) -> PixelSize {
        let factor = factor(for: size)
        func side(_ length: Int) -> Int { Int(min(16_384, max(1, (Double(length) * factor).rounded()))) }
        return PixelSize(width: side(size.width), height: side(size.height))
    }

    /// Whether an image of `size` has all the pixels that are wanted.
    func isCovered(by size: PixelSize) -> Bool { factor(for: size) <= 1 }

    /// How much larger an image of `size` is drawn than it is.
    private func factor(for size: PixelSize) -> Double {
        guard size.width > 0, size.height > 0 else { return .infinity }
        let horizontal = Double(box.width) / Double(size.width)
        let vertical = Double(box.height) / Double(size.height)
        return fit == .contain ? min(horizontal, vertical) : max(horizontal, vertical)
    }

    /// The same box for an image that lies on its side.
    public var transposed: TargetSize { TargetSize(box.transposed, fit: fit) }
}
