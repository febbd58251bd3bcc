/// The box in which an image is drawn; it determines how many pixels of the image are needed.
///
/// A target never enlarges: if the image is smaller than the box, all its pixels are used.
public struct TargetSize: Hashable, Sendable {
    /// How an image is fitted into a box.
    public enum Fit: Hashable, Sendable {
        /// The whole image is inside the box.
        case contain
        /// The image fills the box; the excess is cropped when it is drawn.
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

    /// A target whose longer side has this many pixels, whatever the shape of the image.
    public static func longestSide(_ pixels: Int) -> TargetSize {
        TargetSize(PixelSize(width: pixels, height: pixels), fit: .contain)
    }

    /// The size at which an image of `size` is drawn in the box. Each side is rounded, at least 1,
    /// and never larger than that of `size`.
    public func drawnSize(of size: PixelSize) -> PixelSize {
        let factor = factor(for: size)
        guard factor < 1 else { return size }
        return PixelSize(
            width: max(1, Int((Double(size.width) * factor).rounded())),
            height: max(1, Int((Double(size.height) * factor).rounded())))
    }

    /// The size at which a vector image of `size`, which may be enlarged, is drawn in the box. Each
    /// side is rounded, from 1 to 16,384.
    public func fittedSize(of size: PixelSize) -> PixelSize {
        let factor = factor(for: size)
        func side(_ length: Int) -> Int { Int(min(16_384, max(1, (Double(length) * factor).rounded()))) }
        return PixelSize(width: side(size.width), height: side(size.height))
    }

    /// Whether an image of `size` has all pixels that the target needs.
    package func isCovered(by size: PixelSize) -> Bool { factor(for: size) <= 1 }

    /// The scale at which an image of `size` is drawn.
    private func factor(for size: PixelSize) -> Double {
        guard size.width > 0, size.height > 0 else { return .infinity }
        let horizontal = Double(box.width) / Double(size.width)
        let vertical = Double(box.height) / Double(size.height)
        return fit == .contain ? min(horizontal, vertical) : max(horizontal, vertical)
    }

    /// The same box for an image whose width and height are exchanged.
    public var transposed: TargetSize { TargetSize(box.transposed, fit: fit) }
}
