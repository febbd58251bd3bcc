/// Reads the images of a Windows icon or cursor file. Their sizes come from their own headers,
/// since the directory has only one byte per side.
package enum ICOHeader {
    /// An image of the file.
    package struct Entry: Sendable {
        package let size: PixelSize
        /// The bits per pixel. Of two images with the same size, the one with more bits is
        /// preferred.
        package let bitCount: Int
        package let isPNG: Bool
        /// The byte range up to the next image, since the length in the directory is often wrong.
        package let range: Range<Int>
    }

    /// Real icons have about a dozen.
    private static let entryLimit = 256

    static func isOne(_ reader: ByteReader) -> Bool {
        guard reader.has([0, 0, 1, 0]) || reader.has([0, 0, 2, 0]), let count = reader.littleEndian16(at: 4),
            (1...entryLimit).contains(count)
        else { return false }
        return starts(reader, count).contains { $0 >= 6 + count * 16 }
    }

    /// The size of the largest image; `nil` if no header of an image is valid.
    static func read(_ reader: ByteReader) -> ImageHeader? {
        entries(reader)?.map(\.size).max { $0.pixelCount < $1.pixelCount }
            .map { ImageHeader(format: .ico, storedSize: $0) }
    }

    /// The images of the file, without those whose header is missing or belongs to neither a PNG
    /// nor a bitmap. `nil` if the directory is incomplete.
    package static func entries(_ reader: ByteReader) -> [Entry]? {
        guard let count = reader.littleEndian16(at: 4), count <= entryLimit else { return nil }
        let starts = starts(reader, count)
        guard starts.count == count else { return nil }
        var entries: [Entry] = []
        for offset in starts where offset + headerByteCount <= reader.count {
            let end = min(reader.count, starts.filter { $0 > offset }.min() ?? .max)
            let isPNG = reader.has(PNGChunks.signature, at: offset)
            guard let size = isPNG ? PNGHeader.size(reader, at: offset) : bitmapSize(reader, at: offset) else {
                continue
            }
            entries.append(
                Entry(
                    size: size, bitCount: isPNG ? 32 : bitmapBitCount(reader, at: offset), isPNG: isPNG,
                    range: offset..<end))
        }
        return entries
    }

    /// The positions of the images in the available part of the directory.
    private static func starts(_ reader: ByteReader, _ count: Int) -> [Int] {
        (0..<count).compactMap { reader.littleEndian32(at: 18 + $0 * 16) }
    }

    /// The bytes that a header needs to have a size. No image is shorter.
    private static let headerByteCount = 24

    /// The directory has the number of bits, too, but many programs write 0 there.
    private static func bitmapBitCount(_ reader: ByteReader, at offset: Int) -> Int {
        reader.littleEndian16(at: offset + (reader.littleEndian32(at: offset) == 12 ? 10 : 14)) ?? 0
    }

    /// The height of a bitmap includes the rows of its mask.
    private static func bitmapSize(_ reader: ByteReader, at offset: Int) -> PixelSize? {
        guard let length = reader.littleEndian32(at: offset), BMPHeader.isWindows(length),
            let size = BMPHeader.size(reader, at: offset)?.size
        else { return nil }
        return PixelSize(width: size.width, height: size.height / 2)
    }
}
