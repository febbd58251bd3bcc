// Making a picture smaller by averaging the area that each new pixel covers. Exact for any factor, and free of the
// aliasing of filters that look at a few pixels only. Alpha is premultiplied, so that edges keep their colour.

extension PixelBuffer {
    /// The picture with `size` pixels, none of the sides larger than now and at least 1: sides that are not are
    /// brought there.
    public func scaledDown(to wanted: PixelSize) -> PixelBuffer {
        let size = PixelSize(
            width: min(self.size.width, max(1, wanted.width)), height: min(self.size.height, max(1, wanted.height)))
        guard size != self.size else { return self }
        return PixelBuffer(size: size, format: format) { output in
            withUnsafeBytes { AreaAverage(from: self.size, to: size, channels: format.bytesPerPixel).run($0, output) }
        }
    }
}

/// One reduction. Rows are summed first, so that the inner loops run over whole rows and vectorise.
private struct AreaAverage {
    let source: PixelSize
    let target: PixelSize
    let channels: Int

    init(from source: PixelSize, to target: PixelSize, channels: Int) {
        self.source = source
        self.target = target
        self.channels = channels
    }

    func run(_ input: UnsafeRawBufferPointer, _ output: UnsafeMutableRawBufferPointer) {
        let rowLength = source.width * channels
        let rowScale = Float(source.height) / Float(target.height)
        withUnsafeTemporaryAllocation(of: Float.self, capacity: rowLength) { sums in
            for y in 0..<target.height {
                let (first, last, head, tail) = span(y, of: rowScale, limit: source.height)
                sums.initialize(repeating: 0)
                for row in first...last {
                    let weight = row == first ? head : row == last ? tail : 1
                    add(input, row * rowLength, times: weight / rowScale, to: sums)
                }
                reduce(sums, to: output, at: y * target.width * channels)
            }
        }
    }

    @inline(__always)
    private func add(
        _ input: UnsafeRawBufferPointer, _ start: Int, times weight: Float, to sums: UnsafeMutableBufferPointer<Float>
    ) {
        guard let row = input.baseAddress?.advanced(by: start).assumingMemoryBound(to: UInt8.self),
            let sums = sums.baseAddress
        else { return }
        for index in 0..<(source.width * channels) { sums[index] += Float(row[index]) * weight }
    }

    private func reduce(
        _ sums: UnsafeMutableBufferPointer<Float>, to output: UnsafeMutableRawBufferPointer, at start: Int
    ) {
        let scale = Float(source.width) / Float(target.width)
        var position = start
        for x in 0..<target.width {
            let (first, last, head, tail) = span(x, of: scale, limit: source.width)
            for channel in 0..<channels {
                var sum = sums[first * channels + channel] * head
                if last > first {
                    for column in (first + 1)..<last { sum += sums[column * channels + channel] }
                    sum += sums[last * channels + channel] * tail
                }
                output[position + channel] = UInt8(min(255, max(0, (sum / scale).rounded())))
            }
            position += channels
        }
    }

    /// The old pixels that the new one at `index` covers, and how much of the first and the last.
    private func span(_ index: Int, of scale: Float, limit: Int) -> (first: Int, last: Int, head: Float, tail: Float) {
        let start = Float(index) * scale
        let end = min(Float(limit), start + scale)
        let first = min(limit - 1, Int(start))
        let last = min(limit - 1, max(first, Int(end.rounded(.up)) - 1))
        guard last > first else { return (first, first, scale, 0) }
        return (first, last, Float(first + 1) - start, end - Float(last))
    }
}
