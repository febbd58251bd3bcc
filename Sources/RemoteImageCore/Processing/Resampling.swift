// Scales to any size: each side down by area averaging, or up by bilinear interpolation.

extension PixelBuffer {
    /// The image scaled to `size` pixels. Both sides must be at least 1.
    func resampled(to size: PixelSize) -> PixelBuffer {
        let smaller = scaledDown(to: size)
        return smaller.size == size ? smaller : smaller.enlarged(to: size)
    }

    /// Enlarges by bilinear interpolation between pixel centers. Outside the image, the pixels of
    /// its edge are repeated.
    private func enlarged(to size: PixelSize) -> PixelBuffer {
        let channels = format.bytesPerPixel
        let columns = Taps(from: self.size.width, to: size.width)
        let rows = Taps(from: self.size.height, to: size.height)
        return PixelBuffer(size: size, format: format) { output in
            withUnsafeBytes { input in
                var position = 0
                for y in 0..<size.height {
                    let (top, bottom, down) = rows[y]
                    let (upper, lower) = (top * stride, bottom * stride)
                    for x in 0..<size.width {
                        let (left, right, across) = columns[x]
                        for channel in 0..<channels {
                            let (l, r) = (left * channels + channel, right * channels + channel)
                            let above = Float(input[upper + l]) * (1 - across) + Float(input[upper + r]) * across
                            let below = Float(input[lower + l]) * (1 - across) + Float(input[lower + r]) * across
                            output[position] = UInt8((above * (1 - down) + below * down).rounded())
                            position += 1
                        }
                    }
                }
            }
        }
    }
}

/// The two source pixels around the center of each new pixel, and the weight of the second.
private struct Taps {
    private let scale: Float
    private let last: Int

    init(from old: Int, to new: Int) {
        scale = Float(old) / Float(new)
        last = old - 1
    }

    subscript(index: Int) -> (first: Int, second: Int, share: Float) {
        let centre = min(Float(last), max(0, (Float(index) + 0.5) * scale - 0.5))
        let first = Int(centre)
        return (first, min(last, first + 1), centre - Float(first))
    }
}
