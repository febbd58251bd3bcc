/// How stored pixels are shown: rotated, mirrored or both, as Exif tag 0x0112 numbers it (CIPA
/// DC-008 section 4.6.4).
public enum ImageOrientation: UInt8, Hashable, Sendable, CaseIterable {
    case up = 1
    case upMirrored = 2
    case down = 3
    case downMirrored = 4
    case leftMirrored = 5
    case right = 6
    case rightMirrored = 7
    case left = 8

    /// Whether width and height change places.
    public var swapsSides: Bool { rawValue >= 5 }
}

extension PixelSize {
    /// The size as shown of pixels that are stored with this size, and the stored size of pixels
    /// that are shown with it.
    package func applyingOrientation(_ orientation: ImageOrientation) -> PixelSize {
        orientation.swapsSides ? transposed : self
    }
}

extension TargetSize {
    /// The target in stored pixels for one in pixels as shown, and the other way round.
    func applyingOrientation(_ orientation: ImageOrientation) -> TargetSize {
        TargetSize(box.applyingOrientation(orientation), fit: fit)
    }
}
