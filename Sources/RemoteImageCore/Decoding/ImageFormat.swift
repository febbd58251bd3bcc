/// A picture format that can be told by its signature.
public enum ImageFormat: String, Hashable, Sendable, CaseIterable {
    case jpeg, png, gif, webp, avif, svg

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
            if reader.has("ftyp", at: 4), AVIFHeader.isOne(reader) { return .avif }
            if SVGSignature.isOne(reader) { return .svg }
            return nil
        }
    }
}

/// Pictures that are known but not read: naming them is kinder than calling them no picture.
enum UnsupportedFormat {
    static func name(of bytes: [UInt8]) -> String? {
        bytes.withUnsafeBytes { buffer in
            let reader = ByteReader(buffer)
            if reader.has("BM"), reader.littleEndian32(at: 6) == 0 { return "bmp" }
            if reader.has([0x49, 0x49, 0x2A, 0x00]) || reader.has([0x4D, 0x4D, 0x00, 0x2A]) { return "tiff" }
            if reader.has([0x00, 0x00, 0x01, 0x00]) { return "ico" }
            if reader.has([0xFF, 0x0A]) || reader.has([0, 0, 0, 0x0C, 0x4A, 0x58, 0x4C, 0x20]) { return "jxl" }
            if reader.has([0, 0, 0, 0x0C, 0x6A, 0x50, 0x20, 0x20]) || reader.has([0xFF, 0x4F, 0xFF, 0x51]) {
                return "jp2"
            }
            if reader.has("8BPS") { return "psd" }
            if reader.has("qoif") { return "qoi" }
            if reader.has("%PDF-") { return "pdf" }
            if reader.has("ftyp", at: 4),
                ["heic", "heix", "hevc", "mif1", "msf1"].contains(where: { reader.has($0, at: 8) })
            {
                return "heif"
            }
            return nil
        }
    }
}

/// An SVG file has no signature; it is XML whose first element is `svg`.
enum SVGSignature {
    /// Comments and declarations may come first, so this much is looked at.
    private static let window = 1024

    static func isOne(_ reader: ByteReader) -> Bool {
        var index = reader.has([0xEF, 0xBB, 0xBF]) ? 3 : 0
        while let byte = reader.byte(at: index), byte <= 0x20 { index += 1 }
        guard reader.byte(at: index) == UInt8(ascii: "<") else { return false }
        let end = min(reader.count, window)
        while index + 4 <= end {
            if reader.has("<svg", at: index), let next = reader.byte(at: index + 4) {
                return next <= 0x20 || next == UInt8(ascii: ">")
            }
            index += 1
        }
        return false
    }
}
