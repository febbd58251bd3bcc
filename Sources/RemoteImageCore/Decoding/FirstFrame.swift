/// The part of a file that its first frame needs.
public enum FirstFrame {
    /// For GIF, how many bytes reach to the end of the first frame; nil where all bytes are needed. A decoder that is
    /// given only these, and a trailer, spends nothing on thousands of further frames.
    public static func byteCount(in bytes: [UInt8], _ format: ImageFormat) -> Int? {
        guard format == .gif else { return nil }
        return bytes.withUnsafeBytes { GIFHeader.outline(ByteReader($0), frameLimit: 1).firstFrameEnd }
    }
}
