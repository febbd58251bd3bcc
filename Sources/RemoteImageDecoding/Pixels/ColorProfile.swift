/// The color profile that is embedded in an image file (ICC.1 annex B.4).
public enum ColorProfile {
    /// The profile in the APP2 segments of a JPEG (ICC.1 annex B.4). `nil` if the file has no
    /// profile or a part of it is missing.
    public static func ofJPEG(_ bytes: [UInt8]) -> [UInt8]? {
        bytes.withReader { JPEGHeader.colorProfile($0) }
    }

    /// The profile of a WebP (RFC 9649 section 2.7). `nil` if the file has no profile or only the
    /// start of one.
    public static func ofWebP(_ bytes: [UInt8]) -> ArraySlice<UInt8>? {
        let chunk = bytes.withReader { WebPHeader.chunks($0, named: "ICCP", limit: 1).first }
        return chunk.map { bytes[$0] }
    }
}
