/// The rotation and mirroring that turn stored pixels into displayed ones. The raw values are those
/// of Exif tag 0x0112 (CIPA DC-008 section 4.6.4).
public enum ImageOrientation: UInt8, Hashable, Sendable, CaseIterable {
    case up = 1
    case upMirrored = 2
    case down = 3
    case downMirrored = 4
    case leftMirrored = 5
    case right = 6
    case rightMirrored = 7
    case left = 8

    /// Whether the orientation swaps width and height.
    public var swapsSides: Bool { rawValue >= 5 }
}

extension PixelSize {
    /// Converts a stored size to the displayed size, or a displayed size to the stored one.
    package func applyingOrientation(_ orientation: ImageOrientation) -> PixelSize {
        orientation.swapsSides ? transposed : self
    }
}

extension TargetSize {
    /// Converts a target in displayed pixels to stored pixels, or the other way round.
    package func applyingOrientation(_ orientation: ImageOrientation) -> TargetSize {
        orientation.swapsSides ? transposed : self
    }
}
