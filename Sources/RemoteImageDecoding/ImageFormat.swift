/// An image format, recognized by the signature of the file.
public enum ImageFormat: String, Hashable, Sendable, CaseIterable {
    // The order in which signatures are compared.
    case jpeg, png, gif, webp, avif
    /// HEIF with HEVC images, and HEIF whose brands name no codec and whose primary image is not
    /// AV1.
    case heic
    case jxl, ico, bmp, svg
    /// A format that only a decoder of the application supports.
    case other

    /// What the library knows of the format.
    package var facts: FormatFacts {
        switch self {
        case .jpeg: .jpeg
        case .png: .png
        case .gif: .gif
        case .webp: .webp
        case .avif: .avif
        case .heic: .heic
        case .jxl: .jxl
        case .ico: .ico
        case .bmp: .bmp
        case .svg: .svg
        case .other:
            FormatFacts(
                fileExtension: nil, mediaType: nil, isOne: { _ in false }, header: { _ in nil },
                allowsSize: { _, _ in true })
        }
    }

    /// The format that the first bytes of a file indicate; `nil` for any other format.
    ///
    /// The content type of the server and the file name extension are ignored, since both are often
    /// wrong.
    public static func sniff(_ bytes: [UInt8]) -> ImageFormat? {
        bytes.withReader { reader in allCases.first { $0.facts.isOne(reader) } }
    }

    /// Counts the frames of a file from its structure, without decoding it.
    ///
    /// - Returns: The number of frames of a GIF, WebP, PNG or AVIF, at most `limit`; 1 for a still
    ///   image and for all other formats, also for an animated JPEG XL, whose frames only its
    ///   decoder counts.
    public func frameCount(of bytes: [UInt8], limit: Int = 10_000) -> Int {
        bytes.withReader { max(1, facts.frameCount($0, limit)) }
    }

    /// Detects a truncated file without decoding it, since decoders fill the missing pixels with
    /// gray.
    ///
    /// Throws ``ImageError/Code/corrupt`` if the bytes of a JPEG, PNG, GIF, WebP, AVIF or HEIC file
    /// end before the image does. Never throws for other formats, whose decoders detect truncation.
    /// Bytes after the end of the image are ignored.
    public func checkEnd(of bytes: [UInt8]) throws(ImageError) {
        let isComplete = bytes.withReader { facts.reachesEnd?($0) ?? true }
        guard isComplete else { throw ImageError(.corrupt, "the file ends before the image") }
    }

    /// Whether the end of the image is in the bytes. `false` for a GIF, which may have later
    /// frames, and for formats that only their decoders can check.
    package func findsEnd(of bytes: [UInt8]) -> Bool {
        !facts.framesMayFollowEnd && bytes.withReader { facts.reachesEnd?($0) ?? false }
    }
}

extension ImageFormat {
    /// The name of a format or variant that no header reader accepts, for error messages.
    static func unsupportedName(of bytes: [UInt8]) -> String? {
        bytes.withReader { reader in
            if reader.has("BM"), reader.littleEndian32(at: 6) == 0 { return "bmp" }
            if reader.has([0x49, 0x49, 0x2A, 0x00]) || reader.has([0x4D, 0x4D, 0x00, 0x2A]) { return "tiff" }
            if reader.has([0x00, 0x00, 0x01, 0x00]) { return "ico" }
            if reader.has([0, 0, 0, 0x0C, 0x6A, 0x50, 0x20, 0x20]) || reader.has([0xFF, 0x4F, 0xFF, 0x51]) {
                return "jp2"
            }
            if reader.has("8BPS") { return "psd" }
            if reader.has("qoif") { return "qoi" }
            if reader.has("%PDF-") { return "pdf" }
            return nil
        }
    }
}
