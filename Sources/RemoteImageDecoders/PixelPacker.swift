// From what a decoder made to packed pixels, in one pass: scaled down row by row, or turned as Exif says.
//
// Unsafe code: pointers into the decoder's pixels and the new buffer, which both live through `pack`. Every offset is
// derived from the source's own sides and stride.

import CPixels

/// Pixels as decoders make them: 8 bits a channel, RGB or RGBA, rows maybe padded.
package protocol DecodedPixels {
    var size: PixelSize { get }
    var channels: Int { get }
    var stride: Int { get }
    /// Whether the colours are multiplied by alpha already.
    var isPremultiplied: Bool { get }
    /// The first pixel. Valid while the value lives.
    var pixels: UnsafePointer<UInt8> { get }
}

extension DecodedPixels {
    package var isPremultiplied: Bool { false }
}

extension PixelBuffer {
    /// The image turned as Exif says.
    package func turned(_ orientation: ImageOrientation) -> PixelBuffer {
        guard orientation != .up else { return self }
        // The buffer lives through the closure, and with it the pointer.
        return withUnsafeBytes { memory in
            memory.baseAddress.map { base in
                PixelPacker(
                    PackedPixels(size: size, format: format, pixels: base.assumingMemoryBound(to: UInt8.self)),
                    orientation
                ).pack()
            } ?? self
        }
    }
}

private struct PackedPixels: DecodedPixels {
    let size: PixelSize
    let format: PixelFormat
    let pixels: UnsafePointer<UInt8>
    var channels: Int { format.bytesPerPixel }
    var stride: Int { size.width * channels }
    var isPremultiplied: Bool { true }
}

/// Packs decoded pixels: RGB where it is opaque, premultiplied RGBA where it is not.
package struct PixelPacker {
    private let origin: any DecodedPixels
    private let orientation: ImageOrientation
    private let source: PixelSize
    private let target: PixelSize
    /// Where the new first pixel is among the old ones, and how far it is to the next in a row and in a column, in bytes.
    private let start: Int
    private let step: Int
    private let rowStep: Int

    package init(_ origin: some DecodedPixels, _ orientation: ImageOrientation) {
        self.origin = origin
        self.orientation = orientation
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

    /// The image with `wanted` pixels after it is turned; with all of them for nil or where there are fewer.
    package func pack(scaledDownTo wanted: PixelSize?) -> PixelBuffer {
        guard let wanted else { return pack() }
        let stored = orientation.swapsSides ? wanted.transposed : wanted
        let size = PixelSize(
            width: min(source.width, max(1, stored.width)), height: min(source.height, max(1, stored.height)))
        return size == source ? pack() : average(to: size).turned(orientation)
    }

    package func pack() -> PixelBuffer {
        let mayBeOpaque = isRGBA && !origin.isPremultiplied
        if mayBeOpaque, let colours = packColours() { return colours }
        let format: PixelFormat = mayBeOpaque ? .rgba8Premultiplied : format
        return PixelBuffer(size: target, format: format) { output in
            guard let base = output.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
            let length = target.width * format.bytesPerPixel
            for y in 0..<target.height {
                let (old, new) = (origin.pixels + start + y * rowStep, base + y * length)
                if format == .rgb8 {
                    copyColours(old, into: new)
                } else if origin.isPremultiplied {
                    copyPixels(old, into: new)
                } else {
                    premultiply(old, into: new)
                }
            }
        }
    }

    /// RGBA whose pixels follow one another as RGB; nil where one is not opaque, which is known at the end of its row.
    private func packColours() -> PixelBuffer? {
        struct IsTransparent: Error {}
        return try? PixelBuffer(size: target, format: .rgb8) { output throws(IsTransparent) in
            guard let base = output.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
            for y in 0..<target.height {
                let row = origin.pixels + start + y * rowStep
                guard pixels_drop_alpha(row, base + y * target.width * 3, target.width) else { throw IsTransparent() }
            }
        }
    }

    /// As it is stored and without a packed copy of all of it.
    private func average(to size: PixelSize) -> PixelBuffer {
        let upright = PixelPacker(origin, .up)
        let format = format
        return PixelBuffer(averaging: source, to: size, format: format) { y, spare in
            let row = origin.pixels + y * origin.stride
            if format.bytesPerPixel == origin.channels, format == .rgb8 || origin.isPremultiplied { return row }
            if format == .rgb8 { upright.copyColours(row, into: spare) } else { upright.premultiply(row, into: spare) }
            return UnsafePointer(spare)
        }
    }

    private var format: PixelFormat {
        origin.channels == 4 && (origin.isPremultiplied || !isOpaque) ? .rgba8Premultiplied : .rgb8
    }

    private var isOpaque: Bool {
        (0..<source.height).allSatisfy { Self.isOpaque(origin.pixels + $0 * origin.stride, count: source.width) }
    }

    /// Whether no pixel of a row of RGBA is transparent.
    static func isOpaque(_ row: UnsafePointer<UInt8>, count: Int) -> Bool {
        // Four pixels at once, and one look at a row: a branch for each pixel would cost more than it saves.
        var four = SIMD16<UInt8>(repeating: 255)
        for x in 0..<(count / 4) {
            four &= UnsafeRawPointer(row + x * 16).loadUnaligned(as: SIMD16<UInt8>.self)
        }
        var all = four[3] & four[7] & four[11] & four[15]
        for x in (count / 4 * 4)..<count { all &= row[x * 4 + 3] }
        return all == 255
    }

    /// Whether pixels of four bytes follow one another in the order in which they are wanted.
    private var isRGBA: Bool { origin.channels == 4 && step == 4 }

    // MARK: A row

    private func copyColours(_ row: UnsafePointer<UInt8>, into output: UnsafeMutablePointer<UInt8>) {
        if step == 3 { return output.update(from: row, count: target.width * 3) }
        if isRGBA { return _ = pixels_drop_alpha(row, output, target.width) }
        var (old, new) = (row, output)
        for _ in 0..<target.width {
            new[0] = old[0]
            new[1] = old[1]
            new[2] = old[2]
            new += 3
            old += step
        }
    }

    private func copyPixels(_ row: UnsafePointer<UInt8>, into output: UnsafeMutablePointer<UInt8>) {
        var (old, new) = (row, output)
        for _ in 0..<target.width {
            new.update(from: old, count: 4)
            new += 4
            old += step
        }
    }

    private func premultiply(_ row: UnsafePointer<UInt8>, into output: UnsafeMutablePointer<UInt8>) {
        if isRGBA { return pixels_premultiply(row, output, target.width) }
        copyPixels(row, into: output)
        pixels_premultiply(output, output, target.width)
    }
}

@_spi(Benchmarks)
extension PixelBuffer {
    /// What a decoder's RGBA becomes: what `benchmarks decode` measures beside a plain copy.
    public static func packing(_ pixels: UnsafePointer<UInt8>, size: PixelSize) -> PixelBuffer {
        PixelPacker(StraightPixels(size: size, pixels: pixels), .up).pack(scaledDownTo: nil)
    }
}

/// RGBA or RGB as it is in a file, without padding. Lives no longer than the memory it points to.
struct StraightPixels: DecodedPixels {
    let size: PixelSize
    var channels = 4
    let pixels: UnsafePointer<UInt8>
    var stride: Int { size.width * channels }
}
