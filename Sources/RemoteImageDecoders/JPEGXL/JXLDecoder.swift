// JPEG XL by libjxl, looked up at run time.
//
// Unsafe code: buffers that libjxl writes to, each of which lives through the call that gets it.

import CCodecs

/// Decodes JPEG XL with libjxl 0.7 to 0.11, where one of these is installed.
///
/// An image is decoded in full, on the calling thread, and averaged down to the target. Depths up
/// to 32 bits and floating-point samples become 8 bits a channel, and the result is
/// `PixelFormat.rgb8` where every pixel is opaque. libjxl applies the orientation and converts the
/// colours of lossy images to sRGB; brightness beyond that of an ordinary display (HDR) is mapped
/// by it. Lossless images have a profile, which is applied where Little CMS is installed: HDR ones
/// look as dark with libjxl 0.7 as their profile says. CMYK is refused.
///
/// Animations play. libjxl blends their frames, and stays open between them while an animation
/// plays: it may hold about 48 bytes a pixel, which count with
/// `DecodeLimits.maxAnimationByteCount`. The frames that play are at most 1,024 and have, with
/// their layers, at most a tenth of `DecodeLimits.maxScanPixelCount` together. An animation with
/// channels besides color and alpha is shown as its first image; frames after a layer that is
/// larger than the canvas do not play.
///
/// Images that are layered count with the pixels of their layers: none may have more than
/// `DecodeLimits.maxPixelCount`, all together no more than `DecodeLimits.maxScanPixelCount`. libjxl
/// may hold twice `DecodeLimits.maxDecodedByteCount` and 16 MiB. Before version 0.11, it takes
/// memory for pixels without asking: there, the counts of pixels, layers and channels are the only
/// limits in the calling process. Debian's version 0.7 writes what is wrong with a damaged file to
/// standard error.
public struct JXLDecoder: ImageDecoder {
    public var name: String { "jxl" }

    /// Empty where libjxl is not installed.
    public var formats: Set<ImageFormat> { codec_jxl_is_installed() ? [.jxl] : [] }

    public func decodes(_ format: ImageFormat) -> Bool { format == .jxl && codec_jxl_is_installed() }

    /// Creates a decoder. It has no settings.
    public init() {}

    /// Throws `ImageError.Code.corrupt` for a file that is cut off or damaged,
    /// `ImageError.Code.tooManyPixels` for one that exceeds the limits, and
    /// `ImageError.Code.unsupportedFormat` for CMYK.
    public func decode(_ bytes: [UInt8], _ request: DecodeRequest) throws(ImageError) -> DecodedImage {
        guard codec_jxl_is_installed() else { throw ImageError(.unsupportedFormat, "libjxl is not installed") }
        return try decode(bytes, request, isBeginning: false)
    }

    /// The image in the detail that its beginning has; `nil` before there are pixels for all of it.
    /// Lossless images have such a beginning only where they were made for it.
    public func decodeBeginning(_ bytes: [UInt8], _ request: DecodeRequest) -> PixelBuffer? {
        try? decode(bytes, request, isBeginning: true).pixels
    }

    private func decode(
        _ bytes: [UInt8], _ request: DecodeRequest, isBeginning: Bool
    ) throws(ImageError) -> DecodedImage {
        let size = request.header.storedSize
        try request.limits.check(size)
        return try bytes.withUnsafeBufferPointer { input throws(ImageError) in
            if let (number, cursor) = request.frame {
                let playback = try playback(input, request, number, cursor)
                let pixels = try playback.file.pixels(input, request, skipCount: number - playback.next)
                playback.next = number + 1
                if playback.next < playback.file.playableCount {
                    let estimate = size.pixelCount * FrameCursor.bytesPerPixel
                    cursor.keep(playback, byteCount: max(estimate, playback.file.heldByteCount))
                }
                return DecodedImage(pixels: pixels, size: size, frameCount: playback.file.frameCount)
            }
            let file = try JXLFile(input, request, isBeginning: isBeginning)
            var image = DecodedImage(
                pixels: try file.pixels(input, request, skipCount: 0), size: size, frameCount: file.frameCount)
            image.timing = file.timing
            return image
        }
    }

    /// The one of the cursor where it has not passed the frame, or else one from the first frame
    /// on.
    private func playback(
        _ bytes: UnsafeBufferPointer<UInt8>, _ request: DecodeRequest, _ number: Int, _ cursor: FrameCursor
    ) throws(ImageError) -> JXLPlayback {
        if let known = cursor.take() as? JXLPlayback, known.next <= number, number < known.file.playableCount,
            known.byteCount == bytes.count
        {
            return known
        }
        let file = try JXLFile(bytes, request, isBeginning: false)
        guard number >= 0, number < file.playableCount else {
            throw ImageError(.corrupt, "the file has no such frame")
        }
        return JXLPlayback(file, byteCount: bytes.count)
    }
}

/// An animation between two frames.
///
/// Unchecked: belongs to the thread that took it out of its cursor.
private final class JXLPlayback: @unchecked Sendable {
    let file: JXLFile
    let byteCount: Int
    var next = 0

    init(_ file: consuming JXLFile, byteCount: Int) {
        self.file = file
        self.byteCount = byteCount
    }
}

extension JXLFile {
    /// The pixels of the next frame behind `skipCount` others, in the size that is wanted.
    fileprivate borrowing func pixels(
        _ bytes: UnsafeBufferPointer<UInt8>, _ request: DecodeRequest, skipCount: Int
    ) throws(ImageError) -> PixelBuffer {
        let wanted = request.target?.drawnSize(of: size)
        if channels == 3, wanted.map({ $0 == size }) ?? true {
            return try PixelBuffer(size: size, format: .rgb8) { memory throws(ImageError) in
                try decode(bytes, skipCount: skipCount, into: memory)
            }
        }
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: size.pixelCount * channels, alignment: 16)
        defer { memory.deallocate() }
        try decode(bytes, skipCount: skipCount, into: memory)
        guard let base = memory.baseAddress?.assumingMemoryBound(to: UInt8.self) else {
            throw ImageError(.corrupt, "an image without pixels")
        }
        let pixels = StraightPixels(size: size, channels: channels, pixels: UnsafePointer(base))
        return PixelPacker(pixels).pack(scaledDownTo: wanted)
    }
}
