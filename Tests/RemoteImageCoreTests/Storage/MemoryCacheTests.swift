import TestSupport
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

    /// What one picture of 10 × 10 counts for: three bytes a pixel here and four on the GPU.
    private let cost = 700

    @Test func `a stored picture is found`() {
        let cache = MemoryCache()
        cache.store(CachedImage(image(3)), for: key("a"))
        #expect(cache.entry(for: key("a"))?.image.content == 3)
        #expect(cache.entry(for: key("b")) == nil)
        #expect(cache.cost == cost)
    }

    @Test func `storing again replaces and counts once`() {
        let cache = MemoryCache()
        cache.store(CachedImage(image(1)), for: key("a"))
        cache.store(CachedImage(image(2)), for: key("a"))
        #expect(cache.entry(for: key("a"))?.image.content == 2)
        #expect(cache.cost == cost)
        #expect(cache.count == 1)
    }

    @Test func `a larger picture serves a smaller wish and not the other way round`() {
        let entry = CachedImage(image(side: 50, of: 100))
        #expect(entry.serves(.longestSide(40)))
        #expect(entry.serves(.longestSide(51)), "one pixel is forgiven")
        #expect(!entry.serves(.longestSide(60)))
        #expect(!entry.serves(nil))
        #expect(CachedImage(image(side: 100)).serves(nil))
    }

    @Test func `the limit of cost holds`() {
        let cache = MemoryCache(costLimit: cost * 3)
        for name in ["a", "b", "c", "d"] { cache.store(CachedImage(image()), for: key(name)) }
        #expect(cache.cost == cost * 3)
        #expect(cache.count == 3)
    }

    @Test func `the limit of count holds`() {
        let cache = MemoryCache(countLimit: 2)
        for name in ["a", "b", "c"] { cache.store(CachedImage(image()), for: key(name)) }
        #expect(cache.count == 2)
    }

    @Test func `what was used lately gets a second chance`() {
        let cache = MemoryCache(costLimit: cost * 3)
        for name in ["a", "b", "c"] { cache.store(CachedImage(image()), for: key(name)) }
        _ = cache.entry(for: key("a"))
        cache.store(CachedImage(image()), for: key("d"))
        #expect(cache.entry(for: key("a")) != nil)
        #expect(cache.entry(for: key("b")) == nil)
    }

    @Test func `a picture larger than the whole cache is not kept and evicts nothing`() {
        let cache = MemoryCache(costLimit: cost)
        cache.store(CachedImage(image()), for: key("a"))
        cache.store(CachedImage(image(side: 20)), for: key("b"))
        #expect(cache.entry(for: key("a")) != nil)
        #expect(cache.count == 1)
    }

    @Test func `an evicted picture that is in use is still found, and gone when it is not`() {
        let cache = MemoryCache(costLimit: cost)
        var shown: LoadedImage? = image(9)
        if let shown { cache.store(CachedImage(shown), for: key("a")) }
        cache.store(CachedImage(image()), for: key("b"))
        #expect(cache.entry(for: key("a"))?.image.content == 9)
        shown = nil
        #expect(cache.entry(for: key("a")) == nil)
        #expect(shown == nil)
    }

    @Test func `a limit of nothing keeps nothing`() {
        let cache = MemoryCache(costLimit: 0)
        cache.store(CachedImage(image()), for: key("a"))
        #expect(cache.entry(for: key("a")) == nil)
        #expect(cache.cost == 0)
    }

    @Test func `trimming and removing let go`() {
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
