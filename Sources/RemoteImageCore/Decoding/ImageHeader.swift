// What the first bytes of a picture tell, read without any decoder.

/// Format, size and orientation of a picture, from its header.
public struct ImageHeader: Hashable, Sendable {
    public var format: ImageFormat
    /// The size as stored, before the orientation is applied.
    public var storedSize: PixelSize
    public var orientation: ImageOrientation

    public init(format: ImageFormat, storedSize: PixelSize, orientation: ImageOrientation = .up) {
        self.format = format
        self.storedSize = storedSize
        self.orientation = orientation
    }

    /// The size as shown, after the orientation is applied.
    public var size: PixelSize { orientation.swapsSides ? storedSize.transposed : storedSize }
}

/// How the stored pixels must be turned to be shown, as Exif tag 0x0112 numbers it (CIPA DC-008 section 4.6.4).
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
