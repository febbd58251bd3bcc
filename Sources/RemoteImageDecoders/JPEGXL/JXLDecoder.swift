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
package struct JXLDecoder: ImageDecoder {
    package var name: String { "jxl" }

    /// JPEG XL if libjxl is installed, otherwise empty.
    package var formats: Set<ImageFormat> { codec_jxl_is_installed() ? [.jxl] : [] }

    package func decodes(_ format: ImageFormat) -> Bool { format == .jxl && codec_jxl_is_installed() }

    /// Creates a decoder. It has no settings.
    package init() {}

    /// Throws `ImageError.Code.corrupt` for a truncated or damaged file,
    /// `ImageError.Code.tooManyPixels` for an image that exceeds the limits, and
    /// `ImageError.Code.unsupportedFormat` for CMYK or without libjxl.
    package func decode(_ bytes: [UInt8], _ request: DecodeRequest) throws(ImageError) -> DecodedImage {
        guard codec_jxl_is_installed() else { throw ImageError(.unsupportedFormat, "libjxl is not installed") }
        return try decode(bytes, request, isBeginning: false)
    }

    /// Decodes the available detail of an image; `nil` before it covers the whole image. Lossless
    /// images have previews only if they were encoded progressively.
    package func decodeBeginning(_ bytes: [UInt8], _ request: DecodeRequest) -> PixelBuffer? {
        try? decode(bytes, request, isBeginning: true).pixels
    }

    private func decode(
        _ bytes: [UInt8], _ request: DecodeRequest, isBeginning: Bool
    ) throws(ImageError) -> DecodedImage {
        let size = request.header.storedSize
        try request.limits.check(size)
        return try bytes.withUnsafeBufferPointer { input throws(ImageError) in
            let file =
                if let (number, cursor) = request.frame {
                    try file(for: number, input, request, cursor)
                } else {
                    try JXLFile(input, request, isBeginning: isBeginning)
                }
            let pixels = try file.pixels(input, frame: request.frame?.number ?? 0, for: request.target)
            var image = DecodedImage(pixels: pixels, size: size, frameCount: file.frameCount)
            if request.frame == nil { image.timing = file.timing }
            if let cursor = request.frame?.cursor, file.next < file.playableCount {
                let estimate = size.pixelCount * FrameCursor.bytesPerPixel
                cursor.keep(file, byteCount: max(estimate, file.heldByteCount))
            }
            return image
        }
    }

    /// The file of the cursor if it has not passed the frame, otherwise a new one that starts with
    /// the first frame.
    private func file(
        for number: Int, _ bytes: UnsafeBufferPointer<UInt8>, _ request: DecodeRequest, _ cursor: FrameCursor
    ) throws(ImageError) -> JXLFile {
        if let known = cursor.take() as? JXLFile, known.next <= number, number < known.playableCount,
            known.byteCount == bytes.count
        {
            return known
        }
        let file = try JXLFile(bytes, request, isBeginning: false)
        guard number >= 0, number < file.playableCount else {
            throw ImageError(.corrupt, "the file has no such frame")
        }
        return file
    }
}
