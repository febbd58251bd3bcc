import RemoteImageCore
import RemoteImageTestSupport
import Testing

@Suite struct AreaAverageTests {
    /// The sizes need weights of 8 bits and of 16, keep a side, and reduce the image to one pixel.
    @Test(arguments: [
        (PixelSize(width: 64, height: 48), PixelSize(width: 32, height: 24)),
        (PixelSize(width: 80, height: 60), PixelSize(width: 32, height: 24)),
        (PixelSize(width: 47, height: 31), PixelSize(width: 46, height: 30)),
        (PixelSize(width: 33, height: 70), PixelSize(width: 33, height: 3)),
        (PixelSize(width: 301, height: 7), PixelSize(width: 1, height: 1)),
    ])
    func `each new pixel is the rounded average of its area`(from old: PixelSize, to new: PixelSize) {
        for format in [PixelFormat.rgb8, .rgba8Premultiplied] {
            let pixels = noise(old, format)
            let small = pixels.scaledDown(to: new)
            var worst = 0.0
            for y in 0..<new.height {
                for x in 0..<new.width {
                    let expected = average(pixels, x, y, of: new)
                    for (found, wanted) in zip(small.pixel(x, y), expected) {
                        worst = max(worst, abs(Double(found) - wanted))
                    }
                }
            }
            #expect(worst < 0.52)
        }
    }

    /// The average of the old pixels below a new pixel, weighted by their covered area.
    private func average(_ pixels: PixelBuffer, _ x: Int, _ y: Int, of size: PixelSize) -> [Double] {
        func parts(_ index: Int, _ old: Int, _ new: Int) -> [(Int, Double)] {
            let (start, end) = (Double(index * old) / Double(new), Double((index + 1) * old) / Double(new))
            return (0..<old).map { ($0, max(0, min(end, Double($0 + 1)) - max(start, Double($0))) / (end - start)) }
                .filter { $0.1 > 0 }
        }
        let columns = parts(x, pixels.size.width, size.width)
        var sums = [Double](repeating: 0, count: pixels.format.bytesPerPixel)
        for (row, share) in parts(y, pixels.size.height, size.height) {
            for (column, part) in columns {
                for (channel, value) in pixels.pixel(column, row).enumerated() {
                    sums[channel] += Double(value) * share * part
                }
            }
        }
        return sums
    }

    private func noise(_ size: PixelSize, _ format: PixelFormat) -> PixelBuffer {
        var random = SeededGenerator(seed: 5)
        return PixelBuffer(size: size, format: format) { memory in
            for index in memory.indices { memory[index] = UInt8.random(in: 0...255, using: &random) }
        }
    }
}
