/// The size in an AVIF file: boxes of the ISO base media format (ISO/IEC 14496-12, and 23008-12 for pictures).
enum AVIFHeader {
    /// Whether a file type box names AVIF, as its major brand or as one that it is compatible with.
    static func isOne(_ reader: ByteReader) -> Bool {
        guard let size = reader.bigEndian32(at: 0), size >= 16 else { return false }
        let end = min(reader.count, size, 256)
        for index in stride(from: 8, to: end - 3, by: 4) where index != 12 {
            if reader.has("avif", at: index) || reader.has("avis", at: index) { return true }
        }
        return false
    }

    /// The largest extent among the properties of the file's items: the picture itself, since thumbnails and
    /// alpha planes are no larger.
    static func read(_ reader: ByteReader) -> ImageHeader? {
        guard let meta = boxes(reader, in: 0..<reader.count, named: "meta").first,
            // A full box: its version and flags come before its children.
            let properties = boxes(reader, in: meta.dropFirst(4), named: "iprp").first,
            let container = boxes(reader, in: properties, named: "ipco").first
        else { return nil }
        let sizes = boxes(reader, in: container, named: "ispe").compactMap { box -> PixelSize? in
            guard box.count >= 12, let width = reader.bigEndian32(at: box.lowerBound + 4),
                let height = reader.bigEndian32(at: box.lowerBound + 8)
            else { return nil }
            return PixelSize(width: width, height: height)
        }
        guard let size = sizes.max(by: { $0.pixelCount < $1.pixelCount }) else { return nil }
        return ImageHeader(format: .avif, storedSize: size)
    }

    /// No real file has so many boxes on one level before its picture.
    private static let boxLimit = 1024

    /// The contents of the boxes of a name that are in `range`, as far as they are there.
    private static func boxes(_ reader: ByteReader, in range: Range<Int>, named name: StaticString) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var index = range.lowerBound
        for _ in 0..<boxLimit {
            guard index + 8 <= range.upperBound, let size = reader.bigEndian32(at: index) else { break }
            var (length, header) = (size, 8)
            if size == 1 {
                // A 64-bit length. One whose upper half is used is longer than what we have.
                guard let high = reader.bigEndian32(at: index + 8), let low = reader.bigEndian32(at: index + 12) else {
                    break
                }
                (length, header) = (high == 0 ? low : range.upperBound - index, 16)
            } else if size == 0 {
                length = range.upperBound - index
            }
            guard length >= header else { break }
            let end = min(range.upperBound, index + length)
            if reader.has(name, at: index + 4), index + header <= end { found.append((index + header)..<end) }
            index += length
        }
        return found
    }
}
