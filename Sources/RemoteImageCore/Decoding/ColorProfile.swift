/// The description of colours that a file may bring (ICC.1 annex B.4).
public enum ColorProfile {
    /// The profile in the APP2 segments of a JPEG (ICC.1 annex B.4); `nil` where there is none, or
    /// where one of its parts is missing.
    public static func ofJPEG(_ bytes: [UInt8]) -> [UInt8]? {
        bytes.withUnsafeBytes { JPEGHeader.colorProfile(ByteReader($0)) }
    }

    /// The numbers of ITU-T H.273 that the `cICP` chunk of a PNG has; `nil` where there is none.
    package static func codePoints(ofPNG bytes: UnsafeRawBufferPointer) -> (primaries: Int, transfer: Int)? {
        PNGHeader.codePoints(ByteReader(bytes))
    }

    /// The profile that a WebP has (RFC 9649 section 2.7); nil where there is none, or only the
    /// beginning of one.
    public static func ofWebP(_ bytes: [UInt8]) -> ArraySlice<UInt8>? {
        let chunk = bytes.withUnsafeBytes { WebPHeader.chunks(ByteReader($0), named: "ICCP", limit: 1).first }
        return chunk.map { bytes[$0] }
    }
}
