/// The description of colours that a file may bring (ICC.1 annex B.4).
public enum ColorProfile {
    /// Whether a JPEG has one, as far as its structure tells without decoding.
    public static func isEmbedded(inJPEG bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { JPEGHeader.hasColorProfile(ByteReader($0)) }
    }
}
