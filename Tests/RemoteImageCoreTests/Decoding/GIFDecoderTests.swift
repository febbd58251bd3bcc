import RemoteImage
import RemoteImageCore
import RemoteImageTestSupport
import Testing

@Suite struct GIFDecoderTests {
    private func decode(
        _ file: GIFFile, target: TargetSize? = nil, limits: DecodeLimits = DecodeLimits()
    ) throws(ImageError) -> PixelBuffer {
        let header = try ImageHeader.read(file.bytes)
        return try GIFDecoder().decode(file.bytes, DecodeRequest(header: header, target: target, limits: limits)).pixels
    }

    @Test func `the standard decoders decode GIF without GdkPixbuf`() {
        let decoders = [any ImageDecoder].standard(isolation: .none)
        #expect(decoders.first { $0.formats.contains(.gif) } is GIFDecoder)
    }

    private func colour(_ entry: UInt8) -> [UInt8] { GIFFile.colour(Int(entry)) }

    private func noise(_ count: Int, entries: ClosedRange<UInt8> = 0...255) -> [UInt8] {
        var random = SeededGenerator(seed: 11)
        return (0..<count).map { _ in UInt8.random(in: entries, using: &random) }
    }

    /// The number of pixels that differ from the colours of the `expected` palette entries.
    private func differences(_ pixels: PixelBuffer, _ expected: (Int, Int) -> UInt8) -> Int {
        var count = 0
        for y in 0..<pixels.size.height {
            for x in 0..<pixels.size.width where Array(pixels.pixel(x, y)[..<3]) != colour(expected(x, y)) {
                count += 1
            }
        }
        return count
    }

    // MARK: Codes

    /// 256 colours fill the code table many times, four fill it with long strings, and one fills it
    /// with strings that contain themselves.
    @Test(arguments: [0...255, 0...3, 9...9] as [ClosedRange<UInt8>], [true, false])
    func `every pixel is decoded whether a full table is cleared or kept`(
        entries: ClosedRange<UInt8>, clearsFullTable: Bool
    ) throws {
        var file = GIFFile(width: 211, height: 173, pixels: noise(211 * 173, entries: entries))
        file.clearsFullTable = clearsFullTable
        let pixels = try decode(file)
        #expect(pixels.format == .rgb8)
        #expect(differences(pixels) { file.pixels[$1 * 211 + $0] } == 0)
    }

    /// These code sizes are legal although palettes have at most 256 colours. Such files used to be
    /// refused as damaged.
    @Test(arguments: [9, 10, 11], [true, false])
    func `a minimum code size from 9 to 11 is accepted`(minimumCodeSize: Int, clearsFullTable: Bool) throws {
        var file = GIFFile(width: 211, height: 173, pixels: noise(211 * 173, entries: 0...7))
        (file.minimumCodeSize, file.clearsFullTable) = (minimumCodeSize, clearsFullTable)
        #expect(differences(try decode(file)) { file.pixels[$1 * 211 + $0] } == 0)
    }

    /// GIF requires at least 2, because otherwise the codes need another bit after the first pixel.
    @Test func `a minimum code size below 2 is decoded as in browsers`() throws {
        // The codes are clear (2, two bits), 0, then 1, 1 and the end (3) with three bits.
        let file = GIFFile(width: 3, height: 1, pixels: [])
        let head = file.bytes.prefix(13 + 768 + 10)
        func decoded(_ data: [UInt8]) throws -> PixelBuffer { try decode(head + data + [0, 0x3B]).pixels }
        let pixels = try decoded([1, 2, 0b1001_0010, 0b1100])
        #expect((0..<3).map { pixels.pixel($0, 0) } == [0, 1, 1].map(colour))
        // Clear (1, one bit), 0, then 0 with two bits, which is the string 3 of two pixels.
        #expect(try decoded([0, 1, 0b1101]).pixel(2, 0) == colour(0))
    }

    @Test func `a minimum code size above 11 is corrupt`() {
        var file = GIFFile(width: 4, height: 4, pixels: noise(16))
        file.minimumCodeSize = 12
        #expect { try decode(file) } throws: { ($0 as? ImageError)?.code == .corrupt }
    }

    @Test func `a file without a palette is decoded as gray`() throws {
        var file = GIFFile(width: 16, height: 16, pixels: (0...255).map { UInt8($0) })
        file.hasPalette = false
        let pixels = try decode(file)
        for entry in [0, 1, 127, 255] {
            let level = UInt8(entry)
            #expect(pixels.pixel(entry % 16, entry / 16) == [level, level, level])
        }
    }

    @Test func `pixels with missing codes are transparent`() throws {
        let file = GIFFile(width: 20, height: 20, pixels: noise(250))
        let pixels = try decode(file)
        #expect(pixels.format == .rgba8Premultiplied)
        #expect(pixels.pixel(9, 12) == colour(file.pixels[249]) + [255])
        #expect(pixels.pixel(10, 12) == [0, 0, 0, 0])
    }

    @Test func `codes beyond the last pixel are ignored`() throws {
        var file = GIFFile(width: 20, height: 20, pixels: noise(900, entries: 0...1))
        file.canvasHeight = 20
        let pixels = try decode(file)
        #expect(differences(pixels) { file.pixels[$1 * 20 + $0] } == 0)
    }

    @Test func `a frame with codes for too few pixels is no truncated file`() throws {
        let file = GIFFile(width: 20, height: 20, pixels: noise(250))
        #expect(try !decode(file.bytes).isTruncated)
        #expect(try !decode(Array(file.bytes.dropLast())).isTruncated, "only the trailer is missing")
    }

    @Test func `a frame without pixels is corrupt`() {
        let empty = GIFFile(width: 4, height: 4, pixels: [])
        #expect { try decode(empty) } throws: { ($0 as? ImageError)?.code == .corrupt }
    }

    // MARK: Frames

    /// GIF stores interlaced lines in four passes.
    @Test(arguments: [1, 2, 3, 4, 5, 7, 8, 9, 17, 33])
    func `interlaced lines are decoded to their rows`(height: Int) throws {
        let passes: [(Int, Int)] = [(0, 8), (4, 8), (2, 4), (1, 2)]
        var pixels: [UInt8] = []
        for (first, step) in passes {
            for line in stride(from: first, to: height, by: step) {
                pixels += [UInt8](repeating: UInt8(line), count: 3)
            }
        }
        var file = GIFFile(width: 3, height: height, pixels: pixels)
        file.isInterlaced = true
        #expect(differences(try decode(file)) { UInt8($1) } == 0)
    }

    /// As in browsers: the rows of an earlier pass fill those of later passes.
    @Test func `missing interlaced rows repeat those above`() throws {
        // Two rows of the first pass, one of the second, and a part of the third.
        var file = GIFFile(width: 2, height: 16, pixels: [1, 1, 2, 2, 3, 3, 4, 4, 5])
        file.isInterlaced = true
        let pixels = try decode(file)
        let rows: [UInt8] = [1, 1, 5, 1, 3, 3, 3, 3, 2, 2, 2, 2, 4, 4, 4, 4]
        for (y, entry) in rows.enumerated() { #expect(pixels.pixel(0, y) == colour(entry) + [255], "\(y)") }
        #expect(pixels.pixel(1, 2) == colour(1) + [255], "the rest of an incomplete row")
    }

    @Test func `the canvas around a smaller frame is transparent`() throws {
        var file = GIFFile(width: 5, height: 4, pixels: noise(20))
        (file.canvasWidth, file.canvasHeight, file.x, file.y) = (9, 8, 3, 2)
        let pixels = try decode(file)
        #expect(pixels.size == PixelSize(width: 9, height: 8))
        #expect(pixels.pixel(3, 2) == colour(file.pixels[0]) + [255])
        #expect(pixels.pixel(7, 5) == colour(file.pixels[19]) + [255])
        for (x, y) in [(2, 2), (8, 5), (3, 1), (3, 6), (0, 0)] { #expect(pixels.pixel(x, y) == [0, 0, 0, 0]) }
    }

    /// Such frames used to be clipped, and a screen without a size was refused.
    @Test(arguments: [(0, 0), (4, 4), (1, 7), (9, 1)])
    func `the canvas grows to the first frame, as in browsers`(width: Int, height: Int) throws {
        var file = GIFFile(width: 6, height: 6, pixels: noise(36))
        (file.canvasWidth, file.canvasHeight, file.x, file.y) = (width, height, 2, 1)
        let pixels = try decode(file)
        #expect(pixels.size == PixelSize(width: max(width, 8), height: max(height, 7)))
        #expect(pixels.pixel(2, 1) == colour(file.pixels[0]) + [255])
        #expect(pixels.pixel(7, 6) == colour(file.pixels[35]) + [255])
        #expect(pixels.pixel(1, 1) == [0, 0, 0, 0])
    }

    @Test func `a first frame without pixels leaves the canvas transparent`() throws {
        var file = GIFFile(width: 0, height: 0, pixels: [])
        (file.canvasWidth, file.canvasHeight) = (3, 2)
        let pixels = try decode(file)
        #expect(pixels.size == PixelSize(width: 3, height: 2))
        #expect(pixels.pixel(2, 1) == [0, 0, 0, 0])
        file.canvasHeight = 0
        #expect { try decode(file) } throws: { ($0 as? ImageError)?.code == .corrupt }
    }

    @Test func `a palette entry may be transparent`() throws {
        var file = GIFFile(width: 2, height: 1, pixels: [7, 8])
        file.transparent = 8
        let pixels = try decode(file)
        #expect(pixels.pixel(0, 0) == colour(7) + [255])
        #expect(pixels.pixel(1, 0) == [0, 0, 0, 0])
        file.transparent = 9
        #expect(try decode(file).format == .rgb8)
    }

    @Test func `the local palette of a frame is used`() throws {
        var file = GIFFile(width: 16, height: 16, pixels: noise(256))
        file.isPaletteOfFrame = true
        #expect(differences(try decode(file)) { file.pixels[$1 * 16 + $0] } == 0)
    }

    // MARK: Size

    @Test func `a GIF is averaged to the target size, including its transparency`() throws {
        var file = GIFFile(width: 4, height: 2, pixels: [10, 10, 30, 30, 10, 10, 30, 40])
        file.transparent = 40
        let pixels = try decode(file, target: .longestSide(2))
        #expect(pixels.size == PixelSize(width: 2, height: 1))
        #expect(pixels.pixel(0, 0) == colour(10) + [255])
        let faded: [UInt8] = colour(30).map { (channel: UInt8) -> UInt8 in UInt8((Int(channel) * 3 + 2) / 4) }
        #expect(pixels.pixel(1, 0) == faded + [191])
    }

    @Test func `a frame above the limits is refused even if its canvas is small`() {
        var file = GIFFile(width: 60_000, height: 60_000, pixels: [1])
        (file.canvasWidth, file.canvasHeight) = (1, 1)
        let error = #expect(throws: ImageError.self) { try decode(file) }
        #expect(error?.code == .tooManyPixels)
    }

    // MARK: Animations

    private func decode(_ bytes: [UInt8]) throws(ImageError) -> DecodedImage {
        try GIFDecoder().decode(bytes, DecodeRequest(header: try ImageHeader.read(bytes)))
    }

    @Test func `only the first frame of an animation is decoded`() throws {
        let image = try decode(SampleImage.animatedGIF)
        #expect(image.frameCount == 3)
        #expect(image.pixels.quarters == [.red, .green, .blue, .white])
    }

    /// The 5,000 frames of 400 × 400 pixels, each with one black pixel, would take gigabytes.
    @Test func `a long animation is decoded at the cost of its first frame`() throws {
        let image = try decode(LongAnimation(width: 400, height: 400, frameCount: 5000).bytes)
        #expect(image.size == PixelSize(width: 400, height: 400))
        #expect(image.frameCount == 5000)
    }

    /// Truncated files used to fail. Browsers show them as far as they go.
    @Test func `a file truncated within its first frame shows the pixels before the end`() throws {
        let bytes = GoldenImage.gif
        let complete = try decode(bytes).pixels
        var visibleCount = 0
        for count in 1..<(bytes.count - 4) {
            do throws(ImageError) {
                let image = try decode(Array(bytes[..<count]))
                #expect(image.isTruncated, "\(count) bytes")
                guard image.pixels.format == .rgba8Premultiplied else { continue }
                let places = (0..<image.size.pixelCount).map { ($0 % 48, $0 / 48) }
                let visible = places.prefix { image.pixels.pixel($0.0, $0.1)[3] == 255 }
                #expect(visible.allSatisfy { image.pixels.pixel($0.0, $0.1) == complete.pixel($0.0, $0.1) + [255] })
                #expect(places[visible.count...].allSatisfy { image.pixels.pixel($0.0, $0.1) == [0, 0, 0, 0] })
                #expect(visible.count >= visibleCount)
                visibleCount = visible.count
            } catch {
                #expect([.corrupt, .notAnImage].contains(error.code), "\(count) bytes: \(error)")
                #expect(visibleCount == 0)
            }
        }
        #expect(visibleCount > 1000)
    }
}
