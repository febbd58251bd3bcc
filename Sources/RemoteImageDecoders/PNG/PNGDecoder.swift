// Decodes PNG with libpng. Rows are averaged as they are read, so that memory holds only one row
// and the reduced image.

import CRemoteImagePixels

/// Decodes PNG with libpng.
///
/// The image is averaged down to the target while its rows are read, so that an image of any size
/// needs memory only for the target. An interlaced image is first decoded at full size. All depths
/// and color types are supported; 16 bits per channel are rounded to 8. The result is
/// `PixelFormat.rgb8` if every pixel is opaque, otherwise `PixelFormat.rgba8Premultiplied`.
///
/// If Little CMS is installed, colors are converted to sRGB from the code points of `cICP`, or else
/// the ICC profile, or else the gamma and chromaticities of the file. PQ and HLG are shown as by
/// ``AVIFDecoder``. For an animation, this decodes the default image; `ImageAnimation` plays the
/// frames.
public struct PNGDecoder: ImageDecoder {
    /// Creates a decoder. It has no settings.
    public init() {}

    public var name: String { "png" }

    public var formats: Set<ImageFormat> { [.png] }

    /// Throws `ImageError.Code.corrupt` for a file that is truncated, has wrong checksums or has
    /// fewer pixels than its header says, and `ImageError.Code.tooManyPixels` for an image that
    /// exceeds the limits.
    public func decode(_ bytes: [UInt8], _ request: DecodeRequest) throws(ImageError) -> DecodedImage {
        try TruncationCheck.check(bytes, .png)
        try request.limits.check(request.header.storedSize)
        let pixels = try bytes.withUnsafeBufferPointer { input throws(ImageError) in
            let file = try PNGFile(input, request)
            return try file.isInterlaced ? allPasses(of: file, request) : rows(of: file, request)
        }
        return DecodedImage(
            pixels: pixels, size: request.header.storedSize, frameCount: FrameCount.of(bytes, .png))
    }

    private func rows(of file: borrowing PNGFile, _ request: DecodeRequest) throws(ImageError) -> PixelBuffer {
        let stored = request.header.storedSize
        let size = request.target?.drawnSize(of: stored) ?? stored
        var isComplete = true
        var isOpaque = true
        let pixels = PixelBuffer(
            averaging: stored, to: size, format: file.hasAlpha ? .rgba8Premultiplied : .rgb8
        ) { _, row in
            isComplete = isComplete && file.read(into: row)
            guard isComplete else {
                // The pixels are discarded.
                row.update(repeating: 0, count: stored.width * file.channels)
                return UnsafePointer(row)
            }
            if file.hasAlpha, !PixelPacker.isOpaque(row, count: stored.width) {
                isOpaque = false
                pixels_premultiply(row, row, stored.width)
            }
            return UnsafePointer(row)
        }
        guard isComplete else { throw file.error }
        return isOpaque ? pixels.droppingAlpha() : pixels
    }

    private func allPasses(of file: borrowing PNGFile, _ request: DecodeRequest) throws(ImageError) -> PixelBuffer {
        let size = request.header.storedSize
        let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: size.pixelCount * file.channels)
        defer { memory.deallocate() }
        guard let base = memory.baseAddress, file.readAll(into: base) else { throw file.error }
        let pixels = StraightPixels(size: size, channels: file.channels, pixels: UnsafePointer(base))
        return PixelPacker(pixels).pack(scaledDownTo: request.target?.drawnSize(of: size))
    }
}

extension PixelBuffer {
    /// Converts a buffer with only opaque pixels to RGB.
    fileprivate func droppingAlpha() -> PixelBuffer {
        guard format == .rgba8Premultiplied else { return self }
        return PixelBuffer(size: size, format: .rgb8) { output in
            withUnsafeBytes { input in
                guard let old = input.baseAddress?.assumingMemoryBound(to: UInt8.self),
                    let new = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
                else { return }
                _ = pixels_drop_alpha(old, new, size.pixelCount)
            }
        }
    }
}
