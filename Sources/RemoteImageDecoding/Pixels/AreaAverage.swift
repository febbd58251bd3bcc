// Reduces an image by averaging the area that each new pixel covers. This is exact for any factor
// and free of the aliasing of filters that sample only a few pixels. Alpha is premultiplied, so
// that edges keep their color.
//
// Uses fixed-point integers, since SIMD units process more of them at a time than floats.

extension PixelBuffer {
    /// The image scaled down to `size` pixels. Each side is clamped to between 1 and its current
    /// length.
    public func scaledDown(to wanted: PixelSize) -> PixelBuffer {
        let size = PixelSize(
            width: min(self.size.width, max(1, wanted.width)), height: min(self.size.height, max(1, wanted.height)))
        guard size != self.size else { return self }
        return withUnsafeBytes { input in
            PixelBuffer(averaging: self.size, to: size, format: format) { y, spare in
                input.baseAddress.map { ($0 + y * stride).assumingMemoryBound(to: UInt8.self) } ?? UnsafePointer(spare)
            }
        }
    }

    /// Makes a buffer from the rows of an image of the same or a larger size, without holding all
    /// rows in memory.
    ///
    /// `row` is called for each row, from the first to the last. It returns the packed pixels of
    /// the row, valid until the next call: either in its own memory, or in the spare memory that is
    /// passed to it, which holds one row and 16 bytes.
    package convenience init(
        averaging source: PixelSize, to size: PixelSize, format: PixelFormat,
        row: (_ y: Int, _ spare: UnsafeMutablePointer<UInt8>) -> UnsafePointer<UInt8>
    ) {
        let channels = format.bytesPerPixel
        self.init(size: size, format: format) { output in
            guard let base = output.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: source.width * channels + 16) { spare in
                guard let spare = spare.baseAddress else { return }
                if size == source {
                    let length = size.width * channels
                    for y in 0..<size.height { (base + y * length).update(from: row(y, spare), count: length) }
                } else {
                    AreaAverage(from: source, to: size, channels: channels).run(into: base) { row($0, spare) }
                }
            }
        }
    }
}

/// One reduction. Rows are summed first, so that the inner loops run over whole rows and can be
/// vectorised.
private struct AreaAverage {
    private let source: PixelSize
    private let target: PixelSize
    private let channels: Int
    /// The source pixels of each new column, with their weights in units of 1/65,536.
    private let columns: [(first: Int, count: Int)]
    private let columnWeights: [UInt32]

    init(from source: PixelSize, to target: PixelSize, channels: Int) {
        self.source = source
        self.target = target
        self.channels = channels
        var weights: [UInt32] = []
        columns = (0..<target.width).map { index in
            let span = Span(index, from: source.width, to: target.width)
            weights += span.pixels.map { UInt32(span.weight(of: $0, total: 1 << 16)) }
            return (span.pixels.lowerBound, span.pixels.count)
        }
        columnWeights = weights
    }

    func run(into output: UnsafeMutablePointer<UInt8>, row: (Int) -> UnsafePointer<UInt8>) {
        let length = source.width * channels
        // If weights of 8 bits are exact, as for a factor of one half, the sums need half as many
        // bytes.
        let isCoarse = 256 * target.height % source.height == 0
        withUnsafeTemporaryAllocation(of: UInt16.self, capacity: length) { sums in
            withUnsafeTemporaryAllocation(of: UInt32.self, capacity: isCoarse ? 1 : length) { fineSums in
                guard let sums = sums.baseAddress, let fineSums = fineSums.baseAddress else { return }
                var last: Row?
                for y in 0..<target.height {
                    let span = Span(y, from: source.height, to: target.height)
                    if isCoarse {
                        add(span, of: 256, to: sums, &last, row)
                    } else {
                        add(span, of: 1 << 16, to: fineSums, &last, row)
                        for index in 0..<length {
                            sums[index] = UInt16(truncatingIfNeeded: (fineSums[index] &+ 128) &>> 8)
                        }
                    }
                    let new = output + y * target.width * channels
                    // The constant number of channels makes the loop three times as fast.
                    if channels == 3 {
                        average(sums, channels: 3, to: new)
                    } else {
                        average(sums, channels: 4, to: new)
                    }
                }
            }
        }
    }

    private typealias Row = (index: Int, pixels: UnsafePointer<UInt8>)

    /// Sums the rows that a new row covers, each weighted by its share of `total`.
    @inline(__always)
    private func add<Sum: FixedWidthInteger>(
        _ span: Span, of total: Int, to sums: UnsafeMutablePointer<Sum>, _ last: inout Row?,
        _ row: (Int) -> UnsafePointer<UInt8>
    ) {
        let length = source.width * channels
        for index in span.pixels {
            // The last row of one sum may be the first row of the next.
            let pixels = last.flatMap { $0.index == index ? $0.pixels : nil } ?? row(index)
            last = (index, pixels)
            let weight = Sum(truncatingIfNeeded: span.weight(of: index, total: total))
            if index == span.pixels.lowerBound {
                for place in 0..<length { sums[place] = Sum(truncatingIfNeeded: pixels[place]) &* weight }
            } else {
                for place in 0..<length { sums[place] &+= Sum(truncatingIfNeeded: pixels[place]) &* weight }
            }
        }
    }

    /// Makes a new row from sums in the range 0 to 65,280.
    @inline(__always)
    private func average(_ sums: UnsafeMutablePointer<UInt16>, channels: Int, to output: UnsafeMutablePointer<UInt8>) {
        var new = output
        columnWeights.withUnsafeBufferPointer { weights in
            guard var weight = weights.baseAddress else { return }
            for (first, count) in columns {
                let old = sums + first * channels
                // The largest sum, 65,280 × 65,536 plus one half for rounding, fits in 32 bits.
                var (red, green, blue, alpha) = (
                    1 << 23 as UInt32, 1 << 23 as UInt32, 1 << 23 as UInt32, 1 << 23 as UInt32
                )
                for index in 0..<count {
                    let share = weight[index]
                    red &+= UInt32(old[index &* channels]) &* share
                    green &+= UInt32(old[index &* channels &+ 1]) &* share
                    blue &+= UInt32(old[index &* channels &+ 2]) &* share
                    if channels == 4 { alpha &+= UInt32(old[index &* channels &+ 3]) &* share }
                }
                new[0] = UInt8(truncatingIfNeeded: red &>> 24)
                new[1] = UInt8(truncatingIfNeeded: green &>> 24)
                new[2] = UInt8(truncatingIfNeeded: blue &>> 24)
                if channels == 4 { new[3] = UInt8(truncatingIfNeeded: alpha &>> 24) }
                weight += count
                new += channels
            }
        }
    }
}

/// The part of a source side that a new pixel covers.
private struct Span {
    /// The start of the span, in units in which a source pixel is `target` long and a new pixel is
    /// `source` long, so that all positions are integers.
    private let start: Int
    private let source: Int
    private let target: Int

    init(_ index: Int, from source: Int, to target: Int) {
        start = index * source
        self.source = source
        self.target = target
    }

    /// The source pixels that the new pixel covers in whole or in part.
    var pixels: Range<Int> { (start / target)..<((start + source - 1) / target + 1) }

    /// The weight of one source pixel. The weights of all pixels add up to exactly `total`.
    func weight(of pixel: Int, total: Int) -> Int {
        func share(_ end: Int) -> Int { (min(max(end - start, 0), source) * total + source / 2) / source }
        return share((pixel + 1) * target) - share(pixel * target)
    }
}
