/// Reads the frame header of a JPEG file (ITU-T T.81 annex B) and its Exif orientation.
package enum JPEGHeader {
    static func read(_ reader: ByteReader) -> ImageHeader? {
        var size: PixelSize?
        var orientation: ImageOrientation?
        for segment in JPEGSegments(reader) {
            let content = segment.content
            switch segment.marker {
            case 0xD9: return nil
            // Exif may also follow the frame header.
            case 0xDA:
                return size.map { ImageHeader(format: .jpeg, storedSize: $0, orientation: orientation ?? .up) }
            case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
                guard size == nil, let height = reader.bigEndian16(at: content.lowerBound + 1),
                    let width = reader.bigEndian16(at: content.lowerBound + 3)
                else { return nil }
                size = PixelSize(width: width, height: height)
            // As in browsers, further Exif segments are ignored, whatever the first one contains.
            case 0xE1 where isExif(content, reader) && orientation == nil:
                orientation = exif(content, reader)?.orientation ?? .up
            default: break
            }
        }
        return nil
    }

    private static func isExif(_ content: Range<Int>, _ reader: ByteReader) -> Bool {
        reader.has("Exif\0\0", at: content.lowerBound)
    }

    private static func exif(_ content: Range<Int>, _ reader: ByteReader) -> ExifBlock? {
        ExifBlock(reader, from: content.lowerBound + 6, to: content.upperBound)
    }
}

extension JPEGHeader {
    /// The ICC profile: its parts before the first scan, joined in the order of their numbers. Each
    /// part contains the number of parts.
    static func colorProfile(_ reader: ByteReader) -> [UInt8]? {
        var parts: [UInt8: Range<Int>] = [:]
        var count: UInt8?
        for segment in JPEGSegments(reader).prefix(while: { $0.marker != 0xDA }) {
            let content = segment.content
            guard segment.marker == 0xE2, reader.has("ICC_PROFILE\0", at: content.lowerBound), content.count > 14,
                let number = reader.byte(at: content.lowerBound + 12)
            else { continue }
            let partCount = reader.byte(at: content.lowerBound + 13)
            guard parts[number] == nil, count == nil || count == partCount else { return nil }
            parts[number] = (content.lowerBound + 14)..<content.upperBound
            count = partCount
        }
        guard let count, count > 0, parts.count == count else { return nil }
        var profile: [UInt8] = []
        for number in 1...count {
            guard let part = parts[number] else { return nil }
            profile += reader[part]
        }
        return profile
    }

    /// The byte range of the Exif thumbnail; `nil` if there is none or the Exif block is
    /// incomplete.
    package static func thumbnail(_ reader: ByteReader) -> Range<Int>? {
        for segment in JPEGSegments(reader) {
            guard (0xE0...0xEF).contains(segment.marker) else { return nil }
            guard segment.marker == 0xE1, isExif(segment.content, reader) else { continue }
            return segment.content.upperBound <= reader.count ? exif(segment.content, reader)?.thumbnail : nil
        }
        return nil
    }

    /// Whether the pixels of every scan are followed by another segment, and those of the last by
    /// the EOI marker.
    static func reachesEnd(_ reader: ByteReader) -> Bool {
        // Most files end with an EOI marker, which cannot be pixel data, since a 255 in it is
        // followed by 0. A file that was cut off after its Exif thumbnail also ends with EOI but
        // has no frame.
        let endsWithEnd = reader.bigEndian16(at: reader.count - 2) == 0xFFD9
        if endsWithEnd, JPEGFrame(reader) != nil { return true }
        return JPEGSegments(reader).contains { $0.marker == 0xD9 }
    }
}
