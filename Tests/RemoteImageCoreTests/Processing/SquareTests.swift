import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

struct SquareTests {
    /// An opaque image whose left half is 10 and whose right half is 200.
    private func image(_ width: Int, _ height: Int) -> PixelBuffer {
        PixelBuffer(size: PixelSize(width: width, height: height), format: .rgb8) { memory in
            for index in memory.indices { memory[index] = index / 3 % width < width / 2 ? 10 : 200 }
        }
    }

    private func pixel(_ x: Int, _ y: Int, of image: PixelBuffer) -> [UInt8] {
        image.withUnsafeBytes { bytes in
            let start = y * image.stride + x * image.format.bytesPerPixel
            return Array(bytes[start..<(start + image.format.bytesPerPixel)])
        }
    }

    @Test(arguments: [
        (400, 100, 256, 100), (100, 400, 256, 100), (600, 501, 256, 256), (3, 1000, 256, 3), (1, 1, 512, 1),
        (512, 512, 512, 512),
    ])
    func `a covering square has at most the shorter side`(
        _ width: Int, _ height: Int, _ side: Int, _ result: Int
    ) throws {
        let square = try image(width, height).square(side: side, fit: .cover)
        #expect(square.size == PixelSize(width: result, height: result))
        #expect(square.format == .rgb8)
    }

    @Test func `a covering square has the middle of the image`() throws {
        let square = try image(400, 100).square(side: 50, fit: .cover)
        #expect(pixel(0, 0, of: square) == [10, 10, 10])
        #expect(pixel(49, 49, of: square) == [200, 200, 200])
    }

    @Test func `a containing square has transparent borders`() throws {
        let square = try image(400, 100).square(side: 200, fit: .contain)
        #expect(square.size == PixelSize(width: 200, height: 200))
        #expect(pixel(0, 74, of: square) == [0, 0, 0, 0])
        #expect(pixel(0, 75, of: square) == [10, 10, 10, 255])
        #expect(pixel(199, 124, of: square) == [200, 200, 200, 255])
        #expect(pixel(199, 125, of: square) == [0, 0, 0, 0])
    }

    /// The surplus row and column are at the bottom and at the right.
    @Test(arguments: [(5, 2), (2, 5)])
    func `an image is in the middle of its square, with its own alpha`(_ width: Int, _ height: Int) throws {
        let own = PixelBuffer(size: PixelSize(width: width, height: height), format: .rgba8Premultiplied) { memory in
            for index in memory.indices { memory[index] = UInt8(index + 1) }
        }
        let square = try own.square(side: 9, fit: .contain)
        #expect(square.size == PixelSize(width: 5, height: 5))
        let (left, top) = ((5 - width) / 2, (5 - height) / 2)
        for y in 0..<5 {
            for x in 0..<5 {
                let isInside = (left..<(left + width)).contains(x) && (top..<(top + height)).contains(y)
                let expected = isInside ? pixel(x - left, y - top, of: own) : [0, 0, 0, 0]
                #expect(pixel(x, y, of: square) == expected, "\(x), \(y)")
            }
        }
    }

    @Test func `a thin image is padded to a square`() throws {
        let square = try image(1, 2000).square(side: 512, fit: .contain)
        #expect(square.size == PixelSize(width: 512, height: 512))
        #expect(pixel(255, 0, of: square)[3] == 255)
        #expect(pixel(254, 0, of: square)[3] == 0)
    }

    @Test func `a stretched square has no borders`() throws {
        let square = try image(40, 10).square(side: 256, fit: .fill)
        #expect(square.size == PixelSize(width: 40, height: 40))
        #expect(square.format == .rgb8)
    }

    @Test func `a side below 1 counts as 1`() throws {
        #expect(try image(40, 10).square(side: -5, fit: .contain).size == PixelSize(width: 1, height: 1))
    }
}
