/// Crops an image to a rectangle.
public struct CropProcessor: ImageProcessor {
    private enum Region: Hashable, Sendable {
        case rectangle(x: Int, y: Int)
        case anchored(Anchor)
    }

    /// Which part of an image is kept when it is cropped.
    public enum Anchor: String, Hashable, Sendable, CaseIterable {
        case topLeft, top, topRight, left, center, right, bottomLeft, bottom, bottomRight
    }

    private let region: Region
    private let size: PixelSize

    /// Crops to the part of a rectangle that is inside the image.
    ///
    /// - Parameters:
    ///   - x: Pixels from the left edge; may be negative.
    ///   - y: Pixels from the top edge; may be negative.
    ///   - size: The size of the rectangle in pixels.
    public init(x: Int, y: Int, size: PixelSize) {
        region = .rectangle(x: x, y: y)
        self.size = size
    }

    /// Crops to a size. Sides that are not larger stay as they are.
    public init(to size: PixelSize, anchor: Anchor = .center) {
        region = .anchored(anchor)
        self.size = size
    }

    public var identity: String {
        switch region {
        case .rectangle(let x, let y): "crop(\(x),\(y),\(size.width)x\(size.height))"
        case .anchored(let anchor): "crop(\(size.width)x\(size.height),\(anchor.rawValue))"
        }
    }

    public var hasStableIdentity: Bool { true }

    /// Throws ``ImageError/Code/processing`` if the rectangle is outside the image.
    public func process(_ pixels: PixelBuffer) throws(ImageError) -> PixelBuffer {
        let own = pixels.size
        let (x, y): (Int, Int) =
            switch region {
            case .rectangle(let x, let y): (x, y)
            case .anchored(let anchor):
                (
                    anchor.share.x * max(0, own.width - size.width) / 2,
                    anchor.share.y * max(0, own.height - size.height) / 2
                )
            }
        let (left, top) = (max(0, x), max(0, y))
        let right = min(own.width, Self.sum(x, size.width))
        let bottom = min(own.height, Self.sum(y, size.height))
        guard left < right, top < bottom else {
            throw ImageError(.processing, "\(identity) leaves nothing of \(own)")
        }
        return pixels.cropped(x: left, y: top, to: PixelSize(width: right - left, height: bottom - top))
    }
}

extension CropProcessor {
    /// The saturating sum, since a caller may pass `Int.max` for "up to the edge".
    private static func sum(_ start: Int, _ length: Int) -> Int {
        let (sum, overflow) = start.addingReportingOverflow(length)
        return overflow ? (length > 0 ? .max : .min) : sum
    }
}

extension CropProcessor.Anchor {
    /// How many halves of the excess are cropped at the left and at the top.
    fileprivate var share: (x: Int, y: Int) {
        switch self {
        case .topLeft: (0, 0)
        case .top: (1, 0)
        case .topRight: (2, 0)
        case .left: (0, 1)
        case .center: (1, 1)
        case .right: (2, 1)
        case .bottomLeft: (0, 2)
        case .bottom: (1, 2)
        case .bottomRight: (2, 2)
        }
    }
}

extension ImageProcessor where Self == CropProcessor {
    /// Crops to a size. Sides that are not larger stay as they are.
    public static func crop(to size: PixelSize, anchor: CropProcessor.Anchor = .center) -> CropProcessor {
        CropProcessor(to: size, anchor: anchor)
    }
}

extension PixelBuffer {
    /// A part of the image. The rectangle must be inside the image and not empty.
    func cropped(x: Int, y: Int, to size: PixelSize) -> PixelBuffer {
        guard size != self.size else { return self }
        let length = size.width * format.bytesPerPixel
        return PixelBuffer(size: size, format: format) { output in
            withUnsafeBytes { input in
                for row in 0..<size.height {
                    let start = (y + row) * stride + x * format.bytesPerPixel
                    UnsafeMutableRawBufferPointer(rebasing: output[(row * length)..<((row + 1) * length)])
                        .copyMemory(from: UnsafeRawBufferPointer(rebasing: input[start..<(start + length)]))
                }
            }
        }
    }
}
