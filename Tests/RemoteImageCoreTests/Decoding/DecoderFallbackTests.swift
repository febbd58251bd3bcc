import RemoteImageTestSupport
import Testing

@testable import RemoteImageDecoders
@testable import RemoteImageDecoding
@testable import remote_image_decoder

/// An isolated decoder without its program, and what the program keeps between images.
@Suite struct DecoderFallbackTests {
    private struct Encoder: ImageEncoder {
        let number: UInt8

        func encode(_ pixels: PixelBuffer, as encoding: StoredEncoding) throws(ImageError) -> [UInt8] { [number] }
    }

    /// A decoder of some formats that shows its number in each pixel.
    private struct Numbered: EncodingDecoder {
        let number: UInt8
        var formats: Set<ImageFormat> = [.png]
        var hasEncoder = true

        var encoder: (any ImageEncoder)? { hasEncoder ? Encoder(number: number) : nil }

        private var pixels: PixelBuffer {
            PixelBuffer(size: PixelSize(width: 1, height: 1), format: .rgb8) { memory in
                for index in memory.indices { memory[index] = number }
            }
        }

        func decode(_ bytes: [UInt8], _ request: DecodeRequest) throws(ImageError) -> DecodedImage {
            DecodedImage(pixels: pixels, size: request.header.storedSize)
        }

        func decodeBeginning(_ bytes: [UInt8], _ request: DecodeRequest) -> PixelBuffer? { pixels }
    }

    private func decoder(
        _ local: [any ImageDecoder] = [Numbered(number: 1)],
        _ change: (inout IsolatedDecoder.Configuration) -> Void = { _ in }
    ) -> IsolatedDecoder {
        var configuration = IsolatedDecoder.Configuration()
        configuration.path = "/no/such/program"
        change(&configuration)
        return IsolatedDecoder(local, configuration)
    }

    private let bytes = SampleImage.palettePNG

    private func request() throws(ImageError) -> DecodeRequest { DecodeRequest(header: try ImageHeader.read(bytes)) }

    @Test func `without the program, images are decoded in the calling process`() throws {
        let decoder = decoder([Numbered(number: 1), Numbered(number: 2)])
        #expect(!decoder.isConfined)
        #expect(try decoder.decode(bytes, request()).pixels.pixel(0, 0) == [1, 1, 1])
        #expect(try decoder.decodeBeginning(bytes, request())?.pixel(0, 0) == [1, 1, 1])
        let drawn = try decoder.frames(DecoderScript.frames(bytes), from: [bytes], FrameCursor())
        #expect(drawn.map { $0.pixel(0, 0) } == [[1, 1, 1, 255]])
    }

    @Test(arguments: [true, false])
    func `without the required program, no image is decoded`(isRequired: Bool) throws {
        let decoder = decoder {
            if isRequired { $0.isRequired = true } else { $0.mayFallBack = false }
        }
        #expect(decoder.isConfined)
        let request = try request()
        #expect(errorCode { () throws(ImageError) in try decoder.decode(bytes, request) } == .io)
        #expect(decoder.decodeBeginning(bytes, request) == nil)
        let frames = DecoderScript.frames(bytes)
        #expect(
            errorCode { () throws(ImageError) in try decoder.frames(frames, from: [bytes], FrameCursor()) } == .io)
    }

    @Test func `the encoder is that of the first decoder with one`() throws {
        func written(_ local: [any ImageDecoder]) throws -> [UInt8]? {
            let pixels = PixelBuffer(size: PixelSize(width: 1, height: 1), format: .rgb8) { _ in }
            return try decoder(local).encoder?.encode(pixels, as: .lossless)
        }
        #expect(try written([Numbered(number: 1), Numbered(number: 2)]) == [1])
        #expect(try written([GIFDecoder(), Numbered(number: 1, hasEncoder: false), Numbered(number: 3)]) == [3])
        #expect(try written([GIFDecoder()]) == nil)
    }

    @Test func `the formats of an isolated decoder are those of its decoders`() {
        let decoder = decoder([Numbered(number: 1, formats: [.png, .gif]), Numbered(number: 2, formats: [.webp])])
        for _ in 0..<2 {
            for format in ImageFormat.allCases {
                #expect(decoder.decodes(format) == [.png, .gif, .webp].contains(format))
            }
            // Known from now on.
            #expect(decoder.formats == [.png, .gif, .webp])
        }
    }

    @Test func `later frames need the canvas of the earlier ones, and their files need room`() throws {
        let decoder = IsolatedDecoder()
        #expect(decoder.isConfined)
        let cursor = FrameCursor()
        let later = DecoderScript.frames(bytes, previous: DecoderScript.frames(bytes).frames[0])
        #expect(errorCode { () throws(ImageError) in try decoder.frames(later, from: [bytes], cursor) } == .io)
        var small = DecoderScript.frames(bytes)
        small.room.fileByteCount -= 1
        #expect(errorCode { () throws(ImageError) in try decoder.frames(small, from: [bytes], cursor) } == .corrupt)
        #expect(cursor.isEmpty)
        let first = try decoder.frames(DecoderScript.frames(bytes), from: [bytes], cursor)
        #expect(first.map(\.size) == [PixelSize(width: 16, height: 8)])
        #expect(!cursor.isEmpty)
        #expect(cursor.byteCount == FramesLayout(DecoderScript.frames(bytes))?.byteCount)
        #expect(try decoder.frames(later, from: [bytes], cursor).count == 1)
        #expect(cursor.byteCount == FramesLayout(DecoderScript.frames(bytes))?.byteCount)
    }

    // MARK: The program

    @Test func `the program keeps the 64 cursors that were used last`() {
        var cursors = CursorList()
        let first = cursors.cursor(1)
        #expect(first.identifier == 1)
        for identifier in 2...64 { _ = cursors.cursor(identifier) }
        cursors.trim()
        #expect(cursors.cursor(1) === first)
        let third = cursors.cursor(3)
        _ = cursors.cursor(65)
        cursors.trim()
        first.keep("state", byteCount: 1)
        // The second cursor was used longest ago.
        #expect(cursors.cursor(1).byteCount == 1)
        #expect(cursors.cursor(3) === third)
        let hadMemory = cursors.removeAll()
        #expect(hadMemory)
        #expect(cursors.cursor(1).isEmpty)
        let hasMemory = cursors.removeAll()
        #expect(!hasMemory)
    }

    @Test func `the program keeps cursors of 256 MiB beside the last one`() {
        for (byteCount, isKept) in [(128 << 20, true), ((128 << 20) + 1, false)] {
            var cursors = CursorList()
            let first = cursors.cursor(1)
            first.keep("first", byteCount: 128 << 20)
            cursors.cursor(2).keep("second", byteCount: byteCount)
            cursors.cursor(3).keep("third", byteCount: 1 << 40)
            cursors.trim()
            #expect(cursors.cursor(3).byteCount == 1 << 40)
            #expect(cursors.cursor(2).byteCount == byteCount)
            #expect((cursors.cursor(1) === first) == isKept)
        }
    }

    @Test func `the program has a decoder and a test image for each requested format`() {
        let decoders: [any ImageDecoder] = [
            Numbered(number: 1, formats: [.png, .other]), Numbered(number: 2, formats: [.png, .gif]),
        ]
        let codecs = CodecSet([.png, .gif, .webp], of: decoders)
        #expect(codecs.formats == [.png, .gif])
        #expect((codecs.decoder(of: .png) as? Numbered)?.number == 1)
        #expect((codecs.decoder(of: .gif) as? Numbered)?.number == 2)
        #expect(codecs.decoder(of: .webp) == nil)
        #expect(codecs.decodesTestImage(of: .png))
        #expect(!codecs.decodesTestImage(of: .webp))
        #expect(CodecSet([.other], of: decoders).decodesTestImage(of: .other), "it has no test image")
        for format in ImageFormat.allCases where format != .other {
            let image = TestImages.bytes(of: format) ?? []
            #expect((try? ImageHeader.read(image))?.format == format)
        }
    }
}
