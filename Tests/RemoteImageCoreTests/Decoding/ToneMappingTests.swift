import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore
@testable import RemoteImageDecoders

/// The expected levels are those that Chromium 156 shows of AVIF files with these pixels, on a
/// display without HDR.
@Suite struct ToneMappingTests {
    private func shown(_ color: [UInt8], transfer: Int, primaries: Int = 9, maxLight: Int? = nil) throws -> [UInt8] {
        let points = CodePoints(primaries: primaries, transfer: transfer, maxLight: maxLight)
        let conversion = try #require(points.conversion)
        var pixels = color
        pixels.withUnsafeMutableBytes { memory in
            guard let base = memory.baseAddress else { return }
            conversion.apply(to: base, size: PixelSize(width: 1, height: 1), channels: color.count, stride: color.count)
        }
        return pixels
    }

    private let levels = [64, 96, 128, 144, 148, 160, 176, 192, 208, 224, 240, 255]

    @Test(
        arguments: [
            (16, nil, [30, 70, 132, 175, 187, 213, 237, 255, 255, 255, 255, 255]),
            (16, 100, [44, 98, 181, 238, 255, 255, 255, 255, 255, 255, 255, 255]),
            (16, 400, [39, 88, 163, 214, 229, 249, 255, 255, 255, 255, 255, 255]),
            (16, 4000, [30, 70, 132, 175, 187, 202, 214, 226, 238, 250, 255, 255]),
            (18, nil, [43, 71, 99, 115, 120, 135, 160, 189, 212, 228, 243, 255]),
            (18, 400, [55, 89, 123, 142, 148, 166, 196, 231, 248, 255, 255, 255]),
        ] as [(Int, Int?, [Int])])
    func `grays up to the brightest light stay apart`(transfer: Int, maxLight: Int?, expected: [Int]) throws {
        for (level, expected) in zip(levels, expected) {
            let found = try shown([UInt8](repeating: UInt8(level), count: 3), transfer: transfer, maxLight: maxLight)
            #expect(found.allSatisfy { abs(Int($0) - expected) <= 2 }, "\(level) became \(found), not \(expected)")
        }
    }

    @Test(
        arguments: [
            (16, 9, [92, 126, 129], [0, 133, 136]), (16, 9, [104, 112, 166], [5, 85, 233]),
            (16, 12, [83, 99, 148], [44, 76, 194]), (16, 1, [92, 126, 129], [64, 127, 135]),
            (18, 9, [104, 112, 166], [70, 86, 137]), (18, 9, [83, 99, 148], [46, 75, 115]),
        ] as [(Int, Int, [UInt8], [Int])])
    func `colors keep their hue`(transfer: Int, primaries: Int, color: [UInt8], expected: [Int]) throws {
        let found = try shown(color, transfer: transfer, primaries: primaries)
        #expect(zip(found, expected).allSatisfy { abs(Int($0) - $1) <= 3 }, "\(found)")
        #expect(try shown(color + [77], transfer: transfer, primaries: primaries) == found + [77])
    }

    @Test(arguments: [1, 4, 5, 6, 8, 9, 10, 11, 12, 22])
    func `every color is converted`(primaries: Int) throws {
        for transfer in [16, 18] {
            for maxLight in [nil, 1, 203, 204, 10_000, 65_535] {
                let points = CodePoints(primaries: primaries, transfer: transfer, maxLight: maxLight)
                let conversion = try #require(points.conversion)
                var pixels: [UInt8] = []
                for level in UInt8.min...UInt8.max {
                    pixels += [level, 255 - level, level ^ 0x55, level, 0, 0, 0, 0, level]
                }
                pixels.withUnsafeMutableBytes { memory in
                    guard let base = memory.baseAddress else { return }
                    conversion.apply(to: base, size: PixelSize(width: 768, height: 1), channels: 3, stride: 2304)
                }
                #expect(pixels.contains(0) && pixels.contains { $0 > 192 })
            }
        }
    }

    @Test(arguments: [3, 4])
    func `every row is converted, and the bytes between the rows stay`(channels: Int) throws {
        let points = CodePoints(primaries: 9, transfer: 16)
        let conversion = try #require(points.conversion)
        let (width, height, stride) = (2, 3, 2 * channels + 5)
        let old = (0..<(stride * height)).map { UInt8(90 + 7 * $0 % 150) }
        var pixels = old
        pixels.withUnsafeMutableBytes { memory in
            guard let base = memory.baseAddress else { return }
            conversion.apply(
                to: base, size: PixelSize(width: width, height: height), channels: channels, stride: stride)
        }
        for y in 0..<height {
            for x in 0..<width {
                let place = y * stride + x * channels
                let color = Array(old[place..<(place + channels)])
                #expect(try shown(color, transfer: 16) == Array(pixels[place..<(place + channels)]), "\(x), \(y)")
            }
            let gap = (y * stride + width * channels)..<((y + 1) * stride)
            #expect(pixels[gap] == old[gap])
        }
    }

    /// A peak of diffuse white changes nothing but the primaries.
    @Test func `diffuse white is white if it is the brightest light, and gray below otherwise`() throws {
        // PQ has 203 cd/m² at 58.07 % of the signal.
        for (maxLight, expected) in [(203, 255), (100, 255), (1000, 188)] {
            let white = try shown([148, 148, 148], transfer: 16, maxLight: maxLight)
            #expect(white.allSatisfy { abs(Int($0) - expected) <= 1 }, "\(maxLight): \(white)")
        }
    }

    @Test func `unsupported primaries are not converted`() {
        #expect(CodePoints(primaries: 200, transfer: 16).conversion == nil)
    }
}
