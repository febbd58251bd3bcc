/// Finds the chunks of a PNG file that decoding its pixels requires.
///
/// Decoders also decompress and keep the other chunks, which can expand a thousandfold: a file of
/// 770 KB with a small image and much text made GdkPixbuf 2.42 allocate 781 MB. GdkPixbuf therefore
/// never gets the other chunks.
public enum ImageChunks {
    private static let needed: [StaticString] = [
        "IHDR", "PLTE", "IDAT", "IEND", "tRNS", "iCCP", "sRGB", "gAMA", "cHRM", "sBIT",
    ]

    /// The byte ranges of the required chunks, in file order, with the signature. Together they are
    /// the whole file if it has no other chunks.
    public static func ranges(in png: [UInt8]) -> [Range<Int>] {
        png.withUnsafeBytes { buffer in
            let reader = ByteReader(buffer)
            var ranges: [Range<Int>] = []
            var (start, index, hasProfile) = (0, 8, false)
            while let length = reader.bigEndian32(at: index) {
                // Only one profile is allowed, but decoders decompress each.
                let isProfile = reader.has("iCCP", at: index + 4)
                let isNeeded =
                    !(isProfile && hasProfile) && needed.contains { reader.has($0, at: index + 4) }
                hasProfile = hasProfile || isProfile
                let end = min(png.count, index + 12 + length)
                if !isNeeded {
                    if start < index { ranges.append(start..<index) }
                    start = end
                }
                guard !reader.has("IEND", at: index + 4) else {
                    index = end
                    break
                }
                index = end
            }
            // Bytes after the end of the image are dropped. Bytes that are no chunk are kept, so
            // that the decoder reports them.
            let end = reader.bigEndian32(at: index) == nil ? png.count : index
            if start < end { ranges.append(start..<end) }
            return ranges
        }
    }
}
