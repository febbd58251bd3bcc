// From what a decoder made to packed pixels, turned as Exif says, in one pass.
//
// Unsafe code: pointers into the decoder's pixels and the new buffer, which both live through `pack`. Every offset is
// derived from the source's own sides and stride.

/// Pixels as decoders make them: 8 bits a channel, RGB or RGBA that is not multiplied, rows maybe padded.
protocol StraightPixels {
    var size: PixelSize { get }
    var channels: Int { get }
    var stride: Int { get }
    /// The first pixel. Valid while the value lives.
    var pixels: UnsafePointer<UInt8> { get }
}

/// Rows of RGB without padding.
struct TightPixels: StraightPixels {
    let size: PixelSize
    let pixels: UnsafePointer<UInt8>
    var channels: Int { 3 }
    var stride: Int { size.width * 3 }
}

/// Packs decoded pixels: RGB where it is opaque, premultiplied RGBA where it is not.
struct PixelPacker {
    private let origin: any StraightPixels
    private let source: PixelSize
    private let target: PixelSize
    /// Where the new first pixel is among the old ones, and how far it is to the next in a row and in a column, in bytes.
    private let start: Int
    private let step: Int
    private let rowStep: Int

    init(_ origin: some StraightPixels, _ orientation: ImageOrientation) {
        self.origin = origin
        source = origin.size
        target = orientation.swapsSides ? source.transposed : source
        let (pixel, row) = (origin.channels, origin.stride)
        let (right, bottom) = ((source.width - 1) * pixel, (source.height - 1) * row)
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

    func pack() -> PixelBuffer {
        if origin.channels == 4, !isOpaque {
            return PixelBuffer(size: target, format: .rgba8Premultiplied) { premultiply(into: $0) }
        }
        return PixelBuffer(size: target, format: .rgb8) { output in
            if origin.channels == 3, step == 3 { copyRows(into: output) } else { copyColours(into: output) }
        }
    }

    private var isOpaque: Bool {
        for y in 0..<source.height {
            let row = origin.pixels + y * origin.stride
            // All the alphas of a row at once: a branch for each pixel would cost more than it saves.
            var all: UInt8 = 255
            for x in 0..<source.width { all &= row[x * 4 + 3] }
            if all != 255 { return false }
        }
        return true
    }

    private func copyRows(into output: UnsafeMutableRawBufferPointer) {
        let length = target.width * 3
        for y in 0..<target.height {
            UnsafeMutableRawBufferPointer(rebasing: output[(y * length)..<((y + 1) * length)])
                .copyMemory(from: UnsafeRawBufferPointer(start: origin.pixels + start + y * rowStep, count: length))
        }
    }

    private func copyColours(into output: UnsafeMutableRawBufferPointer) {
        guard let base = output.baseAddress else { return }
        var new = base.assumingMemoryBound(to: UInt8.self)
        for y in 0..<target.height {
            var old = origin.pixels + start + y * rowStep
            for _ in 0..<target.width {
                new[0] = old[0]
                new[1] = old[1]
                new[2] = old[2]
                new += 3
                old += step
            }
        }
    }

    /// Each colour times alpha, divided by 255 and rounded to the nearest: exact for all values.
    private func premultiply(into output: UnsafeMutableRawBufferPointer) {
        guard let base = output.baseAddress else { return }
        var new = base.assumingMemoryBound(to: UInt8.self)
        for y in 0..<target.height {
            var old = origin.pixels + start + y * rowStep
            for _ in 0..<target.width {
                let alpha = UInt32(old[3])
                new[0] = Self.times(old[0], alpha)
                new[1] = Self.times(old[1], alpha)
                new[2] = Self.times(old[2], alpha)
                new[3] = old[3]
                new += 4
                old += step
            }
        }
    }

    @inline(__always)
    private static func times(_ colour: UInt8, _ alpha: UInt32) -> UInt8 {
        let product = UInt32(colour) &* alpha &+ 128
        return UInt8(truncatingIfNeeded: (product &+ (product >> 8)) >> 8)
    }
}
