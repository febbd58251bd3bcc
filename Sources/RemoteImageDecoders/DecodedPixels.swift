// Converts decoded pixels to packed ones in one pass, scaled down row by row.
//
// Unsafe code: pointers into the decoder's pixels and the new buffer, which both live throughout
// `packed`. Every offset is derived from the size and stride of the source.

import CRemoteImagePixels

/// Pixels from a decoder: RGB, or RGBA that is not premultiplied, with 8 bits per channel and
/// possibly padded rows. The memory must outlive this value.
package struct DecodedPixels {
    package let size: PixelSize
    let channels: Int
    /// The distance from the start of a row to the start of the next, in bytes.
    let stride: Int
    let pixels: UnsafePointer<UInt8>

    /// - Parameter stride: `nil` for rows without padding.
    package init(_ pixels: UnsafePointer<UInt8>, _ size: PixelSize, channels: Int, stride: Int? = nil) {
        (self.pixels, self.size, self.channels) = (pixels, size, channels)
        self.stride = stride ?? size.width * channels
    }

    func row(_ y: Int) -> UnsafePointer<UInt8> { pixels + y * stride }

    /// Packs the pixels as RGB if the image is opaque, otherwise as premultiplied RGBA, scaled down
    /// to `wanted`; at full size for `nil`. Never scales up.
    package func packed(scaledDownTo wanted: PixelSize?) -> PixelBuffer {
        guard let wanted else { return packed() }
        let target = PixelSize(
            width: min(size.width, max(1, wanted.width)), height: min(size.height, max(1, wanted.height)))
        return target == size ? packed() : averaged(to: target)
    }

    private func packed() -> PixelBuffer {
        if let colors = packedColors() { return colors }
        return PixelBuffer(size: size, format: .rgba8Premultiplied) { output in
            guard let base = output.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
            for y in 0..<size.height { pixels_premultiply(row(y), base + y * size.width * 4, size.width) }
        }
    }

    /// Packs the pixels as RGB; `nil` if one is not opaque, which each row reports at its end.
    private func packedColors() -> PixelBuffer? {
        struct IsTransparent: Error {}
        return try? PixelBuffer(size: size, format: .rgb8) { output throws(IsTransparent) in
            guard let base = output.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
            for y in 0..<size.height {
                guard copyColors(of: row(y), to: base + y * size.width * 3) else { throw IsTransparent() }
            }
        }
    }

    /// Averages row by row, without a packed copy of the whole image.
    private func averaged(to target: PixelSize) -> PixelBuffer {
        let isOpaque = channels == 3 || (0..<size.height).allSatisfy { PixelBuffer.isOpaque(row($0), size.width) }
        return PixelBuffer(averaging: size, to: target, format: isOpaque ? .rgb8 : .rgba8Premultiplied) { y, spare in
            if channels == 3 { return row(y) }
            if isOpaque { copyColors(of: row(y), to: spare) } else { pixels_premultiply(row(y), spare, size.width) }
            return UnsafePointer(spare)
        }
    }

    /// Copies the colors of a row. Returns whether all its pixels are opaque.
    @discardableResult
    private func copyColors(of row: UnsafePointer<UInt8>, to output: UnsafeMutablePointer<UInt8>) -> Bool {
        if channels == 4 { return pixels_drop_alpha(row, output, size.width) }
        output.update(from: row, count: size.width * 3)
        return true
    }
}

@_spi(Benchmarks)
extension PixelBuffer {
    /// Packs the RGBA of a decoder; `benchmarks decode` compares this with a plain copy.
    public static func packing(_ pixels: UnsafePointer<UInt8>, size: PixelSize) -> PixelBuffer {
        DecodedPixels(pixels, size, channels: 4).packed(scaledDownTo: nil)
    }
}
