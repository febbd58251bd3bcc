/// An image format that can be told by its signature.
public enum ImageFormat: String, Hashable, Sendable, CaseIterable {
    case jpeg, png, gif, webp, avif
    /// HEIF whose images are coded in HEVC, and HEIF whose brands name no codec.
    case heic
    case jxl, ico, bmp, svg
    /// A format that only a decoder of the application's knows.
    case other

    /// The format that the first bytes of a file say; nil for anything that is not on this list.
    ///
    /// What a server calls the file, and how its name ends, does not count: both are often wrong.
    public static func sniff(_ bytes: [UInt8]) -> ImageFormat? {
        bytes.withUnsafeBytes { buffer in
            let reader = ByteReader(buffer)
            if reader.has([0xFF, 0xD8, 0xFF]) { return .jpeg }
            if reader.has([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
            if reader.has("GIF87a") || reader.has("GIF89a") { return .gif }
            if reader.has("RIFF"), reader.has("WEBP", at: 8) { return .webp }
            if let format = HEIFHeader.format(reader) { return format }
            if JXLHeader.isOne(reader) { return .jxl }
            if ICOHeader.isOne(reader) { return .ico }
            if BMPHeader.isOne(reader) { return .bmp }
            if SVGSignature.isOne(reader) { return .svg }
            return nil
        }
    }
}
