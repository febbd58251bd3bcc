// Decodes JPEG XL with libjxl, which is loaded at run time.
//
// Unsafe code: libjxl writes to buffers that live throughout the call that gets them.

import CRemoteImageCodecs

/// Decodes JPEG XL with libjxl 0.7 to 0.11, if one of these versions is installed.
///
/// An image is decoded at full size on the calling thread and averaged down to the target. Samples
/// of up to 32 bits and floating-point samples become 8 bits per channel. The result is
/// `PixelFormat.rgb8` if every pixel is opaque. libjxl applies the orientation, converts the colors
/// of lossy images to sRGB, and maps brightness above that of an ordinary display (HDR). The
/// profile of a lossless image is applied if Little CMS is installed; with libjxl 0.7, a lossless
/// HDR image looks as dark as its profile says. CMYK is not supported.
///
/// Animations play. libjxl blends the frames and stays open between them; it may hold about 48
/// bytes per pixel, which count towards `DecodeLimits.maxAnimationByteCount`. At most 1,024 frames
/// play, and their layers together have at most a tenth of `DecodeLimits.maxScanPixelCount`. An
/// animation with channels other than color and alpha is shown as its first image. Frames after a
/// layer that is larger than the canvas do not play.
///
/// In a layered image, each layer may have at most `DecodeLimits.maxPixelCount` pixels, and all
/// layers together at most `DecodeLimits.maxScanPixelCount`. libjxl may hold twice
/// `DecodeLimits.maxDecodedByteCount` plus 16 MiB. Before version 0.11, libjxl allocates memory for
/// pixels outside this limit: in the calling process, the numbers of pixels, layers and channels
/// are then the only limits. Version 0.7 of Debian writes messages about damaged files to standard
/// error.
public struct JXLDecoder: ImageDecoder {
    public var name: String { "jxl" }

    /// JPEG XL if libjxl is installed, otherwise empty.
    public var formats: Set<ImageFormat> { codec_jxl_is_installed() ? [.jxl] : [] }

    public func decodes(_ format: ImageFormat) -> Bool { format == .jxl && codec_jxl_is_installed() }

    /// Creates a decoder. It has no settings.
    public init() {}

    /// Throws `ImageError.Code.corrupt` for a truncated or damaged file,
    /// `ImageError.Code.tooManyPixels` for an image that exceeds the limits, and
    /// `ImageError.Code.unsupportedFormat` for CMYK or without libjxl.
    public func decode(_ bytes: [UInt8], _ request: DecodeRequest) throws(ImageError) -> DecodedImage {
        guard codec_jxl_is_installed() else { throw ImageError(.unsupportedFormat, "libjxl is not installed") }
        return try decode(bytes, request, isBeginning: false)
    }

    /// Decodes the available detail of an image; `nil` before it covers the whole image. Lossless
    /// images have previews only if they were encoded progressively.
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

    /// The playback of the cursor if it has not passed the frame, otherwise a new one that starts
    /// with the first frame.
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

/// The state of an animation between two frames.
///
/// Unchecked: only the thread that took it from its cursor uses it.
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
    /// Skips `skipCount` frames and decodes the next one at the target size.
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
