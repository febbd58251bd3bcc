/// The frames of a GIF file (GIF89a specification, sections 17 to 26).
struct GIFAnimation {
    private let reader: ByteReader
    private var index = 0
    private var outline: AnimationOutline
    private var globalTable: Range<Int>?
    /// The graphic control extension of the next frame.
    private var control = Control()

    private struct Control {
        var milliseconds = 0
        var disposal = AnimationFrame.Disposal.keep
        /// The palette index of the transparent color.
        var transparent: UInt8?
    }

    /// The outline of at most `frameLimit` frames; `nil` if there are fewer than two.
    static func outline(_ reader: ByteReader, frameLimit: Int) -> AnimationOutline? {
        guard var animation = GIFAnimation(reader) else { return nil }
        animation.walk(frameLimit)
        return animation.outline.frames.count > 1 ? animation.outline : nil
    }

    private init?(_ reader: ByteReader) {
        guard let header = GIFHeader.read(reader), let flags = reader.byte(at: 10) else { return nil }
        self.reader = reader
        outline = AnimationOutline(canvas: header.storedSize, playCount: 1)
        index = 13
        if let table = Self.table(flags, at: index) {
            globalTable = table
            index = table.upperBound
        }
    }

    private mutating func walk(_ frameLimit: Int) {
        while outline.frames.count < frameLimit {
            switch reader.byte(at: index) {
            case 0x21: guard takeExtension() else { return }
            case 0x2C: guard takeFrame() else { return }
            default: return
            }
        }
    }

    private mutating func takeExtension() -> Bool {
        guard let label = reader.byte(at: index + 1), let end = GIFHeader.endOfSubBlocks(reader, from: index + 2) else {
            return false
        }
        if label == 0xF9, let flags = reader.byte(at: index + 3), let delay = reader.littleEndian16(at: index + 4) {
            control.milliseconds = delay * 10
            control.transparent = flags & 1 == 1 ? reader.byte(at: index + 6) : nil
            control.disposal =
                switch flags >> 2 & 7 {
                case 2: .clear
                // Old programs wrote 4.
                case 3, 4: .restore
                default: .keep
                }
        } else if label == 0xFF,
            reader.has("NETSCAPE2.0", at: index + 3) || reader.has("ANIMEXTS1.0", at: index + 3),
            reader.byte(at: index + 15) == 1,
            let count = reader.littleEndian16(at: index + 16)
        {
            // The number of repetitions after the first play; 0 means forever.
            outline.playCount = count == 0 ? nil : count + 1
        }
        index = end
        return true
    }

    private mutating func takeFrame() -> Bool {
        guard let (x, y, size) = GIFHeader.place(reader, ofFrameAt: index), let flags = reader.byte(at: index + 9)
        else { return false }
        let localTable = Self.table(flags, at: index + 10)
        let data = localTable?.upperBound ?? index + 10
        // The pixels of a truncated frame end with the file.
        let end = GIFHeader.endOfSubBlocks(reader, from: data + 1) ?? reader.count
        var frame = AnimationFrame(
            x: x, y: y, size: PixelSize(width: 0, height: 0),
            delay: AnimationFrame.delay(milliseconds: control.milliseconds), disposal: control.disposal, blends: true)
        if data + 2 < end {
            frame.size = size
            frame.pieces = Self.file(
                frame.size, localTable ?? globalTable, isInterlaced: flags & 0x40 != 0, control.transparent, data..<end)
        }
        outline.frames.append(frame)
        control = Control()
        index = end
        return true
    }

    /// A file with one frame: its canvas has the size of the frame, and its palette is that of the
    /// frame.
    private static func file(
        _ size: PixelSize, _ table: Range<Int>?, isInterlaced: Bool, _ transparent: UInt8?, _ data: Range<Int>
    ) -> [AnimationFrame.Piece] {
        let sides = size.width.littleEndianBytes(2) + size.height.littleEndianBytes(2)
        let tableFlags = table.map { 0x80 | UInt8(($0.count / 3).trailingZeroBitCount - 1) } ?? 0
        var own = Array("GIF89a".utf8) + sides + [tableFlags, 0, 0]
        var pieces: [AnimationFrame.Piece] = [.bytes(own)]
        if let table { pieces.append(.range(table)) }
        own = transparent.map { [0x21, 0xF9, 4, 1, 0, 0, $0, 0] } ?? []
        own += [0x2C, 0, 0, 0, 0] + sides + [isInterlaced ? 0x40 : 0]
        pieces += [.bytes(own), .range(data), .bytes([0x3B])]
        return pieces
    }

    private static func table(_ flags: UInt8, at index: Int) -> Range<Int>? {
        flags & 0x80 == 0 ? nil : index..<(index + GIFHeader.colorTableSize(flags))
    }
}
