import RemoteImageTestSupport
import Testing

@testable import RemoteImage

/// The configuration of the shared pipeline.
@Suite struct SharedConfigurationTests {
    private let reports = Watched<[String]>([])
    private let shared: SharedConfiguration

    init() {
        shared = SharedConfiguration { [reports] report in reports.update { $0.append(report) } }
    }

    @Test func `changes before the first use apply in order to the default configuration`() {
        let folder = "/nonexistent"
        shared.add {
            $0.diskCache = DiskCache(path: folder, byteLimit: 1)
            $0.userAgent = "first/1"
            $0.maxConcurrentTransfersPerHost = 12
        }
        shared.add {
            #expect($0.userAgent == "first/1")
            $0.userAgent = "second/2"
        }
        var configuration = ImagePipeline.Configuration(decoders: [])
        shared.finish(&configuration)
        #expect(configuration.responseStore is DiskCache)
        #expect(configuration.userAgent == "second/2")
        #expect(configuration.maxConcurrentTransfersPerHost == 12)
        #expect(reports.value.isEmpty)
    }

    @Test func `a change after the first use has no effect and is reported with its remedy`() throws {
        var configuration = ImagePipeline.Configuration(decoders: [])
        shared.finish(&configuration)
        shared.add { _ in Issue.record("runs although the pipeline is in use") }
        shared.finish(&configuration)
        #expect(reports.value.count == 1)
        let report = try #require(reports.value.first)
        #expect(report.contains("after the first use"))
        #expect(report.contains("when the program starts"))
    }

    @Test func `the shared pipeline of a process has the changes of the program`() async {
        // In a process of its own, whose shared pipeline no other test has used.
        await #expect(processExitsWith: .success) {
            ImagePipeline.configureShared {
                #expect($0.diskCache != nil)
                $0.diskCache = nil
                $0.headers[.acceptLanguage] = "de"
            }
            #expect(ImagePipeline.shared.configuration.responseStore == nil)
            #expect(ImagePipeline.shared.configuration.headers[.acceptLanguage] == "de")
            ImagePipeline.configureShared { $0.headers[.acceptLanguage] = "fr" }
            #expect(ImagePipeline.shared.configuration.headers[.acceptLanguage] == "de")
        }
    }

    @Test func `a prefetcher of the shared pipeline loads two images at a time`() async {
        await #expect(processExitsWith: .success) {
            let transport = FakeTransport()
            ImagePipeline.configureShared {
                $0.diskCache = nil
                $0.transport = transport
            }
            let prefetcher = ImagePrefetcher()
            prefetcher.start((0..<3).map { ImageRequest("http://test/\($0)") })
            try await transport.started(count: 2)
            let later = Task { try await ImagePipeline.shared.image(for: ImageRequest("http://test/later")) }
            #expect(try await transport.started(count: 3).request.address == WebAddress("http://test/later"))
            later.cancel()
            prefetcher.stopAll()
        }
    }

    @Test func `a pipeline of one's own is as the shared one, but for what it changes`() {
        let own = ImagePipeline {
            $0.memoryLimit = 1 << 20
            $0.diskLimit = 2 << 20
        }
        #expect((own.memoryLimit, own.diskLimit) == (1 << 20, 2 << 20))
        #expect(own.configuration.network === NetworkConditions.shared)
        #expect(own.configuration.decoders.count == [any ImageDecoder].standard().count)
        #expect(ImagePipeline { $0.diskCache = nil }.configuration.responseStore == nil)
    }

    @Test func `no disk cache means no response store`() {
        var configuration = ImagePipeline.Configuration(decoders: [])
        configuration.responseStore = DictionaryStore()
        #expect(configuration.diskCache == nil)
        configuration.diskCache = nil
        #expect(configuration.responseStore == nil)
    }
}
