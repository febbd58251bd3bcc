import RemoteImageCore
import TestSupport
import Testing

@testable import RemoteImagePixbufDecoder

@Suite struct PixbufDecoderTests {
    let decoder = PixbufDecoder()

    private func decode(_ bytes: [UInt8], target: TargetSize? = nil) throws(ImageError) -> DecodedImage {
        let request = DecodeRequest(header: try ImageHeader.read(bytes), target: target)
        return try OrientedDecoder(decoder).decode(bytes, request)
    }

    // MARK: Formats

    @Test(arguments: [
        SampleImage.progressiveJPEG, SampleImage.cmykJPEG, SampleImage.palettePNG, SampleImage.losslessWebP,
        SampleImage.lossyWebP,
    ])
    func `each format and colour type is decoded to its colours`(bytes: [UInt8]) throws {
        let image = try decode(bytes)
        #expect(image.size == PixelSize(width: 16, height: 8))
        #expect(image.pixels.size == image.size)
        #expect(image.pixels.format == .rgb8)
        #expect(image.pixels.quarters == [.red, .green, .blue, .white])
    }

    @Test func `GdkPixbuf decodes with glycin since 2.43.3`() {
        for version: UInt32 in [0x02_2B_03, 0x02_2C_00, 0x03_00_00] {
            #expect(PixbufDecoder.usesGlycin(version: version))
        }
        for version: UInt32 in [0x02_2B_02, 0x02_2A_0A] { #expect(!PixbufDecoder.usesGlycin(version: version)) }
    }

    @Test func `AVIF is decoded if its loader is installed, and otherwise unsupported`() throws {
        let header = try ImageHeader.read(SampleImage.avif)
        if decoder.formats.contains(.avif) {
            #expect(try decode(SampleImage.avif).pixels.quarters == [.red, .green, .blue, .white])
        } else {
            let error = #expect(throws: ImageError.self) {
                try decoder.decode(SampleImage.avif, DecodeRequest(header: header))
            }
            #expect(error?.code == .unsupportedFormat)
        }
    }

    /// GdkPixbuf has loaders for most of these formats.
    @Test(arguments: [(ImageFormat.gif, SampleImage.animatedGIF), (.bmp, BMPFile(width: 1, height: 1).bytes)])
    func `a format of another decoder is refused`(format: ImageFormat, bytes: [UInt8]) {
        #expect(!decoder.formats.contains(format))
        let error = #expect(throws: ImageError.self) { try decode(bytes) }
        #expect(error?.code == .unsupportedFormat)
    }

    @Test func `a gray image is decoded to equal red, green and blue`() throws {
        let pixels = try decode(SampleImage.deepGrayPNG).pixels
        #expect(pixels.format == .rgb8)
        #expect(pixels.pixel(2, 2) == [128, 128, 128])
        #expect(pixels.pixel(12, 2) == [255, 255, 255])
        let jpeg = try decode(SampleImage.grayJPEG).pixels
        #expect(jpeg.format == .rgb8)
        #expect(Set(jpeg.pixel(12, 6)).count == 1)
    }

    // MARK: Transparency

    @Test func `an opaque alpha channel is dropped`() throws {
        #expect(try decode(SampleImage.grayAlphaPNG).pixels.format == .rgb8)
    }

    @Test func `transparent pixels are premultiplied`() throws {
        let palette = try decode(SampleImage.transparentPalettePNG).pixels
        #expect(palette.format == .rgba8Premultiplied)
        #expect(palette.pixel(2, 2) == [0, 0, 0, 0])
        #expect(palette.pixel(12, 2) == [0, 255, 0, 255])
        let webP = try decode(SampleImage.alphaWebP).pixels
        #expect(webP.pixel(2, 2) == [128, 0, 0, 128])
    }

    /// Encodes all pairs of a colour and an alpha as a PNG and decodes them.
    @Test func `premultiplication is exact for every colour and alpha`() throws {
        let premultiplied = PixelBuffer(size: PixelSize(width: 256, height: 256), format: .rgba8Premultiplied) {
            memory in
            for alpha in 0..<256 {
                for colour in 0..<256 {
                    let index = (alpha * 256 + colour) * 4
                    // colour × alpha / 255, rounded to the nearest value.
                    memory[index] = UInt8((colour * alpha * 2 + 255) / 510)
                    memory[index + 1] = 0
                    memory[index + 2] = 0
                    memory[index + 3] = UInt8(alpha)
                }
            }
        }
        let decoded = try decode(premultiplied.encoded(as: .png)).pixels
        var differences = 0
        for alpha in 0..<256 {
            for colour in 0..<256 where decoded.pixel(colour, alpha) != premultiplied.pixel(colour, alpha) {
                differences += 1
            }
        }
        #expect(differences == 0)
    }

    // MARK: Size

    @Test(arguments: [
        (800, PixelSize(width: 800, height: 600)), (799, PixelSize(width: 800, height: 600)),
        (401, PixelSize(width: 800, height: 600)), (400, PixelSize(width: 400, height: 300)),
        (200, PixelSize(width: 200, height: 150)), (101, PixelSize(width: 200, height: 150)),
        (100, PixelSize(width: 100, height: 75)), (10, PixelSize(width: 100, height: 75)),
        (5000, PixelSize(width: 800, height: 600)),
    ])
    func `a JPEG is decoded at the smallest DCT scale that covers the target`(
        side: Int, expected: PixelSize
    ) throws {
        let jpeg = try PixelBuffer.quarters(width: 800, height: 600).encoded(as: .jpeg(quality: 90))
        let image = try decode(jpeg, target: .longestSide(side))
        #expect(image.pixels.size == expected)
        #expect(image.size == PixelSize(width: 800, height: 600))
        #expect(image.pixels.quarters == [.red, .green, .blue, .white])
    }

    /// Such images used to be refused as damaged.
    @Test func `a JPEG with unusual sampling factors is decoded`() throws {
        var jpeg = GrayJPEG(size: PixelSize(width: 64, height: 32), sampling: [(4, 2), (1, 1), (1, 1)])
        jpeg.hasPixels = true
        let image = try decode(jpeg.bytes, target: .longestSide(32))
        #expect(image.size == jpeg.size)
        #expect(image.pixels.size == PixelSize(width: 32, height: 16))
        #expect(image.pixels.pixel(20, 10).allSatisfy { (127...129).contains($0) })
    }

    @Test func `a JPEG that the loader decodes above the requested size is averaged down`() {
        let size = PixelSize(width: 400, height: 300)
        let header = ImageHeader(format: .jpeg, storedSize: size)
        let request = DecodeRequest(header: header, target: .longestSide(150))
        #expect(
            PixbufDecoder.sizeToAverage(PixelSize(width: 200, height: 150), stored: size, request) == nil)
        #expect(PixbufDecoder.sizeToAverage(size, stored: size, request) == PixelSize(width: 150, height: 113))
    }

    @Test func `odd sides are rounded up by DCT scaling`() throws {
        let jpeg = try PixelBuffer.quarters(width: 803, height: 605).encoded(as: .jpeg(quality: 90))
        #expect(try decode(jpeg, target: .longestSide(390)).pixels.size == PixelSize(width: 402, height: 303))
        #expect(try decode(jpeg, target: .longestSide(5)).pixels.size == PixelSize(width: 101, height: 76))
    }

    @Test(arguments: [SampleImage.palettePNG, SampleImage.losslessWebP])
    func `other formats are averaged to exactly the target size`(bytes: [UInt8]) throws {
        let image = try decode(bytes, target: .longestSide(8))
        #expect(image.pixels.size == PixelSize(width: 8, height: 4))
        #expect(image.size == PixelSize(width: 16, height: 8))
        #expect(image.pixels.quarters == [.red, .green, .blue, .white])
    }

    // MARK: Orientation

    @Test(
        arguments: Array(
            zip(
                ImageOrientation.allCases,
                [
                    [QuarterColour.red, .green, .blue, .white], [.green, .red, .white, .blue],
                    [.white, .blue, .green, .red],
                    [.blue, .white, .red, .green], [.red, .blue, .green, .white], [.blue, .red, .white, .green],
                    [.white, .green, .blue, .red], [.green, .white, .red, .blue],
                ])), [nil, 100] as [Int?])
    func `each orientation is applied, at full and at reduced size`(
        turn: (ImageOrientation, [QuarterColour]), side: Int?
    ) throws {
        let jpeg = try PixelBuffer.quarters(width: 400, height: 200).encoded(as: .jpeg(quality: 90))
        let bytes = ExifBlock.insert(orientation: UInt16(turn.0.rawValue), isLittleEndian: true, into: jpeg)
        let image = try decode(bytes, target: side.map(TargetSize.longestSide))
        #expect(image.pixels.quarters == turn.1)
        #expect(image.size.width == (turn.0.swapsSides ? 200 : 400))
        #expect(image.pixels.size.longestSide == side ?? 400)
    }

    @Test func `the orientation of a WebP is applied`() throws {
        let image = try decode(SampleImage.orientedWebP)
        #expect(image.size == PixelSize(width: 8, height: 16))
        #expect(image.pixels.quarters == [.blue, .red, .white, .green])
    }

    // MARK: Damaged input

    @Test(arguments: [
        SampleImage.progressiveJPEG, SampleImage.palettePNG, SampleImage.lossyWebP, SampleImage.losslessWebP,
    ])
    func `a file truncated at any byte is refused`(bytes: [UInt8]) throws {
        // A PNG may be truncated after the name of its empty last chunk.
        for count in 1..<(bytes.count - 4) {
            do throws(ImageError) {
                _ = try decode(Array(bytes[..<count]))
                Issue.record("\(count) of \(bytes.count) bytes made an image")
            } catch {
                #expect([.corrupt, .notAnImage].contains(error.code), "\(count) bytes: \(error)")
            }
        }
    }

    @Test(arguments: [
        SampleImage.progressiveJPEG, SampleImage.palettePNG, SampleImage.lossyWebP,
    ])
    func `a damaged file is decoded or refused with an error about the file`(bytes: [UInt8]) {
        var random = SeededGenerator(seed: 4)
        for _ in 0..<300 {
            var damaged = bytes
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let position = Int.random(in: 0..<damaged.count, using: &random)
                damaged[position] ^= 1 << UInt8.random(in: 0...7, using: &random)
            }
            var limits = DecodeLimits()
            limits.maxPixelCount = 1_000_000
            do throws(ImageError) {
                let header = try ImageHeader.read(damaged)
                try limits.check(header)
                let image = try decoder.decode(damaged, DecodeRequest(header: header, limits: limits))
                #expect(image.pixels.byteCount == image.pixels.size.pixelCount * image.pixels.format.bytesPerPixel)
            } catch {
                #expect(
                    [.corrupt, .notAnImage, .unsupportedFormat, .tooManyPixels].contains(error.code), "\(error)")
            }
        }
    }

    @Test func `the limits apply to the size that the loader reads`() throws {
        let jpeg = try PixelBuffer.quarters(width: 800, height: 600).encoded(as: .jpeg(quality: 90))
        var limits = DecodeLimits()
        limits.maxPixelCount = 1000
        let small = ImageHeader(format: .jpeg, storedSize: PixelSize(width: 8, height: 6))
        let error = #expect(throws: ImageError.self) {
            try decoder.decode(jpeg, DecodeRequest(header: small, limits: limits))
        }
        #expect(error?.code == .tooManyPixels)
    }

    // MARK: Threads

    @Test func `images are decoded on several threads at once`() async throws {
        let jpeg = try PixelBuffer.quarters(width: 640, height: 480).encoded(as: .jpeg(quality: 90))
        let samples = [jpeg, SampleImage.palettePNG, SampleImage.lossyWebP]
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for index in 0..<64 {
                group.addTask {
                    let bytes = samples[index % samples.count]
                    let image = try decoder.decode(bytes, DecodeRequest(header: try ImageHeader.read(bytes)))
                    return image.pixels.quarters == [.red, .green, .blue, .white]
                }
            }
            for try await isRight in group { #expect(isRight) }
        }
    }
}
