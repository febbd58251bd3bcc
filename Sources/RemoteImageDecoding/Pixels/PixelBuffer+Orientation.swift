// Unsafe code: pointers into the source and the target pixels, which both live throughout
// `applyingOrientation`. Every offset is derived from the size of the source.

extension PixelBuffer {
    /// Rotates and mirrors stored pixels into displayed ones.
    package func applyingOrientation(_ orientation: ImageOrientation) -> PixelBuffer {
        guard orientation != .up else { return self }
        let path = OrientationPath(orientation, size, format)
        return PixelBuffer(size: path.target, format: format) { output in
            withUnsafeBytes { input in
                switch format {
                case .rgb8: path.copy(input, to: output, as: OpaquePixel.self)
                case .rgba8Premultiplied: path.copy(input, to: output, as: UInt32.self)
                }
            }
        }
    }
}

private struct OpaquePixel: BitwiseCopyable {
    var red, green, blue: UInt8
}

/// Maps displayed pixels to the offsets of the stored ones.
private struct OrientationPath {
    let target: PixelSize
    /// The offset of the first pixel, and the distances to the next pixel in a row and in a column,
    /// in bytes.
    private let start, step, rowStep: Int

    init(_ orientation: ImageOrientation, _ stored: PixelSize, _ format: PixelFormat) {
        target = stored.applyingOrientation(orientation)
        let pixel = format.bytesPerPixel
        let row = stored.width * pixel
        let (right, bottom) = (row - pixel, (stored.height - 1) * row)
        (start, step, rowStep) =
            switch orientation {
            case .up: (0, pixel, row)
            case .upMirrored: (right, -pixel, row)
            case .down: (right + bottom, -pixel, -row)
            case .downMirrored: (bottom, pixel, -row)
            case .leftMirrored: (0, row, pixel)
            case .right: (bottom, -row, pixel)
            case .rightMirrored: (right + bottom, -row, -pixel)
            case .left: (right, row, -pixel)
            }
    }

    /// The side of the blocks in which the pixels are copied if the sides are swapped. Without
    /// blocks, each pixel of a row reads another cache line, and 8 megapixels take three times as
    /// long.
    private static let block = 64

    /// Copies the pixels; `Pixel` is a type with the size of a pixel.
    func copy<Pixel: BitwiseCopyable>(
        _ input: UnsafeRawBufferPointer, to output: UnsafeMutableRawBufferPointer, as: Pixel.Type
    ) {
        guard let old = input.baseAddress, let new = output.baseAddress else { return }
        let size = MemoryLayout<Pixel>.size
        let width = abs(step) == size ? target.width : Self.block
        for top in stride(from: 0, to: target.height, by: Self.block) {
            for left in stride(from: 0, to: target.width, by: width) {
                let end = min(left + width, target.width)
                for y in top..<min(top + Self.block, target.height) {
                    var source = old + (start + y * rowStep + left * step)
                    var place = new + (y * target.width + left) * size
                    for _ in left..<end {
                        place.storeBytes(of: source.loadUnaligned(as: Pixel.self), as: Pixel.self)
                        source += step
                        place += size
                    }
                }
            }
        }
    }
}
