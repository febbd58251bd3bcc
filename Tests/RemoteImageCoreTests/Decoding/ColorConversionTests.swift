import Glibc
import RemoteImage
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore
@testable import RemoteImageDecoders

/// Compares the conversion of embedded profiles, which needs Little CMS, with the arithmetic of
/// their colour spaces.
@Suite(.enabled(if: ColorConversion.isAvailable))
struct ColorConversionTests {
    private let decoders: [any ImageDecoder] = .standard(isolation: .none)

    private func decode(_ bytes: [UInt8], _ target: TargetSize? = nil) throws -> PixelBuffer {
        try decoders.decode(bytes, DecodeRequest(header: try ImageHeader.read(bytes), target: target)).pixels
    }

    private func frames(_ bytes: [UInt8]) async throws -> [PixelBuffer] {
        let header = try ImageHeader.read(bytes)
        let decoder = WebPDecoder()
        let animation = try #require(
            ImageAnimation(
                bytes, header.format, size: header.size, decoder: OrientedDecoder(decoder), limits: DecodeLimits()))
        let player = AnimationPlayer(animation)
        var frames: [PixelBuffer] = []
        for _ in 0..<animation.frameCount { frames.append(try #require(await player.next()).pixels) }
        return frames
    }

    /// The largest difference to the profile's arithmetic on the image without a profile.
    private func difference(_ converted: PixelBuffer, _ plain: PixelBuffer, _ profile: ICCProfile) -> Double {
        var worst = 0.0
        for y in 0..<plain.size.height {
            for x in 0..<plain.size.width {
                let expected = profile.inSRGB(Array(plain.pixel(x, y)[..<3]))
                for (found, wanted) in zip(converted.pixel(x, y), expected) {
                    worst = max(worst, abs(Double(found) - wanted))
                }
            }
        }
        return worst
    }

    @Test(arguments: [ICCProfile.displayP3, .adobeRGB])
    func `a JPEG with a profile other than sRGB is converted`(profile: ICCProfile) throws {
        let plain = try decode(GoldenImage.jpeg)
        let converted = try decode(profile.insert(intoJPEG: GoldenImage.jpeg))
        #expect(difference(converted, plain, profile) <= 2)
        #expect(difference(plain, plain, profile) > 8, "it makes a difference")
        let reduced = try decode(profile.insert(intoJPEG: GoldenImage.jpeg), .longestSide(24))
        #expect(difference(reduced, try decode(GoldenImage.jpeg, .longestSide(24)), profile) <= 2)
    }

    @Test func `every level of linear gray is converted to sRGB`() throws {
        let linear = try #require(
            CalibratedColors(gamma: 1, chromaticities: [Double](repeating: 0, count: 8), isGray: true))
        let conversion = try #require(ColorConversion.from(linear.profile))
        var pixels = (0...255).flatMap { [UInt8](repeating: UInt8($0), count: 3) }
        pixels.withUnsafeMutableBytes { memory in
            guard let base = memory.baseAddress else { return }
            conversion.apply(to: base, size: PixelSize(width: 256, height: 1), channels: 3, stride: 256 * 3)
        }
        for level in 0...255 {
            let light = Double(level) / 255
            let expected = light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
            #expect(abs(Double(pixels[level * 3]) - expected * 255) <= 1, "\(level)")
        }
    }

    @Test(arguments: [ICCProfile.displayP3, .adobeRGB])
    func `a PNG with a profile other than sRGB is converted`(profile: ICCProfile) throws {
        for png in [GoldenImage.rgbPNG, GoldenImage.palettePNG] {
            #expect(difference(try decode(profile.insert(intoPNG: png)), try decode(png), profile) <= 2)
        }
    }

    @Test(.enabled(if: WebPDecoder().formats.contains(.webp)))
    func `a WebP with a profile other than sRGB is converted`() throws {
        let (profile, size) = (ICCProfile.displayP3, GoldenImage.size)
        for webP in [GoldenImage.lossyWebP, GoldenImage.losslessWebP] {
            let converted = try decode(WebPFile.insert(profile, into: webP, size: size))
            #expect(difference(converted, try decode(webP), profile) <= 2)
        }
    }

    @Test(.enabled(if: WebPDecoder().formats.contains(.webp)))
    func `each frame of an animated WebP is converted`() async throws {
        let profile = ICCProfile.adobeRGB
        for webP in [GoldenImage.losslessWebP, GoldenImage.alphaWebP] {
            let animated = WebPFile.animation(of: webP, size: GoldenImage.size)
            let plain = try await frames(animated)
            let converted = try await frames(WebPFile.insert(profile, into: animated, size: GoldenImage.size))
            #expect(converted.count == 2)
            for (converted, plain) in zip(converted, plain) where plain.format == .rgb8 {
                #expect(difference(converted, plain, profile) <= 2)
            }
            let still = try decode(WebPFile.insert(profile, into: webP, size: GoldenImage.size))
            #expect(converted[1].withUnsafeBytes { Array($0) } == still.withUnsafeBytes { Array($0) })
        }
    }

    /// The content of a chunk is padded to an even length (RFC 9649 section 2.3).
    @Test(.enabled(if: WebPDecoder().formats.contains(.webp)))
    func `the profile of an animated WebP may have an odd length`() async throws {
        let profile = ICCProfile.displayP3
        let animated = WebPFile.animation(of: GoldenImage.losslessWebP, size: GoldenImage.size)
        var bytes = profile.bytes
        if bytes.count % 2 == 0 { bytes.append(0) }
        let plain = try await frames(animated)
        let converted = try await frames(WebPFile.insert(bytes, into: animated, size: GoldenImage.size))
        #expect(converted.count == 2)
        for (converted, plain) in zip(converted, plain) { #expect(difference(converted, plain, profile) <= 2) }
    }

    @Test func `a gray profile converts gray images and is ignored in colour images`() throws {
        let profile = ICCProfile.gray
        for (plain, converted) in [
            (GoldenImage.grayPNG, profile.insert(intoPNG: GoldenImage.grayPNG)),
            (GoldenImage.grayJPEG, profile.insert(intoJPEG: GoldenImage.grayJPEG)),
        ] {
            let (plain, converted) = (try decode(plain), try decode(converted))
            #expect(difference(converted, plain, profile) <= 2)
            #expect(difference(plain, plain, profile) > 8, "it makes a difference")
        }
        let colours = try decode(GoldenImage.jpeg).withUnsafeBytes { Array($0) }
        let left = try decode(profile.insert(intoJPEG: GoldenImage.jpeg))
        #expect(zip(colours, left.withUnsafeBytes { Array($0) }).allSatisfy { abs(Int($0) - Int($1)) <= 2 })
    }

    @Test func `colours are converted before premultiplication`() throws {
        let profile = ICCProfile.displayP3
        let plain = try decode(GoldenImage.rgbPNG)
        let converted = try decode(profile.insert(intoPNG: GoldenImage.rgbaPNG))
        #expect(converted.format == .rgba8Premultiplied)
        for (x, y) in [(0, 0), (10, 20), (30, 5), (47, 31)] {
            let alpha = 255 - 4 * x
            #expect(Int(converted.pixel(x, y)[3]) == alpha)
            for (found, straight) in zip(converted.pixel(x, y), profile.inSRGB(plain.pixel(x, y))) {
                #expect(abs(Double(found) - straight * Double(alpha) / 255) <= 2)
            }
        }
    }

    @Test func `sRGB and invalid profiles change nothing`() throws {
        let plain = try decode(GoldenImage.rgbPNG).withUnsafeBytes { Array($0) }
        #expect(ColorConversion.from(ICCProfile.sRGB.bytes) == nil)
        #expect(
            try decode(ICCProfile.sRGB.insert(intoPNG: GoldenImage.rgbPNG)).withUnsafeBytes { Array($0) } == plain)
        #expect(ColorConversion.from([]) == nil)
        #expect(ColorConversion.from([UInt8](repeating: 7, count: 500)) == nil)
        #expect(ColorConversion.from([UInt8](repeating: 0, count: 2 << 20)) == nil)
    }

    @Test func `damaged profiles are applied or ignored without a crash`() throws {
        var random = SeededGenerator(seed: 6)
        let whole = ICCProfile.adobeRGB.bytes
        var pixels = [UInt8](repeating: 100, count: 12)
        for _ in 0..<2000 {
            var damaged = whole
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                damaged[Int.random(in: 0..<damaged.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            pixels.withUnsafeMutableBytes { memory in
                guard let base = memory.baseAddress else { return }
                ColorConversion.from(damaged)?
                    .apply(to: base, size: PixelSize(width: 2, height: 2), channels: 3, stride: 6)
            }
        }
        for count in 0..<whole.count { _ = ColorConversion.from(Array(whole[..<count])) }
    }
}
