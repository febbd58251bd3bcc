/// Reads the logical screen size and the block structure of a GIF file (GIF89a specification,
/// sections 17 to 27).
enum GIFHeader {
    /// The size of the canvas: that of the logical screen, enlarged to contain the first frame, as
    /// in browsers. Some programs write a screen of no size.
    static func read(_ reader: ByteReader) -> ImageHeader? {
        guard let width = reader.littleEndian16(at: 6), let height = reader.littleEndian16(at: 8),
            let frame = firstFrame(reader), let (x, y, size) = place(reader, ofFrameAt: frame.start)
        else { return nil }
        let canvas = PixelSize(width: max(width, x + size.width), height: max(height, y + size.height))
        return ImageHeader(format: .gif, storedSize: canvas)
    }

    /// The place of a frame on the canvas, from its image descriptor.
    static func place(_ reader: ByteReader, ofFrameAt start: Int) -> (x: Int, y: Int, size: PixelSize)? {
        guard let x = reader.littleEndian16(at: start + 1), let y = reader.littleEndian16(at: start + 3),
            let width = reader.littleEndian16(at: start + 5), let height = reader.littleEndian16(at: start + 7)
        else { return nil }
        return (x, y, PixelSize(width: width, height: height))
    }

    /// The positions of the image descriptor of the first frame, and of the last graphic control
    /// extension before it. `nil` if there is no frame.
    static func firstFrame(_ reader: ByteReader) -> (start: Int, control: Int?)? {
        guard let flags = reader.byte(at: 10) else { return nil }
        var index = 13 + colorTableSize(flags)
        var control: Int?
        while reader.byte(at: index) == 0x21 {
            if reader.byte(at: index + 1) == 0xF9 { control = index }
            guard let end = endOfSubBlocks(reader, from: index + 2) else { return nil }
            index = end
        }
        return reader.byte(at: index) == 0x2C ? (index, control) : nil
    }

    /// The structure of the available bytes of a GIF file.
    struct Outline {
        /// The end of the first frame's pixels; `nil` if they are incomplete.
        var firstFrameEnd: Int?
        /// Includes a frame whose pixels are incomplete.
        var frameCount = 0
        /// Whether the bytes end within a block.
        var isTruncated = false
    }

    /// Walks the blocks without decoding anything.
    static func outline(_ reader: ByteReader, frameLimit: Int) -> Outline {
        var outline = Outline()
        guard let flags = reader.byte(at: 10) else { return outline }
        var index = 13 + colorTableSize(flags)
        while outline.frameCount < frameLimit {
            let end: Int?
            switch reader.byte(at: index) {
            case 0x21: end = endOfSubBlocks(reader, from: index + 2)
            case 0x2C:
                let flags = reader.byte(at: index + 9)
                if flags != nil { outline.frameCount += 1 }
                end = flags.flatMap { endOfSubBlocks(reader, from: index + 11 + colorTableSize($0)) }
                outline.firstFrameEnd = outline.firstFrameEnd ?? end
            default: return outline
            }
            guard let end else {
                outline.isTruncated = true
                return outline
            }
            index = end
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
