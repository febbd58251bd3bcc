/// Encodes pixels so that the difference after decoding is not visible.
struct ResizedImageEncoding: Sendable {
    private let encoder: any ImageEncoder
    private let decoders: DecoderRegistry

    /// From the smallest files to the largest. Of 114 photographs, decoded at the reduced sizes of
    /// JPEG, 41 % reach 42 dB at quality 90, 72 % at 94, 84 % at 96, and all at 98. With halved
    /// resolution of the colors, many do not reach it at any quality.
    private static let qualities = [90, 94, 96, 98]

    /// `nil` if no decoder has an encoder.
    init?(_ decoders: DecoderRegistry) {
        let encoders = decoders.decoders.lazy.compactMap { ($0 as? any EncodingDecoder)?.encoder }
        guard let encoder = encoders.first else { return nil }
        self.encoder = encoder
        self.decoders = decoders
    }

    /// Encodes opaque pixels at the first quality that is high enough, others without loss.
    func encode(_ pixels: PixelBuffer) throws(ImageError) -> (data: [UInt8], isLossless: Bool) {
        guard pixels.format == .rgb8 else { return (try encoder.encode(pixels, as: .lossless), true) }
        for quality in Self.qualities {
            let data = try encoder.encode(pixels, as: .lossy(quality: quality))
            if PixelDifference(pixels, try decode(data)).isInvisible { return (data, false) }
        }
        return (try encoder.encode(pixels, as: .lossless), true)
    }

    private func decode(_ data: [UInt8]) throws(ImageError) -> PixelBuffer {
        let (decoder, header) = try decoders.decoder(for: data)
        return try decoder.decode(data, DecodeRequest(header: header)).pixels
    }
}
