import CRemoteImageCodecs
import RemoteImage
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

@Suite(.enabled(if: !WebPDecoder().formats.isEmpty, "libwebp is not installed"))
struct WebPDecoderTests {
    private let size = PixelSize(width: 16, height: 8)

    private func decode(
        _ bytes: [UInt8], target: TargetSize? = nil, with decoder: any ImageDecoder = WebPDecoder()
    ) throws(ImageError) -> DecodedImage {
        let request = DecodeRequest(header: try ImageHeader.read(bytes), target: target)
        return try OrientedDecoder(decoder).decode(bytes, request)
    }

    private func pixels(_ image: DecodedImage) -> [UInt8] { image.pixels.withUnsafeBytes { Array($0) } }

    // MARK: Still images

    @Test(arguments: [SampleImage.losslessWebP, SampleImage.lossyWebP])
    func `an opaque image is decoded at full and at reduced size`(bytes: [UInt8]) throws {
        let image = try decode(bytes)
        #expect(image.size == size)
        #expect(image.pixels.format == .rgb8)
        #expect(image.pixels.quarters == [.red, .green, .blue, .white])
        let reduced = try decode(bytes, target: .longestSide(8))
        #expect(reduced.pixels.size == PixelSize(width: 8, height: 4))
        #expect(reduced.pixels.quarters == [.red, .green, .blue, .white])
    }

    @Test func `transparent pixels are premultiplied, and the orientation is applied`() throws {
        #expect(try decode(SampleImage.alphaWebP).pixels.pixel(2, 2) == [128, 0, 0, 128])
        let oriented = try decode(SampleImage.orientedWebP)
        #expect(oriented.size == size.transposed)
        #expect(oriented.pixels.quarters == [.blue, .red, .white, .green])
    }

    @Test func `the standard decoders decode WebP with libwebp before GdkPixbuf`() {
        let decoders: [any ImageDecoder] = .standard(isolation: .none)
        #expect(decoders.first { $0.formats.contains(.webp) } is WebPDecoder)
    }

    // MARK: Animations

    @Test(arguments: [WebPDecoder(), PixbufDecoder()] as [any ImageDecoder])
    func `the first frame of an animation is decoded even if later frames are damaged`(
        decoder: any ImageDecoder
    ) throws {
        guard decoder.formats.contains(.webp) else { return }
        let animation = WebPFile.animation(of: SampleImage.losslessWebP, size: size)
        let image = try decode(animation, with: decoder)
        #expect(image.frameCount == 2)
        #expect(pixels(image) == pixels(try decode(SampleImage.losslessWebP)))
        var damaged = animation
        for index in (animation.count - 44)..<animation.count { damaged[index] = 0xFF }
        #expect(pixels(try decode(damaged, with: decoder)) == pixels(image))
    }

    @Test func `libwebp refuses an animation, and a failed decode clears the buffer`() {
        let animation = WebPFile.animation(of: SampleImage.losslessWebP, size: size)
        var still = WebPStill()
        #expect(!webp_read(animation, animation.count, &still))
        #expect(webp_read(SampleImage.losslessWebP, SampleImage.losslessWebP.count, &still))
        for bytes in [animation, Array(SampleImage.lossyWebP.dropLast(40))] {
            var memory = [UInt8](repeating: 0xAA, count: size.pixelCount * 4)
            #expect(webp_decode(bytes, bytes.count, true, 0, 0, &memory, memory.count, Int32(size.width * 4)) != 0)
            #expect(memory.last == 0)
        }
    }

    /// GdkPixbuf's loader holds a canvas for each frame, which took 6.7 GB for a file of 18 KB.
    @Test(arguments: [WebPDecoder(), PixbufDecoder()] as [any ImageDecoder])
    func `a frame smaller than its canvas is drawn at its position on a transparent canvas`(
        decoder: any ImageDecoder
    ) throws {
        guard decoder.formats.contains(.webp) else { return }
        let animation = WebPFile.animation(
            of: SampleImage.losslessWebP, size: size, canvas: PixelSize(width: 24, height: 20), frameCount: 50, x: 6,
            y: 10)
        let image = try decode(animation, with: decoder)
        #expect(image.size == PixelSize(width: 24, height: 20))
        #expect(image.pixels.format == .rgba8Premultiplied)
        #expect(image.pixels.pixel(6, 10) == [255, 0, 0, 255])
        #expect(image.pixels.pixel(21, 17) == [255, 255, 255, 255])
        for (x, y) in [(5, 10), (6, 9), (22, 17), (21, 18)] { #expect(image.pixels.pixel(x, y) == [0, 0, 0, 0]) }
        let reduced = try decode(animation, target: .longestSide(12), with: decoder)
        #expect(reduced.pixels.size == PixelSize(width: 12, height: 10))
        #expect(reduced.pixels.pixel(3, 5) == [255, 0, 0, 255])
    }

    @Test(arguments: [1, 2, 7])
    func `the extracted file of a first frame is a still image`(frameCount: Int) throws {
        let canvas = PixelSize(width: 2000, height: 2000)
        let animation = WebPFile.animation(
            of: SampleImage.losslessWebP, size: size, canvas: canvas, frameCount: frameCount)
        let frame = try #require(try FirstFrame.of(animation, .webp))
        #expect(frame.canvas == canvas)
        #expect(try FirstFrame.of(frame.file, .webp) == nil)
        #expect(ImageFormat.webp.frameCount(of: frame.file) == 1)
        #expect(frame.file.count < 100, "the other frames are left out")
    }

    @Test func `a file with an animation inside its first frame is corrupt`() throws {
        let inner = WebPFile.animation(of: SampleImage.losslessWebP, size: size)
        let nested = WebPFile.animation(of: inner, size: size, canvas: size, frameCount: 1)
        for decoder in [WebPDecoder(), PixbufDecoder()] as [any ImageDecoder] {
            #expect { try decode(nested, with: decoder) } throws: { ($0 as? ImageError)?.code == .corrupt }
        }
    }

    @Test(arguments: [
        (PixelSize(width: 15, height: 8), 0), (PixelSize(width: 16, height: 7), 0),
        (PixelSize(width: 16, height: 8), 2),
    ])
    func `a frame that extends beyond its canvas is corrupt`(canvas: PixelSize, x: Int) {
        let animation = WebPFile.animation(
            of: SampleImage.losslessWebP, size: size, canvas: canvas, frameCount: 2, x: x)
        #expect { try decode(animation) } throws: { ($0 as? ImageError)?.code == .corrupt }
    }

    /// Such a frame used to be refused. Browsers ignore the size in its header.
    @Test(arguments: [PixelSize(width: 4, height: 4), PixelSize(width: 1 << 24, height: 9)])
    func `a frame has the size of its image data`(other: PixelSize) throws {
        let animation = WebPFile.animation(of: SampleImage.losslessWebP, size: other, canvas: size, frameCount: 2)
        #expect(pixels(try decode(animation)) == pixels(try decode(SampleImage.losslessWebP)))
        let outline = try #require(AnimationOutline.read(animation, .webp, nil, frameLimit: 9))
        #expect(outline.frames.map(\.size) == [size, size])
    }

    @Test func `a lossless frame keeps its alpha beside a profile`() throws {
        let animation = WebPFile.animation(of: SampleImage.alphaWebP, size: size)
        let image = try decode(WebPFile.insert([0], into: animation, size: size))
        #expect(image.pixels.pixel(2, 2) == [128, 0, 0, 128])
    }

    @Test(arguments: [0, 1])
    func `a frame without an image is left out`(number: Int) throws {
        var animation = WebPFile.animation(of: SampleImage.losslessWebP, size: size)
        let frame = SampleImage.losslessWebP.count - 12
        let start = animation.count - frame - (number == 0 ? frame + 24 : 0)
        animation.replaceSubrange(start..<(start + 4), with: Array("ABCD".utf8))
        let image = try decode(animation)
        #expect(image.frameCount == 1)
        #expect(pixels(image) == pixels(try decode(SampleImage.losslessWebP)))
    }

    @Test func `frames are counted only if the header announces an animation`() throws {
        var file = WebPFile.animation(of: SampleImage.losslessWebP, size: size)
        file[20] &= ~0x02
        #expect(ImageFormat.webp.frameCount(of: file) == 1)
        #expect(try FirstFrame.of(file, .webp) == nil)
        #expect { try decode(file) } throws: { ($0 as? ImageError)?.code == .corrupt }
    }

    /// Frames are played as stored. The orientation used to be applied to the first frame only.
    @Test func `the orientation of an animation is ignored`() throws {
        var oriented = SampleImage.orientedWebP
        #expect(try ImageHeader.read(oriented).orientation == .right)
        oriented[20] |= 0x02
        #expect(try ImageHeader.read(oriented).orientation == .up)
    }

    // MARK: Damage and limits

    @Test(arguments: [SampleImage.squareWebP, SampleImage.lossyWebP])
    func `the rows above damaged data are shown`(bytes: [UInt8]) throws {
        // A height of 64 pixels, of which only the first ones have data.
        var damaged = bytes
        if damaged[15] == UInt8(ascii: "L") {
            (damaged[22], damaged[23]) = (damaged[22] & 0x3F | 63 << 6 & 0xC0, damaged[23] & 0xF0 | 63 >> 2)
        } else {
            damaged[28] = 64
        }
        let intact = try decode(bytes).pixels.pixel(0, 0)
        for target in [nil, TargetSize.longestSide(32)] {
            let image = try decode(damaged, target: target)
            #expect(image.isTruncated)
            #expect(image.size == PixelSize(width: 16, height: 64))
            #expect(image.pixels.size == PixelSize(width: target == nil ? 16 : 8, height: target == nil ? 64 : 32))
            if target == nil { #expect(image.pixels.pixel(0, 0).prefix(3) == intact.prefix(3)) }
            #expect(image.pixels.pixel(0, 0)[3] > 0)
            #expect(image.pixels.pixel(7, 31) == [0, 0, 0, 0])
        }
    }

    @Test func `separate alpha is ignored without its flag`() throws {
        var file = SampleImage.lossyAlphaWebP
        #expect(try decode(file).pixels.format == .rgba8Premultiplied)
        file[20] = 0
        #expect(try decode(file).pixels.format == .rgb8)
        let lossless = WebPFile.extended(SampleImage.alphaWebP, flags: 0, size: size)
        #expect(try decode(lossless).pixels.format == .rgba8Premultiplied)
    }

    @Test(arguments: [
        SampleImage.losslessWebP, SampleImage.lossyWebP, SampleImage.alphaWebP, SampleImage.animatedWebP,
    ])
    func `a file truncated at any byte is corrupt`(bytes: [UInt8]) {
        for count in 12..<bytes.count {
            #expect { try decode(Array(bytes[..<count])) } throws: { ($0 as? ImageError)?.code == .corrupt }
        }
    }

    @Test func `the limits apply to the size that libwebp reads and to the canvas`() {
        var limits = DecodeLimits()
        limits.maxPixelCount = 100
        let animation = WebPFile.animation(of: SampleImage.losslessWebP, size: size)
        for bytes in [SampleImage.losslessWebP, SampleImage.alphaWebP, animation] {
            let lie = ImageHeader(format: .webp, storedSize: PixelSize(width: 1, height: 1))
            let error = #expect(throws: ImageError.self) {
                try WebPDecoder().decode(bytes, DecodeRequest(header: lie, limits: limits))
            }
            #expect(error?.code == .tooManyPixels)
        }
    }

    @Test func `the decoder process returns the same images`() throws {
        let small = WebPFile.animation(
            of: SampleImage.losslessWebP, size: size, canvas: PixelSize(width: 24, height: 20), frameCount: 3)
        let isolated = IsolatedDecoder()
        for bytes in [SampleImage.animatedWebP, SampleImage.alphaWebP, small] {
            for target in [nil, TargetSize.longestSide(8)] {
                let (own, other) = (
                    try decode(bytes, target: target), try decode(bytes, target: target, with: isolated)
                )
                #expect(pixels(own) == pixels(other))
                #expect(own.frameCount == other.frameCount)
            }
        }
    }
}
