/// The frame header of a JPEG file (ITU-T T.81 annex B) and its Exif orientation.
enum JPEGHeader {
    static func read(_ reader: ByteReader) -> ImageHeader? {
        var orientation = ImageOrientation.up
        var index = 2
        while let prefix = reader.byte(at: index) {
            // Decoders skip junk between segments, and so do we.
            guard prefix == 0xFF else {
                index += 1
                continue
            }
            guard let marker = reader.byte(at: index + 1) else { return nil }
            switch marker {
            case 0xFF, 0x00:
                index += 1
                continue
            case 0x01, 0xD0...0xD8:
                // These stand alone.
                index += 2
                continue
            case 0xD9, 0xDA:
                // The end, or entropy-coded data before any frame header.
                return nil
            default: break
            }
            guard let length = reader.bigEndian16(at: index + 2), length >= 2 else { return nil }
            switch marker {
            case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
                guard let height = reader.bigEndian16(at: index + 5), let width = reader.bigEndian16(at: index + 7)
                else {
                    return nil
                }
                return ImageHeader(
                    format: .jpeg, storedSize: PixelSize(width: width, height: height), orientation: orientation)
            case 0xE1 where reader.has([0x45, 0x78, 0x69, 0x66, 0, 0], at: index + 4) && orientation == .up:
                orientation = ExifBlock(reader, from: index + 10, to: index + 2 + length)?.orientation ?? .up
            default: break
            }
            index += 2 + length
        }
        return nil
    }
}

extension JPEGHeader {
    /// Whether one of the segments before the pixels belongs to a colour profile.
    static func hasColorProfile(_ reader: ByteReader) -> Bool {
        var index = 2
        while reader.byte(at: index) == 0xFF, let marker = reader.byte(at: index + 1), marker != 0xDA,
            let length = reader.bigEndian16(at: index + 2), length >= 2
        {
            if marker == 0xE2, reader.has("ICC_PROFILE", at: index + 4) { return true }
            index += 2 + length
        }
        return false
    }

    /// Where the thumbnail of the Exif block is; nil without one, and before the whole block is there.
    static func thumbnail(_ reader: ByteReader) -> Range<Int>? {
        var index = 2
        while reader.byte(at: index) == 0xFF, let marker = reader.byte(at: index + 1), (0xE0...0xEF).contains(marker),
            let length = reader.bigEndian16(at: index + 2), length >= 2
        {
            let end = index + 2 + length
            if marker == 0xE1, reader.has([0x45, 0x78, 0x69, 0x66, 0, 0], at: index + 4) {
                return end <= reader.count ? ExifBlock(reader, from: index + 10, to: end)?.thumbnail : nil
            }
            index = end
        }
        return nil
    }

    /// Whether the pixels of every scan are followed by another segment, and the last by the end of the image.
    static func reachesEnd(_ reader: ByteReader) -> Bool {
        var index = 2
        while let found = reader.firstIndex(of: 0xFF, from: index), let marker = reader.byte(at: found + 1) {
            switch marker {
            case 0xD9: return true
            case 0xFF: index = found + 1
            // Stuffed bytes and restarts within the pixels, and markers that stand alone.
            case 0x00, 0x01, 0xD0...0xD8: index = found + 2
            default:
                guard let length = reader.bigEndian16(at: found + 2) else { return false }
                index = found + 2 + length
            }
        }
        return false
    }
}
