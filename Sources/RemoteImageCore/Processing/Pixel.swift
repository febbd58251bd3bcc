// Pixels of four bytes, for processors that work on whole pixels.

/// Red, green, blue and alpha of one pixel, premultiplied.
typealias Pixel = SIMD4<UInt8>

extension PixelBuffer {
    /// The image with an alpha channel; itself if it already has one.
    var withAlpha: PixelBuffer {
        guard format == .rgb8 else { return self }
        return PixelBuffer(size: size, format: .rgba8Premultiplied) { output in
            withUnsafeBytes { input in
                let output = output.assumingMemoryBound(to: Pixel.self)
                for index in output.indices {
                    output[index] = Pixel(input[index * 3], input[index * 3 + 1], input[index * 3 + 2], 255)
                }
            }
        }
    }

    /// A copy of the image whose rows `change` has changed in place, from top to bottom.
    ///
    /// The copy has an alpha channel, for processors that make pixels transparent.
    func changingRows(_ change: (_ y: Int, _ row: UnsafeMutableBufferPointer<Pixel>) -> Void) -> PixelBuffer {
        let source = withAlpha
        return PixelBuffer(size: size, format: .rgba8Premultiplied) { output in
            source.withUnsafeBytes { output.copyMemory(from: $0) }
            let pixels = output.assumingMemoryBound(to: Pixel.self)
            for y in 0..<size.height {
                change(y, UnsafeMutableBufferPointer(rebasing: pixels[(y * size.width)..<((y + 1) * size.width)]))
            }
        }
    }
}

extension Pixel {
    /// The pixel multiplied by `share`, 0 to 1, and rounded to the nearest value.
    func faded(to share: Float) -> Pixel {
        Pixel((SIMD4<Float>(self) * share).rounded(.toNearestOrEven))
    }

    /// The pixel with `color` drawn over it. The channels of `color` are from 0 to 1 and
    /// premultiplied.
    func under(_ color: SIMD4<Float>) -> Pixel {
        let mixed = SIMD4<Float>(self) * (1 - color.w) + color * 255
        return Pixel(mixed.rounded(.toNearestOrEven))
    }
}
