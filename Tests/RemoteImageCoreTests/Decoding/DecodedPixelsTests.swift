import CRemoteImagePixels
import Testing

@_spi(Benchmarks) @testable import RemoteImageDecoders

/// Packing of pixel rows, with lengths around those of the vector loops.
@Suite struct DecodedPixelsTests {
    @Test func everyColourIsMultipliedByEveryAlphaExactly() {
        for alpha in 0...255 {
            let row = (0...255).flatMap { colour in
                [UInt8(colour), UInt8(255 - colour), UInt8(colour), UInt8(alpha)]
            }
            var output = [UInt8](repeating: 0, count: row.count)
            pixels_premultiply(row, &output, 256)
            #expect(output == Self.premultiplied(row))
        }
    }

    @Test(arguments: 0...40)
    func rowsOfAnyLengthArePacked(count: Int) {
        let row = Self.row(count, alpha: 255)
        var packed = [UInt8](repeating: 7, count: count * 3 + 32)
        #expect(pixels_drop_alpha(row, &packed, count))
        #expect(Array(packed.prefix(count * 3)) == Self.colours(of: row))
        // Nothing is written after the row.
        #expect(packed.dropFirst(count * 3).allSatisfy { $0 == 7 })

        let transparent = Self.row(count, alpha: nil)
        var multiplied = [UInt8](repeating: 7, count: count * 4 + 32)
        pixels_premultiply(transparent, &multiplied, count)
        #expect(Array(multiplied.prefix(count * 4)) == Self.premultiplied(transparent))
        #expect(multiplied.dropFirst(count * 4).allSatisfy { $0 == 7 })
    }

    @Test(arguments: 0..<27)
    func aSinglePixelThatIsNotOpaqueIsSeen(place: Int) {
        var row = Self.row(27, alpha: 255)
        row[place * 4 + 3] = 254
        var packed = [UInt8](repeating: 0, count: 27 * 3)
        #expect(!pixels_drop_alpha(row, &packed, 27))
        #expect(packed == Self.colours(of: row))
    }

    @Test func anImageThatIsTransparentInItsLastPixelKeepsItsAlpha() {
        let size = PixelSize(width: 13, height: 3)
        var pixels = Self.row(size.pixelCount, alpha: 255)
        #expect(PixelBuffer.packing(pixels, size: size).bytes == Self.colours(of: pixels))
        pixels[pixels.count - 1] = 128
        let buffer = PixelBuffer.packing(pixels, size: size)
        #expect(buffer.format == .rgba8Premultiplied)
        #expect(buffer.bytes == Self.premultiplied(pixels))
    }

    /// An RGB column whose rows are padded to four bytes has the layout of RGBA.
    @Test func `a column of padded RGB rows is packed`() {
        let pixels: [UInt8] = [10, 20, 30, 0, 40, 50, 60, 0, 70, 80, 90]
        pixels.withUnsafeBufferPointer { memory in
            guard let base = memory.baseAddress else { return }
            let packed = DecodedPixels(base, PixelSize(width: 1, height: 3), channels: 3, stride: 4)
                .packed(scaledDownTo: nil)
            #expect(packed.format == .rgb8)
            #expect(packed.bytes == [10, 20, 30, 40, 50, 60, 70, 80, 90])
            #expect(packed.size == PixelSize(width: 1, height: 3))
        }
    }

    // MARK: Expected pixels

    private static func row(_ count: Int, alpha: UInt8?) -> [UInt8] {
        (0..<(count * 4)).map { index in
            if index % 4 == 3, let alpha { return alpha }
            return UInt8(truncatingIfNeeded: index * 91 + index / 4 * 37)
        }
    }

    private static func colours(of row: [UInt8]) -> [UInt8] {
        row.indices.filter { $0 % 4 != 3 }.map { row[$0] }
    }

    private static func premultiplied(_ row: [UInt8]) -> [UInt8] {
        row.indices.map { index in
            let alpha = row[index | 3]
            return index % 4 == 3 ? alpha : UInt8((Double(row[index]) * Double(alpha) / 255).rounded())
        }
    }
}

extension PixelBuffer {
    fileprivate var bytes: [UInt8] { withUnsafeBytes { Array($0) } }
}
