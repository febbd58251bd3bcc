extension ImageProcessor {
    /// Which part of an image is kept when it is cropped.
    public enum Anchor: String, Hashable, Sendable, CaseIterable {
        case topLeft, top, topRight, left, center, right, bottomLeft, bottom, bottomRight
    }

    /// Crops to a size in pixels. Sides that are not larger stay as they are.
    public static func crop(to size: PixelSize, anchor: Anchor = .center) -> ImageProcessor {
        crop(to: size, "crop(\(size.width)x\(size.height),\(anchor.rawValue))") { own in
            let spare = (x: own.width - max(0, size.width), y: own.height - max(0, size.height))
            return (anchor.share.x * max(0, spare.x) / 2, anchor.share.y * max(0, spare.y) / 2)
        }
    }

    /// Crops to the part of a rectangle that is inside the image. Fails with
    /// ``ImageError/Code/processing`` if no part is.
    ///
    /// - Parameters:
    ///   - x: Pixels from the left edge; may be negative.
    ///   - y: Pixels from the top edge; may be negative.
    ///   - size: The size of the rectangle in pixels.
    public static func crop(x: Int, y: Int, size: PixelSize) -> ImageProcessor {
        crop(to: size, "crop(\(x),\(y),\(size.width)x\(size.height))") { _ in (x, y) }
    }

    private static func crop(
        to size: PixelSize, _ identity: String, origin: @escaping @Sendable (PixelSize) -> (x: Int, y: Int)
    ) -> ImageProcessor {
        ImageProcessor(identity) { pixels in
            let own = pixels.size
            let (x, y) = origin(own)
            let (left, top) = (max(0, x), max(0, y))
            let right = min(own.width, sum(x, size.width))
            let bottom = min(own.height, sum(y, size.height))
            guard left < right, top < bottom else {
                throw ImageError(.processing, "\(identity) leaves nothing of \(own)")
            }
            return pixels.cropped(x: left, y: top, to: PixelSize(width: right - left, height: bottom - top))
        }
    }

    /// The saturating sum, since a caller may pass `Int.max` for "up to the edge".
    private static func sum(_ start: Int, _ length: Int) -> Int {
        let (sum, overflow) = start.addingReportingOverflow(length)
        return overflow ? (length > 0 ? .max : .min) : sum
    }
}

extension ImageProcessor.Anchor {
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
