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

    private typealias Span = (first: Int, last: Int, head: Float, tail: Float)

    init(from source: PixelSize, to target: PixelSize, channels: Int) {
        self.source = source
        self.target = target
        self.channels = channels
    }

    func run(_ input: UnsafeRawBufferPointer, _ output: UnsafeMutableRawBufferPointer) {
        let rowLength = source.width * channels
        let rowScale = Float(source.height) / Float(target.height)
        let columnScale = Float(source.width) / Float(target.width)
        // The same for all rows.
        let columns = (0..<target.width).map { span($0, of: columnScale, limit: source.width) }
        withUnsafeTemporaryAllocation(of: Float.self, capacity: rowLength) { sums in
            for y in 0..<target.height {
                let (first, last, head, tail) = span(y, of: rowScale, limit: source.height)
                sums.initialize(repeating: 0)
                for row in first...last {
                    let weight = row == first ? head : row == last ? tail : 1
                    add(input, row * rowLength, times: weight / rowScale, to: sums)
                }
                let start = y * target.width * channels
                // The number of channels is a constant inside, which makes the loop three times as fast.
                if channels == 3 {
                    reduce(sums, columns, 1 / columnScale, channels: 3, to: output, at: start)
                } else {
                    reduce(sums, columns, 1 / columnScale, channels: channels, to: output, at: start)
                }
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

    @inline(__always)
    private func reduce(
        _ sums: UnsafeMutableBufferPointer<Float>, _ columns: [Span], _ factor: Float, channels: Int,
        to output: UnsafeMutableRawBufferPointer, at start: Int
    ) {
        guard let sums = sums.baseAddress,
            var new = output.baseAddress?.advanced(by: start).assumingMemoryBound(to: UInt8.self)
        else { return }
        for (first, last, head, tail) in columns {
            for channel in 0..<channels {
                var sum = sums[first * channels + channel] * head
                if last > first {
                    for column in (first + 1)..<last { sum += sums[column * channels + channel] }
                    sum += sums[last * channels + channel] * tail
                }
                // Rounded to the nearest by hand: `rounded()` is a call into the C library on processors of 2003, which
                // is what x86-64 code is made for by default.
                new[channel] = UInt8(truncatingIfNeeded: Int32(min(255, max(0, sum * factor)) + 0.5))
            }
            new += channels
        }
    }

    /// The old pixels that the new one at `index` covers, and how much of the first and the last.
    private func span(_ index: Int, of scale: Float, limit: Int) -> Span {
        let start = Float(index) * scale
        let end = min(Float(limit), start + scale)
        let first = min(limit - 1, Int(start))
        let last = min(limit - 1, max(first, Int(end.rounded(.up)) - 1))
        guard last > first else { return (first, first, scale, 0) }
        return (first, last, Float(first + 1) - start, end - Float(last))
    }
}
