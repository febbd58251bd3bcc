// Decodes AVIF with libavif, which is loaded at run time. The coded frame sizes are checked first,
// since codecs allocate memory for them.

import CRemoteImageCodecs

/// Decodes AVIF with libavif 0.11 or later, if it is installed with a decoder for AV1.
///
/// The image is decoded at full size on the calling thread, with dav1d if libavif has it, and
/// averaged down to the target. Samples of 10 and 12 bits become 8 bits. Rotation and mirroring
/// (`irot`, `imir`) are applied, grids are assembled, and of several layers the last one is shown.
/// As in browsers, a crop (`clap`) is applied if it starts at the upper left corner, and gain maps
/// are ignored.
///
/// If the major brand is that of a sequence, its frames play. libavif stays open between them; it
/// may hold 10 times the bytes of a frame's samples, which count towards
/// `DecodeLimits.maxAnimationByteCount`. At most 1,024 frames play, whose coded frames together
/// have at most half of `DecodeLimits.maxScanPixelCount`. If the tracks are damaged, the primary
/// image is decoded.
///
/// If Little CMS is installed, colors are converted to sRGB from the ICC profile of the file, or
/// else from the primaries and transfer characteristics of its `nclx` property or of the coded
/// frame. PQ and HLG need no library: they are tone-mapped as in browsers (SMPTE ST 2094-50, annex
/// D), so that diffuse white (203 cd/m²) becomes half of the light of white, and the brightest
/// light of the image, or 1,000 cd/m², becomes white.
package struct AVIFDecoder: ImageDecoder {
    package var name: String { "avif" }

    /// AVIF if libavif is installed, otherwise empty.
    package var formats: Set<ImageFormat> { codec_avif_is_installed() ? [.avif] : [] }

    package func decodes(_ format: ImageFormat) -> Bool { format == .avif && codec_avif_is_installed() }

    /// Creates a decoder. It has no settings.
    package init() {}

    /// Throws `ImageError.Code.corrupt` for a file that is truncated or damaged or whose coded
    /// frames are larger than it declares, `ImageError.Code.unsupportedFormat` for an image that
    /// libavif cannot decode, and `ImageError.Code.tooManyPixels` for an image that exceeds the
    /// limits.
    package func decode(_ bytes: [UInt8], _ request: DecodeRequest) throws(ImageError) -> DecodedImage {
        guard codec_avif_is_installed() else { throw ImageError(.unsupportedFormat, "libavif is not installed") }
        if let (number, cursor) = request.frame { return try decode(bytes, request, number, cursor) }
        let count = AVIFTrack.playableCount(bytes, limits: request.limits)
        let sequence = AVIFTrack.withoutOtherTracks(bytes) ?? bytes
        if count > 0, let image = try? decode(sequence, request, playableCount: count) { return image }
        try ImageFormat.avif.checkEnd(of: bytes)
        let still = HEIFHeader.withoutTracks(bytes) ?? bytes
        return try decode(HEIFHeader.asReadByLibavif(still) ?? still, request, playableCount: 0)
    }

    /// Decodes the first frame of the tracks, or the primary item.
    private func decode(
        _ bytes: [UInt8], _ request: DecodeRequest, playableCount: Int
    ) throws(ImageError) -> DecodedImage {
        let image = try HEIFImage.checked(bytes, .avif, request.limits)
        return try bytes.withUnsafeBufferPointer { input throws(ImageError) in
            let file = try AVIFFile(input, image, playableCount: playableCount, request.limits)
            let pixels = try file.pixels(input, frame: 0, for: request.target)
            var decoded = DecodedImage(
                pixels: pixels, size: image.size, frameCount: ImageFormat.avif.frameCount(of: bytes))
            decoded.timing = file.timing
            return decoded
        }
    }

    /// Decodes a frame of an animation.
    private func decode(
        _ bytes: [UInt8], _ request: DecodeRequest, _ number: Int, _ cursor: FrameCursor
    ) throws(ImageError) -> DecodedImage {
        let image = try HEIFImage.checked(bytes, .avif, request.limits)
        let bytes = AVIFTrack.withoutOtherTracks(bytes) ?? bytes
        return try bytes.withUnsafeBufferPointer { input throws(ImageError) in
            let file: AVIFFile
            if let known = cursor.take() as? AVIFFile, known.byteCount == bytes.count {
                file = known
            } else {
                let count = AVIFTrack.playableCount(bytes, limits: request.limits)
                file = try AVIFFile(input, image, playableCount: count, request.limits)
            }
            guard (0..<file.playableCount).contains(number) else {
                throw ImageError(.corrupt, "the file has no such frame")
            }
            let pixels = try file.pixels(input, frame: number, for: request.target)
            cursor.keep(file, byteCount: image.codedSize.pixelCount * AVIFTrack.heldBytesPerPixel(bytes))
            return DecodedImage(pixels: pixels, size: image.size, frameCount: ImageFormat.avif.frameCount(of: bytes))
        }
    }
}
