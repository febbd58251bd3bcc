/// A device-independent bitmap of a BMP file, or of an ICO file with a mask after it.
struct Bitmap {
    let size: PixelSize
    private let isTopDown: Bool
    /// The bits per pixel and the bytes per row in `pixels`.
    private let bitCount: Int
    private let rowLength: Int
    private let palette: [UInt32]
    private let channels: [Channel]
    /// The 24-bit pixels of a run-length encoded bitmap; otherwise the bytes of the file.
    private let pixels: [UInt8]
    private let start: Int
    /// The position of the mask of an icon, in which a set bit means transparent.
    private let mask: Int?
    /// The number of rows that the file has, in its order.
    private let rowCount: Int
    /// Whether rows, or those of a required mask, are missing.
    let isTruncated: Bool
    private(set) var isOpaque = true

    /// The bit mask of red, green, blue or alpha in a pixel of 16 or 32 bits.
    private struct Channel {
        let mask: UInt32
        private let shift: UInt32
        private let highest: UInt32

        init(_ mask: UInt32) {
            self.mask = mask
            shift = mask == 0 ? 0 : UInt32(mask.trailingZeroBitCount)
            highest = mask >> shift
        }

        /// The value of the channel, rounded to 8 bits.
        func level(_ pixel: UInt32) -> UInt8 {
            guard highest > 0 else { return 0 }
            let value = UInt64((pixel & mask) >> shift)
            return UInt8(truncatingIfNeeded: min(255, (value * 510 + UInt64(highest)) / (UInt64(highest) * 2)))
        }
    }

    private enum Compression: Int {
        case none = 0
        case runLength8, runLength4, bitFields
        /// In headers of OS/2.
        case runLength24
        case alphaBitFields = 6
    }

    /// - Parameters:
    ///   - information: The position of the information header.
    ///   - pixelStart: The position of the pixels; `nil` means after the header and the palette.
    ///   - isIcon: Whether a mask follows, whose rows are included in the height of the header.
    init(
        _ bytes: [UInt8], information: Int, pixelStart: Int?, isIcon: Bool, limits: DecodeLimits
    ) throws(ImageError) {
        guard let header = bytes.withReader({ Header($0, information, isIcon) }) else {
            throw Self.damaged
        }
        size = header.size
        try limits.check(size)
        isTopDown = header.isTopDown
        palette = header.palette
        let behindHeader = header.end
        // Some programs write an offset that does not include the palette.
        let isPaletteStart = header.bitCount <= 8 && pixelStart == header.paletteStart
        let start = isPaletteStart ? behindHeader : pixelStart ?? behindHeader
        guard start <= bytes.count else { throw Self.damaged }
        switch header.compression {
        case .runLength8, .runLength4, .runLength24:
            let runs = RunLengths(size: size, bitCount: header.bitCount, palette: palette)
            (pixels, rowCount) = runs.unpack(bytes[start...])
            (bitCount, rowLength) = (24, size.width * 3)
            self.start = 0
            (channels, mask) = ([], nil)
            isTruncated = rowCount < size.height
        case .none, .bitFields, .alphaBitFields:
            channels = header.masks.map(Channel.init)
            pixels = bytes
            self.start = start
            bitCount = header.bitCount
            rowLength = Self.rowLength(size.width, bitCount)
            let end = start + rowLength * size.height
            // Some programs leave out the padding of the last row.
            let padding = rowLength - (size.width * bitCount + 7) / 8
            rowCount = min(size.height, (bytes.count - start + padding) / rowLength)
            let maskEnd = end + Self.rowLength(size.width, 1) * size.height
            // 32-bit icons may omit the mask.
            mask = isIcon && maskEnd <= bytes.count ? end : nil
            isTruncated = rowCount < size.height || isIcon && mask == nil && bitCount < 32
        }
        guard rowCount > 0 else { throw ImageError(.corrupt, "the file ends before the image") }
        // Many programs write 0 for the alpha of every pixel of an opaque icon.
        usesAlpha = channels.count == 4 && channels[3].mask != 0 && (!isIcon || hasVisiblePixel)
        isOpaque = !usesAlpha && !hasTransparentMask && rowCount == size.height
    }

    private var usesAlpha = false

    /// Writes a row of the displayed image: RGB if the bitmap is opaque, otherwise RGBA with
    /// straight alpha.
    func write(_ y: Int, into row: UnsafeMutablePointer<UInt8>) {
        let stored = isTopDown ? y : size.height - 1 - y
        let channelCount = isOpaque ? 3 : 4
        guard stored < rowCount else { return row.update(repeating: 0, count: size.width * channelCount) }
        for x in 0..<size.width {
            let pixel = row + x * channelCount
            let color = color(x, stored)
            for channel in 0..<3 { pixel[channel] = UInt8(truncatingIfNeeded: color >> UInt32(channel * 8)) }
            if !isOpaque { pixel[3] = alpha(x, stored, color) }
        }
    }

    private func alpha(_ x: Int, _ row: Int, _ color: UInt32) -> UInt8 {
        usesAlpha ? UInt8(color >> 24) : isMasked(x, row) ? 0 : 255
    }

    /// Red, green, blue and alpha from the lowest byte on.
    private func color(_ x: Int, _ row: Int) -> UInt32 {
        let rowStart = start + row * rowLength
        switch bitCount {
        case 1, 2, 4, 8:
            let position = x * bitCount
            let byte = pixels[rowStart + position / 8]
            return palette.color(byte >> UInt8(8 - bitCount - position % 8) & UInt8((1 << bitCount) - 1))
        case 24:
            let index = rowStart + x * 3
            return UInt32(pixels[index + 2]) | UInt32(pixels[index + 1]) << 8 | UInt32(pixels[index]) << 16
        default:
            let index = rowStart + x * bitCount / 8
            var pixel = UInt32(pixels[index]) | UInt32(pixels[index + 1]) << 8
            if bitCount == 32 { pixel |= UInt32(pixels[index + 2]) << 16 | UInt32(pixels[index + 3]) << 24 }
            return channels.enumerated().reduce(0) { $0 | UInt32($1.element.level(pixel)) << UInt32($1.offset * 8) }
        }
    }

    private func isMasked(_ x: Int, _ row: Int) -> Bool {
        guard let mask else { return false }
        return pixels[mask + row * Self.rowLength(size.width, 1) + x / 8] >> UInt8(7 - x % 8) & 1 == 1
    }

    private var hasVisiblePixel: Bool {
        (0..<rowCount).contains { y in (0..<size.width).contains { color($0, y) >> 24 != 0 } }
    }

    private var hasTransparentMask: Bool {
        mask != nil && (0..<size.height).contains { y in (0..<size.width).contains { isMasked($0, y) } }
    }

    /// The length of a row, which is a multiple of four bytes.
    private static func rowLength(_ width: Int, _ bitCount: Int) -> Int { (width * bitCount + 31) / 32 * 4 }

    private static let damaged = ImageError(.corrupt, "the header of the bitmap is damaged")

    // MARK: Header

    private struct Header {
        let size: PixelSize
        let isTopDown: Bool
        let bitCount: Int
        let compression: Compression
        private(set) var palette: [UInt32] = []
        private(set) var masks: [UInt32] = []
        let paletteStart: Int
        /// The end of the palette.
        private(set) var end = 0

        init?(_ reader: ByteReader, _ start: Int, _ isIcon: Bool) {
            guard let length = reader.littleEndian32(at: start),
                let (full, isTopDown) = BMPHeader.size(reader, at: start)
            else {
                return nil
            }
            size = isIcon ? PixelSize(width: full.width, height: full.height / 2) : full
            self.isTopDown = isTopDown
            let isOld = length == 12
            guard size.width > 0, size.height > 0, let bitCount = reader.littleEndian16(at: start + (isOld ? 10 : 14)),
                let compression = Compression(
                    rawValue: length < 20 ? 0 : reader.littleEndian32(at: start + 16) ?? -1)
            else { return nil }
            (self.bitCount, self.compression) = (bitCount, compression)
            switch (compression, bitCount) {
            case (.none, 1), (.none, 2), (.none, 4), (.none, 8), (.none, 16), (.none, 24), (.none, 32),
                (.bitFields, 16),
                (.bitFields, 32), (.alphaBitFields, 16), (.alphaBitFields, 32):
                break
            case (.runLength8, 8), (.runLength4, 4): guard !isIcon else { return nil }
            case (.runLength24, 24): guard !BMPHeader.isWindows(length) else { return nil }
            default:
                return nil
            }
            paletteStart = start + length
            end = paletteStart
            guard readMasks(reader, start, length, isIcon) else { return nil }
            guard bitCount <= 8 else { return }
            let used = length < 36 ? 0 : reader.littleEndian32(at: start + 32) ?? 0
            let count = used == 0 ? 1 << bitCount : min(used, 1 << bitCount)
            for index in 0..<count {
                let entry = end + index * (isOld ? 3 : 4)
                guard let color = reader.littleEndian24(at: entry) else { return nil }
                // Blue comes first.
                palette.append(UInt32(color >> 16 | color & 0xFF00 | (color & 0xFF) << 16))
            }
            end += count * (isOld ? 3 : 4)
        }

        private mutating func readMasks(_ reader: ByteReader, _ start: Int, _ length: Int, _ isIcon: Bool) -> Bool {
            guard bitCount == 16 || bitCount == 32 else { return true }
            guard compression != .none else {
                masks = bitCount == 16 ? [0x7C00, 0x03E0, 0x001F] : [0xFF0000, 0xFF00, 0xFF]
                // The fourth byte of a pixel is alpha in icons, and in BMP files whose header has a
                // mask for alpha.
                let hasAlpha = isIcon || length >= 108 && reader.littleEndian32(at: start + 52) != 0
                if bitCount == 32, hasAlpha { masks.append(0xFF00_0000) }
                return true
            }
            // With the oldest header of Windows and those of OS/2, the masks follow the header.
            let isInHeader = length > 40 && BMPHeader.isWindows(length)
            let count = compression == .alphaBitFields || isInHeader && length >= 56 ? 4 : 3
            for index in 0..<count {
                guard let mask = reader.littleEndian32(at: start + (isInHeader ? 40 : length) + index * 4) else {
                    return false
                }
                masks.append(UInt32(mask))
            }
            if !isInHeader { end += count * 4 }
            return true
        }
    }
}

/// Decompresses the run-length encodings of bitmaps with 4, 8 and 24 bits per pixel.
private struct RunLengths {
    let size: PixelSize
    let bitCount: Int
    let palette: [UInt32]

    /// Returns blue, green and red of each pixel, and the number of complete rows. As in browsers,
    /// skipped pixels are black. The code for the end may be missing.
    func unpack(_ bytes: ArraySlice<UInt8>) -> (pixels: [UInt8], rowCount: Int) {
        var output = [UInt8](repeating: 0, count: size.pixelCount * 3)
        var (x, y) = (0, 0)
        var codes = bytes.makeIterator()
        func write(_ color: UInt32) {
            if x < size.width, y < size.height {
                let index = (y * size.width + x) * 3
                for channel in 0..<3 { output[index + 2 - channel] = UInt8(truncatingIfNeeded: color >> (8 * channel)) }
            }
            x += 1
        }
        // Two colors that a run alternates.
        func colors() -> (even: UInt32, odd: UInt32)? {
            guard let first = codes.next() else { return nil }
            if bitCount == 4 { return (palette.color(first >> 4), palette.color(first & 15)) }
            if bitCount == 8 { return (palette.color(first), palette.color(first)) }
            guard let green = codes.next(), let red = codes.next() else { return nil }
            let color = UInt32(red) | UInt32(green) << 8 | UInt32(first) << 16
            return (color, color)
        }
        while y < size.height, let count = codes.next() {
            if count > 0 {
                guard let colors = colors() else { break }
                for index in 0..<count { write(index % 2 == 0 ? colors.even : colors.odd) }
                continue
            }
            guard let code = codes.next() else { break }
            switch code {
            case 0: (x, y) = (0, y + 1)
            case 1: return (output, size.height)
            case 2:
                guard let right = codes.next(), let down = codes.next() else { break }
                (x, y) = (x + Int(right), y + Int(down))
            default:
                for index in stride(from: 0, to: Int(code), by: bitCount == 4 ? 2 : 1) {
                    guard let colors = colors() else { break }
                    write(colors.even)
                    if bitCount == 4, index + 1 < Int(code) { write(colors.odd) }
                }
                // Literal pixels are padded to 16-bit words.
                if (Int(code) * bitCount + 7) / 8 % 2 == 1 { _ = codes.next() }
            }
        }
        return (output, min(size.height, x >= size.width ? y + 1 : y))
    }
}

extension [UInt32] {
    /// A color of a palette. Colors that the palette lacks are black.
    fileprivate func color(_ index: UInt8) -> UInt32 { Int(index) < count ? self[Int(index)] : 0 }
}
