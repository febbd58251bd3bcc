// Decodes AVIF and HEIC with libheif. The coded frame sizes are checked first, since libheif and
// its codecs allocate memory for them.

import CRemoteImageCodecs

/// Decodes HEIC and AVIF with libheif 1.15 or later, if it is installed with a decoder for HEVC or
/// AV1. The standard decoders prefer ``AVIFDecoder`` for AVIF.
///
/// Rotation, mirroring and cropping (`irot`, `imir`, `clap`) are applied, and grids are assembled.
/// Samples of 10 and 12 bits become 8 bits. Premultiplied and straight alpha are supported. The
/// image is decoded at full size and averaged down to the target. For an image sequence, this
/// decodes the primary image; an AVIF sequence plays if every frame can be decoded independently.
///
/// libde265 does not report missing parts of an HEVC frame and leaves their pixels unwritten. The
/// decoder process fills this memory with zeros; in the calling process it may contain pixels of an
/// earlier image.
///
/// If Little CMS is installed, colors are converted to sRGB from the ICC profile of the file, or
/// else from the primaries and transfer characteristics of its `nclx` property. PQ and HLG are
/// tone-mapped as by ``AVIFDecoder``. Logarithmic curves, and colors that only the coded frame
/// specifies, are not converted.
package struct HEIFDecoder: ImageDecoder {
    package var name: String { "heif" }

    /// Creates a decoder. It has no settings.
    package init() {}

    /// AVIF if libheif has an AV1 decoder, and HEIC if it has an HEVC decoder. The first call loads
    /// libheif and its plug-ins.
    package var formats: Set<ImageFormat> {
        Set([.avif, .heic].filter(decodes))
    }

    package func decodes(_ format: ImageFormat) -> Bool {
        switch format {
        case .avif: codec_heif_decodes(CODEC_HEIF_AV1)
        case .heic: codec_heif_decodes(CODEC_HEIF_HEVC)
        default: false
        }
    }

    /// Throws `ImageError.Code.corrupt` for a file that is truncated or damaged or whose coded
    /// frames are larger than it declares, `ImageError.Code.unsupportedFormat` for an image that
    /// libheif cannot decode, and `ImageError.Code.tooManyPixels` for an image that exceeds the
    /// limits.
    package func decode(_ bytes: [UInt8], _ request: DecodeRequest) throws(ImageError) -> DecodedImage {
        let format = request.header.format
        guard decodes(format) else { throw ImageError(.unsupportedFormat, format.rawValue) }
        guard !HEIFHeader.hasOnlyTracks(bytes) else {
            throw ImageError(.unsupportedFormat, "\(format.rawValue) without a still image")
        }
        try format.checkEnd(of: bytes)
        // Removes the tracks, whose frames are not checked below.
        let still = HEIFHeader.withoutTracks(bytes) ?? bytes
        // The header of the request may be another one. Reading the header here checks the coded
        // frame sizes.
        let image = try HEIFImage.checked(still, format, request.limits)
        return try still.withUnsafeBufferPointer { input throws(ImageError) in
            let file = try OpenedHEIF(input, request.limits, maxLight: image.maxLight)
            let (pixels, size) = try file.decode(for: request.target)
            return DecodedImage(pixels: pixels, size: size, frameCount: format.frameCount(of: bytes))
        }
    }
}
