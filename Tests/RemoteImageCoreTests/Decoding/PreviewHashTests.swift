import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

@Suite(.timeLimit(.minutes(5)), .endsInTime)
struct PreviewHashTests {
    private func colour(_ pixels: PixelBuffer, _ x: Double, _ y: Double) -> [Int] {
        let (column, row) = (Int(x * Double(pixels.size.width)), Int(y * Double(pixels.size.height)))
        let bytes = pixels.format.bytesPerPixel
        return pixels.withUnsafeBytes { memory in
            memory[((row * pixels.size.width + column) * bytes)...].prefix(bytes).map(Int.init)
        }
    }

    /// The reference's Python port made the hash from 40 × 20 pixels, red on the left and blue on
    /// the right.
    @Test func `a ThumbHash decodes to the colours and aspect ratio of the image`() throws {
        let picture = try #require(PreviewHash.thumbHash("FfYC9Kh4jD+Ah4h3d5ePePiIiA==").image)
        #expect(picture.pixels.size == PixelSize(width: 32, height: 18))
        #expect(picture.pixels.format == .rgb8)
        let (left, right) = (colour(picture.pixels, 0.1, 0.5), colour(picture.pixels, 0.9, 0.5))
        #expect(left[0] > 200 && left[1] < 40 && left[2] < 40)
        #expect(right[0] < 40 && right[1] < 40 && right[2] > 200)
    }

    /// The expected pixels come from a port of the reference's `thumbHashToRGBA`; the second hash
    /// is one of its examples. Terms without a vertical component used to count half.
    @Test(arguments: [
        (
            "FfYC9Kh4jD+Ah4h3d5ePePiIiA==", PixelSize(width: 32, height: 18),
            [(9, 9, [230, 3, 23]), (16, 9, [90, 2, 163]), (28, 9, [0, 1, 255]), (16, 16, [103, 1, 151])]
        ),
        (
            "YTkGJwaRhWUIt4lbgnhZl3ath2BUBGYA", PixelSize(width: 32, height: 32),
            [(0, 0, [68, 126, 131]), (16, 16, [195, 106, 52]), (31, 16, [188, 145, 152])]
        ),
    ])
    func `a ThumbHash decodes to the pixels of the reference decoder`(
        hash: String, size: PixelSize, expected: [(x: Int, y: Int, colour: [Int])]
    ) throws {
        let pixels = try #require(PreviewHash.thumbHash(hash).image).pixels
        #expect(pixels.size == size)
        for (x, y, expected) in expected {
            let place = (Double(x) + 0.5) / Double(size.width)
            let found = colour(pixels, place, (Double(y) + 0.5) / Double(size.height))
            #expect(zip(found, expected).allSatisfy { abs($0 - $1) <= 1 }, "\(found) at \(x), \(y)")
        }
    }

    /// The expected pixels come from the reference's C decoder at 8 × 8.
    @Test func `a BlurHash decodes to the pixels of the reference decoder`() throws {
        let picture = try #require(PreviewHash.blurHash("LEHV6nWB2yk8pyo0adR*.7kCMdnj").image)
        #expect(picture.pixels.size == PixelSize(width: 32, height: 32))
        for (place, expected) in [(0.0, [135, 164, 177]), (0.5, [158, 125, 108]), (7.0 / 8, [140, 144, 145])] {
            let found = colour(picture.pixels, place, place)
            #expect(zip(found, expected).allSatisfy { abs($0 - $1) <= 1 }, "\(found) at \(place)")
        }
        let wide = try #require(PreviewHash.blurHash("LEHV6nWB2yk8pyo0adR*.7kCMdnj", aspectRatio: 2).image)
        #expect(wide.pixels.size == PixelSize(width: 32, height: 16))
    }

    @Test(arguments: [
        PreviewHash.thumbHash(""), .thumbHash("AAAA"), .thumbHash("no Base64!"), .blurHash(""), .blurHash("LEHV6n"),
        .blurHash("LEHV6nWB2yk8pyo0adR*.7kCMdn"), .blurHash("LEHV6nWB2yk8pyo0adR*.7kCMdn\""),
    ])
    func `an invalid hash has no image`(hash: PreviewHash) {
        #expect(hash.image == nil)
    }

    @Test(arguments: 0..<200)
    func `random hashes and aspect ratios decode without a crash`(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let bytes = (0..<Int.random(in: 5...40, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
        if let picture = ThumbHash(bytes)?.image() { #expect(picture.size.longestSide <= 32) }
        let ratio = [-1, 0, .nan, .infinity, 1e-9, 1e9].randomElement(using: &random) ?? 1
        #expect(PreviewHash.blurHash("LEHV6nWB2yk8pyo0adR*.7kCMdnj", aspectRatio: ratio).image != nil)
    }

    @Test @MainActor func `a hash is the preview from the start of a load and never its final image`() async throws {
        let transport = FakeTransport()
        var options = ImageOptions()
        options.previewHash = .thumbHash("FfYC9Kh4jD+Ah4h3d5ePePiIiA==")
        let model = NetworkImageModel("http://test/a", pipeline: .test(transport), options: options)
        model.load()
        guard case .loading(let state) = model.phase else {
            Issue.record("it loads")
            return
        }
        #expect(state.preview?.info.size == PixelSize(width: 32, height: 18))
        try await transport.started(count: 1)
        model.cancel()
        #expect(model.phase.kind == .empty)
        model.load()
        try await transport.started(count: 2).fail(ImageError(.connection))
        #expect(await model.reached(.failure) != nil)
    }

    @Test @MainActor func `a hash that is set while the image loads is shown at once, and reported`() async throws {
        let transport = FakeTransport()
        let model = NetworkImageModel("http://test/b", pipeline: .test(transport))
        var sizes: [PixelSize?] = []
        let observation = model.observePhase { _, new in
            if case .loading(let state) = new { sizes.append(state.preview?.info.size) }
        }
        model.load()
        model.options.previewHash = .blurHash("LEHV6nWB2yk8pyo0adR*.7kCMdnj", aspectRatio: 2)
        model.options.priority = .high
        model.options.previewHash = nil
        #expect(sizes == [nil, PixelSize(width: 32, height: 16), nil])
        try await transport.started(count: 1).fail(ImageError(.connection))
        #expect(await model.reached(.failure) != nil)
        model.options.previewHash = .blurHash("LEHV6nWB2yk8pyo0adR*.7kCMdnj")
        #expect(model.phase.kind == .failure)
        withExtendedLifetime(observation) {}
    }
}
