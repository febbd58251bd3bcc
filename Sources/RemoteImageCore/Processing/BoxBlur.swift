// Averages a square around each pixel with running sums: two additions per channel, whatever the
// radius.

extension PixelBuffer {
    /// Averages over `2 × radius + 1` pixels horizontally, then vertically.
    func boxBlurred(radius: Int) -> PixelBuffer {
        let across = PixelBuffer(size: size, format: format) { output in
            withUnsafeBytes { input in
                let blur = BoxBlur(length: size.width, radius: radius)
                let channels = format.bytesPerPixel
                for y in 0..<size.height {
                    // Processes all channels of a pixel at once; without alpha the fourth lane is
                    // unused.
                    blur.run(
                        load: { x in
                            let index = y * stride + x * channels
                            return SIMD4(
                                Int32(input[index]), Int32(input[index + 1]), Int32(input[index + 2]),
                                channels == 4 ? Int32(input[index + 3]) : 0)
                        },
                        store: { x, average in
                            let index = y * stride + x * channels
                            for channel in 0..<channels { output[index + channel] = UInt8(average[channel]) }
                        })
                }
            }
        }
        return PixelBuffer(size: size, format: format) { output in
            across.withUnsafeBytes { input in Self.blurDown(input, output, size.height, stride, radius) }
        }
    }

    /// Moves a whole row of sums down the image, so that memory is read sequentially.
    private static func blurDown(
        _ input: UnsafeRawBufferPointer, _ output: UnsafeMutableRawBufferPointer, _ height: Int, _ stride: Int,
        _ radius: Int
    ) {
        guard let input = input.baseAddress?.assumingMemoryBound(to: UInt8.self),
            let output = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        else { return }
        let scale = 1 / Float(2 * radius + 1)
        func row(_ y: Int) -> UnsafePointer<UInt8> { input + min(height - 1, max(0, y)) * stride }
        withUnsafeTemporaryAllocation(of: Int32.self, capacity: stride) { sums in
            guard let sums = sums.baseAddress else { return }
            sums.initialize(repeating: 0, count: stride)
            for y in -radius...radius {
                let row = row(y)
                for index in 0..<stride { sums[index] &+= Int32(row[index]) }
            }
            for y in 0..<height {
                let (result, entering, leaving) = (output + y * stride, row(y + radius + 1), row(y - radius))
                for index in 0..<stride {
                    result[index] = UInt8(truncatingIfNeeded: Int32(Float(sums[index]) * scale + 0.5))
                    sums[index] &+= Int32(entering[index]) &- Int32(leaving[index])
                }
            }
        }
    }
}

/// A running average along one line of pixels.
private struct BoxBlur {
    let length: Int
    let radius: Int

    @inline(__always)
    func run(load: (Int) -> SIMD4<Int32>, store: (Int, SIMD4<Int32>) -> Void) {
        func pixel(_ index: Int) -> SIMD4<Int32> { load(min(length - 1, max(0, index))) }
        let scale = 1 / Float(2 * radius + 1)
        var sum = SIMD4<Int32>.zero
        for index in -radius...radius { sum &+= pixel(index) }
        for index in 0..<length {
            store(index, SIMD4<Int32>(SIMD4<Float>(sum) * scale + 0.5))
            sum &+= pixel(index + radius + 1) &- pixel(index - radius)
        }
    }
}
