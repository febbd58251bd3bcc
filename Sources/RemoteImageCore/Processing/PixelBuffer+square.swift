extension PixelBuffer {
    /// The image as a square, never enlarged beyond its longer side.
    ///
    /// - Parameters:
    ///   - side: The maximum side in pixels, at least 1.
    ///   - fit: With `contain`, the rest of the square is transparent.
    package func square(side: Int, fit: ContentFit) throws(ImageError) -> PixelBuffer {
        let own = fit == .cover ? min(size.width, size.height) : max(size.width, size.height)
        let side = max(1, min(side, own))
        let square = PixelSize(width: side, height: side)
        let fitted = try ImageProcessor.resize(to: square, fit: fit, enlarges: fit == .fill).process(self)
        return fitted.size == square ? fitted : fitted.centred(in: square)
    }

    /// The image in the middle of a larger transparent one.
    private func centred(in outer: PixelSize) -> PixelBuffer {
        let inner = withAlpha
        let left = (outer.width - size.width) / 2 * inner.format.bytesPerPixel
        let top = (outer.height - size.height) / 2
        return PixelBuffer(size: outer, format: inner.format) { output in
            output.initializeMemory(as: UInt8.self, repeating: 0)
            let stride = outer.width * inner.format.bytesPerPixel
            inner.withUnsafeBytes { input in
                for row in 0..<size.height {
                    let start = (top + row) * stride + left
                    UnsafeMutableRawBufferPointer(rebasing: output[start..<(start + inner.stride)])
                        .copyMemory(
                            from: UnsafeRawBufferPointer(rebasing: input[(row * inner.stride)...].prefix(inner.stride)))
                }
            }
        }
    }
}
