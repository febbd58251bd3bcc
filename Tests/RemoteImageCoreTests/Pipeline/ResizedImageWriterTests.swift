import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// Which images are worth storing in their size, and which of those that wait are stored.
@Suite(.timeLimit(.minutes(5)), .endsInTime)
struct ResizedImageWriterTests {
    private static let original = PixelSize(width: 100, height: 100)

    /// A time of a little more than 12 ns for each of `byteCount`.
    private func time(_ byteCount: Int) -> DecodeTime {
        let pixel = PixelBuffer(size: PixelSize(width: 1, height: 1), format: .rgb8) { _ in }
        return DecodeTime(ofEncoded: pixel, byteCount: byteCount, isLossless: true)
    }

    /// An image that was decoded from a stored JPEG of 100 × 100 pixels.
    private func image(
        _ width: Int = 50, _ height: Int = 100, format: PixelFormat = .rgb8, time: DecodeTime? = nil
    ) -> LoadedImage {
        let pixels = PixelBuffer(size: PixelSize(width: width, height: height), format: format) { _ in }
        var image = LoadedImage(
            pixels: pixels,
            info: ImageInfo(size: Self.original, decodedSize: pixels.size, format: .jpeg, origin: .network))
        image.retention.original = StoredOriginal(storeKey: "stored a", decodeTime: time ?? self.time(1 << 20))
        return image
    }

    private func key(_ target: Int = 50, processors: [String] = []) -> ImageKey {
        ImageKey(load: LoadKey(identity: "a"), target: .longestSide(target), processors: processors)
    }

    private func isCandidate(
        _ image: LoadedImage, processors: [String] = [], _ options: ImageOptions = ImageOptions()
    ) -> Bool {
        ResizedImageWriter.candidate(image, key(processors: processors), options) != nil
    }

    @Test func `a candidate describes its pixels and its original`() throws {
        var image = image()
        image.info.processedSize = PixelSize(width: 7, height: 3)
        let key = key(50, processors: ["round"])
        let candidate = try #require(ResizedImageWriter.candidate(image, key, ImageOptions()))
        #expect(candidate.pixels === image.pixels)
        #expect(candidate.details.storeKey == "stored a")
        #expect(candidate.details.version == image.version)
        #expect(candidate.details.decodeTime == time(1 << 20))
        #expect(
            candidate.details.description
                == ResizedImage.Description(
                    size: PixelSize(width: 50, height: 100), processedSize: PixelSize(width: 7, height: 3),
                    processing: key.processing, originalSize: Self.original, originalFormat: .jpeg))
    }

    @Test func `an image with more than half of the pixels is stored only if it is processed`() {
        #expect(isCandidate(image(50, 100)) && isCandidate(image(100, 50)))
        #expect(!isCandidate(image(51, 100)) && !isCandidate(image(100, 51)))
        #expect(isCandidate(image(100, 100), processors: ["round"]))
    }

    /// Decoding 5,000 pixels of an estimated 500 bytes takes 24.3 µs, or 38.5 µs without loss.
    @Test(arguments: [(PixelFormat.rgb8, 5658), (.rgba8Premultiplied, 9208)])
    func `an image is stored if its original takes at least three times as long`(format: PixelFormat, limit: Int) {
        #expect(isCandidate(image(format: format, time: time(limit))))
        #expect(!isCandidate(image(format: format, time: time(limit - 1))))
    }

    @Test func `images that must not be stored are no candidates`() {
        #expect(isCandidate(image()))
        #expect(!isCandidate(image(), ImageOptions(cachesResizedImages: false)))
        #expect(!isCandidate(image(), ImageOptions(cachePolicy: .noStore)))
        for isStable in [true, false] {
            let processor = ImageProcessor(identity: "own", hasStableIdentity: isStable) { $0 }
            #expect(isCandidate(image(), processors: ["own"], ImageOptions(processors: [processor])) == isStable)
        }
        var changed = image()
        changed.retention.original = nil
        #expect(!isCandidate(changed), "the original is not stored")
        changed = image()
        changed.retention.original?.decodeTime = nil
        #expect(!isCandidate(changed))
        changed = image()
        changed.retention.isKeptOnlyWhileInUse = true
        #expect(!isCandidate(changed))
        changed = image()
        changed.info.format = nil
        #expect(!isCandidate(changed))
    }

    // MARK: Waiting

    @Test func `at most 512 images wait`() async throws {
        let fixture = try ResizedImageFixture()
        let pipeline = fixture.pipeline()
        let writer = try #require(pipeline.context.writer)
        for number in 1...513 {
            await writer.consider(image(), key(processors: ["\(number)"]), ImageOptions())
            if number >= 511 { #expect(writer.waitingCount == min(number, 512)) }
        }
    }

    @Test func `of more than 512 waiting images the oldest is dropped`() async throws {
        let fixture = try ResizedImageFixture()
        let pipeline = fixture.pipeline()
        let writer = try #require(pipeline.context.writer)
        let oldest = try await fixture.download(in: pipeline)
        for number in 0..<511 { await writer.consider(image(), key(processors: ["\(number)"]), ImageOptions()) }
        #expect(writer.waitingCount == 512)
        var newest = oldest
        newest.pixels = ResizedImageFixture.pixels(size: PixelSize(width: 200, height: 150))
        await writer.consider(newest, key(200), ImageOptions())
        #expect(writer.waitingCount == 512)
        try await fixture.idle(pipeline)
        #expect(fixture.resized.map(\.size.width) == [200])
        withExtendedLifetime((oldest, newest)) {}
    }

    @Test func `an image takes the place of one whose pixels are gone`() async throws {
        let fixture = try ResizedImageFixture()
        let pipeline = fixture.pipeline()
        let writer = try #require(pipeline.context.writer)
        let original = try await fixture.download(in: pipeline)
        func decoded() -> LoadedImage {
            var other = original
            other.pixels = ResizedImageFixture.pixels(size: PixelSize(width: 200, height: 150))
            return other
        }
        await writer.consider(decoded(), key(200), ImageOptions())
        let shown = decoded()
        await writer.consider(shown, key(200), ImageOptions())
        try await fixture.idle(pipeline)
        #expect(fixture.resized.map(\.size.width).contains(200))
        withExtendedLifetime((original, shown)) {}
    }

    /// Noise needs many more bytes than a photograph.
    @Test(arguments: [false, true])
    func `an image whose file is larger than estimated is stored only if its original is slow`(
        isSlow: Bool
    ) async throws {
        let fixture = try ResizedImageFixture()
        let pipeline = fixture.pipeline { $0.storesResizedImagesAtOnce = true }
        let writer = try #require(pipeline.context.writer)
        var image = try await fixture.download(in: pipeline)
        var random = SeededGenerator(seed: 4)
        image.pixels = PixelBuffer(size: PixelSize(width: 200, height: 150), format: .rgb8) { memory in
            for index in memory.indices { memory[index] = UInt8.random(in: 0...255, using: &random) }
        }
        // The shortest time, within a factor of 1.1, that seems to pay, or a very long one.
        var byteCount = isSlow ? Double(1 << 24) : 1000
        func isCandidate() -> Bool {
            image.retention.original?.decodeTime = time(Int(byteCount))
            return ResizedImageWriter.candidate(image, key(200), ImageOptions()) != nil
        }
        while !isCandidate() { byteCount *= 1.1 }
        await writer.consider(image, key(200), ImageOptions())
        #expect(fixture.resized.map(\.size.width).contains(200) == isSlow)
    }

    @Test func `an image takes the place of one that it covers or of another version`() async throws {
        let fixture = try ResizedImageFixture()
        let pipeline = fixture.pipeline()
        let writer = try #require(pipeline.context.writer)
        let first = image(40, 50)
        var (larger, other) = (first, first)
        larger.pixels = image(44, 55).pixels
        other = image(30, 40)
        for (image, count) in [(first, 1), (larger, 1), (first, 1), (other, 1)] {
            await writer.consider(image, key(), ImageOptions())
            #expect(writer.waitingCount == count)
        }
        await writer.consider(image(20, 90), key(), ImageOptions())
        #expect(writer.waitingCount == 2, "another step")
        var elsewhere = image(30, 40)
        elsewhere.retention.original = StoredOriginal(storeKey: "stored b", decodeTime: time(1 << 20))
        await writer.consider(elsewhere, key(), ImageOptions())
        #expect(writer.waitingCount == 3)
    }

    @Test func `a pause begins once, and only if an image waits`() async throws {
        let fixture = try ResizedImageFixture()
        let pipeline = fixture.pipeline()
        let writer = try #require(pipeline.context.writer)
        writer.jobsHaveEnded(pipeline.context.jobs)
        #expect(writer.isResting)
        #expect(fixture.clock.nextDelay == nil)
        await writer.consider(image(), key(), ImageOptions())
        for _ in 0..<2 { writer.jobsHaveEnded(pipeline.context.jobs) }
        #expect(!writer.isResting)
        #expect(fixture.clock.nextDelay == .milliseconds(250))
        // Nothing holds the pixels of the image, so that it is dropped.
        fixture.clock.advance(by: .milliseconds(250))
        try await waitUntil("the end of the pause") { writer.isResting }
        #expect(writer.waitingCount == 0)
        #expect(fixture.clock.nextDelay == nil)
    }

    @Test func `images that are no longer in use are skipped, and all others are stored`() async throws {
        let fixture = try ResizedImageFixture()
        let pipeline = fixture.pipeline()
        let writer = try #require(pipeline.context.writer)
        let image = try await fixture.download(in: pipeline)
        var held: [LoadedImage] = []
        for (side, isHeld) in [(90, false), (60, true), (220, false), (200, true)] {
            var other = image
            other.pixels = ResizedImageFixture.pixels(size: PixelSize(width: side, height: side * 3 / 4))
            await writer.consider(other, key(side), ImageOptions())
            if isHeld { held.append(other) }
        }
        #expect(writer.waitingCount == 5)
        try await fixture.idle(pipeline)
        #expect(fixture.resized.map(\.size.width).sorted() == [60, 100, 200])
        #expect(writer.waitingCount == 0)
        withExtendedLifetime((image, held)) {}
    }
}
