import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// Which requests share an image in memory and a response in the store.
@Suite struct CacheKeyTests {
    private let pipeline = ImagePipeline.test(FakeTransport())

    private typealias Change = (inout ImageOptions) -> Void

    private func request(
        _ text: String = "http://test/a", target: TargetSize? = nil, processors: [ImageProcessor] = [],
        changed change: Change = { _ in }
    ) -> ImageRequest {
        var options = ImageOptions()
        options.processors = processors
        change(&options)
        return ImageRequest(text, target: target, options: options)
    }

    private func key(
        _ text: String = "http://test/a", target: TargetSize? = nil, processors: [ImageProcessor] = [],
        changed change: Change = { _ in }
    ) -> ImageCacheKey {
        pipeline.cacheKey(for: request(text, target: target, processors: processors, changed: change))
    }

    @Test func `all spellings of an address share a key`() {
        #expect(key("HTTP://TEST:80/x/../a#top") == key())
        #expect(key("http://test/A") != key())
        #expect(key("https://test/a") != key())
    }

    @Test func `an image has one key at all sizes`() {
        #expect(key(target: .longestSide(10)) == key())
        #expect(key(changed: { $0.maxPixelSize = 10 }) == key())
    }

    @Test func `a processed image has a key for each list of processors and each size`() {
        let lists: [[ImageProcessor]] = [
            [], [.grayscale], [.circle()], [.grayscale, .circle()], [.circle(), .grayscale],
            [.composition([.grayscale, .circle()])],
        ]
        var keys = lists.map { key(processors: $0) }
        keys.append(key(target: .longestSide(10), processors: [.grayscale]))
        keys.append(key(target: TargetSize(PixelSize(width: 10, height: 10), fit: .cover), processors: [.grayscale]))
        #expect(Set(keys).count == keys.count)
        #expect(key(processors: [.grayscale, .circle()]) == keys[3])
    }

    /// Names used to be joined with a separator that a name may contain.
    @Test func `processors whose joined names are ambiguous have different keys`() {
        let readings = [["a|b"], ["a", "b"], ["a|", "b"], ["a", "|b"], ["1 a", "b"], ["1 a|1 b"]].map { names in
            names.map { name in ImageProcessor(identity: name) { $0 } }
        }
        #expect(Set(readings.map { key(processors: $0) }).count == readings.count)
        #expect(Set(readings.map { ImageProcessor.composition($0).identity }).count == readings.count)
    }

    @Test func `options for when and how an image is loaded are not part of its key`() {
        let changes: [Change] = [
            { $0.priority = .veryHigh }, { $0.loadOptions = [] }, { $0.delay = .seconds(1) },
            { $0.cachePolicy = .reload }, { $0.expiry = .seconds(1) }, { $0.timeout = .seconds(1) },
            { $0.retryPolicy = .never }, { $0.transferLimits = TransferLimits() },
            { $0.decodeLimits = DecodeLimits() }, { $0.previews = .progressive }, { $0.transition = .crossFade },
        ]
        for change in changes {
            #expect(key(changed: change) == key())
            #expect(pipeline.diskCacheKey(for: request(changed: change)) == "http://test/a")
        }
    }

    @Test func `the account of a request is part of the key`() {
        let changes: [Change] = [
            { _ in }, { $0.headers[.authorization] = "anna" }, { $0.headers[.authorization] = "ben" },
            { $0.requestHook = RequestHook("anna") { _ in } }, { $0.requestHook = RequestHook("ben") { _ in } },
        ]
        let keys = changes.map { key(changed: $0) }
        #expect(Set(keys).count == keys.count)
    }

    @Test func `the store key does not depend on the target or the processors`() {
        let small = request(target: .longestSide(10), processors: [.grayscale])
        #expect(pipeline.diskCacheKey(for: request()) == "http://test/a")
        #expect(pipeline.diskCacheKey(for: small) == "http://test/a")
    }

    @Test func `changing a copy of a request does not change the key of the original`() {
        let first = request(processors: [.grayscale])
        let before = pipeline.cacheKey(for: first)
        var second = first
        second.options.processors = []
        second.source = "http://test/b"
        #expect(pipeline.cacheKey(for: first) == before)
        #expect(pipeline.cacheKey(for: second) == key("http://test/b"))
    }

    /// Memory used to answer it with a file that the program had loaded itself.
    @Test func `a forbidden address is not answered from memory`() async throws {
        let file = try TemporaryFile(TestImage(3).bytes)
        #expect(try await pipeline.image(for: .file(file.path)).content == 3)
        let text = ImageSource("file:\(file.path)")
        #expect(text.identity == ImageSource.file(file.path).identity)
        #expect(pipeline.cachedImage(for: ImageRequest(text)) == nil)
        let error = await #expect(throws: ImageError.self) { try await pipeline.image(for: text) }
        #expect(error?.code == .forbiddenScheme)
    }
}
