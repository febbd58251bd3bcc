// Making an image smaller by averaging the area that each new pixel covers. Right for any factor, and free of the
// aliasing of filters that look at a few pixels only. Alpha is premultiplied, so that edges keep their colour.
//
// In whole numbers of fixed point, of which more are worked on at a time than of floats.

extension PixelBuffer {
    /// The image with `size` pixels, none of the sides larger than now and at least 1: sides that are not are
    /// brought there.
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

    /// Makes a buffer of the rows of a larger image, or of one of the same size, without having all of them at a time.
    ///
    /// `row` is asked for one row after another, from the first to the last. It gives the row's packed pixels in memory that
    /// stays until it is asked again: its own, or what it is handed for that, a row and 16 bytes long.
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

/// One reduction. Rows are summed first, so that the inner loops run over whole rows and vectorise.
private struct AreaAverage {
    private let source: PixelSize
    private let target: PixelSize
    private let channels: Int
    /// Which pixels of a row make each new one, and how much each counts, of 65,536.
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
        // Where weights of 8 bits are the shares themselves, as for a half, half as many bytes are added up.
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
                    // The number of channels is a constant inside, which makes the loop three times as fast.
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

    /// Sums the rows that a new one covers, each times its part of `total`.
    @inline(__always)
    private func add<Sum: FixedWidthInteger>(
        _ span: Span, of total: Int, to sums: UnsafeMutablePointer<Sum>, _ last: inout Row?,
        _ row: (Int) -> UnsafePointer<UInt8>
    ) {
        let length = source.width * channels
        for index in span.pixels {
            // The last row of one sum may be the first of the next.
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

    /// Makes a new row of sums from 0 to 65,280.
    @inline(__always)
    private func average(_ sums: UnsafeMutablePointer<UInt16>, channels: Int, to output: UnsafeMutablePointer<UInt8>) {
        var new = output
        columnWeights.withUnsafeBufferPointer { weights in
            guard var weight = weights.baseAddress else { return }
            for (first, count) in columns {
                let old = sums + first * channels
                // 65,280 × 65,536, and a half to round it: the largest sum there is fits.
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

/// The part of a side that a new pixel covers.
private struct Span {
    /// Counted in parts of which an old pixel has `target` and a new one `source`, so that all of them are whole.
    private let start: Int
    private let source: Int
    private let target: Int

    init(_ index: Int, from source: Int, to target: Int) {
        start = index * source
        self.source = source
        self.target = target
    }

    /// The old pixels that the new one covers in part or whole.
    var pixels: Range<Int> { (start / target)..<((start + source - 1) / target + 1) }

    /// How much one of them counts. Together they are exactly `total`.
    func weight(of pixel: Int, total: Int) -> Int {
        func share(_ end: Int) -> Int { (min(max(end - start, 0), source) * total + source / 2) / source }
        return share((pixel + 1) * target) - share(pixel * target)
    }
}
