// AVIF and HEIC by libheif. Core has read what the frames are coded in before, since decoders
// allocate by that.

import CCodecs

/// Decodes AVIF and HEIC with libheif 1.15 or later, where that is installed with a decoder of AV1
/// or HEVC.
///
/// Rotation, mirroring and cropping (`irot`, `imir`, `clap`) are applied, grids are put together,
/// samples of 10 and 12 bits become 8 bits, and alpha may be multiplied into the colors of the file
/// or not. The image is decoded in full and averaged down to the target. Of an image sequence, this
/// decodes the primary image. An AVIF sequence plays where every frame can be decoded by itself;
/// others are shown as their primary image.
///
/// libde265 does not report missing parts of an HEVC frame and leaves their place unwritten. The
/// decoder process fills such memory with zeros; in the calling process it may hold pixels of an
/// earlier image.
///
/// Where Little CMS is installed, colors are converted to sRGB from the ICC profile of the file, or
/// else from the primaries and the transfer characteristics of its `nclx` property. PQ and HLG are
/// shown with their diffuse white (203 cd/m²) a little below white, and what is brighter is
/// compressed above that. Numbers of XYZ and of logarithmic curves are not converted, and neither
/// are colors that only the coded frame names.
public struct HEIFDecoder: ImageDecoder {
    public var name: String { "heif" }

    /// Creates a decoder. It has no settings.
    public init() {}

    /// AVIF where libheif has a decoder of AV1, HEIC where it has one of HEVC. The first call loads
    /// libheif and its plug-ins.
    public var formats: Set<ImageFormat> {
        Set([.avif, .heic].filter(decodes))
    }

    public func decodes(_ format: ImageFormat) -> Bool {
        switch format {
        case .avif: codec_heif_decodes(CODEC_HEIF_AV1)
        case .heic: codec_heif_decodes(CODEC_HEIF_HEVC)
        default: false
        }
    }

    /// Throws `ImageError.Code.corrupt` for a file that is cut off or damaged or whose frames are
    /// coded in a larger size than it declares, `ImageError.Code.unsupportedFormat` for one that
    /// libheif cannot decode, and `ImageError.Code.tooManyPixels` for one that exceeds the limits.
    public func decode(_ bytes: [UInt8], _ request: DecodeRequest) throws(ImageError) -> DecodedImage {
        let format = request.header.format
        guard decodes(format) else { throw ImageError(.unsupportedFormat, format.rawValue) }
        try TruncationCheck.check(bytes, format)
        // Frames of tracks are not checked below.
        let still = HEIFHeader.withoutTracks(bytes) ?? bytes
        // The request may come with another header. This one has seen how large the frames are
        // coded.
        try request.limits.check(try ImageHeader.read(still))
        return try still.withUnsafeBufferPointer { input throws(ImageError) in
            let file = try OpenedHEIF(input, request.limits)
            return DecodedImage(
                pixels: try file.decode(scaledDownTo: request.target?.drawnSize(of: file.size)), size: file.size,
                frameCount: FrameCount.of(bytes, format))
        }
    }
}
