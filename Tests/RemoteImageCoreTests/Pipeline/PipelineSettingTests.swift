import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// Settings that are read back, also after changes.
@Suite struct PipelineSettingTests {
    @Test func `the limits of a configuration are those of its caches`() {
        var configuration = ImagePipeline.Configuration(
            decoders: [], memoryCache: MemoryCache(costLimit: 5, countLimit: 7))
        let first = configuration.memoryCache as? MemoryCache
        #expect(configuration.memoryLimit == 5 && configuration.diskLimit == nil)
        for limit in [nil, 5] { configuration.memoryLimit = limit }
        #expect(configuration.memoryCache as? MemoryCache === first)
        // Configurations are values: another one may have the old cache.
        configuration.memoryLimit = 9
        let second = configuration.memoryCache as? MemoryCache
        #expect(second !== first && first?.costLimit == 5)
        #expect(second?.costLimit == 9 && second?.countLimit == 7 && configuration.memoryLimit == 9)
        configuration.memoryCache = nil
        configuration.memoryLimit = 3
        #expect(configuration.memoryLimit == nil)

        configuration.diskLimit = 4
        #expect(configuration.diskLimit == nil)
        configuration.diskCache = DiskCache(path: "/nonexistent", byteLimit: 11)
        configuration.diskLimit = nil
        #expect(configuration.diskLimit == 11 && configuration.responseStore is DiskCache)
        configuration.diskLimit = 12
        #expect(configuration.diskCache?.byteLimit == 12)
        configuration.responseStore = DictionaryStore()
        #expect(configuration.diskCache == nil && configuration.diskLimit == nil)
    }

    @Test func `a pipeline has its proxy until it gets another one`() {
        let pipeline = ImagePipeline.test(FakeTransport())
        #expect(pipeline.proxy == nil)
        pipeline.proxy = .address("http://proxy:1")
        #expect(pipeline.proxy == .address("http://proxy:1"))
        // A pipeline that waits for its proxy would wait for ever.
        pipeline.proxy = .pending
        #expect(pipeline.proxy == nil)
        pipeline.proxy = .direct
        #expect(pipeline.proxy == .direct)
    }

    @Test func `the standard rate and the standard numbers of transfers`() {
        let configuration = ImagePipeline.Configuration(decoders: [])
        #expect(configuration.maxConcurrentTransfers == 16 && configuration.maxConcurrentTransfersPerHost == 6)
        #expect(configuration.rateLimit == .init(transfersPerSecond: 80, burst: 32))
        #expect(configuration.memoryLimit == MemoryCache.standardCostLimit)
        #expect((1 << 20)...(128 << 20) ~= MemoryCache.standardCostLimit)
    }
}
