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

    /// Pixels with padded rows, scaled down or placed on a canvas.
    private func packed(
        _ bytes: [UInt8], _ width: Int, _ height: Int, channels: Int, stride: Int,
        _ pack: (DecodedPixels) -> PixelBuffer
    ) -> PixelBuffer? {
        bytes.withUnsafeBufferPointer { memory in
            memory.baseAddress.map {
                pack(DecodedPixels($0, PixelSize(width: width, height: height), channels: channels, stride: stride))
            }
        }
    }

    @Test func `padded rows are averaged to a size that is never larger and never empty`() throws {
        // Fourth bytes of 0 must not be taken for alpha.
        let rgb: [UInt8] = [10, 20, 0, 30, 40, 0, 99, 99, 50, 60, 0, 70, 80, 0, 99, 99, 90, 100, 0, 110, 120, 0]
        for (wanted, expected, bytes) in [
            (PixelSize(width: 1, height: 9), PixelSize(width: 1, height: 3), [20, 30, 0, 60, 70, 0, 100, 110, 0]),
            (PixelSize(width: 9, height: 0), PixelSize(width: 2, height: 1), [50, 60, 0, 70, 80, 0]),
            (PixelSize(width: 0, height: 1), PixelSize(width: 1, height: 1), [60, 70, 0]),
            (
                PixelSize(width: 2, height: 3), PixelSize(width: 2, height: 3),
                [10, 20, 0, 30, 40, 0, 50, 60, 0, 70, 80, 0, 90, 100, 0, 110, 120, 0]
            ),
        ] as [(PixelSize, PixelSize, [UInt8])] {
            let found = try #require(packed(rgb, 2, 3, channels: 3, stride: 8) { $0.packed(scaledDownTo: wanted) })
            #expect(found.format == .rgb8)
            #expect(found.size == expected)
            #expect(found.bytes == bytes)
        }
        var rgba: [UInt8] = [10, 20, 30, 255, 50, 60, 70, 255, 99, 99, 99, 0, 90, 100, 110, 255, 130, 140, 150, 255]
        let half = PixelSize(width: 1, height: 2)
        let opaque = try #require(packed(rgba, 2, 2, channels: 4, stride: 12) { $0.packed(scaledDownTo: half) })
        #expect(opaque.format == .rgb8)
        #expect(opaque.bytes == [30, 40, 50, 110, 120, 130])
        rgba[19] = 0
        let clear = try #require(packed(rgba, 2, 2, channels: 4, stride: 12) { $0.packed(scaledDownTo: half) })
        #expect(clear.format == .rgba8Premultiplied)
        #expect(clear.bytes == [30, 40, 50, 255, 45, 50, 55, 128])
    }

    @Test func `a frame is placed on its canvas and clipped at its edges`() throws {
        let rgb: [UInt8] = [1, 2, 3, 4, 5, 6, 99, 7, 8, 9, 10, 11, 12]
        let canvas = PixelSize(width: 3, height: 4)
        let whole = try #require(
            packed(rgb, 2, 2, channels: 3, stride: 7) {
                PixelBuffer(placing: $0, atX: 1, y: 1, on: canvas, scaledDownTo: nil)
            })
        let rows: [[UInt8]] = [
            [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 1, 2, 3, 255, 4, 5, 6, 255],
            [0, 0, 0, 0, 7, 8, 9, 255, 10, 11, 12, 255], [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        ]
        #expect(whole.format == .rgba8Premultiplied)
        #expect(whole.bytes == rows.flatMap { $0 })
        let clipped = try #require(
            packed(rgb, 2, 2, channels: 3, stride: 7) {
                PixelBuffer(placing: $0, atX: 2, y: 3, on: canvas, scaledDownTo: nil)
            })
        let corner: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 255]
        #expect(clipped.bytes == [UInt8](repeating: 0, count: 36) + corner)
        let rgba: [UInt8] = [100, 50, 0, 128, 9, 9, 9, 255]
        let blended = try #require(
            packed(rgba, 2, 1, channels: 4, stride: 8) {
                PixelBuffer(placing: $0, on: PixelSize(width: 1, height: 2), scaledDownTo: nil)
            })
        #expect(blended.bytes == [50, 25, 0, 128, 0, 0, 0, 0])
        let reduced = try #require(
            packed(rgb, 2, 2, channels: 3, stride: 7) {
                PixelBuffer(
                    placing: $0, on: PixelSize(width: 2, height: 4), scaledDownTo: PixelSize(width: 1, height: 2))
            })
        #expect(reduced.bytes == [6, 7, 8, 255, 0, 0, 0, 0])
    }

    @Test func `an image is opaque if each of its pixels is`() {
        for count in 0...9 {
            var pixels = [UInt8](repeating: 255, count: max(1, count) * 4)
            #expect(PixelBuffer.isOpaque(pixels, count))
            for index in 0..<count * 4 {
                pixels[index] = 254
                #expect(PixelBuffer.isOpaque(pixels, count) == (index % 4 != 3), "\(index) of \(count) pixels")
                pixels[index] = 255
            }
        }
    }

    @Test func `a pixel buffer takes memory of exactly its length`() {
        func isTaken(_ width: Int, _ height: Int, _ format: PixelFormat, _ byteCount: Int) -> Bool {
            let memory = UnsafeRawBufferPointer(
                UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount, alignment: 16))
            defer { memory.deallocate() }
            let size = PixelSize(width: width, height: height)
            return PixelBuffer(size: size, format: format, memory: memory) { _ in } != nil
        }
        for (format, count) in [(PixelFormat.rgb8, 18), (.rgba8Premultiplied, 24)] {
            for difference in -1...1 { #expect(isTaken(2, 3, format, count + difference) == (difference == 0)) }
        }
        #expect(!isTaken(0, 3, .rgb8, 0))
        #expect(!isTaken(3, 0, .rgb8, 0))
        #expect(!isTaken(.max, 2, .rgb8, 6))
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
