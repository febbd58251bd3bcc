import CRemoteImageCodecs
import RemoteImage
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// Decoding with libjxl, in this process and in the decoder process.
@Suite(.enabled(if: !JXLDecoder().formats.isEmpty, "libjxl is not installed"), .timeLimit(.minutes(3)))
struct JXLDecoderTests {
    private let size = PixelSize(width: 16, height: 8)

    private func decode(
        _ bytes: [UInt8], target: TargetSize? = nil, limits: DecodeLimits = DecodeLimits(),
        with decoder: any ImageDecoder = JXLDecoder()
    ) throws(ImageError) -> DecodedImage {
        let request = DecodeRequest(header: try ImageHeader.read(bytes), target: target, limits: limits)
        return try OrientedDecoder(decoder).decode(bytes, request)
    }

    private func pixels(_ buffer: PixelBuffer) -> [UInt8] { buffer.withUnsafeBytes { Array($0) } }

    // MARK: Still images

    @Test func `the standard decoders decode JPEG XL with libjxl`() {
        let decoders: [any ImageDecoder] = .standard(isolation: .none)
        #expect(decoders.first { $0.formats.contains(.jxl) } is JXLDecoder)
    }

    @Test func `an image is averaged to a smaller target size`() throws {
        let image = try decode(JXLFile.quarters, target: .longestSide(8))
        #expect(image.size == size)
        #expect(image.pixels.size == PixelSize(width: 8, height: 4))
        #expect(image.pixels.quarters == [.red, .green, .blue, .white])
    }

    @Test(arguments: ImageOrientation.allCases, [nil, TargetSize.longestSide(8)])
    func `the orientation is applied once, at full and at reduced size`(
        orientation: ImageOrientation, target: TargetSize?
    ) throws {
        let upright = try decode(JXLFile.quarters, target: target)
        let image = try decode(JXLFile.oriented(orientation), target: target)
        #expect(image.size == (orientation.swapsSides ? size.transposed : size))
        #expect(pixels(image.pixels) == pixels(upright.pixels.applyingOrientation(orientation)))
    }

    @Test func `stored premultiplied colours are not premultiplied again`() throws {
        let image = try decode(JXLFile.premultiplied)
        #expect(image.pixels.format == .rgba8Premultiplied)
        #expect(image.pixels.pixel(2, 2) == [128, 0, 0, 128])
        #expect(image.pixels.pixel(14, 6) == [255, 255, 255, 255])
    }

    // MARK: Colours

    @Test(arguments: [(JXLFile.displayP3, 2.0), (JXLFile.lossyDisplayP3, 12.0)])
    func `Display P3 colours are converted to sRGB`(bytes: [UInt8], tolerance: Double) throws {
        // libjxl converts lossy images itself.
        guard ColorConversion.isAvailable || bytes == JXLFile.lossyDisplayP3 else { return }
        let image = try decode(bytes).pixels
        for (place, color) in [((3, 1), [200, 60, 40]), ((12, 1), [60, 180, 80]), ((3, 6), [40, 70, 190])] {
            let expected = ICCProfile.displayP3.inSRGB(color.map(UInt8.init))
            let found = image.pixel(place.0, place.1)
            for (one, other) in zip(found, expected) { #expect(abs(Double(one) - other) <= tolerance, "\(found)") }
        }
    }

    @Test func `HDR brightness is tone-mapped to the range of a display`() throws {
        let image = try decode(JXLFile.brightQuarters).pixels
        let levels = [(3, 1), (12, 1), (3, 6), (12, 6)].map { Int(image.pixel($0.0, $0.1)[1]) }
        #expect((5...30).contains(levels[0]), "one candela is nearly black: \(levels)")
        #expect((90...150).contains(levels[1]), "\(levels)")
        #expect((200...245).contains(levels[2]), "paper white is nearly white: \(levels)")
        #expect(levels[3] > 250, "\(levels)")
    }

    // MARK: Animations

    @Test func `the first frame of an animation is decoded and the frames are counted`() throws {
        let image = try decode(JXLFile.animation)
        #expect(image.frameCount == 3)
        #expect(image.pixels.quarters == [.red, .green, .blue, .white])
        let cut = try decode(Array(JXLFile.animation.dropLast(60)))
        #expect(pixels(cut.pixels) == pixels(image.pixels), "what is behind the first frame does not matter")
    }

    // MARK: Previews

    private func beginning(_ bytes: [UInt8], _ count: Int) throws -> PixelBuffer? {
        let header = try ImageHeader.read(bytes)
        return JXLDecoder().decodeBeginning(Array(bytes[..<count]), DecodeRequest(header: header))
    }

    @Test func `a partial file shows the whole image in less detail`() throws {
        let whole = try decode(JXLFile.wide).pixels
        let early = try #require(try beginning(JXLFile.wide, 450))
        #expect(early.size == whole.size)
        for (x, y) in [(2, 2), (300, 10), (597, 17)] {
            let (found, expected) = (early.pixel(x, y), whole.pixel(x, y))
            for (one, other) in zip(found, expected) {
                #expect(abs(Int(one) - Int(other)) < 40, "\(found) for \(expected)")
            }
        }
        #expect(try beginning(JXLFile.wide, 60) == nil)
    }

    /// libjxl fills missing pixels with black.
    @Test(arguments: [JXLFile.lossless, JXLFile.alpha, JXLFile.losslessWide])
    func `a file without a low-resolution pass shows nothing until it is complete`(bytes: [UInt8]) throws {
        for count in 20..<bytes.count { #expect(try beginning(bytes, count) == nil) }
        #expect(try beginning(bytes, bytes.count) != nil)
    }

    // MARK: Damage and limits

    @Test(arguments: [JXLFile.lossless, JXLFile.lossy, JXLFile.alpha, JXLFile.oriented(.right), JXLFile.deep])
    func `a file truncated at any byte is corrupt`(bytes: [UInt8]) throws {
        let header = try ImageHeader.read(bytes)
        for count in 0..<bytes.count {
            let code = errorCode { () throws(ImageError) in
                try JXLDecoder().decode(Array(bytes[..<count]), DecodeRequest(header: header))
            }
            #expect(code == .corrupt, "\(count) bytes")
        }
    }

    @Test func `a damaged file is distinguished from a truncated file`() throws {
        let (cut, _) = try decodeInC(Array(JXLFile.lossy.dropLast()), of: GoldenImage.size)
        #expect(cut == CODEC_TRUNCATED)
        var damaged = JXLFile.lossy
        for index in 40..<80 { damaged[index] ^= 0xFF }
        #expect(try decodeInC(damaged, of: GoldenImage.size).status == CODEC_CORRUPT)
    }

    @Test func `the limits apply to the size that libjxl reads`() {
        var limits = DecodeLimits()
        let lie = ImageHeader(format: .jxl, storedSize: PixelSize(width: 1, height: 1))
        for (count, expected) in [(100, ImageError.Code.tooManyPixels), (1000, .corrupt)] {
            limits.maxPixelCount = count
            let code = errorCode { () throws(ImageError) in
                try JXLDecoder().decode(JXLFile.quarters, DecodeRequest(header: lie, limits: limits))
            }
            #expect(code == expected)
        }
    }

    @Test func `a header that claims a huge image is refused before decoding`() {
        // Both sides are encoded in 30 bits, all of which are set.
        let bytes: [UInt8] = [0xFF, 0x0A, 0xFE, 0xFF, 0xFF, 0xFF, 0xF1, 0xFF, 0xFF, 0xFF, 0x3F, 0, 0, 0]
        #expect(errorCode { () throws(ImageError) in try decode(bytes) } == .tooManyPixels)
    }

    /// Decodes into memory filled with `fill`.
    private func decodeInC(
        _ bytes: [UInt8], of size: PixelSize, fill: UInt8 = 0xAA, change: (inout codec_jxl_request) -> Void = { _ in }
    ) throws -> (status: codec_status, pixels: [UInt8]) {
        bytes.withUnsafeBufferPointer { input in
            var request = codec_jxl_request()
            request.bytes = input.baseAddress
            request.byte_count = input.count
            request.width = UInt32(size.width)
            request.height = UInt32(size.height)
            request.max_memory = 64 << 20
            request.max_layer_pixel_count = 1 << 20
            request.max_pixel_count = 1 << 22
            request.max_frame_count = 100
            change(&request)
            var header = codec_jxl_header()
            guard let decoder = codec_jxl_open(&request, &header) else { return (header.status, []) }
            defer { codec_jxl_close(decoder) }
            var pixels = [UInt8](repeating: fill, count: size.pixelCount * Int(header.channels))
            return (codec_jxl_decode(decoder, input.baseAddress, 0, &pixels, pixels.count), pixels)
        }
    }

    @Test func `libjxl allocates no more memory than its limit`() throws {
        let (status, _) = try decodeInC(JXLFile.lossy, of: GoldenImage.size) { $0.max_memory = 256 }
        #expect(status == CODEC_NO_MEMORY)
    }

    @Test func `a file whose size differs from the request is not decoded`() throws {
        for size in [PixelSize(width: 47, height: 32), PixelSize(width: 48, height: 33)] {
            #expect(try decodeInC(JXLFile.lossless, of: size).status == CODEC_OTHER_SIZE)
        }
    }

    /// libjxl 0.7 allocated 1.7 GB for these 534 bytes outside its memory manager.
    @Test func `extra channels count towards the memory limit`() {
        #expect(errorCode { () throws(ImageError) in try decode(JXLFile.manyChannels) } == .tooManyPixels)
    }

    @Test func `the pixels of a layer and of all channels are limited`() throws {
        for (layer, all, expected) in [
            (128, 128, CODEC_OK), (127, 128, CODEC_TOO_LARGE), (128, 127, CODEC_TOO_LARGE),
        ] {
            let (status, _) = try decodeInC(JXLFile.quarters, of: size) {
                $0.max_layer_pixel_count = UInt64(layer)
                $0.max_pixel_count = UInt64(all)
            }
            #expect(status == expected)
        }
        // Alpha adds a channel.
        let (status, _) = try decodeInC(JXLFile.premultiplied, of: size) { $0.max_pixel_count = 255 }
        #expect(status == CODEC_TOO_LARGE)
    }

    @Test func `frame counting stops at the requested maximum`() throws {
        var request = codec_jxl_request()
        var header = codec_jxl_header()
        JXLFile.animation.withUnsafeBufferPointer { input in
            request.bytes = input.baseAddress
            request.byte_count = input.count
            (request.width, request.height) = (16, 8)
            (request.max_memory, request.max_frame_count) = (64 << 20, 2)
            (request.max_layer_pixel_count, request.max_pixel_count) = (128, 128)
            codec_jxl_close(codec_jxl_open(&request, &header))
        }
        #expect(header.status == CODEC_OK)
        #expect(header.frame_count == 2)
    }

    @Test func `decoding writes every byte of the pixels, and clears them when it fails`() throws {
        for bytes in [JXLFile.lossless, JXLFile.lossy, JXLFile.gray, JXLFile.grayAlpha] {
            let one = try decodeInC(bytes, of: GoldenImage.size, fill: 0)
            #expect(one.status == CODEC_OK)
            #expect(one.pixels == (try decodeInC(bytes, of: GoldenImage.size, fill: 255)).pixels)
        }
        let (status, pixels) = try decodeInC(Array(JXLFile.lossy.dropLast(8)), of: GoldenImage.size)
        #expect(status == CODEC_TRUNCATED)
        #expect(pixels.allSatisfy { $0 == 0 })
    }

    @Test func `decoding a damaged file writes every byte of the pixels`() throws {
        for (seed, sample) in (0..<400).map({ ($0, [JXLFile.lossy, JXLFile.lossless, JXLFile.alpha][$0 % 3]) }) {
            var random = SeededGenerator(seed: UInt64(seed))
            var damaged = sample
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                damaged[Int.random(in: 8..<damaged.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            let one = try decodeInC(damaged, of: GoldenImage.size, fill: 0)
            let other = try decodeInC(damaged, of: GoldenImage.size, fill: 255)
            #expect(one.status == other.status, "seed \(seed)")
            #expect(one.pixels == other.pixels, "seed \(seed)")
        }
    }

    // MARK: The decoder process

    @Test func `the decoder process returns the same images, previews and errors`() throws {
        let isolated = IsolatedDecoder()
        for bytes in [
            JXLFile.lossless, JXLFile.lossy, JXLFile.deep, JXLFile.grayAlpha, JXLFile.animation, JXLFile.displayP3,
            JXLFile.oriented(.left), JXLFile.brightQuarters,
        ] {
            for target in [nil, TargetSize.longestSide(8)] {
                let (own, other) = (
                    try decode(bytes, target: target), try decode(bytes, target: target, with: isolated)
                )
                #expect(pixels(own.pixels) == pixels(other.pixels))
                #expect(own.size == other.size)
                #expect(own.frameCount == other.frameCount)
            }
        }
        let request = DecodeRequest(header: try ImageHeader.read(JXLFile.wide))
        let preview = try #require(isolated.decodeBeginning(Array(JXLFile.wide[..<450]), request))
        #expect(pixels(preview) == (try beginning(JXLFile.wide, 450)).map(pixels))
        let code = errorCode { () throws(ImageError) in
            try decode(Array(JXLFile.lossy.dropLast(9)), with: isolated)
        }
        #expect(code == .corrupt)
    }
}
