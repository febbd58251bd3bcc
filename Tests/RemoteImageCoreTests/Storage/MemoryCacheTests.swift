import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

@Suite struct MemoryCacheTests {
    private func image(_ content: UInt8 = 1, side: Int = 10, of size: Int? = nil) -> LoadedImage {
        let pixels = PixelBuffer(size: PixelSize(width: side, height: side), format: .rgb8) { memory in
            for index in memory.indices { memory[index] = content }
        }
        let own = PixelSize(width: size ?? side, height: size ?? side)
        return LoadedImage(
            pixels: pixels, info: ImageInfo(size: own, decodedSize: pixels.size, format: .png, origin: .network))
    }

    private func key(_ name: String) -> ImageCacheKey { ImageCacheKey(identity: name) }

    /// The cost of an opaque image of 10 × 10 pixels.
    private let cost = 300

    @Test func `a stored image is found`() {
        let cache = MemoryCache()
        cache.store(CachedImage(image(3)), for: key("a"))
        #expect(cache.entry(for: key("a"))?.image.content == 3)
        #expect(cache.entry(for: key("b")) == nil)
        #expect(cache.cost == cost)
    }

    @Test func `storing a key again replaces its image and counts it once`() {
        let cache = MemoryCache()
        cache.store(CachedImage(image(1)), for: key("a"))
        cache.store(CachedImage(image(2)), for: key("a"))
        #expect(cache.entry(for: key("a"))?.image.content == 2)
        #expect(cache.cost == cost)
        #expect(cache.count == 1)
    }

    @Test func `a decoded image serves smaller targets and not larger targets`() {
        let entry = CachedImage(image(side: 50, of: 100))
        #expect(entry.serves(.longestSide(40)))
        #expect(entry.serves(.longestSide(51)), "one pixel is forgiven")
        #expect(!entry.serves(.longestSide(60)))
        #expect(!entry.serves(nil))
        #expect(CachedImage(image(side: 100)).serves(nil))
    }

    @Test func `the cost stays within its limit`() {
        let cache = MemoryCache(costLimit: cost * 3)
        for name in ["a", "b", "c", "d"] { cache.store(CachedImage(image()), for: key(name)) }
        #expect(cache.cost == cost * 3)
        #expect(cache.count == 3)
    }

    @Test func `the count stays within its limit`() {
        let cache = MemoryCache(countLimit: 2)
        for name in ["a", "b", "c"] { cache.store(CachedImage(image()), for: key(name)) }
        #expect(cache.count == 2)
    }

    @Test func `a recently used image is not evicted`() {
        let cache = MemoryCache(costLimit: cost * 3)
        for name in ["a", "b", "c"] { cache.store(CachedImage(image()), for: key(name)) }
        _ = cache.entry(for: key("a"))
        cache.store(CachedImage(image()), for: key("d"))
        #expect(cache.entry(for: key("a")) != nil)
        #expect(cache.entry(for: key("b")) == nil)
    }

    @Test func `an image larger than the whole cache is not kept and evicts nothing`() {
        let cache = MemoryCache(costLimit: cost)
        cache.store(CachedImage(image()), for: key("a"))
        cache.store(CachedImage(image(side: 20)), for: key("b"))
        #expect(cache.entry(for: key("a")) != nil)
        #expect(cache.count == 1)
    }

    @Test func `an evicted image is found as long as it is in use`() {
        let cache = MemoryCache(costLimit: cost)
        var shown: LoadedImage? = image(9)
        if let shown { cache.store(CachedImage(shown), for: key("a")) }
        cache.store(CachedImage(image()), for: key("b"))
        #expect(cache.entry(for: key("a"))?.image.content == 9)
        #expect(cache.cost == cost && cache.count == 1, "what is merely in use counts for nothing")
        shown = nil
        #expect(cache.entry(for: key("a")) == nil)
        #expect(shown == nil)
    }

    /// A view without animations kept the pixels of an evicted GIF, which then was a still image
    /// for all views.
    @Test func `an evicted animation is not found by its first frame alone`() {
        let cache = MemoryCache(costLimit: 0)
        let still = image(9)
        do {
            let frame = GIFFile(width: 4, height: 4, pixels: Array(repeating: 1, count: 16))
            let file = GIFFile.animation([frame, frame], delay: .seconds(1))
            var shown = still
            shown.animation = ImageAnimation(
                file, .gif, size: PixelSize(width: 4, height: 4), decoder: OrientedDecoder(GIFDecoder()),
                limits: DecodeLimits())
            cache.store(CachedImage(shown), for: key("a"))
            #expect(cache.entry(for: key("a"))?.image.animation === shown.animation)
        }
        #expect(cache.entry(for: key("a")) == nil)
        withExtendedLifetime(still) {}
    }

    @Test func `a cost limit of zero keeps no image`() {
        let cache = MemoryCache(costLimit: 0)
        cache.store(CachedImage(image()), for: key("a"))
        #expect(cache.entry(for: key("a")) == nil)
        #expect(cache.cost == 0)
    }

    @Test func `trimming and removing release images`() {
        let cache = MemoryCache()
        for name in ["a", "b", "c"] { cache.store(CachedImage(image()), for: key(name)) }
        cache.trim(toCost: cost * 2)
        #expect(cache.cost == cost * 2)
        cache.removeAll()
        #expect(cache.cost == 0 && cache.count == 0)
        for name in ["a", "b"] { cache.store(CachedImage(image()), for: key(name)) }
        cache.remove(key("a"))
        #expect(cache.entry(for: key("a")) == nil)
        #expect(cache.count == 1)
    }
}

/// Direct use of the cache by an application.
@Suite(.timeLimit(.minutes(5)), .endsInTime)
struct MemoryCacheAdministrationTests {
    let transport = FakeTransport()
    let cache = MemoryCache()
    let pipeline: ImagePipeline

    init() {
        pipeline = .test(transport, memoryCache: cache)
    }

    private func picture(_ content: UInt8) -> LoadedImage {
        let pixels = PixelBuffer(size: PixelSize(width: 4, height: 4), format: .rgb8) { memory in
            for index in memory.indices { memory[index] = content }
        }
        return LoadedImage(
            pixels: pixels, info: ImageInfo(size: pixels.size, decodedSize: pixels.size, format: nil, origin: .local))
    }

    @Test func `an image stored by the application answers a request`() async throws {
        let request = ImageRequest("http://test/a")
        cache.store(CachedImage(picture(42)), for: pipeline.cacheKey(for: request))
        #expect(pipeline.cachedImage(for: request)?.content == 42)
        #expect(try await pipeline.image(for: request).info.origin == .memory)
        #expect(transport.transfers.isEmpty)
    }

    @Test func `an image stored under an application's identity is found under it`() {
        let key = ImageCacheKey(identity: "avatar of 17")
        #expect(!cache.contains(key))
        cache.store(CachedImage(picture(7)), for: key)
        #expect(cache.contains(key))
        #expect(cache.entry(for: key)?.image.content == 7)
        let source = ImageSource("http://test/17?token=1").identified(by: "avatar of 17")
        #expect(pipeline.cachedImage(for: ImageRequest(source))?.content == 7)
    }

    /// Observes a key and records its changes.
    private func watch(_ key: ImageCacheKey) -> (told: Watched<[String]>, observation: any Sendable) {
        let told = Watched<[String]>([])
        let observation = cache.observe(key) { change in
            switch change {
            case .replaced(let image): told.update { $0.append("replaced by \(image.content ?? 0)") }
            case .removed: told.update { $0.append("removed") }
            }
        }
        return (told, observation)
    }

    @Test func `an observer is notified of replacement and removal`() {
        let key = ImageCacheKey(identity: "a")
        let (told, observation) = watch(key)
        cache.store(CachedImage(picture(1)), for: key)
        cache.store(CachedImage(picture(2)), for: key)
        cache.store(CachedImage(picture(3)), for: ImageCacheKey(identity: "b"))
        cache.remove(key)
        cache.store(CachedImage(picture(4)), for: key)
        cache.removeAll()
        #expect(told.value == ["replaced by 2", "removed", "removed"])
        withExtendedLifetime(observation) {}
    }

    @Test func `an observer is notified of images that are kept only while in use`() {
        let key = ImageCacheKey(identity: "a")
        let (told, observation) = watch(key)
        let shown = (1...3).map { content in
            var entry = CachedImage(picture(UInt8(content)))
            entry.isKeptOnlyWhileInUse = true
            cache.store(entry, for: key)
            return entry
        }
        cache.remove(key)
        cache.store(shown[0], for: key)
        cache.removeAll()
        #expect(told.value == ["replaced by 2", "replaced by 3", "removed", "removed"])
        withExtendedLifetime((observation, shown)) {}
    }

    @Test func `an observation ends with its release, and other observations continue`() {
        let key = ImageCacheKey(identity: "a")
        let (first, second) = (Watched(0), Watched(0))
        var one: (any Sendable)? = cache.observe(key) { _ in first.update { $0 += 1 } }
        let other = cache.observe(key) { _ in second.update { $0 += 1 } }
        cache.store(CachedImage(picture(1)), for: key)
        cache.store(CachedImage(picture(2)), for: key)
        _ = one
        one = nil
        cache.remove(key)
        #expect(first.value == 1)
        #expect(second.value == 2)
        withExtendedLifetime(other) {}
    }

    @Test func `an observer may use the cache`() {
        let key = ImageCacheKey(identity: "a")
        let cache = cache
        let seen = Watched<Bool?>(nil)
        let observation = cache.observe(key) { _ in seen.update { $0 = cache.contains(key) } }
        cache.store(CachedImage(picture(1)), for: key)
        cache.remove(key)
        #expect(seen.value == false)
        withExtendedLifetime(observation) {}
    }

    @Test func `a lower limit evicts images at once`() {
        for number in 0..<10 { cache.store(CachedImage(picture(1)), for: ImageCacheKey(identity: "\(number)")) }
        #expect(cache.count == 10)
        cache.countLimit = 4
        #expect(cache.count == 4)
        cache.costLimit = cache.cost / 2
        #expect(cache.count == 2)
        cache.trim(toCount: 1)
        #expect(cache.count == 1)
        cache.trim(toCost: 0)
        #expect(cache.count == 0)
        #expect(cache.cost == 0)
    }

    @Test func `an expired image is shown while it is loaded again`() async throws {
        let clock = TestClock()
        let pipeline = ImagePipeline.test(transport, memoryCache: cache) { $0.clock = clock }
        var options = ImageOptions()
        options.expiry = .seconds(60)
        let request = ImageRequest("http://test/a", options: options)
        let pending = PendingImage(request, in: pipeline)
        try await transport.started(count: 1).succeed(TestImage(1).bytes)
        _ = try await pending.image
        clock.advance(by: .seconds(59))
        #expect(pipeline.cachedImage(for: request)?.content == 1)
        clock.advance(by: .seconds(2))
        #expect(pipeline.cachedImage(for: request) == nil)
        let model = await NetworkImageModel(request.source, pipeline: pipeline, options: options)
        await model.load()
        await #expect(model.image?.content == 1)
        try await transport.started(count: 2).succeed(TestImage(2).bytes)
        for await phase in await model.phases where phase.image?.content == 2 { break }
    }

    @Test func `10,000 operations on five threads keep the limits`() async {
        let cache = MemoryCache(countLimit: 100)
        let pictures = (0..<10).map { picture(UInt8($0)) }
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<5 {
                group.addTask {
                    var random = SeededGenerator(seed: UInt64(thread))
                    for _ in 0..<2000 {
                        let key = ImageCacheKey(identity: "\(Int.random(in: 0..<300, using: &random))")
                        switch Int.random(in: 0..<8, using: &random) {
                        case 0: cache.remove(key)
                        case 1: cache.trim(toCount: 50)
                        case 2: cache.removeAll()
                        case 3, 4: _ = cache.entry(for: key)
                        default: cache.store(CachedImage(pictures[Int.random(in: 0..<10, using: &random)]), for: key)
                        }
                    }
                }
            }
        }
        #expect(cache.count <= 100)
        #expect(cache.cost == cache.count * 16 * 3)
    }
}
