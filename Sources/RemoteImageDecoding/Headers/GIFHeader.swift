/// Reads the logical screen size and the block structure of a GIF file (GIF89a specification,
/// sections 17 to 27).
enum GIFHeader {
    static func read(_ reader: ByteReader) -> ImageHeader? {
        guard let width = reader.littleEndian16(at: 6), let height = reader.littleEndian16(at: 8) else { return nil }
        return ImageHeader(format: .gif, storedSize: PixelSize(width: width, height: height))
    }

    /// The structure of the available bytes of a GIF file.
    struct Outline {
        /// The end of the first frame's pixels; `nil` if they are incomplete.
        var firstFrameEnd: Int?
        var frameCount = 0
    }

    /// Walks the blocks without decoding anything.
    static func outline(_ reader: ByteReader, frameLimit: Int) -> Outline {
        var outline = Outline()
        guard let flags = reader.byte(at: 10) else { return outline }
        var index = 13 + colorTableSize(flags)
        while outline.frameCount < frameLimit {
            switch reader.byte(at: index) {
            case 0x21:
                guard let end = endOfSubBlocks(reader, from: index + 2) else { return outline }
                index = end
            case 0x2C:
                guard let flags = reader.byte(at: index + 9),
                    let end = endOfSubBlocks(reader, from: index + 11 + colorTableSize(flags))
                else { return outline }
                outline.frameCount += 1
                if outline.firstFrameEnd == nil { outline.firstFrameEnd = end }
                index = end
            default:
                return outline
            }
        }
        return outline
    }

    static func colorTableSize(_ flags: UInt8) -> Int {
        flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 0x07) + 1)
    }

    static func endOfSubBlocks(_ reader: ByteReader, from start: Int) -> Int? {
        var index = start
        while let size = reader.byte(at: index) {
            index += 1 + Int(size)
            if size == 0 { return index <= reader.count ? index : nil }
        }
        return nil
    }
}
