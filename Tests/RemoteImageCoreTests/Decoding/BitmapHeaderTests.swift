import RemoteImageTestSupport
import Testing

@testable import RemoteImageDecoding

/// The headers of BMP and ICO files.
@Suite struct BitmapHeaderTests {
    private func bitmap(_ fields: [(value: Int, byteCount: Int)]) -> [UInt8] {
        Array("BM".utf8) + [UInt8](repeating: 0, count: 12)
            + fields.flatMap { $0.value.littleEndianBytes($0.byteCount) }
            + [UInt8](repeating: 0, count: 8)
    }

    @Test func `a BMP file has a header of Windows or OS2`() {
        let lengths = (0...130).filter { ImageFormat.sniff(bitmap([($0, 4)])) == .bmp }
        #expect(lengths == [12, 16, 20, 24, 28, 32, 36, 40, 42, 44, 46, 48, 52, 56, 60, 64, 108, 124])
        #expect((0...130).filter(BMPHeader.isWindows) == [12, 40, 52, 56, 108, 124])
    }

    @Test func `a BMP file has sides of 16 bits, or of 32 bits with a sign for the order of rows`() throws {
        func size(_ fields: [(value: Int, byteCount: Int)]) -> PixelSize? {
            try? ImageHeader.read(bitmap(fields)).storedSize
        }
        #expect(size([(12, 4), (0xFFFE, 2), (3, 2), (9, 4)]) == PixelSize(width: 0xFFFE, height: 3))
        #expect(size([(40, 4), (70_000, 4), (3, 4)]) == PixelSize(width: 70_000, height: 3))
        #expect(size([(40, 4), (3, 4), (-70_000, 4)]) == PixelSize(width: 3, height: 70_000))
        #expect(size([(40, 4), (-3, 4), (5, 4)]) == nil)
        #expect(size([(40, 4), (3, 4), (0, 4)]) == nil)
        for (height, isTopDown) in [(5, false), (-5, true)] {
            let found = bitmap([(40, 4), (7, 4), (height, 4)]).withReader { BMPHeader.size($0, at: 14) }
            #expect(found?.size == PixelSize(width: 7, height: 5))
            #expect(found?.isTopDown == isTopDown)
        }
    }

    private func image(_ width: Int, _ height: Int, _ bitCount: Int, headerLength: Int = 40) -> [UInt8] {
        var file = BMPFile(width: width, height: height)
        (file.bitCount, file.headerLength) = (bitCount, headerLength)
        return file.iconImage
    }

    private func entries(_ file: [UInt8]) -> [String]? {
        file.withReader { ICOHeader.entries($0) }?.map { "\($0.size), \($0.bitCount), \($0.isPNG), \($0.range)" }
    }

    @Test func `the images of an icon have their own sizes and extend to the next image`() throws {
        let png = PNGFile(width: 300, height: 7).head
        let images = [image(13, 5, 24), png, image(20, 9, 32, headerLength: 12)]
        let file = BMPFile.icon(images.map { (width: 1, height: 2, bitCount: 9, bytes: $0) })
        let first = 6 + 3 * 16
        let second = first + images[0].count
        let third = second + png.count
        let expected = [
            "13 × 5, 24, false, \(first..<second)", "300 × 7, 32, true, \(second..<third)",
            "20 × 9, 32, false, \(third..<file.count)",
        ]
        #expect(entries(file) == expected)
        #expect(try ImageHeader.read(file).storedSize == PixelSize(width: 300, height: 7))
        #expect(entries(Array(file.prefix(third + 24)))?.count == 3)
        #expect(entries(Array(file.prefix(third + 23))) == Array(expected.prefix(2)))
        #expect(entries(Array(file.prefix(6 + 2 * 16 + 15))) == nil, "an incomplete directory")
        #expect(entries(Array(file.prefix(6 + 2 * 16 + 16)))?.isEmpty == true)
        // The order in the file may be another one than in the directory.
        var swapped = file
        swapped.replaceSubrange(18..<22, with: file[34..<38])
        swapped.replaceSubrange(34..<38, with: file[18..<22])
        #expect(entries(swapped) == [expected[1], expected[0], expected[2]])
    }

    @Test func `an icon has 1 to 256 images, of which one begins behind the directory`() {
        func isIcon(_ count: Int, offset: Int, kind: UInt8 = 1) -> Bool {
            var file = [0, 0, kind, 0] + count.littleEndianBytes(2)
            for _ in 0..<count { file += [UInt8](repeating: 0, count: 12) + offset.littleEndianBytes(4) }
            return ImageFormat.sniff(file) == .ico
        }
        for (count, isFine) in [(0, false), (1, true), (256, true), (257, false)] {
            #expect(isIcon(count, offset: 6 + count * 16) == isFine)
        }
        #expect(!isIcon(2, offset: 37))
        #expect(isIcon(2, offset: 38, kind: 2))
        #expect(!isIcon(2, offset: 38, kind: 3))
    }
}
