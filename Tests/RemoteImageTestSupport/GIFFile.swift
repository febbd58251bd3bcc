/// A GIF file with one frame (GIF89a specification) and any combination of frame options.
public struct GIFFile: Sendable {
    public var canvasWidth: Int
    public var canvasHeight: Int
    public var x = 0
    public var y = 0
    public var width: Int
    public var height: Int
    /// Palette indices in the order of the file; `isInterlaced` does not reorder them.
    public var pixels: [UInt8]
    public var isInterlaced = false
    public var transparent: UInt8?
    /// The disposal method of the frame in an animation: 1 keeps it.
    public var disposal: UInt8 = 1
    /// Whether a clear code is written when the code table is full. Otherwise the full table
    /// remains in use (deferred clear code), which decoders must support.
    public var clearsFullTable = true
    /// Red, green and blue of each of the 256 entries.
    public var palette: [UInt8] = (0..<256).flatMap { (entry: Int) -> [UInt8] in Self.colour(entry) }
    public var isPaletteOfFrame = false
    public var hasPalette = true
    /// The LZW minimum code size: 8, or up to 11, which is more than any palette needs.
    public var minimumCodeSize = 8

    public init(width: Int, height: Int, pixels: [UInt8]) {
        (canvasWidth, canvasHeight, self.width, self.height, self.pixels) = (width, height, width, height, pixels)
    }

    /// Red, green and blue of an entry of the default palette.
    public static func colour(_ entry: Int) -> [UInt8] {
        let (green, blue) = (entry * 7 % 256, entry * 29 % 256)
        return [UInt8(entry), UInt8(green), UInt8(blue)]
    }

    public var bytes: [UInt8] {
        let screen: [UInt8] = Array("GIF89a".utf8) + number(canvasWidth) + number(canvasHeight)
        let control: [UInt8] = transparent.map { [0x21, 0xF9, 4, 1, 0, 0, $0, 0] } ?? []
        var frame: [UInt8] = [0x2C]
        for value in [x, y, width, height] { frame += number(value) }
        let flags: UInt8 = isInterlaced ? 0x40 : 0
        var file = screen + (isPaletteOfFrame || !hasPalette ? [0, 0, 0] : [0x87, 0, 0] + palette)
        file += control + frame
        file += isPaletteOfFrame && hasPalette ? [flags | 0x87] + palette : [flags]
        return file + data
    }

    /// A file that plays `frames` in an endless loop, on the canvas of the first one.
    public static func animation(_ frames: [GIFFile], delay: Duration) -> [UInt8] {
        let hundredths = Int(delay / .milliseconds(10))
        var file: [UInt8] = frames[0].number(frames[0].canvasWidth)
        file = Array("GIF89a".utf8) + file + frames[0].number(frames[0].canvasHeight) + [0, 0, 0]
        file += [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 0, 0, 0]
        for frame in frames {
            file += [0x21, 0xF9, 4, frame.disposal << 2 | (frame.transparent == nil ? 0 : 1)]
            file += frame.number(hundredths) + [frame.transparent ?? 0, 0, 0x2C]
            for value in [frame.x, frame.y, frame.width, frame.height] { file += frame.number(value) }
            file += [0x87] + frame.palette + frame.data.dropLast()
        }
        return file + [0x3B]
    }

    private var data: [UInt8] {
        let codes = packedCodes
        var blocks: [UInt8] = [UInt8(minimumCodeSize)]
        for start in stride(from: 0, to: codes.count, by: 255) {
            let piece = codes[start..<min(start + 255, codes.count)]
            blocks.append(UInt8(piece.count))
            blocks += piece
        }
        return blocks + [0, 0x3B]
    }

    /// The pixels as LZW codes (appendix F).
    private var packedCodes: [UInt8] {
        var (bytes, buffer, bitCount) = ([UInt8](), 0, 0)
        func write(_ code: Int, _ width: Int) {
            buffer |= code << bitCount
            bitCount += width
            while bitCount >= 8 {
                bytes.append(UInt8(buffer & 0xFF))
                buffer >>= 8
                bitCount -= 8
            }
        }
        let clear = 1 << minimumCodeSize
        var (table, next, width) = ([Int: Int](), clear + 2, minimumCodeSize + 1)
        write(clear, width)
        var string: Int?
        for pixel in pixels {
            guard let known = string else {
                string = Int(pixel)
                continue
            }
            if let longer = table[known << 8 | Int(pixel)] {
                string = longer
                continue
            }
            write(known, width)
            if next < 4096 {
                table[known << 8 | Int(pixel)] = next
                // The decoder adds this entry one code later.
                if next == 1 << width { width += 1 }
                next += 1
            } else if clearsFullTable {
                write(clear, width)
                (table, next, width) = ([:], clear + 2, minimumCodeSize + 1)
            }
            string = Int(pixel)
        }
        if let string { write(string, width) }
        if next == 1 << width, width < 12 { width += 1 }
        write(clear + 1, width)
        if bitCount > 0 { bytes.append(UInt8(buffer & 0xFF)) }
        return bytes
    }

    private func number(_ value: Int) -> [UInt8] {
        [UInt8(value & 0xFF), UInt8(value >> 8)]
    }
}
