/// Detects truncated files without decoding them, since decoders fill the missing pixels with gray.
public enum TruncationCheck {
    /// Whether the end of the image is in the bytes. `false` for a GIF, which may have later
    /// frames, and for formats that only their decoders can check.
    package static func findsEnd(_ bytes: [UInt8], _ format: ImageFormat) -> Bool {
        [.jpeg, .png, .webp, .avif, .heic].contains(format) && (try? check(bytes, format)) != nil
    }

    /// Throws ``ImageError/Code/corrupt`` if the bytes of a JPEG, PNG, GIF, WebP, AVIF or HEIC file
    /// end before the image does. Never throws for other formats, whose decoders detect truncation.
    /// Bytes after the end of the image are ignored.
    public static func check(_ bytes: [UInt8], _ format: ImageFormat) throws(ImageError) {
        let isComplete = bytes.withUnsafeBytes { buffer in
            let reader = ByteReader(buffer)
            return switch format {
            case .jpeg: JPEGHeader.reachesEnd(reader)
            case .png: PNGHeader.reachesEnd(reader)
            case .gif: GIFHeader.outline(reader, frameLimit: 1).firstFrameEnd != nil
            case .webp: WebPHeader.isComplete(reader)
            case .avif, .heic: HEIFHeader.isComplete(reader)
            // The decoders of these formats detect truncation themselves.
            case .jxl, .ico, .bmp, .svg, .other: true
            }
        }
        guard isComplete else { throw ImageError(.corrupt, "the file ends before the image") }
    }
}
