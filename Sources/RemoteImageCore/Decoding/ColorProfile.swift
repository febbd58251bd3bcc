/// The description of colours that a file may bring (ICC.1 annex B.4).
public enum ColorProfile {
    /// Whether a JPEG or WebP has one, as far as its structure tells without decoding; false for other formats.
    public static func isEmbedded(in bytes: [UInt8], _ format: ImageFormat) -> Bool {
        bytes.withUnsafeBytes { buffer in
            switch format {
            case .jpeg: JPEGHeader.hasColorProfile(ByteReader(buffer))
            case .webp: !WebPHeader.chunks(ByteReader(buffer), named: "ICCP", limit: 1).isEmpty
            case .png, .gif, .avif, .ico, .bmp, .svg, .other: false
            }
        }
    }

    /// The profile that a WebP has (RFC 9649 section 2.7); nil where there is none, or only the beginning of one.
    public static func ofWebP(_ bytes: [UInt8]) -> ArraySlice<UInt8>? {
        let chunk = bytes.withUnsafeBytes { WebPHeader.chunks(ByteReader($0), named: "ICCP", limit: 1).first }
        return chunk.map { bytes[$0] }
    }
}
