/// Windows bitmap (BMP) and icon (ICO) files with any combination of header fields.
public struct BMPFile: Sendable {
    public var width: Int
    public var height: Int
    public var bitCount = 24
    public var isTopDown = false
    /// The size of the information header in bytes: 12, 40, 52, 56, 108 or 124, or another from 16
    /// to 64 for one of OS/2.
    public var headerLength = 40
    public var compression = 0
    /// The bit masks of red, green, blue and alpha in pixels of 16 and 32 bits.
    public var masks: [UInt32] = []
    /// The palette entries, each as red, green and blue.
    public var palette: [[UInt8]] = []
    /// The value of each pixel: a palette index, or the bits of the pixel.
    public var pixel: @Sendable (_ x: Int, _ y: Int) -> UInt32 = { _, _ in 0 }
    /// Compressed pixel data, which replaces the rows from `pixel`.
    public var compressedRows: [UInt8]?
    /// Whether the mask of an icon makes a pixel transparent; `nil` omits the mask.
    public var isMasked: (@Sendable (_ x: Int, _ y: Int) -> Bool)?

    public init(width: Int, height: Int) {
        (self.width, self.height) = (width, height)
    }

    public var bytes: [UInt8] {
        let content = information(height: height)
        let start = 14 + content.count
        var file: [UInt8] = Array("BM".utf8)
        file += number(start + rows.count, 4)
        file += number(0, 4)
        file += number(start, 4)
        return file + content + rows
    }

    /// The bitmap as stored in an icon: no file header, twice the height in the header, and the
    /// mask after the pixels.
    public var iconImage: [UInt8] {
        guard let isMasked else { return information(height: height * 2) + rows }
        var mask = self
        mask.bitCount = 1
        mask.compressedRows = nil
        mask.pixel = { isMasked($0, $1) ? 1 : 0 }
        return information(height: height * 2) + rows + mask.rows
    }

    /// An icon file with these images, each an ``iconImage`` or a PNG file.
    public static func icon(_ images: [(width: Int, height: Int, bitCount: Int, bytes: [UInt8])]) -> [UInt8] {
        var offset = 6 + images.count * 16
        var directory: [UInt8] = [0, 0, 1, 0]
        var contents: [UInt8] = []
        directory += number(images.count, 2)
        for image in images {
            directory += [UInt8(truncatingIfNeeded: image.width), UInt8(truncatingIfNeeded: image.height), 0, 0]
            directory += number(1, 2)
            directory += number(image.bitCount, 2)
            directory += number(image.bytes.count, 4)
            directory += number(offset, 4)
            contents += image.bytes
            offset += image.bytes.count
        }
        return directory + contents
    }

    private func information(height: Int) -> [UInt8] {
        var colors: [UInt8] = []
        for color in palette {
            colors += color.reversed()
            if headerLength != 12 { colors.append(0) }
        }
        var header: [UInt8] = number(headerLength, 4)
        let sideLength = headerLength == 12 ? 2 : 4
        header += number(width, sideLength)
        header += number(isTopDown ? -height : height, sideLength)
        header += number(1, 2)
        header += number(bitCount, 2)
        guard headerLength > 12 else { return header + colors }
        header += number(compression, 4)
        header += number(0, 12)
        header += number(palette.count, 4)
        header += number(0, 4)
        let masks = masks.flatMap { number(Int($0), 4) }
        if [52, 56, 108, 124].contains(headerLength) { header += masks }
        header += [UInt8](repeating: 0, count: max(0, headerLength - header.count))
        return header.prefix(headerLength) + ([52, 56, 108, 124].contains(headerLength) ? [] : masks) + colors
    }

    private var rows: [UInt8] {
        if let compressedRows { return compressedRows }
        var rows: [UInt8] = []
        for stored in 0..<height {
            let y = isTopDown ? stored : height - 1 - stored
            var (row, buffer, count) = ([UInt8](), 0, 0)
            for x in 0..<width {
                if bitCount >= 16 {
                    row += number(Int(pixel(x, y)), bitCount / 8)
                    continue
                }
                buffer = buffer << bitCount | Int(pixel(x, y))
                count += bitCount
                if count == 8 {
                    row.append(UInt8(buffer))
                    (buffer, count) = (0, 0)
                }
            }
            if count > 0 { row.append(UInt8(buffer << (8 - count))) }
            rows += row + [UInt8](repeating: 0, count: (4 - row.count % 4) % 4)
        }
        return rows
    }

    private func number(_ value: Int, _ count: Int) -> [UInt8] { Self.number(value, count) }

    private static func number(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { $0 < 8 ? UInt8(truncatingIfNeeded: value >> (8 * $0)) : 0 }
    }
}
