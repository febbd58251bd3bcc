import RemoteImage
import RemoteImageCore
import RemoteImageTestSupport
import Testing

/// BMP and ICO.
@Suite struct BitmapTests {
    private let decoders: [any ImageDecoder] = .standard()

    private func decode(
        _ bytes: [UInt8], _ target: TargetSize? = nil, limits: DecodeLimits = DecodeLimits()
    ) throws(ImageError) -> DecodedImage {
        try decoders.decode(
            bytes, DecodeRequest(header: try ImageHeader.read(bytes), target: target, limits: limits))
    }

    private static let palette: [[UInt8]] = (0..<16).map { (entry: Int) -> [UInt8] in
        [UInt8(entry * 16), UInt8(255 - entry * 3), UInt8(entry * 7)]
    }

    /// Rows of 13 pixels end within a byte and within a word.
    private static func file(_ bitCount: Int, _ change: (inout BMPFile) -> Void = { _ in }) -> BMPFile {
        var file = BMPFile(width: 13, height: 5)
        file.bitCount = bitCount
        if bitCount <= 8 {
            let count = min(16, 1 << bitCount)
            file.palette = Array(palette[..<count])
            file.pixel = { x, y in UInt32((x + y * 3) % count) }
        } else {
            file.pixel = { x, y in
                let (red, green, blue) = (UInt32(x * 19), UInt32(y * 50), UInt32((x + y) * 14))
                return red << 16 | green << 8 | blue
            }
        }
        change(&file)
        return file
    }

    private static let files: [BMPFile] = {
        var files: [BMPFile] = []
        for bitCount in [1, 2, 4, 8, 24, 32] {
            files.append(file(bitCount))
            files.append(file(bitCount) { $0.isTopDown = true })
            files.append(file(bitCount) { $0.headerLength = 124 })
        }
        files.append(
            file(8) {
                $0.headerLength = 12
                $0.palette += [[UInt8]](repeating: [0, 0, 0], count: 240)
            })
        files.append(file(32) { ($0.compression, $0.masks) = (3, [0xFF0000, 0xFF00, 0xFF]) })
        files.append(file(32) { ($0.compression, $0.headerLength, $0.masks) = (3, 108, [0xFF0000, 0xFF00, 0xFF, 0]) })
        // The headers of OS/2, which may lack their last fields.
        for length in [16, 20, 36, 42, 46, 48, 60, 64] {
            files.append(file(4) { $0.headerLength = length })
            files.append(file(24) { $0.headerLength = length })
        }
        files.append(file(32) { ($0.compression, $0.headerLength, $0.masks) = (3, 64, [0xFF0000, 0xFF00, 0xFF]) })
        return files
    }()

    // MARK: BMP

    @Test(arguments: files)
    func `every pixel is decoded in each bit depth and row order`(file: BMPFile) throws {
        let image = try decode(file.bytes)
        #expect(image.size == PixelSize(width: 13, height: 5))
        #expect(image.pixels.format == .rgb8)
        #expect(!image.isTruncated)
        for y in 0..<5 {
            for x in 0..<13 {
                let value = file.pixel(x, y)
                let expected =
                    file.bitCount <= 8
                    ? file.palette[Int(value)]
                    : [UInt8(value >> 16 & 255), UInt8(value >> 8 & 255), UInt8(value & 255)]
                #expect(image.pixels.pixel(x, y) == expected)
            }
        }
    }

    private func pixels(_ bytes: [UInt8]) throws -> [UInt8] { try decode(bytes).pixels.withUnsafeBytes { Array($0) } }

    @Test(arguments: [0, 14 + 40])
    func `pixels begin after the palette if their offset is missing or points to the palette`(offset: UInt8) throws {
        let bytes = Self.file(4).bytes
        var changed = bytes
        changed[10] = offset
        #expect(bytes[10] == 14 + 40 + 16 * 4)
        #expect(try pixels(changed) == pixels(bytes))
    }

    @Test func `reserved fields and a number of colors above the possible one are ignored`() throws {
        let bytes = Self.file(4).bytes
        for field in [6..<10, 14 + 32..<14 + 36] {
            var changed = bytes
            for index in field { changed[index] = 0xFF }
            #expect(try pixels(changed) == pixels(bytes))
        }
    }

    @Test func `channels below 8 bits are scaled to bytes`() throws {
        var file = BMPFile(width: 3, height: 1)
        file.bitCount = 16
        file.pixel = { x, _ in [0x7C00, 0x03E0, 0x0010][x] }
        let plain = try decode(file.bytes).pixels
        #expect((0..<3).map { plain.pixel($0, 0) } == [[255, 0, 0], [0, 255, 0], [0, 0, 132]])
        (file.compression, file.masks) = (3, [0xF800, 0x07E0, 0x001F])
        file.pixel = { x, _ in [0xF800, 0x07E0, 0x001F][x] }
        let masked = try decode(file.bytes).pixels
        #expect((0..<3).map { masked.pixel($0, 0) } == [[255, 0, 0], [0, 255, 0], [0, 0, 255]])
    }

    /// The orders of red, green, blue and alpha in a pixel, from the lowest byte on.
    private static let orders = [[2, 1, 0, 3], [0, 1, 2, 3], [3, 2, 1, 0], [1, 2, 3, 0], [3, 0, 1, 2]]

    @Test(arguments: orders, [(3, 56), (3, 108), (3, 124), (6, 40), (6, 124)])
    func `the masks may have any order`(order: [Int], variant: (compression: Int, headerLength: Int)) throws {
        var file = BMPFile(width: 3, height: 1)
        (file.bitCount, file.compression, file.headerLength) = (32, variant.compression, variant.headerLength)
        file.masks = order.map { 0xFF << (8 * UInt32($0)) }
        let colors: [[UInt32]] = [[255, 0, 0, 255], [0, 128, 0, 128], [10, 20, 30, 255]]
        file.pixel = { x, _ in (0..<4).reduce(0) { $0 | colors[x][$1] << (8 * UInt32(order[$1])) } }
        let pixels = try decode(file.bytes).pixels
        #expect((0..<3).map { pixels.pixel($0, 0) } == [[255, 0, 0, 255], [0, 64, 0, 128], [10, 20, 30, 255]])
        // Browsers trust the mask even if it makes each pixel transparent.
        file.pixel = { x, _ in (0..<3).reduce(0) { $0 | colors[x][$1] << (8 * UInt32(order[$1])) } }
        #expect(try decode(file.bytes).pixels.pixel(0, 0) == [0, 0, 0, 0])
    }

    @Test func `a header of 108 bytes gives uncompressed pixels alpha`() throws {
        var file = BMPFile(width: 1, height: 1)
        (file.bitCount, file.headerLength, file.pixel) = (32, 108, { _, _ in 0x80FF_0000 })
        #expect(try decode(file.bytes).pixels.pixel(0, 0) == [255, 0, 0])
        file.masks = [0, 0, 0, 0xFF00_0000]
        #expect(try decode(file.bytes).pixels.pixel(0, 0) == [128, 0, 0, 128])
        file.headerLength = 56
        #expect(try decode(file.bytes).pixels.pixel(0, 0) == [255, 0, 0])
    }

    @Test func `alpha is applied if a mask declares it`() throws {
        var file = BMPFile(width: 2, height: 1)
        (file.bitCount, file.compression, file.headerLength) = (32, 3, 56)
        file.masks = [0xFF0000, 0xFF00, 0xFF, 0xFF00_0000]
        file.pixel = { x, _ in x == 0 ? 0x80FF_0000 : 0x0000_FF00 }
        let pixels = try decode(file.bytes).pixels
        #expect(pixels.format == .rgba8Premultiplied)
        #expect(pixels.pixel(0, 0) == [128, 0, 0, 128])
        #expect(pixels.pixel(1, 0) == [0, 0, 0, 0])
    }

    /// Five bits of each color and one of alpha.
    @Test(arguments: [40, 124]) func `pixels of 16 bits may have alpha`(headerLength: Int) throws {
        var file = BMPFile(width: 3, height: 1)
        (file.bitCount, file.compression, file.headerLength) = (16, 6, headerLength)
        file.masks = [0x7C00, 0x03E0, 0x001F, 0x8000]
        file.pixel = { x, _ in [0xFC00, 0x83E0, 0x001F][x] }
        let pixels = try decode(file.bytes).pixels
        #expect((0..<3).map { pixels.pixel($0, 0) } == [[255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 0, 0]])
    }

    @Test(arguments: [15, 17, 48]) func `pixels of another number of bits are not decoded`(bitCount: UInt8) throws {
        for compression: UInt8 in [0, 3, 6] {
            var file = BMPFile(width: 3, height: 1)
            (file.bitCount, file.masks) = (32, [0x7C00, 0x03E0, 0x001F, 0x8000])
            var bytes = file.bytes
            (bytes[28], bytes[30]) = (bitCount, compression)
            #expect(throws: ImageError.self) { try decode(bytes) }
        }
    }

    @Test func `run-length encoded pixels are decoded`() throws {
        var file = BMPFile(width: 6, height: 3)
        (file.bitCount, file.compression, file.palette) = (8, 1, Self.palette)
        // Runs of four and two pixels; three literal pixels with padding and the end of the row; a
        // jump and a pixel.
        file.compressedRows = [4, 1, 2, 2, 0, 0, 0, 3, 3, 4, 5, 0, 0, 0, 0, 2, 5, 0, 1, 6, 0, 1]
        let rows: [[Int?]] = [[nil, nil, nil, nil, nil, 6], [3, 4, 5, nil, nil, nil], [1, 1, 1, 1, 2, 2]]
        func check(_ file: BMPFile) throws {
            for isTopDown in [false, true] {
                var file = file
                file.isTopDown = isTopDown
                let pixels = try decode(file.bytes).pixels
                for (y, row) in (isTopDown ? rows.reversed() : rows).enumerated() {
                    let colors = row.map { $0.map { Self.palette[$0] } ?? [0, 0, 0] }
                    #expect((0..<6).map { pixels.pixel($0, y) } == colors)
                }
            }
        }
        try check(file)
        (file.bitCount, file.compression) = (4, 2)
        file.compressedRows = [4, 0x11, 2, 0x22, 0, 0, 0, 3, 0x34, 0x50, 0, 0, 0, 2, 5, 0, 1, 0x60, 0, 1]
        try check(file)
        // With 24 bits, each index is replaced by blue, green and red.
        func color(_ index: Int) -> [UInt8] { Self.palette[index].reversed() }
        (file.bitCount, file.compression, file.headerLength, file.palette) = (24, 4, 64, [])
        file.compressedRows = [4] + color(1) + [2] + color(2) + [0, 0, 0, 3] + color(3) + color(4) + color(5) + [0]
        file.compressedRows? += [0, 0, 0, 2, 5, 0, 1] + color(6) + [0, 1]
        try check(file)
        (file.bitCount, file.compression, file.headerLength, file.palette) = (8, 1, 40, Self.palette)
        file.compressedRows = [6, 1, 0, 0, 6, 2, 0, 0, 6, 3]
        #expect(try decode(file.bytes).pixels.pixel(5, 0) == Self.palette[3], "only the code for the end is missing")
        file.compressedRows = [6, 1, 0, 0, 6, 2, 0, 0, 5, 3]
        let truncated = try decode(file.bytes)
        #expect(truncated.isTruncated)
        #expect(truncated.pixels.pixel(0, 0) == [0, 0, 0, 0], "the last row is the top one")
        #expect(truncated.pixels.pixel(5, 1) == Self.palette[2] + [255])
        (file.bitCount, file.compression) = (4, 2)
        file.compressedRows = [4, 0x11, 2]
        #expect { try decode(file.bytes) } throws: { ($0 as? ImageError)?.code == .corrupt }
    }

    private func rows(_ file: BMPFile) throws -> [[[UInt8]]] {
        let image = try decode(file.bytes)
        #expect(!image.isTruncated)
        return (0..<file.height).map { y in (0..<file.width).map { Array(image.pixels.pixel($0, y).prefix(3)) } }
    }

    @Test func `a jump in run-length encoded pixels leads to the right and up, and nothing wraps`() throws {
        var file = BMPFile(width: 4, height: 3)
        (file.bitCount, file.compression, file.palette) = (8, 1, Self.palette)
        let (black, one, two): ([UInt8], [UInt8], [UInt8]) = ([0, 0, 0], Self.palette[1], Self.palette[2])
        file.compressedRows = [1, 1, 0, 2, 1, 1, 1, 2, 0, 1]
        let empty = [black, black, black, black]
        #expect(try rows(file) == [empty, [black, black, two, black], [one, black, black, black]])
        // A run beyond the right edge.
        file.compressedRows = [9, 1, 0, 0, 1, 2, 0, 1]
        #expect(try rows(file) == [empty, [two, black, black, black], [one, one, one, one]])
        // A jump beyond the top ends the image.
        file.compressedRows = [1, 1, 0, 2, 0, 9, 1, 2]
        #expect(try rows(file) == [empty, empty, [one, black, black, black]])
    }

    @Test(arguments: [(3, 0), (4, 0), (5, 1), (6, 1)])
    func `literal pixels of four bits are padded to words`(count: Int, padding: Int) throws {
        var file = BMPFile(width: 7, height: 1)
        (file.bitCount, file.compression, file.palette) = (4, 2, Self.palette)
        let literal = [UInt8(count)] + [0x34, 0x56, 0x78].prefix((count + 1) / 2)
        file.compressedRows = [0] + literal + [UInt8](repeating: 0x99, count: padding) + [1, 0x10, 0, 1]
        let indices = [3, 4, 5, 6, 7, 8].prefix(count) + [1]
        let expected = indices.map { Self.palette[$0] }
        #expect(Array(try rows(file)[0].prefix(count + 1)) == expected)
    }

    @Test func `a color that the palette lacks is black`() throws {
        var file = BMPFile(width: 4, height: 1)
        (file.bitCount, file.palette) = (4, [[9, 8, 7], [6, 5, 4]])
        file.pixel = { x, _ in UInt32(x) }
        #expect(try rows(file) == [[[9, 8, 7], [6, 5, 4], [0, 0, 0], [0, 0, 0]]])
    }

    @Test func `a bitmap without the padding of its last row is decoded`() throws {
        var file = BMPFile(width: 3, height: 2)
        (file.bitCount, file.pixel) = (24, { x, y in UInt32(x * 16 + y) })
        let complete = try decode(file.bytes).pixels.withUnsafeBytes { Array($0) }
        #expect(try decode(Array(file.bytes.dropLast(3))).pixels.withUnsafeBytes { Array($0) } == complete)
        #expect(try decode(Array(file.bytes.dropLast(4))).isTruncated)
    }

    @Test func `a bitmap is averaged to exactly the target size`() throws {
        var file = BMPFile(width: 40, height: 20)
        file.pixel = { x, _ in x < 20 ? 0xFF0000 : 0x0000FF }
        let image = try decode(file.bytes, .longestSide(10))
        #expect(image.size == PixelSize(width: 40, height: 20))
        #expect(image.pixels.size == PixelSize(width: 10, height: 5))
        #expect(image.pixels.pixel(0, 0) == [255, 0, 0])
        #expect(image.pixels.pixel(9, 4) == [0, 0, 255])
    }

    // MARK: ICO

    private static func icon(
        _ width: Int, height: Int? = nil, _ color: UInt32, bitCount: Int = 32
    ) -> (
        width: Int, height: Int, bitCount: Int, bytes: [UInt8]
    ) {
        var file = BMPFile(width: width, height: height ?? width)
        file.bitCount = bitCount
        file.pixel = { _, _ in color }
        file.isMasked = { x, y in x == 0 && y == 0 }
        return (file.width, file.height, bitCount, file.iconImage)
    }

    @Test func `the smallest icon image that covers the target is decoded, or else the largest`() throws {
        let icon = BMPFile.icon([
            Self.icon(16, 0xFFFF_0000), Self.icon(64, 0xFF00_FF00), Self.icon(32, 0xFF00_00FF),
            Self.icon(32, 0x808080, bitCount: 24),
        ])
        #expect(try ImageHeader.read(icon).size == PixelSize(width: 64, height: 64))
        let (red, green, blue): ([UInt8], [UInt8], [UInt8]) = ([255, 0, 0], [0, 255, 0], [0, 0, 255])
        let expectations: [(Int, Int, [UInt8])] = [
            (10, 10, red), (16, 16, red), (17, 17, blue), (32, 32, blue), (33, 33, green), (500, 64, green),
        ]
        for (side, stored, color) in expectations {
            let image = try decode(icon, .longestSide(side))
            #expect(image.size == PixelSize(width: 64, height: 64))
            #expect(image.pixels.size == PixelSize(width: stored, height: stored))
            #expect(Array(image.pixels.pixel(5, 5).prefix(3)) == color, "\(side)")
        }
        #expect(try decode(icon).pixels.size == PixelSize(width: 64, height: 64))
    }

    @Test(arguments: [(40, 10), (10, 40)])
    func `an icon image that covers only one side of the target is not enough for it`(width: Int, height: Int) throws {
        let icon = BMPFile.icon([Self.icon(64, 0xFF00_FF00), Self.icon(width, height: height, 0xFFFF_0000)])
        let image = try decode(icon, .longestSide(32))
        #expect(image.pixels.size == PixelSize(width: 32, height: 32))
        #expect(Array(image.pixels.pixel(5, 5).prefix(3)) == [0, 255, 0])
    }

    @Test func `an icon image with a damaged header is left out`() throws {
        let damaged = (width: 64, height: 64, bitCount: 32, bytes: [UInt8](repeating: 9, count: 100))
        let icon = BMPFile.icon([damaged, Self.icon(16, 0xFFFF_0000)])
        #expect(try decode(icon).pixels.size == PixelSize(width: 16, height: 16))
        #expect(throws: ImageError.self) { try decode(BMPFile.icon([damaged])) }
    }

    /// One damaged image used to make the whole icon fail.
    @Test func `the best image of an icon that is complete is decoded`() throws {
        var damagedPNG = GoldenImage.rgbaPNG
        for index in 41..<80 { damagedPNG[index] = 0x99 }
        let cut = (width: 64, height: 64, bitCount: 32, bytes: Array(Self.icon(64, 0xFFFF_0000).bytes[..<9000]))
        let images = [
            Self.icon(16, 0xFFFF_0000), (48, 32, 32, damagedPNG), Self.icon(24, 0xFF00_FF00), cut,
        ]
        let image = try decode(BMPFile.icon(images))
        #expect(!image.isTruncated)
        #expect(image.size == PixelSize(width: 24, height: 24))
        #expect(Array(image.pixels.pixel(5, 5).prefix(3)) == [0, 255, 0])
        // Without a complete image, the truncated one is shown.
        let truncated = try decode(BMPFile.icon([images[1], cut]))
        #expect(truncated.isTruncated)
        #expect(truncated.size == PixelSize(width: 64, height: 64))
        #expect(truncated.pixels.pixel(5, 0) == [0, 0, 0, 0])
        #expect(truncated.pixels.pixel(5, 63) == [255, 0, 0, 255])
    }

    @Test(arguments: [0, 1])
    func `an icon image beyond the end of the file is left out`(index: Int) throws {
        var icon = BMPFile.icon([Self.icon(16, 0xFFFF_0000), Self.icon(16, 0xFFFF_0000)])
        icon.replaceSubrange((18 + index * 16)..<(22 + index * 16), with: [0x3F, 0x42, 0x0F, 0])
        #expect(try decode(icon).pixels.pixel(5, 5) == [255, 0, 0, 255])
        // An entry without bytes, also the first one.
        icon.replaceSubrange((14 + index * 16)..<(22 + index * 16), with: [UInt8](repeating: 0, count: 8))
        #expect(try decode(icon).pixels.pixel(5, 5) == [255, 0, 0, 255])
    }

    @Test(arguments: [0, 10, 100, 255])
    func `the length of an icon image in the directory is ignored`(length: UInt8) throws {
        var icon = BMPFile.icon([Self.icon(16, 0xFFFF_0000)])
        icon.replaceSubrange(14..<18, with: [length, length, 0, 0])
        let image = try decode(icon)
        #expect(!image.isTruncated)
        #expect(image.pixels.pixel(5, 5) == [255, 0, 0, 255])
        // The pixels of the next image are not those of a truncated one.
        let first = (width: 16, height: 16, bitCount: 32, bytes: Array(Self.icon(16, 0xFFFF_0000).bytes.dropLast(400)))
        var two = BMPFile.icon([first, Self.icon(8, 0xFF00_00FF)])
        two.replaceSubrange(14..<18, with: [255, 255, 0, 0])
        #expect(try decode(two).pixels.size == PixelSize(width: 8, height: 8))
    }

    @Test func `a cursor is decoded, and a TGA file is no cursor`() throws {
        var cursor = BMPFile.icon([Self.icon(16, 0xFFFF_0000)])
        cursor[2] = 2
        #expect(try decode(cursor).pixels.pixel(5, 5) == [255, 0, 0, 255])
        // The header of an image with 16 × 16 pixels, and pixels.
        let image: [UInt8] = [0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 16, 0, 16, 0, 24, 0]
        #expect(ImageFormat.sniff(image + [UInt8](repeating: 90, count: 768)) == nil)
    }

    @Test(arguments: [12, 40, 52, 56, 108, 124])
    func `an icon image may have each header of Windows`(length: Int) throws {
        var file = BMPFile(width: 16, height: 16)
        (file.headerLength, file.isMasked) = (length, { _, _ in false })
        file.pixel = { _, _ in 0x10_2030 }
        #expect(try decode(BMPFile.icon([(16, 16, 24, file.iconImage)])).pixels.pixel(5, 5) == [16, 32, 48])
    }

    /// Many programs write 0 for the bits per pixel of the directory.
    @Test func `the bits per pixel of an icon image are those of its own header`() throws {
        var deep = Self.icon(16, 0xFF00_FF00)
        deep.bitCount = 0
        let icon = BMPFile.icon([Self.icon(16, 0xFF0000, bitCount: 24), deep])
        #expect(Array(try decode(icon).pixels.pixel(5, 5).prefix(3)) == [0, 255, 0])
    }

    @Test func `a mask hides pixels of an icon image without alpha`() throws {
        let masked = try decode(BMPFile.icon([Self.icon(16, 0x10_2030, bitCount: 24)])).pixels
        #expect(masked.pixel(0, 0) == [0, 0, 0, 0])
        #expect(masked.pixel(1, 0) == [16, 32, 48, 255])
        let noAlpha = try decode(BMPFile.icon([Self.icon(16, 0x10_2030)])).pixels
        #expect(noAlpha.pixel(0, 0) == [0, 0, 0, 0])
        #expect(noAlpha.pixel(1, 0) == [16, 32, 48, 255])
        let alpha = try decode(BMPFile.icon([Self.icon(16, 0x8000_00FF)])).pixels
        #expect(alpha.pixel(0, 0) == [0, 0, 128, 128])
    }

    @Test(arguments: [(32, true), (24, false)])
    func `only an icon image of 32 bits is complete without its mask`(bitCount: Int, isComplete: Bool) throws {
        let whole = Self.icon(16, 0xFF10_2030, bitCount: bitCount)
        #expect(try !decode(BMPFile.icon([whole])).isTruncated)
        let short = (width: 16, height: 16, bitCount: bitCount, bytes: Array(whole.bytes.dropLast(1)))
        let image = try decode(BMPFile.icon([short]))
        #expect(image.isTruncated == !isComplete)
        #expect(Array(image.pixels.pixel(0, 0).prefix(3)) == [16, 32, 48], "nothing is hidden")
    }

    /// Each damaged image of a file would take the time of the largest one that is allowed.
    @Test(arguments: [(4096 + 576, 16), (4096 + 575, 64), (4096, 64)])
    func `the images that are tried together have no more pixels than one image may have`(
        limit: Int, side: Int
    ) throws {
        func cut(_ side: Int) -> (width: Int, height: Int, bitCount: Int, bytes: [UInt8]) {
            var icon = Self.icon(side, 0xFFFF_0000)
            icon.bytes = Array(icon.bytes.prefix(40 + side * side * 2))
            return icon
        }
        let icon = BMPFile.icon([cut(64), Self.icon(16, 0xFF00_FF00), cut(24)])
        var limits = DecodeLimits()
        limits.maxPixelCount = limit
        let image = try decode(icon, limits: limits)
        #expect(image.pixels.size == PixelSize(width: side, height: side))
        #expect(image.isTruncated == (side == 64))
    }

    @Test func `an icon image stored as PNG is decoded by the PNG decoder`() throws {
        let icon = BMPFile.icon([(48, 32, 32, GoldenImage.rgbaPNG), Self.icon(16, 0xFFFF_0000)])
        #expect(try ImageHeader.read(icon).size == GoldenImage.size)
        let png = try decode(GoldenImage.rgbaPNG).pixels
        #expect(try decode(icon).pixels.withUnsafeBytes { Array($0) } == png.withUnsafeBytes { Array($0) })
        let request = DecodeRequest(header: try ImageHeader.read(icon))
        #expect(try ICODecoder([]).decode(icon, request).pixels.size == PixelSize(width: 16, height: 16))
    }

    /// A decoder process must not return more pixels than the size of the image.
    @Test func `a PNG of another aspect ratio than the largest image of an icon gets its aspect ratio`() throws {
        let images = try [(32, 64), (40, 40)].map { width, height in
            let png = try PixelBuffer.quarters(width: width, height: height).encoded(as: .png)
            return (width: width, height: height, bitCount: 32, bytes: png)
        }
        let image = try decode(BMPFile.icon(images), .longestSide(40))
        #expect(image.size == PixelSize(width: 32, height: 64))
        #expect(image.pixels.size == PixelSize(width: 20, height: 40))
    }

    // MARK: Damage and limits

    private static let samples = [
        file(4).bytes, file(32) { ($0.compression, $0.masks) = (3, [0xFF0000, 0xFF00, 0xFF]) }.bytes,
        BMPFile.icon([icon(16, 0x10_2030, bitCount: 24)]), BMPFile.icon([(48, 32, 32, GoldenImage.rgbaPNG)]),
    ]

    /// Truncated files used to fail. Browsers show them as far as they go.
    @Test(arguments: samples)
    func `a file truncated at any byte is decoded as far as it goes`(bytes: [UInt8]) throws {
        let complete = try decode(bytes)
        var visibleCounts: [Int] = []
        // The last chunks of a PNG have no pixels.
        for count in 30..<(bytes.count - 20) {
            do throws(ImageError) {
                let image = try decode(Array(bytes[..<count]))
                #expect(image.isTruncated)
                #expect(image.pixels.size == complete.pixels.size)
                let places = (0..<image.size.pixelCount).map { ($0 % image.size.width, $0 / image.size.width) }
                visibleCounts.append(places.filter { image.pixels.pixel($0.0, $0.1).last != 0 }.count)
            } catch {
                #expect(error.code == .corrupt)
                #expect(visibleCounts.isEmpty)
            }
        }
        #expect(Set(visibleCounts).count > 1)
    }

    @Test(arguments: samples)
    func `a damaged file is decoded within the limits or refused`(bytes: [UInt8]) {
        var limits = DecodeLimits()
        limits.maxPixelCount = 10_000
        for seed in 0..<1000 {
            var random = SeededGenerator(seed: UInt64(seed))
            var damaged = bytes
            for _ in 0..<Int.random(in: 1...5, using: &random) {
                damaged[Int.random(in: 0..<min(90, damaged.count), using: &random)] = .random(
                    in: 0...255, using: &random)
            }
            guard let image = try? decode(damaged, limits: limits) else { continue }
            #expect(image.pixels.size.pixelCount <= 10_000)
        }
    }

    @Test func `the size of an image is checked before its pixels are allocated`() {
        for (width, height) in [
            (0x7FFF_FFFF, 1), (1, 0x7FFF_FFFF), (0x7FFF_FFFF, 0x7FFF_FFFF), (0, 1), (20_000, 20_000),
        ] {
            var file = BMPFile(width: width, height: height)
            (file.bitCount, file.compression, file.compressedRows) = (8, 1, [0, 1])
            let codes: [ImageError.Code] = [.tooManyPixels, .corrupt]
            for bytes in [file.bytes, BMPFile.icon([(16, 16, 8, file.iconImage)])] {
                #expect { try decode(bytes) } throws: { codes.contains(($0 as? ImageError)?.code ?? .cancelled) }
            }
        }
    }

    @Test(arguments: samples)
    func `the decoder process returns the same image`(bytes: [UInt8]) throws {
        let request = DecodeRequest(header: try ImageHeader.read(bytes), target: .longestSide(11))
        let (own, isolated) = (try decode(bytes, .longestSide(11)), try IsolatedDecoder().decode(bytes, request))
        #expect(own.size == isolated.size)
        #expect(own.pixels.withUnsafeBytes { Array($0) } == isolated.pixels.withUnsafeBytes { Array($0) })
    }
}
