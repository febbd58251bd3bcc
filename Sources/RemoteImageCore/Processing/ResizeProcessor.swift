/// Resizes an image; enlarges it only on request.
///
/// Reduces by averaging the area of each new pixel and enlarges by bilinear interpolation.
public struct ResizeProcessor: ImageProcessor {
    /// How an image is fitted into the size.
    public enum Fit: String, Hashable, Sendable {
        /// The whole image fits inside the size and keeps its aspect ratio.
        case contain
        /// The image fills the size and keeps its aspect ratio; the excess is cropped equally on
        /// both sides.
        case cover
        /// The image gets exactly the size; its aspect ratio may change.
        case stretch
    }

    /// The size in pixels; both sides are at least 1.
    public let size: PixelSize
    /// How the image is fitted into the size.
    public let fit: Fit
    /// Whether a smaller image is enlarged: `false` by default.
    public let enlarges: Bool

    /// Resizes to a size in pixels. A side below 1 counts as 1.
    public init(_ size: PixelSize, fit: Fit = .contain, enlarges: Bool = false) {
        self.size = PixelSize(width: max(1, size.width), height: max(1, size.height))
        self.fit = fit
        self.enlarges = enlarges
    }

    public var identity: String {
        "resize(\(size.width)x\(size.height),\(fit.rawValue)\(enlarges ? ",enlarges" : ""))"
    }

    public var hasStableIdentity: Bool { true }

    public func process(_ pixels: PixelBuffer) throws(ImageError) -> PixelBuffer {
        guard fit == .cover else { return pixels.resampled(to: scaledSize(of: pixels.size)) }
        // Crops before scaling, so that the aspect ratio of an image does not decide how much
        // memory it needs.
        let own = pixels.size
        let factor = max(Double(size.width) / Double(own.width), Double(size.height) / Double(own.height))
        let scale = enlarges ? factor : min(1, factor)
        func cut(_ length: Int, _ wanted: Int) -> Int {
            max(1, Int(min(Double(length), (Double(wanted) / scale).rounded())))
        }
        let part = PixelSize(width: cut(own.width, size.width), height: cut(own.height, size.height))
        let middle = pixels.cropped(x: (own.width - part.width) / 2, y: (own.height - part.height) / 2, to: part)
        func side(_ length: Int, _ wanted: Int) -> Int {
            max(1, min(wanted, Int((Double(length) * scale).rounded())))
        }
        return middle.resampled(
            to: PixelSize(width: side(part.width, size.width), height: side(part.height, size.height)))
    }

    /// The size of an image of size `own` after scaling.
    private func scaledSize(of own: PixelSize) -> PixelSize {
        let horizontal = Double(size.width) / Double(own.width)
        let vertical = Double(size.height) / Double(own.height)
        let factors: (Double, Double) =
            switch fit {
            case .contain: (min(horizontal, vertical), min(horizontal, vertical))
            // Not used: `process` crops first.
            case .cover: (1, 1)
            case .stretch: (horizontal, vertical)
            }
        func side(_ length: Int, _ factor: Double) -> Int {
            max(1, Int((Double(length) * (enlarges ? factor : min(1, factor))).rounded()))
        }
        return PixelSize(width: side(own.width, factors.0), height: side(own.height, factors.1))
    }
}

extension ImageProcessor where Self == ResizeProcessor {
    /// Resizes an image to fit a size. Smaller images are enlarged only if `enlarges` is `true`.
    public static func resize(
        to size: PixelSize, fit: ContentFit = .contain, enlarges: Bool = false
    ) -> ResizeProcessor {
        ResizeProcessor(size, fit: fit, enlarges: enlarges)
    }
}
