import RemoteImageCore

/// The cost of a request for an image that is in memory.
@MainActor
enum MemoryBenchmark {
    static func run() -> [Figure] {
        var table = Table("an image in memory", "ns", "allocations", "target")
        let (cache, keys) = filledCache(count: 2000)
        let hit = Measurement.of(keys.count * 50) {
            for _ in 0..<50 { for key in keys { precondition(cache.entry(for: key) != nil) } }
        }
        table.add("in the cache", text(hit.nanoseconds), text(hit.allocations), "150 ns, 0")

        let pipeline = ImagePipeline.instant(memoryCache: cache)
        let requests = (0..<2000).map { ImageRequest("http://test/\($0)") }
        for request in requests { store(in: cache, under: pipeline.cacheKey(for: request)) }
        let lookUp = Measurement.of(requests.count * 10) {
            for _ in 0..<10 { for request in requests { precondition(pipeline.cachedImage(for: request) != nil) } }
        }
        table.add("through a pipeline", text(lookUp.nanoseconds), text(lookUp.allocations), "")

        let model = NetworkImageModel(nil as ImageSource?, pipeline: pipeline)
        model.load()
        let sources = requests.map(\.source)
        let shown = Measurement.of(sources.count * 10) {
            for _ in 0..<10 {
                for source in sources {
                    model.source = source
                    precondition(model.image != nil)
                }
            }
        }
        table.add("through a model", text(shown.nanoseconds), text(shown.allocations), "1000 ns")
        table.print()
        return [
            Figure(name: "memoryHit", value: hit.nanoseconds),
            Figure(name: "memoryHitAllocations", value: hit.allocations),
            Figure(name: "modelHit", value: shown.nanoseconds),
        ]
    }

    private static func filledCache(count: Int) -> (MemoryCache, [ImageCacheKey]) {
        let cache = MemoryCache()
        let keys = (0..<count).map { ImageCacheKey(identity: "image \($0)") }
        for key in keys { store(in: cache, under: key) }
        return (cache, keys)
    }

    private static func store(in cache: MemoryCache, under key: ImageCacheKey) {
        let info = ImageInfo(
            size: InstantDecoder.pixel.size, decodedSize: InstantDecoder.pixel.size, format: .png, origin: .network)
        cache.store(CachedImage(LoadedImage(pixels: InstantDecoder.pixel, info: info)), for: key)
    }
}
