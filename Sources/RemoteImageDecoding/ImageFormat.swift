/// An image format, recognized by the signature of the file.
public enum ImageFormat: String, Hashable, Sendable, CaseIterable {
    case jpeg, png, gif, webp, avif
    /// HEIF with HEVC images, and HEIF whose brands name no codec and whose primary image is not
    /// AV1.
    case heic
    case jxl, ico, bmp, svg
    /// A format that only a decoder of the application supports.
    case other

    /// The format that the first bytes of a file indicate; `nil` for any other format.
    ///
    /// The content type of the server and the file name extension are ignored, since both are often
    /// wrong.
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

extension ImageFormat {
    /// The usual file name extension, without a dot; `nil` for a format that only a decoder of the
    /// application supports.
    package var fileExtension: String? {
        switch self {
        case .jpeg: "jpg"
        case .png, .gif, .webp, .avif, .heic, .ico, .bmp, .svg, .jxl: rawValue
        case .other: nil
        }
    }
}
