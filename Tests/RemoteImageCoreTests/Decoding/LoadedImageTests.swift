import Observation
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// The values of a loaded image, and what its copies keep.
@Suite struct LoadedImageTests {
    private func image(
        _ width: Int = 4, _ height: Int = 2, scale: Double = 1, version: ContentVersion = ContentVersion([1]),
        source: ImageSource? = nil
    ) -> LoadedImage {
        let size = PixelSize(width: width, height: height)
        var info = ImageInfo(size: size, decodedSize: size, format: .png, origin: .network, byteCount: 3)
        info.timings = LoadTimings(queued: .zero, transferred: .seconds(1), decoded: .seconds(2))
        return LoadedImage(
            pixels: PixelBuffer(size: PixelSize(width: 2, height: 1), format: .rgb8) { memory in
                for index in memory.indices { memory[index] = 5 }
            },
            info: info, scale: scale, version: version, retention: Retention(storedAt: 7), source: source)
    }

    // MARK: Sizes

    @Test(
        arguments: [
            (4, 2, 1.0, 4.0, 2.0), (4, 2, 2, 2, 1), (4, 2, 0.5, 8, 4), (4, 2, 0, 4, 2), (4, 2, -1, 4, 2),
            (4, 2, .nan, 4, 2),
            (1_000_000, 1_000_001, 1, 1_000_000, 1_000_000), (2_000_002, 2, 2, 1_000_000, 1),
            (4, 2, 1e-9, 1_000_000, 1_000_000),
        ] as [(Int, Int, Double, Double, Double)])
    func `a size in points is that in pixels divided by the scale`(
        width: Int, height: Int, scale: Double, pointWidth: Double, pointHeight: Double
    ) {
        let size = image(width, height, scale: scale).naturalPointSize
        #expect(size.width == pointWidth && size.height == pointHeight)
    }

    @Test func `processors change the natural size in the resolution of the original`() {
        let (full, decoded) = (PixelSize(width: 400, height: 200), PixelSize(width: 100, height: 50))
        var info = ImageInfo(size: full, decodedSize: decoded, format: .jpeg, origin: .network)
        info.resize(from: decoded, to: decoded)
        #expect(info.processedSize == nil && info.naturalSize == full)
        info.resize(from: decoded, to: PixelSize(width: 30, height: 60))
        #expect(info.decodedSize == PixelSize(width: 30, height: 60))
        #expect(info.naturalSize == PixelSize(width: 120, height: 240) && info.size == full)
        info.resize(from: PixelSize(width: 30, height: 60), to: PixelSize(width: 15, height: 1))
        #expect(info.naturalSize == PixelSize(width: 60, height: 4))
        info.resize(from: PixelSize(width: 15, height: 1), to: PixelSize(width: 0, height: 2))
        #expect(info.naturalSize == PixelSize(width: 1, height: 8))
    }

    @Test func `only a vector image is drawn larger than it is`() {
        let size = PixelSize(width: 40, height: 20)
        func drawn(_ format: ImageFormat?, _ target: TargetSize?) -> PixelSize {
            ImageInfo(size: size, decodedSize: size, format: format, origin: .network).pixelSize(for: target)
        }
        #expect(drawn(.png, .longestSide(100)) == size && drawn(nil, .longestSide(100)) == size)
        #expect(drawn(.svg, .longestSide(100)) == PixelSize(width: 100, height: 50))
        #expect(drawn(.png, .longestSide(20)) == PixelSize(width: 20, height: 10))
        #expect(drawn(.svg, nil) == size)
    }

    // MARK: Copies

    @Test func `a copy with another part keeps all others`() {
        let choice = ImageSource.fallbacks(["http://test/a"])
        let source: ImageSource = "http://test/a"
        func isKept(_ copy: LoadedImage, scale: Double = 1, source: ImageSource? = source) -> Bool {
            copy.scale == scale && copy.version == ContentVersion([1]) && copy.retention.storedAt == 7
                && copy.source == source && copy.info.byteCount == 3 && copy.content == 5
        }
        let original = image(source: source)
        var copy = original
        copy.scale = 3
        #expect(isKept(copy, scale: 3) && isKept(original))
        copy.info.byteCount = 4
        #expect(copy.info.byteCount == 4 && copy.scale == 3 && copy.source == source)
        copy = original
        copy.retention = Retention(storedAt: 8)
        #expect(copy.retention.storedAt == 8 && original.retention.storedAt == 7 && copy.source == source)
        copy = original
        copy.pixels = PixelBuffer(size: PixelSize(width: 1, height: 1), format: .rgb8) {
            $0.copyBytes(from: [9, 9, 9])
        }
        #expect(copy.content == 9 && copy.version == original.version && copy.retention.storedAt == 7)
        #expect(isKept(original.releasable))
        #expect(isKept(image().from(source, for: ImageRequest(choice))))
        #expect(isKept(image().from(source, for: ImageRequest(source)), source: nil))
        #expect(isKept(original.from(.memory)) && isKept(original.from(.network)))
    }

    @Test func `an image that is found in memory has no times of a load`() {
        #expect(image().from(.memory).info.origin == .memory)
        #expect(image().from(.memory).info.timings == nil)
        #expect(image().from(.disk).info.origin == .disk)
        #expect(image().from(.disk).info.timings == image().info.timings)
        #expect(image().from(.network).info.timings == image().info.timings)
    }

    @Test func `images look the same if their pixels and their scale are`() {
        let first = image()
        var other = first
        #expect(first.hasSameContent(as: other) && first.isSameImage(as: other))
        other.info.origin = .memory
        #expect(first.hasSameContent(as: other))
        other.scale = 2
        #expect(!first.hasSameContent(as: other) && first.isSameImage(as: other))
        #expect(!first.hasSameContent(as: image()) && !first.isSameImage(as: image()))
    }

    // MARK: Release

    @Test func `only an image that can be released is, and it has one transparent pixel`() {
        let fixed = image()
        fixed.release()
        #expect(!fixed.isReleased && fixed.content == 5)
        let own = image().releasable
        #expect(!own.isReleased && own.content == 5)
        own.release()
        #expect(own.isReleased)
        #expect(own.pixels.size == PixelSize(width: 1, height: 1) && own.pixels.pixel(0, 0) == [0, 0, 0, 0])
        #expect(own.info.size == PixelSize(width: 4, height: 2))
    }

    @Test func `a released image is filled only with the same image`() {
        func isFilled(_ other: LoadedImage) -> Bool {
            let own = image().releasable
            own.release()
            let isFilled = own.refill(from: other)
            #expect(own.isReleased != isFilled)
            #expect(own.pixels === other.pixels || !isFilled)
            return isFilled
        }
        #expect(isFilled(image()))
        #expect(!isFilled(image(version: ContentVersion([2]))))
        #expect(!isFilled(image(scale: 2)))
        #expect(!isFilled(image(4, 3)) && !isFilled(image(5, 2)))
        #expect(!image().refill(from: image()), "it cannot be released")
    }

    @Test func `a weak image lives as long as its pixels`() {
        var strong: LoadedImage? = image(scale: 2, source: "http://test/a")
        let weak = WeakImage(image(scale: 2, source: "http://test/a"))
        let held = strong.map(WeakImage.init)
        #expect(weak.image == nil && weak.source == "http://test/a")
        let found = held?.image
        #expect(found?.scale == 2 && found?.source == "http://test/a" && found?.content == 5)
        #expect(found?.version == ContentVersion([1]) && found?.retention.storedAt == 7 && found?.info.byteCount == 3)
        strong = nil
        _ = consume found
        #expect(strong == nil && held?.image == nil)
    }

    // MARK: Times

    @Test func `times are counted from the request and never negative`() {
        let times = TransferTimes(
            started: .seconds(5), connected: .seconds(6), firstByte: .seconds(7), ended: .seconds(8))
        #expect(
            times.timings(since: .seconds(2), decodedAt: .seconds(9))
                == LoadTimings(
                    queued: .seconds(3), connected: .seconds(4), firstByte: .seconds(5), transferred: .seconds(6),
                    decoded: .seconds(7)))
        #expect(
            times.timings(since: .milliseconds(7500), decodedAt: .seconds(9))
                == LoadTimings(
                    queued: .zero, connected: .zero, firstByte: .zero, transferred: .milliseconds(500),
                    decoded: .milliseconds(1500)))
        let timings = LoadTimings(
            queued: .microseconds(49), connected: .microseconds(50), transferred: .microseconds(10_950),
            decoded: .milliseconds(123))
        #expect("\(timings)" == "queued 0.0 ms, connected 0.1 ms, transferred 11.0 ms, decoded 123.0 ms")
    }

    // MARK: Loading

    @Test(
        arguments: [
            (0, nil, 0), (5, nil, 0), (0, 10, 0), (5, 10, 50), (999, 1000, 99), (10, 10, 100), (11, 10, 100), (1, 0, 0),
        ]
            as [(Int, Int?, Int)])
    func `the percentage is rounded down`(completed: Int, total: Int?, percent: Int) {
        let progress = LoadProgress(completedByteCount: completed, totalByteCount: total)
        #expect(LoadingState(progress: progress).percent == percent)
    }

    @Test func `a state follows its load until it is changed`() {
        let load = LoadingState(progress: LoadProgress(completedByteCount: 1), attempt: 2).observed()
        var state = load
        let snapshot = state.snapshot
        load.advance(to: LoadingState(progress: LoadProgress(completedByteCount: 3), preview: image(), attempt: 4))
        #expect(state.progress.completedByteCount == 3 && state.attempt == 4 && state.preview?.content == 5)
        #expect(snapshot.progress.completedByteCount == 1 && snapshot.attempt == 2 && snapshot.preview == nil)
        state.attempt = 9
        load.advance(to: LoadingState(attempt: 5))
        #expect(state.attempt == 9 && state.progress.completedByteCount == 3 && state.preview?.content == 5)
        #expect(load.attempt == 5 && LoadingState().attempt == 1)
    }

    /// Content that reads one value is not made again for the others.
    @Test func `observers of a load are told of the values that changed`() {
        let first = image()
        func changes(_ new: LoadingState) -> [String] {
            let state = LoadingState(
                progress: LoadProgress(completedByteCount: 1), preview: first, attempt: 2
            ).observed()
            let found = Lock<[String]>([])
            withObservationTracking {
                _ = state.progress
            } onChange: {
                found.withLock { $0.append("progress") }
            }
            withObservationTracking {
                _ = state.attempt
            } onChange: {
                found.withLock { $0.append("attempt") }
            }
            withObservationTracking {
                _ = state.preview
            } onChange: {
                found.withLock { $0.append("preview") }
            }
            state.advance(to: new)
            return found.withLock { $0 }
        }
        let progress = LoadProgress(completedByteCount: 1)
        #expect(changes(LoadingState(progress: progress, preview: first, attempt: 2)) == [])
        #expect(changes(LoadingState(preview: first, attempt: 2)) == ["progress"])
        #expect(changes(LoadingState(progress: progress, preview: first, attempt: 3)) == ["attempt"])
        #expect(changes(LoadingState(progress: progress, attempt: 2)) == ["preview"])
        #expect(changes(LoadingState(progress: progress, preview: image(), attempt: 2)) == ["preview"])
    }
}
