// Whether a file is all there. Decoders fill in gray what was cut off, or keep quiet; a picture that is
// half there is a failure here.

/// Looks for the end of a picture, without decoding.
public enum FileEnd {
    /// Throws ``ImageError/Code/corrupt`` where the bytes end before the picture does. What follows the end does not matter.
    public static func check(_ bytes: [UInt8], _ format: ImageFormat) throws(ImageError) {
        let isComplete = bytes.withUnsafeBytes { buffer in
            let reader = ByteReader(buffer)
            return switch format {
            case .jpeg: JPEGHeader.reachesEnd(reader)
            case .png: PNGHeader.reachesEnd(reader)
            case .gif: GIFHeader.outline(reader, frameLimit: 1).firstFrameEnd != nil
            case .webp: WebPHeader.isComplete(reader)
            // Their decoders say so themselves.
            case .avif, .svg: true
            }
        }
        guard isComplete else { throw ImageError(.corrupt, "the file ends before the picture does") }
    }
}

/// How many pictures a file has, as far as its structure tells without decoding.
public enum FrameCount {
    /// At most `limit`; 1 for a still picture.
    public static func of(_ bytes: [UInt8], _ format: ImageFormat, limit: Int = 10_000) -> Int {
        bytes.withUnsafeBytes { buffer in
            let reader = ByteReader(buffer)
            return switch format {
            case .gif: max(1, GIFHeader.outline(reader, frameLimit: limit).frameCount)
            case .webp: WebPHeader.frameCount(reader, limit: limit)
            case .jpeg, .png, .avif, .svg: 1
            }
        }
    }
}

/// The part of a file that its first frame needs.
public enum FirstFrame {
    /// For GIF, how many bytes reach to the end of the first frame; nil where all bytes are needed. A decoder that is
    /// given only these, and a trailer, spends nothing on thousands of further frames.
    public static func byteCount(in bytes: [UInt8], _ format: ImageFormat) -> Int? {
        guard format == .gif else { return nil }
        return bytes.withUnsafeBytes { GIFHeader.outline(ByteReader($0), frameLimit: 1).firstFrameEnd }
    }
}
