import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// The cost of images in memory, the order of their eviction, and their expiry.
@Suite struct MemoryLimitTests {
    private func image(side: Int = 10, animation: ImageAnimation? = nil) -> LoadedImage {
        let pixels = PixelBuffer(size: PixelSize(width: side, height: side), format: .rgb8) { memory in
            for index in memory.indices { memory[index] = 1 }
        }
        return LoadedImage(
            pixels: pixels,
            info: ImageInfo(size: pixels.size, decodedSize: pixels.size, format: .png, origin: .network),
            version: ContentVersion(), animation: animation)
    }

    private func key(_ name: String) -> ImageCacheKey { ImageCacheKey(identity: name) }

    /// Opaque pixels have three bytes.
    private func cost(side: Int) -> Int { side * side * 3 }

    // MARK: Cost

    @Test func `a replaced image counts only with its new cost`() {
        let cache = MemoryCache()
        for side in [10, 30, 20] {
            cache.store(CachedImage(image(side: side)), for: key("a"))
            #expect(cache.cost == cost(side: side))
            #expect(cache.count == 1)
        }
    }

    @Test func `a replacement above the limit removes the old image`() {
        let cache = MemoryCache(costLimit: cost(side: 10))
        cache.store(CachedImage(image(side: 10)), for: key("a"))
        cache.store(CachedImage(image(side: 11)), for: key("a"))
        #expect(cache.entry(for: key("a")) == nil)
        #expect(cache.cost == 0)
    }

    @Test func `the file of an animation counts towards the cost`() throws {
        let file = SampleImage.animatedGIF
        let animation = try #require(
            ImageAnimation(
                file, .gif, size: PixelSize(width: 10, height: 10), decoder: OrientedDecoder(FakeDecoder()),
                limits: DecodeLimits()))
        let cache = MemoryCache()
        cache.store(CachedImage(image(animation: animation)), for: key("a"))
        #expect(cache.cost == cost(side: 10) + file.count)
    }

    /// A copy of the GPU was counted, too, which an evicted image no longer has or keeps: a second
    /// look at 524 photos found less than half of them.
    @Test func `by default at least 524 photos of 320 by 240 pixels are kept`() {
        let cache = MemoryCache(costLimit: 128 << 20)
        let pixels = PixelBuffer(size: PixelSize(width: 320, height: 240), format: .rgb8) { _ in }
        let info = ImageInfo(size: pixels.size, decodedSize: pixels.size, format: .jpeg, origin: .network)
        for number in 0..<524 {
            cache.store(CachedImage(LoadedImage(pixels: pixels, info: info)), for: key("\(number)"))
        }
        #expect(cache.count == 524)
        #expect(cache.cost == 524 * pixels.byteCount)
    }

    // MARK: Limits

    @Test func `negative limits are zero`() {
        let cache = MemoryCache(costLimit: -1, countLimit: -1)
        #expect(cache.costLimit == 0 && cache.countLimit == 0)
        for change in [{ cache.costLimit = -5 }, { cache.countLimit = -5 }, { cache.trim(toCost: -5) }] {
            cache.costLimit = .max
            cache.countLimit = .max
            cache.store(CachedImage(image()), for: key("a"))
            #expect(cache.count == 1)
            change()
            #expect(cache.count == 0 && cache.cost == 0)
        }
    }

    @Test(arguments: [(-1.0, 0), (0.5, 2), (1, 4), (7, 4)])
    func `shrinking keeps a fraction of the cache, clamped between none and all`(fraction: Double, count: Int) {
        let cache = MemoryCache(costLimit: cost(side: 10) * 4)
        for name in ["a", "b", "c", "d"] { cache.store(CachedImage(image()), for: key(name)) }
        cache.shrink(to: fraction)
        #expect(cache.count == count)
    }

    /// The largest limit is not a `Double`: its conversion back used to end the process.
    @Test(arguments: [(1.0, 1), (0.5, 1), (0, 0), (Double.nan, 0)])
    func `a cache without a limit can be shrunk`(fraction: Double, count: Int) {
        let cache = MemoryCache(costLimit: .max)
        cache.store(CachedImage(image()), for: key("a"))
        cache.shrink(to: fraction)
        #expect(cache.count == count)
    }

    // MARK: Order of eviction

    /// A reloaded image used to be evicted first.
    @Test func `an image stored again counts as recently used`() {
        let cache = MemoryCache(countLimit: 3)
        for name in ["a", "b", "c", "a", "d"] { cache.store(CachedImage(image()), for: key(name)) }
        #expect(cache.entry(for: key("a")) != nil)
        #expect(cache.entry(for: key("b")) == nil)
    }

    private func kept(_ cache: MemoryCache, _ names: String) -> String {
        names.filter { cache.entry(for: key(String($0))) != nil }
    }

    /// Looking at an entry counts as a use, so each cache is looked at once.
    @Test(arguments: [
        ("abc", "abc"), ("abcd", "bcd"), ("abcAd", "acd"), ("abcAde", "ade"), ("abcAdef", "def"), ("abcABCd", "bcd"),
        ("abcABd", "abd"), ("abcABde", "bde"), ("abcdBe", "bde"),
    ])
    func `a used image gets one more turn`(steps: String, left: String) {
        let cache = MemoryCache(countLimit: 3)
        for step in steps {
            let name = String(step)
            if step.isUppercase {
                _ = cache.entry(for: key(name.lowercased()))
            } else {
                cache.store(CachedImage(image()), for: key(name))
            }
        }
        #expect(kept(cache, "abcdef") == left)
        #expect(cache.count == 3 && cache.cost == cost(side: 10) * 3)
    }

    @Test func `an image of exactly the limit is kept, and evicts what does not fit beside it`() {
        let cache = MemoryCache(costLimit: cost(side: 10) * 4)
        for name in ["a", "b", "c"] { cache.store(CachedImage(image()), for: key(name)) }
        cache.store(CachedImage(image()), for: key("d"))
        #expect(cache.count == 4)
        cache.store(CachedImage(image(side: 20)), for: key("e"))
        #expect(cache.count == 1 && cache.cost == cost(side: 20))
        cache.costLimit = cost(side: 20) - 1
        #expect(cache.count == 0 && cache.cost == 0)
    }

    @Test func `limits that are not reached remove nothing`() {
        let cache = MemoryCache()
        for name in ["a", "b", "c"] { cache.store(CachedImage(image()), for: key(name)) }
        cache.trim(toCount: 3)
        cache.trim(toCost: cost(side: 10) * 3)
        cache.costLimit = cost(side: 10) * 3
        cache.countLimit = 3
        #expect(cache.count == 3)
        cache.trim(toCost: cost(side: 10) * 3 - 1)
        #expect(cache.count == 2)
        cache.trim(toCount: 1)
        #expect(cache.count == 1)
    }

    @Test func `removing all images keeps the limits, and the cache can be filled again`() {
        let cache = MemoryCache(costLimit: cost(side: 10) * 5, countLimit: 2)
        for _ in 0..<2 {
            for name in ["a", "b", "c"] { cache.store(CachedImage(image()), for: key(name)) }
            #expect(cache.count == 2 && cache.cost == cost(side: 10) * 2)
            cache.removeAll()
            #expect(cache.count == 0 && cache.cost == 0)
            #expect(cache.costLimit == cost(side: 10) * 5 && cache.countLimit == 2)
        }
    }

    @Test func `images are removed by their key, and their observers are told`() {
        let cache = MemoryCache(countLimit: 3)
        let told = Watched<[String]>([])
        let names = ["a1", "a2", "b1", "b2"]
        let observations = names.map { name in cache.observe(key(name)) { _ in told.update { $0.append(name) } } }
        let shown = image()
        // The first is evicted, and is in use.
        for name in names { cache.store(CachedImage(name == "a1" ? shown : image()), for: key(name)) }
        #expect(told.value == ["a1"] && cache.count == 3)
        cache.removeAll { $0.identity.hasPrefix("a") }
        #expect(told.value == ["a1", "a2"])
        #expect(names.map { cache.contains(key($0)) } == [false, false, true, true])
        #expect(cache.count == 2 && cache.cost == cost(side: 10) * 2)
        withExtendedLifetime((observations, shown)) {}
    }

    @Test func `an evicted image keeps the end of its freshness`() {
        let cache = MemoryCache(countLimit: 1)
        let shown = image()
        cache.store(CachedImage(shown, freshUntil: .seconds(7)), for: key("a"))
        cache.store(CachedImage(image()), for: key("b"))
        #expect(cache.entry(for: key("a"))?.freshUntil == .seconds(7))
        cache.store(CachedImage(shown, freshUntil: .seconds(9)), for: key("a"))
        #expect(cache.entry(for: key("a"))?.freshUntil == .seconds(9) && cache.count == 1)
    }

    /// The table of images in use is cleaned when it has grown.
    @Test func `images in use are found among many that are not`() {
        let cache = MemoryCache(countLimit: 1)
        let shown = (0..<100).map { _ in image() }
        for number in 0..<1000 {
            let own = number % 10 == 0 ? shown[number / 10] : image()
            cache.store(CachedImage(own), for: key("\(number)"))
        }
        let found = (0..<999).filter { cache.entry(for: key("\($0)")) != nil }
        #expect(found == stride(from: 0, to: 999, by: 10).map { $0 })
        withExtendedLifetime(shown) {}
    }

    // MARK: Expiry

    @Test(.timeLimit(.minutes(5)))
    func `the expiry of a pipeline applies to requests without an expiry`() async throws {
        let (transport, clock) = (FakeTransport { _ in .ok(TestImage().bytes) }, TestClock())
        let pipeline = ImagePipeline.test(transport) {
            $0.clock = clock
            $0.options.expiry = .seconds(10)
        }
        let plain = ImageRequest("http://test/a")
        var own = ImageRequest("http://test/b")
        own.options.expiry = .seconds(20)
        for request in [plain, own] { _ = try await pipeline.image(for: request) }
        clock.advance(by: .seconds(15))
        #expect(pipeline.cachedImage(for: plain) == nil)
        #expect(pipeline.cachedImage(for: own) != nil)
        clock.advance(by: .seconds(15))
        #expect(pipeline.cachedImage(for: own) == nil)
    }
}
