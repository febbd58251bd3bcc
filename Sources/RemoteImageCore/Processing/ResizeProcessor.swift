/// Makes a picture smaller, or larger where that is asked for.
///
/// Down by averaging the area of each new pixel, up by bilinear interpolation.
public struct ResizeProcessor: ImageProcessor {
    public enum Fit: String, Hashable, Sendable {
        /// The whole picture inside the size, in its own shape.
        case contain
        /// The size is filled in the picture's own shape; what is over is cut off on both sides alike.
        case cover
        /// Exactly the size, whatever that does to the shape.
        case stretch
    }

    /// Pixels; both sides are at least 1.
    public let size: PixelSize
    public let fit: Fit
    /// Whether a picture that is smaller is enlarged: false by default.
    public let enlarges: Bool

    public init(_ size: PixelSize, fit: Fit = .contain, enlarges: Bool = false) {
        self.size = PixelSize(width: max(1, size.width), height: max(1, size.height))
        self.fit = fit
        self.enlarges = enlarges
    }

    public var identity: String {
        "resize(\(size.width)x\(size.height),\(fit.rawValue)\(enlarges ? ",enlarges" : ""))"
    }

    public func process(_ pixels: PixelBuffer) throws(ImageError) -> PixelBuffer {
        let scaled = pixels.resampled(to: scaledSize(of: pixels.size))
        guard fit == .cover else { return scaled }
        let cut = PixelSize(
            width: min(size.width, scaled.size.width), height: min(size.height, scaled.size.height))
        guard cut != scaled.size else { return scaled }
        return scaled.cropped(
            x: (scaled.size.width - cut.width) / 2, y: (scaled.size.height - cut.height) / 2, to: cut)
    }

    /// What a picture of `own` becomes before anything is cut off.
    private func scaledSize(of own: PixelSize) -> PixelSize {
        let horizontal = Double(size.width) / Double(own.width)
        let vertical = Double(size.height) / Double(own.height)
        let factors: (Double, Double) =
            switch fit {
            case .contain: (min(horizontal, vertical), min(horizontal, vertical))
            case .cover: (max(horizontal, vertical), max(horizontal, vertical))
            case .stretch: (horizontal, vertical)
            }
        func side(_ length: Int, _ factor: Double) -> Int {
            max(1, Int((Double(length) * (enlarges ? factor : min(1, factor))).rounded()))
        }
        return PixelSize(width: side(own.width, factors.0), height: side(own.height, factors.1))
    }
}

extension ImageProcessor where Self == ResizeProcessor {
    /// Makes a picture fit a size; nothing is enlarged unless that is asked for.
    public static func resize(
        to size: PixelSize, fit: ResizeProcessor.Fit = .contain, enlarges: Bool = false
    ) -> ResizeProcessor {
        ResizeProcessor(size, fit: fit, enlarges: enlarges)
    }
}
