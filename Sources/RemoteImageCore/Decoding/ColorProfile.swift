/// The description of colours that a file may bring (ICC.1 annex B.4).
public enum ColorProfile {
    /// Whether a JPEG or WebP has one, as far as its structure tells without decoding; false for other formats.
    public static func isEmbedded(in bytes: [UInt8], _ format: ImageFormat) -> Bool {
        bytes.withUnsafeBytes { buffer in
            switch format {
            case .jpeg: JPEGHeader.hasColorProfile(ByteReader(buffer))
            case .webp: !WebPHeader.chunks(ByteReader(buffer), named: "ICCP", limit: 1).isEmpty
            case .png, .gif, .avif, .svg, .other: false
            }
        }
    }
}
