/// Finds files that end before their image does, without decoding: decoders fill the missing pixels
/// with gray.
public enum TruncationCheck {
    /// Throws ``ImageError/Code/corrupt`` where the bytes end before the image does. What follows
    /// the end does not matter.
    public static func check(_ bytes: [UInt8], _ format: ImageFormat) throws(ImageError) {
        let isComplete = bytes.withUnsafeBytes { buffer in
            let reader = ByteReader(buffer)
            return switch format {
            case .jpeg: JPEGHeader.reachesEnd(reader)
            case .png: PNGHeader.reachesEnd(reader)
            case .gif: GIFHeader.outline(reader, frameLimit: 1).firstFrameEnd != nil
            case .webp: WebPHeader.isComplete(reader)
            case .avif, .heic: HEIFHeader.isComplete(reader)
            // Their decoders say so themselves.
            case .jxl, .ico, .bmp, .svg, .other: true
            }
        }
        guard isComplete else { throw ImageError(.corrupt, "the file ends before the image") }
    }
}
