/// The parts of a PNG file that its pixels need.
///
/// The others can be packed a thousandfold, and a decoder unpacks and keeps them: a small image in
/// a file of 770 KB, the rest of it text, made GdkPixbuf 2.42 take 781 MB. They are not shown to it
/// at all.
public enum ImageChunks {
    private static let needed: [StaticString] = [
        "IHDR", "PLTE", "IDAT", "IEND", "tRNS", "iCCP", "sRGB", "gAMA", "cHRM", "sBIT",
    ]

    /// Where the needed parts are, in their order. Together they are the file where it has no
    /// others.
    public static func ranges(in png: [UInt8]) -> [Range<Int>] {
        png.withUnsafeBytes { buffer in
            let reader = ByteReader(buffer)
            var ranges: [Range<Int>] = []
            var (start, index, hasProfile) = (0, 8, false)
            while let length = reader.bigEndian32(at: index) {
                // One profile is all there may be, and each is unpacked.
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
            // What is behind the end does not matter; what is no chunk is for the decoder to
            // complain of.
            let end = reader.bigEndian32(at: index) == nil ? png.count : index
            if start < end { ranges.append(start..<end) }
            return ranges
        }
    }
}
