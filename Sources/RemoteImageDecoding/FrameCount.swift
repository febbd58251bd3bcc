/// Counts the frames of a file from its structure, without decoding it.
public enum FrameCount {
    /// The number of frames of a GIF, WebP, PNG or AVIF, at most `limit`; 1 for a still image and
    /// for all other formats, also for an animated JPEG XL, whose frames only its decoder counts.
    public static func of(_ bytes: [UInt8], _ format: ImageFormat, limit: Int = 10_000) -> Int {
        bytes.withUnsafeBytes { buffer in
            let reader = ByteReader(buffer)
            return switch format {
            case .gif: max(1, GIFHeader.outline(reader, frameLimit: limit).frameCount)
            case .webp: WebPHeader.frameCount(reader, limit: limit)
            case .png: max(1, PNGAnimation.frames(reader, limit: limit)?.frames.count ?? 1)
            case .avif: max(1, AVIFTrack.frameCount(reader, limit: limit))
            case .jpeg, .heic, .jxl, .ico, .bmp, .svg, .other: 1
            }
        }
    }
}
