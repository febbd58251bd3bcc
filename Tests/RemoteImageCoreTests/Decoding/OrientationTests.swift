import RemoteImage
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// The orientation is applied once, to the stored pixels of every decoder.
@Suite(.timeLimit(.minutes(5)), .endsInTime)
struct OrientationTests {
    private func load(_ bytes: [UInt8], _ target: TargetSize?, by decoder: any ImageDecoder) async throws -> LoadedImage
    {
        let pipeline = ImagePipeline.test(FakeTransport(), decoder: decoder, memoryCache: nil)
        var request = ImageRequest(ImageSource.bytes(bytes, identity: "image"))
        request.target = target
        return try await pipeline.image(for: request)
    }

    private func jpeg(_ orientation: ImageOrientation, of jpeg: [UInt8] = GoldenImage.jpeg) -> [UInt8] {
        ExifBlock.insert(orientation: UInt16(orientation.rawValue), isLittleEndian: false, into: jpeg)
    }

    // MARK: Pixels

    /// Sides below, at and above those of the blocks in which pixels are copied.
    @Test(arguments: ImageOrientation.allCases, [PixelFormat.rgb8, .rgba8Premultiplied])
    func `each orientation moves every pixel to its position`(orientation: ImageOrientation, format: PixelFormat) {
        for (width, height) in [(1, 1), (1, 9), (70, 1), (64, 128), (65, 63), (70, 200)] {
            let size = PixelSize(width: width, height: height)
            let shown = PixelBuffer.places(size, format).applyingOrientation(orientation)
            #expect(shown.format == format)
            #expect(shown.arePlaces(size, in: orientation), "\(size)")
        }
    }

    @Test func `upright pixels are not copied`() {
        let pixels = PixelBuffer.places(PixelSize(width: 3, height: 2))
        #expect(pixels.applyingOrientation(.up) === pixels)
    }

    // MARK: Decoders

    @Test(
        arguments: ImageOrientation.allCases,
        [
            nil, .longestSide(24), TargetSize(PixelSize(width: 24, height: 8)),
            TargetSize(PixelSize(width: 16, height: 8), fit: .cover),
        ])
    func `the orientation is applied to the stored pixels of an application's decoder`(
        orientation: ImageOrientation, target: TargetSize?
    ) async throws {
        let decoder = StoredPixelsDecoder()
        let image = try await load(jpeg(orientation), target, by: decoder)
        let request = try #require(decoder.requests.value.first)
        #expect(decoder.requests.value.count == 1)
        #expect(request.header == ImageHeader(format: .jpeg, storedSize: GoldenImage.size))
        let size = orientation.swapsSides ? GoldenImage.size.transposed : GoldenImage.size
        let drawn = target?.drawnSize(of: size) ?? size
        #expect(image.info.size == size)
        #expect(image.pixels.arePlaces(orientation.swapsSides ? drawn.transposed : drawn, in: orientation))
    }

    @Test func `a format of an application may have an orientation`() async throws {
        let image = try await load([0x41, 1], .longestSide(24), by: StoredPixelsDecoder())
        #expect(image.info.size == PixelSize(width: 32, height: 48))
        #expect(image.pixels.arePlaces(PixelSize(width: 24, height: 16), in: .right))
    }

    /// One size fits the memory that the process keeps, and the other needs memory of its own.
    @Test(arguments: [PixelSize(width: 40, height: 20), PixelSize(width: 1600, height: 800)], [true, false])
    func `the orientation is applied once with and without the decoder process`(
        size: PixelSize, isIsolated: Bool
    ) async throws {
        let upright = try PixelBuffer.quarters(width: size.width, height: size.height).encoded(as: .jpeg(quality: 90))
        let decoder: any ImageDecoder = isIsolated ? IsolatedDecoder() : JPEGDecoder()
        let image = try await load(jpeg(.right, of: upright), nil, by: decoder)
        #expect(image.info.isIsolated == isIsolated)
        #expect(image.info.size == size.transposed)
        #expect(image.pixels.size == size.transposed)
        #expect(image.pixels.quarters == [.blue, .red, .white, .green])
        let half = TargetSize(PixelSize(width: size.height / 2, height: size.width / 2))
        let reduced = try await load(jpeg(.right, of: upright), half, by: decoder)
        #expect(reduced.pixels.size == half.box)
        #expect(reduced.pixels.quarters == [.blue, .red, .white, .green])
    }

    @Test func `a decoder called without a pipeline ignores the orientation`() throws {
        let bytes = jpeg(.right)
        let box = TargetSize(PixelSize(width: 24, height: 8))
        let request = DecodeRequest(header: try ImageHeader.read(bytes), target: box)
        for decoder in [JPEGDecoder(), IsolatedDecoder()] as [any ImageDecoder] {
            let image = try decoder.decode(bytes, request)
            #expect(image.size == GoldenImage.size)
            #expect(image.pixels.size == PixelSize(width: 12, height: 8))
        }
    }
}
