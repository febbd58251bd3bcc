/// The box in which an image is drawn; it determines how many pixels of the image are needed.
///
/// A target never enlarges: if the image is smaller than the box, all its pixels are used.
public struct TargetSize: Hashable, Sendable {
    /// The box, in pixels. Both sides are at least 1.
    public let box: PixelSize
    /// How the image is fitted into the box: ``ContentFit/contain`` or ``ContentFit/cover``.
    public let fit: ContentFit
    /// The maximum size of the drawn image; `nil` for none. An elongated image that covers a box
    /// may exceed the box by far.
    package let maxPixelSize: PixelSize?

    /// - Parameters:
    ///   - box: Pixels. A side below 1 counts as 1.
    ///   - fit: ``ContentFit/fill`` needs as many pixels as ``ContentFit/cover``, and
    ///     ``ContentFit/scaleDown`` as ``ContentFit/contain``, so the target has that fit. Default:
    ///     `.contain`.
    public init(_ box: PixelSize, fit: ContentFit = .contain) {
        self.init(box, fit: fit, maxPixelSize: nil)
    }

    package init(_ box: PixelSize, fit: ContentFit, maxPixelSize: PixelSize?) {
        self.box = PixelSize(width: max(1, box.width), height: max(1, box.height))
        self.fit = fit == .cover || fit == .fill ? .cover : .contain
        self.maxPixelSize = maxPixelSize
    }

    /// A target whose longer side has this many pixels, whatever the shape of the image.
    public static func longestSide(_ pixels: Int) -> TargetSize {
        TargetSize(PixelSize(side: pixels), fit: .contain)
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
        func factors(_ box: PixelSize) -> (Double, Double) {
            (Double(box.width) / Double(size.width), Double(box.height) / Double(size.height))
        }
        let (horizontal, vertical) = factors(box)
        let factor = fit == .contain ? min(horizontal, vertical) : max(horizontal, vertical)
        guard let (widest, highest) = maxPixelSize.map(factors) else { return factor }
        return min(factor, widest, highest)
    }

    /// A target without a maximum, in which an image of `size` is drawn at the same size. For
    /// decoders, which know only the box and the fit.
    package func withoutMaximum(for size: PixelSize) -> TargetSize {
        guard let maxPixelSize else { return self }
        let unbounded = TargetSize(box, fit: fit)
        return factor(for: size) < unbounded.factor(for: size) ? TargetSize(maxPixelSize) : unbounded
    }

    /// The same box for an image whose width and height are exchanged.
    public var transposed: TargetSize { TargetSize(box.transposed, fit: fit, maxPixelSize: maxPixelSize?.transposed) }

    /// The target as part of a key.
    package var keyText: String { "\(box) \(fit)" + (maxPixelSize.map { " \($0)" } ?? "") }
}
