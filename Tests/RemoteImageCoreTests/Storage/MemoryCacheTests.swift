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

    private func key(_ name: String) -> LoadKey { LoadKey(identity: name) }

    /// What one picture of 10 × 10 counts for: three bytes a pixel here and four on the GPU.
    private let cost = 700

    @Test func `a stored picture is found, as one from memory`() {
        let cache = MemoryCache()
        cache.store(image(3), for: key("a"), version: ContentVersion())
        let found = cache.image(for: key("a"), target: nil)
        #expect(found?.content == 3)
        #expect(found?.info.origin == .memory)
        #expect(cache.image(for: key("b"), target: nil) == nil)
        #expect(cache.cost == cost)
    }

    @Test func `storing again replaces and counts once`() {
        let cache = MemoryCache()
        cache.store(image(1), for: key("a"), version: ContentVersion())
        cache.store(image(2), for: key("a"), version: ContentVersion())
        #expect(cache.image(for: key("a"), target: nil)?.content == 2)
        #expect(cache.cost == cost)
        #expect(cache.count == 1)
    }

    @Test func `a larger picture serves a smaller wish and not the other way round`() {
        let cache = MemoryCache()
        cache.store(image(side: 50, of: 100), for: key("a"), version: ContentVersion())
        #expect(cache.image(for: key("a"), target: .longestSide(40)) != nil)
        #expect(cache.image(for: key("a"), target: .longestSide(51)) != nil, "one pixel is forgiven")
        #expect(cache.image(for: key("a"), target: .longestSide(60)) == nil)
        #expect(cache.image(for: key("a"), target: nil) == nil)
    }

    @Test func `a smaller one of the same bytes does not replace a larger one`() {
        let cache = MemoryCache()
        let version = ContentVersion()
        cache.store(image(side: 50, of: 100), for: key("a"), version: version)
        cache.store(image(side: 10, of: 100), for: key("a"), version: version)
        #expect(cache.image(for: key("a"), target: .longestSide(50)) != nil)
        cache.store(image(side: 10, of: 100), for: key("a"), version: ContentVersion())
        #expect(cache.image(for: key("a"), target: .longestSide(50)) == nil)
    }

    @Test func `the limit of cost holds`() {
        let cache = MemoryCache(costLimit: cost * 3)
        for name in ["a", "b", "c", "d"] { cache.store(image(), for: key(name), version: ContentVersion()) }
        #expect(cache.cost == cost * 3)
        #expect(cache.count == 3)
    }

    @Test func `the limit of count holds`() {
        let cache = MemoryCache(countLimit: 2)
        for name in ["a", "b", "c"] { cache.store(image(), for: key(name), version: ContentVersion()) }
        #expect(cache.count == 2)
    }

    @Test func `what was used lately gets a second chance`() {
        let cache = MemoryCache(costLimit: cost * 3)
        for name in ["a", "b", "c"] { cache.store(image(), for: key(name), version: ContentVersion()) }
        _ = cache.image(for: key("a"), target: nil)
        cache.store(image(), for: key("d"), version: ContentVersion())
        #expect(cache.image(for: key("a"), target: nil) != nil)
        #expect(cache.image(for: key("b"), target: nil) == nil)
    }

    @Test func `a picture larger than the whole cache is not kept and evicts nothing`() {
        let cache = MemoryCache(costLimit: cost)
        cache.store(image(), for: key("a"), version: ContentVersion())
        cache.store(image(side: 20), for: key("b"), version: ContentVersion())
        #expect(cache.image(for: key("a"), target: nil) != nil)
        #expect(cache.count == 1)
    }

    @Test func `an evicted picture that is in use is still found, and gone when it is not`() {
        let cache = MemoryCache(costLimit: cost)
        var shown: LoadedImage? = image(9)
        if let shown { cache.store(shown, for: key("a"), version: ContentVersion()) }
        cache.store(image(), for: key("b"), version: ContentVersion())
        #expect(cache.image(for: key("a"), target: nil)?.content == 9)
        shown = nil
        #expect(cache.image(for: key("a"), target: nil) == nil)
        #expect(shown == nil)
    }

    @Test func `a limit of nothing keeps nothing`() {
        let cache = MemoryCache(costLimit: 0)
        cache.store(image(), for: key("a"), version: ContentVersion())
        #expect(cache.image(for: key("a"), target: nil) == nil)
        #expect(cache.cost == 0)
    }

    @Test func `trimming and removing let go`() {
        let cache = MemoryCache()
        for name in ["a", "b", "c"] { cache.store(image(), for: key(name), version: ContentVersion()) }
        cache.trim(toCost: cost * 2)
        #expect(cache.cost == cost * 2)
        cache.removeAll()
        #expect(cache.cost == 0 && cache.count == 0)
        for name in ["a", "b"] { cache.store(image(), for: key(name), version: ContentVersion()) }
        cache.remove(key("a"))
        #expect(cache.image(for: key("a"), target: nil) == nil)
        #expect(cache.count == 1)
    }
}
