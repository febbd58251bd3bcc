import Glibc
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore
@testable import RemoteImageDecoding

/// At which quality resized images are stored.
@Suite struct ResizedImageEncodingTests {
    private typealias Tests = ResizedImageEncodingTests

    private static let size = PixelSize(width: 20, height: 10)

    private static func pixels(_ level: UInt8, _ format: PixelFormat = .rgb8) -> PixelBuffer {
        PixelBuffer(size: size, format: format) { memory in
            for index in memory.indices { memory[index] = level }
        }
    }

    /// Encodes an image as its quality, and decodes it with a difference that depends on that.
    private final class Codec: EncodingDecoder, ImageEncoder {
        let formats: Set<ImageFormat> = []
        let differences: [UInt8: UInt8]
        let attempts = Watched<[StoredEncoding]>([])

        init(_ differences: [UInt8: UInt8] = [:]) { self.differences = differences }

        var encoder: (any ImageEncoder)? { self }

        func encode(_ pixels: PixelBuffer, as encoding: StoredEncoding) throws(ImageError) -> [UInt8] {
            attempts.update { $0.append(encoding) }
            return if case .lossy(let quality) = encoding { [UInt8(quality)] } else { [0] }
        }

        func header(of bytes: [UInt8]) -> ImageHeader? { ImageHeader(format: .other, storedSize: Tests.size) }

        func decode(_ bytes: [UInt8], _ request: DecodeRequest) throws(ImageError) -> DecodedImage {
            DecodedImage(pixels: Tests.pixels(100 + (differences[bytes[0]] ?? 0)), size: Tests.size)
        }
    }

    private static func attempts(_ qualities: Int..., isLossless: Bool = false) -> [StoredEncoding] {
        qualities.map { .lossy(quality: $0) } + (isLossless ? [.lossless] : [])
    }

    /// A difference of 2 levels is 42.1 dB, one of 3 levels 38.6 dB.
    @Test(
        arguments: [
            ([90: 2, 94: 0, 96: 0, 98: 0], attempts(90), [90], false),
            ([90: 3, 94: 2, 96: 2, 98: 2], attempts(90, 94), [94], false),
            ([90: 3, 94: 3, 96: 2, 98: 2], attempts(90, 94, 96), [96], false),
            ([90: 3, 94: 3, 96: 3, 98: 2], attempts(90, 94, 96, 98), [98], false),
            ([90: 3, 94: 3, 96: 3, 98: 3], attempts(90, 94, 96, 98, isLossless: true), [0], true),
        ] as [([UInt8: UInt8], [StoredEncoding], [UInt8], Bool)])
    func `an opaque image is encoded at the lowest quality without a visible difference`(
        differences: [UInt8: UInt8], attempts: [StoredEncoding], data: [UInt8], isLossless: Bool
    ) throws {
        let codec = Codec(differences)
        let encoding = try #require(ResizedImageEncoding(DecoderRegistry([codec])))
        let encoded = try encoding.encode(Self.pixels(100))
        #expect(encoded.data == data && encoded.isLossless == isLossless)
        #expect(codec.attempts.value == attempts)
    }

    @Test func `an image with alpha is encoded without loss at once`() throws {
        let codec = Codec()
        let encoding = try #require(ResizedImageEncoding(DecoderRegistry([codec])))
        let encoded = try encoding.encode(Self.pixels(100, .rgba8Premultiplied))
        #expect(encoded.data == [0] && encoded.isLossless)
        #expect(codec.attempts.value == [.lossless])
    }

    @Test func `the first decoder with an encoder encodes, and without one there is no encoding`() throws {
        let codecs = [Codec([90: 2]), Codec([90: 2])]
        let encoding = try #require(ResizedImageEncoding(DecoderRegistry([FakeDecoder(), codecs[0], codecs[1]])))
        _ = try encoding.encode(Self.pixels(100))
        #expect(codecs.map(\.attempts.value.count) == [1, 0])
        #expect(ResizedImageEncoding(DecoderRegistry([FakeDecoder()])) == nil)
    }
}

/// The measure of the difference between two images.
@Suite struct PixelDifferenceTests {
    /// An image of one level whose samples differ by what a function gives.
    private func image(
        _ width: Int, _ height: Int, _ format: PixelFormat = .rgb8,
        _ difference: (_ index: Int, _ x: Int, _ y: Int) -> UInt8 = { _, _, _ in 0 }
    ) -> PixelBuffer {
        PixelBuffer(size: PixelSize(width: width, height: height), format: format) { memory in
            for index in memory.indices {
                let pixel = index / format.bytesPerPixel
                memory[index] = 100 + difference(index, pixel % width, pixel / width)
            }
        }
    }

    private func decibels(_ meanSquare: Double) -> Double { 10 * log10(65_025 / meanSquare) }

    /// The last tile has 4 × 2 pixels.
    @Test(arguments: [(PixelFormat.rgb8, 3.0), (.rgba8Premultiplied, 4.0)])
    func `one sample counts in the whole image and in its tile`(format: PixelFormat, channelCount: Double) {
        for place in [0, Int(20 * 18 * channelCount) - 1] {
            let difference = PixelDifference(
                image(20, 18, format), image(20, 18, format) { index, _, _ in index == place ? 40 : 0 })
            #expect(abs(difference.peakSignalToNoise - decibels(1600 / (360 * channelCount))) < 1e-9)
            let tile = place == 0 ? 256 * channelCount : 8 * channelCount
            #expect(abs(difference.worstTile - decibels(1600 / tile)) < 1e-9)
        }
    }

    @Test func `equal images have no difference, and images of other sizes or formats nothing in common`() {
        let same = PixelDifference(image(20, 18), image(20, 18))
        #expect(same.peakSignalToNoise == .infinity && same.worstTile == .infinity && same.isInvisible)
        for other in [image(18, 20), image(20, 18, .rgba8Premultiplied)] {
            let difference = PixelDifference(image(20, 18), other)
            #expect(difference.peakSignalToNoise == 0 && difference.worstTile == 0 && !difference.isInvisible)
        }
    }

    /// 2 levels are 42.1 dB; with 3 levels in each 25th sample, the difference is 41.9 dB.
    @Test func `a difference in the whole image is visible below 42 decibels`() {
        #expect(PixelDifference(image(32, 16), image(32, 16) { _, _, _ in 2 }).isInvisible)
        #expect(
            !PixelDifference(image(50, 40), image(50, 40) { index, _, _ in index % 25 == 0 ? 3 : 2 }).isInvisible)
    }

    /// In one of 100 tiles, 5 levels are 34.2 dB and 6 levels 32.6 dB.
    @Test(arguments: [(5, true), (6, false)] as [(UInt8, Bool)])
    func `a difference in one tile is visible below 33 decibels`(level: UInt8, isInvisible: Bool) {
        let difference = PixelDifference(
            image(160, 160), image(160, 160) { _, x, y in (48..<64).contains(x) && (96..<112).contains(y) ? level : 0 })
        #expect(difference.peakSignalToNoise > 50)
        #expect(difference.isInvisible == isInvisible)
    }
}
