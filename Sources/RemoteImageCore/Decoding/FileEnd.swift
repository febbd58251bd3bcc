// Whether a file is all there. Decoders fill in gray what was cut off, or keep quiet; an image that is
// half there is a failure here.

/// Looks for the end of an image, without decoding.
public enum FileEnd {
    /// Throws ``ImageError/Code/corrupt`` where the bytes end before the image does. What follows the end does not matter.
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
