import CRemoteImageCodecs

/// Owns a file that libheif has opened; used by one thread at a time.
///
/// Unsafe code: libheif reads the bytes until this value ends, so they must outlive it. libheif
/// owns the decoded pixels, which are packed before that.
struct OpenedHEIF: ~Copyable {
    private let file: OpaquePointer
    private let colors: ColorConversion?
    private let limits: DecodeLimits

    /// The factors by which the limits of libheif exceed those of the request. libheif measures
    /// frames in whole blocks, and counts both the coded samples, with 16 bits, and the displayed
    /// ones, with 8. The header was checked against the limits of the request.
    private static let (pixelFactor, memoryFactor) = (2, 3)

    init(_ bytes: UnsafeBufferPointer<UInt8>, _ limits: DecodeLimits, maxLight: Int?) throws(ImageError) {
        var header = codec_heif_header()
        let opened = codec_heif_open(
            bytes.baseAddress, bytes.count, Int32(clamping: min(limits.maxSide, 1 << 30)),
            Self.multiple(limits.maxPixelCount, Self.pixelFactor),
            Self.multiple(limits.maxDecodedByteCount, Self.memoryFactor), &header)
        guard let opened else { throw Self.error(header) }
        file = opened
        self.limits = limits
        colors = Self.colors(opened, header, maxLight)
    }

    deinit {
        codec_heif_close(file)
    }

    /// Decodes the image, scaled down for `target`, and returns its full size after rotation,
    /// mirroring and cropping. Never scales up.
    func decode(for target: TargetSize?) throws(ImageError) -> (pixels: PixelBuffer, size: PixelSize) {
        var pixels = codec_heif_pixels()
        var header = codec_heif_header()
        guard codec_heif_decode(file, &pixels, &header), let base = pixels.pixels else { throw Self.error(header) }
        let decoded = DecodedPixels(
            base, PixelSize(width: Int(pixels.width), height: Int(pixels.height)), channels: pixels.has_alpha ? 4 : 3,
            stride: pixels.stride)
        // Not compared with the size that libheif states before decoding: until version 1.18, that
        // size is not rotated or cropped if these properties precede the coded size.
        try limits.check(decoded.size)
        colors?.apply(to: base, size: decoded.size, channels: decoded.channels, stride: decoded.stride)
        let wanted = target?.drawnSize(of: decoded.size)
        return (decoded.packed(scaledDownTo: wanted), decoded.size)
    }

    private static func multiple(_ limit: Int, _ factor: Int) -> UInt64 {
        let (product, overflow) = limit.multipliedReportingOverflow(by: factor)
        return overflow ? .max : UInt64(clamping: product)
    }

    /// The ICC profile takes precedence over the `nclx` code points, which some programs also
    /// write.
    private static func colors(
        _ file: OpaquePointer, _ header: codec_heif_header, _ maxLight: Int?
    ) -> ColorConversion? {
        guard header.profile_byte_count > 0 else {
            return CodePoints(
                primaries: Int(header.primaries), transfer: Int(header.transfer), maxLight: maxLight
            ).conversion
        }
        guard header.profile_byte_count <= ColorConversion.maxProfileByteCount else { return nil }
        var profile = [UInt8](repeating: 0, count: header.profile_byte_count)
        return codec_heif_read_profile(file, &profile) ? .from(profile) : nil
    }

    private static func error(_ header: codec_heif_header) -> ImageError {
        ImageError(ImageError.Code(header.status), withUnsafeBytes(of: header.message, String.init(cText:)))
    }
}
