extension ImageProcessor {
    /// Resizes to a size in pixels. A side below 1 counts as 1.
    ///
    /// Smaller images are enlarged only if `enlarges` is `true`; ``ContentFit/scaleDown`` never
    /// enlarges. Reduces by averaging the area of each new pixel and enlarges by bilinear
    /// interpolation.
    public static func resize(
        to size: PixelSize, fit: ContentFit = .contain, enlarges: Bool = false
    ) -> ImageProcessor {
        let resizing = Resizing(
            size: PixelSize(width: max(1, size.width), height: max(1, size.height)),
            fit: fit == .scaleDown ? .contain : fit, enlarges: enlarges && fit != .scaleDown)
        return ImageProcessor(resizing.identity) { resizing.applied(to: $0) }
    }
}

/// How an image gets another size.
private struct Resizing {
    /// The size in pixels; both sides are at least 1.
    let size: PixelSize
    let fit: ContentFit
    let enlarges: Bool

    var identity: String {
        "resize(\(size.width)x\(size.height),\(fit.rawValue)\(enlarges ? ",enlarges" : ""))"
    }

    func applied(to pixels: PixelBuffer) -> PixelBuffer {
        guard fit == .cover else { return pixels.resampled(to: scaledSize(of: pixels.size)) }
        // Crops before scaling, so that the aspect ratio of an image does not decide how much
        // memory it needs.
        let own = pixels.size
        let factor = max(Double(size.width) / Double(own.width), Double(size.height) / Double(own.height))
        let scale = enlarges ? factor : min(1, factor)
        // A part of a pixel that is left out would be many pixels of an enlarged image. The small
        // number is larger than rounding errors.
        let isEnlarged = scale > 1
        func cut(_ length: Int, _ wanted: Int) -> Int {
            let exact = Double(wanted) / scale
            return max(1, Int(min(Double(length), isEnlarged ? (exact - 1e-9).rounded(.up) : exact.rounded())))
        }
        let part = PixelSize(width: cut(own.width, size.width), height: cut(own.height, size.height))
        let middle = pixels.cropped(x: (own.width - part.width) / 2, y: (own.height - part.height) / 2, to: part)
        // One enlarged pixel may be much longer than the box.
        func side(_ length: Int, _ wanted: Int) -> Int {
            max(1, min(isEnlarged ? 2 * wanted : wanted, Int((Double(length) * scale).rounded())))
        }
        let whole = PixelSize(width: side(part.width, size.width), height: side(part.height, size.height))
        let shown = PixelSize(width: min(whole.width, size.width), height: min(whole.height, size.height))
        return middle.resampled(to: whole)
            .cropped(x: (whole.width - shown.width) / 2, y: (whole.height - shown.height) / 2, to: shown)
    }

    /// The size of an image of size `own` after scaling.
    private func scaledSize(of own: PixelSize) -> PixelSize {
        let horizontal = Double(size.width) / Double(own.width)
        let vertical = Double(size.height) / Double(own.height)
        let factors =
            fit == .fill
            ? (horizontal, vertical) : (min(horizontal, vertical), min(horizontal, vertical))
        func side(_ length: Int, _ factor: Double) -> Int {
            max(1, Int((Double(length) * (enlarges ? factor : min(1, factor))).rounded()))
        }
        return PixelSize(width: side(own.width, factors.0), height: side(own.height, factors.1))
    }
}
