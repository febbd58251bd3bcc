// Converts decoded pixels to packed ones in one pass, scaled down row by row.
//
// Unsafe code: pointers into the decoder's pixels and the new buffer, which both live throughout
// `pack`. Every offset is derived from the size and stride of the source.

import CRemoteImagePixels

/// Pixels from a decoder: 8 bits per channel, RGB or RGBA, rows possibly padded.
package protocol DecodedPixels {
    var size: PixelSize { get }
    var channels: Int { get }
    var stride: Int { get }
    /// Whether the colors are already multiplied by alpha.
    var isPremultiplied: Bool { get }
    /// The first pixel, valid while the value lives.
    var pixels: UnsafePointer<UInt8> { get }
}

extension DecodedPixels {
    package var isPremultiplied: Bool { false }
}

/// Packs decoded pixels: as RGB if the image is opaque, otherwise as premultiplied RGBA.
package struct PixelPacker {
    private let origin: any DecodedPixels
    private let size: PixelSize

    package init(_ origin: some DecodedPixels) {
        self.origin = origin
        size = origin.size
    }

    /// Packs the image, scaled down to `wanted`; at full size for `nil`. Never scales up.
    package func pack(scaledDownTo wanted: PixelSize?) -> PixelBuffer {
        guard let wanted else { return pack() }
        let target = PixelSize(
            width: min(size.width, max(1, wanted.width)), height: min(size.height, max(1, wanted.height)))
        return target == size ? pack() : average(to: target)
    }

    package func pack() -> PixelBuffer {
        let mayBeOpaque = origin.channels == 4 && !origin.isPremultiplied
        if mayBeOpaque, let colours = packColours() { return colours }
        let format: PixelFormat = mayBeOpaque ? .rgba8Premultiplied : format
        return PixelBuffer(size: size, format: format) { output in
            guard let base = output.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
            let length = size.width * format.bytesPerPixel
            for y in 0..<size.height {
                let (old, new) = (origin.pixels + y * origin.stride, base + y * length)
                if format == .rgb8 {
                    copyColours(old, into: new)
                } else if origin.isPremultiplied {
                    new.update(from: old, count: length)
                } else {
                    pixels_premultiply(old, new, size.width)
                }
            }
        }
    }

    /// Packs RGBA as RGB; `nil` if a pixel is not opaque, which each row reports at its end.
    private func packColours() -> PixelBuffer? {
        struct IsTransparent: Error {}
        return try? PixelBuffer(size: size, format: .rgb8) { output throws(IsTransparent) in
            guard let base = output.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
            for y in 0..<size.height {
                let row = origin.pixels + y * origin.stride
                guard pixels_drop_alpha(row, base + y * size.width * 3, size.width) else { throw IsTransparent() }
            }
        }
    }

    /// Averages row by row, without a packed copy of the whole image.
    private func average(to target: PixelSize) -> PixelBuffer {
        let format = format
        return PixelBuffer(averaging: size, to: target, format: format) { y, spare in
            let row = origin.pixels + y * origin.stride
            if format.bytesPerPixel == origin.channels, format == .rgb8 || origin.isPremultiplied { return row }
            if format == .rgb8 { copyColours(row, into: spare) } else { pixels_premultiply(row, spare, size.width) }
            return UnsafePointer(spare)
        }
    }

    private var format: PixelFormat {
        origin.channels == 4 && (origin.isPremultiplied || !isOpaque) ? .rgba8Premultiplied : .rgb8
    }

    private var isOpaque: Bool {
        (0..<size.height).allSatisfy { Self.isOpaque(origin.pixels + $0 * origin.stride, count: size.width) }
    }

    /// Whether every pixel of a row of RGBA is opaque.
    static func isOpaque(_ row: UnsafePointer<UInt8>, count: Int) -> Bool {
        // Four pixels at a time and one check per row: a branch per pixel would cost more than it
        // saves.
        var four = SIMD16<UInt8>(repeating: 255)
        for x in 0..<(count / 4) {
            four &= UnsafeRawPointer(row + x * 16).loadUnaligned(as: SIMD16<UInt8>.self)
        }
        var all = four[3] & four[7] & four[11] & four[15]
        for x in (count / 4 * 4)..<count { all &= row[x * 4 + 3] }
        return all == 255
    }

    private func copyColours(_ row: UnsafePointer<UInt8>, into output: UnsafeMutablePointer<UInt8>) {
        if origin.channels == 3 { return output.update(from: row, count: size.width * 3) }
        _ = pixels_drop_alpha(row, output, size.width)
    }
}

@_spi(Benchmarks)
extension PixelBuffer {
    /// Packs the RGBA of a decoder; `benchmarks decode` compares this with a plain copy.
    public static func packing(_ pixels: UnsafePointer<UInt8>, size: PixelSize) -> PixelBuffer {
        PixelPacker(StraightPixels(size: size, pixels: pixels)).pack(scaledDownTo: nil)
    }
}

/// Unpremultiplied RGBA or RGB without padding. The memory must outlive this value.
struct StraightPixels: DecodedPixels {
    let size: PixelSize
    var channels = 4
    let pixels: UnsafePointer<UInt8>
    var stride: Int { size.width * channels }
}
