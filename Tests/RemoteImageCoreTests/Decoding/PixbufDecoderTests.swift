import RemoteImageCore
import RemoteImageTestSupport
import Testing

@testable import RemoteImageDecoders

@Suite(.enabled(if: PixbufDecoder().formats.contains(.webp), "no WebP loader is installed"))
struct PixbufDecoderTests {
    let decoder = PixbufDecoder()

    private func decode(_ bytes: [UInt8], target: TargetSize? = nil) throws(ImageError) -> DecodedImage {
        let request = DecodeRequest(header: try ImageHeader.read(bytes), target: target)
        return try OrientedDecoder(decoder).decode(bytes, request)
    }

    // MARK: Formats

    @Test(arguments: [SampleImage.losslessWebP, SampleImage.lossyWebP])
    func `each coding is decoded to its colours`(bytes: [UInt8]) throws {
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

    /// GdkPixbuf has loaders for most of these formats. That of JPEG hangs for some damaged files.
    @Test(arguments: [
        (ImageFormat.jpeg, SampleImage.progressiveJPEG), (.png, SampleImage.palettePNG),
        (.gif, SampleImage.animatedGIF), (.bmp, BMPFile(width: 1, height: 1).bytes),
    ])
    func `a format of another decoder is refused`(format: ImageFormat, bytes: [UInt8]) {
        #expect(!decoder.formats.contains(format))
        let error = #expect(throws: ImageError.self) { try decode(bytes) }
        #expect(error?.code == .unsupportedFormat)
    }

    // MARK: Transparency

    @Test func `transparent pixels are premultiplied`() throws {
        #expect(try decode(SampleImage.alphaWebP).pixels.pixel(2, 2) == [128, 0, 0, 128])
    }

    // MARK: Size

    @Test func `an image is averaged to exactly the target size`() throws {
        let image = try decode(SampleImage.losslessWebP, target: .longestSide(8))
        #expect(image.pixels.size == PixelSize(width: 8, height: 4))
        #expect(image.size == PixelSize(width: 16, height: 8))
        #expect(image.pixels.quarters == [.red, .green, .blue, .white])
    }

    // MARK: Orientation

    @Test func `the orientation of a WebP is applied`() throws {
        let image = try decode(SampleImage.orientedWebP)
        #expect(image.size == PixelSize(width: 8, height: 16))
        #expect(image.pixels.quarters == [.blue, .red, .white, .green])
    }

    // MARK: Damaged input

    @Test(arguments: [SampleImage.lossyWebP, SampleImage.losslessWebP])
    func `a file truncated at any byte is refused`(bytes: [UInt8]) throws {
        for count in 1..<bytes.count {
            do throws(ImageError) {
                _ = try decode(Array(bytes[..<count]))
                Issue.record("\(count) of \(bytes.count) bytes made an image")
            } catch {
                #expect([.corrupt, .notAnImage].contains(error.code), "\(count) bytes: \(error)")
            }
        }
    }

    @Test(arguments: [SampleImage.lossyWebP, SampleImage.losslessWebP])
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
        var limits = DecodeLimits()
        limits.maxPixelCount = 100
        let small = ImageHeader(format: .webp, storedSize: PixelSize(width: 8, height: 6))
        let error = #expect(throws: ImageError.self) {
            try decoder.decode(SampleImage.lossyWebP, DecodeRequest(header: small, limits: limits))
        }
        #expect(error?.code == .tooManyPixels)
    }

    @Test func `the limits apply to the canvas of an animation, whatever the size of its frame`() throws {
        let size = PixelSize(width: 16, height: 8)
        let animation = WebPFile.animation(
            of: SampleImage.losslessWebP, size: size, canvas: PixelSize(width: 20, height: 10), frameCount: 2)
        for (count, isAllowed) in [(200, true), (199, false)] {
            var limits = DecodeLimits()
            limits.maxPixelCount = count
            let request = DecodeRequest(header: ImageHeader(format: .webp, storedSize: size), limits: limits)
            let code = errorCode { () throws(ImageError) in try decoder.decode(animation, request) }
            #expect(code == (isAllowed ? nil : .tooManyPixels))
        }
    }

    // MARK: Threads

    @Test func `images are decoded on several threads at once`() async throws {
        let samples = [SampleImage.losslessWebP, SampleImage.lossyWebP]
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
