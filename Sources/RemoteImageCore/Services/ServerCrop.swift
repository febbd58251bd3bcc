/// The part of an image that a server returns.
public enum ServerCrop: Hashable, Sendable {
    /// The whole image.
    case none
    /// The largest part with this width divided by height, around the center.
    case center(aspectRatio: Double)
    /// The largest part with this width divided by height. The server positions it around what it
    /// detects, such as a face.
    case smart(aspectRatio: Double)

    /// Width divided by height, 1/100 to 100; `nil` for the whole image.
    var aspectRatio: Double? {
        switch self {
        case .none: nil
        case .center(let ratio), .smart(let ratio): ratio.isFinite ? min(max(ratio, 0.01), 100) : 1
        }
    }

    /// The size of the result whose longer side has `pixels` pixels. For the whole image, the
    /// square that it is fitted into.
    func size(longestSide pixels: Int) -> PixelSize {
        PixelSize(longestSide: pixels, aspectRatio: aspectRatio ?? 1)
    }
}

extension PixelSize {
    /// The size with a longer side and an aspect ratio. Both sides are at least 1.
    init(longestSide: Int, aspectRatio: Double) {
        let shorter = Int((Double(longestSide) * min(aspectRatio, 1 / aspectRatio)).rounded())
        let (long, short) = (max(1, longestSide), max(1, shorter))
        self = aspectRatio >= 1 ? PixelSize(width: long, height: short) : PixelSize(width: short, height: long)
    }
}
