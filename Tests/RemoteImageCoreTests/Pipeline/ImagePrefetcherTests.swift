import Foundation
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

@Suite(.timeLimit(.minutes(5 * WaitLimit.factor)), .endsInTime)
struct ImagePrefetcherTests {
    let transport = FakeTransport()
    let pipeline: ImagePipeline
    private let reports = Watched<[String]>([])

    init() {
        pipeline = .test(transport)
    }

    private func address(_ number: Int) -> String { "http://test/\(number)" }

    private func request(_ number: Int) -> ImageRequest { ImageRequest(address(number)) }

    private func prefetcher(
        of pipeline: ImagePipeline? = nil, destination: ImagePrefetcher.Destination = .memory, maxCount: Int = 2
    ) -> ImagePrefetcher {
        ImagePrefetcher(pipeline: pipeline ?? self.pipeline, destination: destination, maxCount: maxCount) {
            [reports] request, outcome in
            let number = request.source.identity.split(separator: "/").last ?? ""
            switch outcome {
            case .completed: reports.update { $0.append("\(number) completed") }
            case .failed(let error): reports.update { $0.append("\(number) \(error.code.rawValue)") }
            case .skipped: reports.update { $0.append("\(number) skipped") }
            }
        }
    }

    @Test func `requests are prefetched in order, two at a time`() async throws {
        let prefetcher = prefetcher()
        prefetcher.start((0..<4).map(request))
        try await transport.started(count: 2)
        #expect(transport.addresses == [address(0), address(1)])
        transport.transfers[1].succeed(TestImage().bytes)
        try await transport.started(count: 3)
        #expect(transport.addresses.last == address(2))
        transport.transfers[0].succeed(TestImage().bytes)
        transport.transfers[2].succeed(TestImage().bytes)
        try await transport.started(count: 4).succeed(TestImage().bytes)
        try await reports.wait { $0.count == 4 }
        #expect(Set(reports.value) == ["0 completed", "1 completed", "2 completed", "3 completed"])
        for number in 0..<4 { #expect(pipeline.cachedImage(for: request(number)) != nil) }
    }

    /// The release of the request under the lock of the prefetcher used to block the thread for
    /// ever.
    @Test func `a waiting request may own what stops its prefetcher`() {
        let (prefetcher, ended) = (prefetcher(), Watched(0))
        prefetcher.isPaused = true
        func start() {
            let page = Page(prefetcher, ended)
            prefetcher.start([
                ImageSource.bytes(identity: "1") {
                    _ = page
                    return [1]
                }
            ])
        }
        start()
        prefetcher.stopAll()
        #expect(ended.value == 1)
        start()
        prefetcher.stop([ImageRequest(ImageSource.bytes([1], identity: "1"))])
        #expect(ended.value == 2)
    }

    private final class Page: Sendable {
        private let prefetcher: ImagePrefetcher
        private let ended: Watched<Int>

        init(_ prefetcher: ImagePrefetcher, _ ended: Watched<Int>) {
            (self.prefetcher, self.ended) = (prefetcher, ended)
        }

        deinit {
            prefetcher.stopAll()
            ended.update { $0 += 1 }
        }
    }

    /// Visible images are loaded before prefetched images, the newest first, and each image is
    /// fetched once.
    @Test func `views overtake prefetches and take over their transfers`() async throws {
        let pipeline = ImagePipeline.test(transport) { $0.maxConcurrentTransfers = 2 }
        let prefetcher = prefetcher(of: pipeline, maxCount: 5)
        prefetcher.start((0..<5).map(request))
        try await transport.started(count: 2)
        let first = PendingImage(request(99), in: pipeline, isVisible: true)
        let second = PendingImage(request(3), in: pipeline, isVisible: true)
        await LoadQueue.shared.settled()
        for number in 0..<6 {
            // Two transfers that start at the same time may do so in any order.
            _ = try await transport.started(count: min(6, number + 2))
            transport.transfers[number].succeed(TestImage(UInt8(number + 1)).bytes)
        }
        _ = try await (first.image, second.image)
        try await reports.wait { $0.count == 5 }
        #expect(transport.addresses == [0, 1, 3, 99, 2, 4].map(address))
        withExtendedLifetime(prefetcher) {}
    }

    @Test func `equal requests are prefetched once`() async throws {
        let prefetcher = prefetcher()
        prefetcher.start([request(0), request(0), request(1)])
        prefetcher.start([request(1), ImageRequest("HTTP://TEST:80/1#top")])
        try await transport.started(count: 2)
        for transfer in transport.transfers { transfer.succeed(TestImage().bytes) }
        try await reports.wait { $0.count == 2 }
        #expect(transport.addresses == [address(0), address(1)])
    }

    @Test func `images in memory are skipped, even thousands of them`() async throws {
        let filled = PendingImage(request(0), in: pipeline)
        try await transport.started(count: 1).succeed(TestImage().bytes)
        _ = try await filled.image
        let entry = try #require(
            pipeline.configuration.memoryCache?.entry(for: pipeline.cacheKey(for: request(0))))
        for number in 1..<5000 {
            pipeline.configuration.memoryCache?.store(entry, for: pipeline.cacheKey(for: request(number)))
        }
        let prefetcher = prefetcher()
        prefetcher.start((0..<5000).map(request))
        try await reports.wait { $0.count == 5000 }
        #expect(reports.value.allSatisfy { $0.hasSuffix("skipped") })
        #expect(transport.transfers.count == 1)
        withExtendedLifetime(prefetcher) {}
    }

    /// Other loads do not wait until all images in memory have been skipped.
    @Test func `thirty-two images are prefetched in one turn`() async throws {
        let filled = PendingImage(request(0), in: pipeline)
        try await transport.started(count: 1).succeed(TestImage().bytes)
        _ = try await filled.image
        let cache = try #require(pipeline.configuration.memoryCache)
        let entry = try #require(cache.entry(for: pipeline.cacheKey(for: request(0))))
        for number in 1..<70 { cache.store(entry, for: pipeline.cacheKey(for: request(number))) }
        let counts = Watched<[Int]>([])
        let ended = Watched(0)
        let prefetcher = ImagePrefetcher(pipeline: pipeline) { _, _ in
            let number = ended.update { count -> Int in
                count += 1
                return count
            }
            if number % 32 == 1 {
                // Runs after the current turn.
                LoadQueue.shared.post { counts.update { $0.append(ended.value) } }
            }
        }
        prefetcher.start((0..<70).map(request))
        try await counts.wait { $0.count == 3 }
        #expect(counts.value == [32, 64, 70])
        withExtendedLifetime(prefetcher) {}
    }

    /// Each failed request used to start the next before it returned.
    @Test func `twenty thousand immediate failures do not recurse`() async throws {
        let pipeline = ImagePipeline.test(transport) { $0.options.cachePolicy = .cacheOnly }
        let prefetcher = prefetcher(of: pipeline)
        let requests = (0..<20_000).map(request)
        // On its own thread: it takes long, and other tests share Swift's threads.
        Thread { prefetcher.start(requests) }.start()
        try await reports.wait { $0.count == 20_000 }
        #expect(reports.value.allSatisfy { $0.hasSuffix("notStored") })
    }

    @Test func `a failure is reported and does not delay the other requests`() async throws {
        let prefetcher = prefetcher(maxCount: 1)
        prefetcher.start([request(0), request(1)])
        try await transport.started(count: 1).succeed([], status: 404)
        try await transport.started(count: 2).succeed(TestImage().bytes)
        try await reports.wait { $0 == ["0 httpStatus", "1 completed"] }
        withExtendedLifetime(prefetcher) {}
    }

    @Test func `a transient failure is retried and keeps its place`() async throws {
        let clock = TestClock()
        let pipeline = ImagePipeline.test(transport) {
            $0.clock = clock
            $0.retryPolicy = .standard()
        }
        let prefetcher = prefetcher(of: pipeline, maxCount: 1)
        prefetcher.start([request(0), request(1)])
        try await transport.started(count: 1).fail(ImageError(.connection))
        clock.advance(by: .seconds(1))
        let again = try await transport.started(count: 2)
        #expect(again.request.address.string == address(0))
        #expect(reports.value.isEmpty)
        again.succeed(TestImage().bytes)
        try await transport.started(count: 3).succeed(TestImage().bytes)
        try await reports.wait { $0 == ["0 completed", "1 completed"] }
    }

    @Test func `stopping cancels running transfers and removes waiting requests`() async throws {
        let prefetcher = prefetcher()
        prefetcher.start((0..<5).map(request))
        try await transport.started(count: 2)
        prefetcher.stop([request(0), request(3)])
        try await transport.transfers[0].cancelled()
        try await transport.started(count: 3)
        #expect(transport.addresses.last == address(2))
        prefetcher.stopAll()
        try await transport.transfers[1].cancelled()
        try await transport.transfers[2].cancelled()
        await LoadQueue.shared.settled()
        #expect(transport.transfers.count == 3)
        #expect(reports.value.isEmpty)
    }

    @Test func `hooked requests without an account are prefetched once and can be stopped`() async throws {
        var hooked = request(0)
        hooked.options.requestHook = RequestHook("token") { _ in }
        let prefetcher = prefetcher()
        prefetcher.start([hooked, hooked, request(1)])
        try await transport.started(count: 2)
        #expect(Set(transport.addresses) == [address(0), address(1)])
        prefetcher.stop([hooked])
        let transfer = transport.transfers.first { $0.request.address.string == address(0) }
        try await transfer?.cancelled()
        prefetcher.stopAll()
    }

    /// The network used to change the key of the request.
    @Test func `a choice can be stopped after the network has changed`() async throws {
        let network = NetworkConditions()
        let pipeline = ImagePipeline.test(transport) { $0.network = network }
        let prefetcher = prefetcher(of: pipeline)
        let request = ImageRequest(.adaptive(regular: address(0), lowData: address(1)))
        prefetcher.start([request])
        let transfer = try await transport.started(count: 1)
        network.isConstrained = true
        prefetcher.stop([request])
        try await transfer.cancelled()
    }

    @Test func `a choice is prefetched at each size`() async throws {
        let prefetcher = prefetcher()
        let source = ImageSource.candidates(
            [10, 20].map { SourceCandidate(ImageSource(address($0)), size: PixelSize(width: $0, height: $0)) })
        prefetcher.start([10, 20, 10].map { ImageRequest(source, target: .longestSide($0)) })
        for count in 1...2 { try await transport.started(count: count).succeed(TestImage().bytes) }
        try await reports.wait { $0.count == 2 }
        #expect(transport.addresses == [address(10), address(20)])
    }

    /// A JPEG is decoded for the smaller size, which does not serve the larger one.
    @Test func `an image is prefetched at each size, with one transfer`() async throws {
        let prefetcher = prefetcher()
        prefetcher.start([64, 512].map { ImageRequest(address(0), target: .longestSide($0)) })
        try await transport.started(count: 1).succeed(TestImage().bytes)
        try await reports.wait { $0.count == 2 }
        #expect(transport.transfers.count == 1)
        withExtendedLifetime(prefetcher) {}
    }

    @Test func `a stopped request can be started again`() async throws {
        let prefetcher = prefetcher()
        prefetcher.start([request(0)])
        try await transport.started(count: 1)
        prefetcher.stop([request(0)])
        prefetcher.start([request(0)])
        try await transport.started(count: 2).succeed(TestImage().bytes)
        try await reports.wait { $0 == ["0 completed"] }
    }

    @Test func `stopping a prefetch does not cancel a view's load of the same image`() async throws {
        let prefetcher = prefetcher()
        prefetcher.start([request(0)])
        let transfer = try await transport.started(count: 1)
        let view = PendingImage(request(0), in: pipeline, isVisible: true)
        prefetcher.stopAll()
        await LoadQueue.shared.settled()
        #expect(!transfer.isCancelled)
        transfer.succeed(TestImage(5).bytes)
        #expect(try await view.image.content == 5)
        #expect(transport.transfers.count == 1)
    }

    @Test func `a paused prefetcher starts nothing`() async throws {
        let prefetcher = prefetcher(maxCount: 1)
        prefetcher.isPaused = true
        prefetcher.start([request(0), request(1)])
        await LoadQueue.shared.settled()
        #expect(transport.transfers.isEmpty)
        prefetcher.isPaused = false
        let first = try await transport.started(count: 1)
        prefetcher.isPaused = true
        first.succeed(TestImage().bytes)
        try await reports.wait { $0.count == 1 }
        #expect(transport.transfers.count == 1)
        prefetcher.isPaused = false
        try await transport.started(count: 2)
    }

    @Test func `a released prefetcher cancels its requests`() async throws {
        var prefetcher: ImagePrefetcher? = prefetcher()
        prefetcher?.start([request(0)])
        let transfer = try await transport.started(count: 1)
        prefetcher = nil
        try await transfer.cancelled()
    }

    @Test func `bytes can be prefetched without an image in memory`() async throws {
        let store = DictionaryStore()
        let pipeline = ImagePipeline.test(transport) { $0.responseStore = store }
        let prefetcher = prefetcher(of: pipeline, destination: .disk)
        prefetcher.start([request(0)])
        try await transport.started(count: 1).succeed(TestImage().bytes)
        try await reports.wait { $0 == ["0 completed"] }
        await pipeline.finishWriting()
        #expect(store.responses(for: address(0)).count == 1)
        #expect(pipeline.cachedImage(for: request(0)) == nil)
        withExtendedLifetime(prefetcher) {}
    }

    /// The limits of the pipeline used to apply, and the error was `notAnImage`.
    @Test(arguments: [false, true])
    func `bytes are prefetched within the decode limits of their request`(isWithin: Bool) async throws {
        let store = DictionaryStore()
        let pipeline = ImagePipeline.test(transport) {
            $0.responseStore = store
            $0.decodeLimits.maxPixelCount = 1
        }
        let options = isWithin ? ImageOptions(decodeLimits: DecodeLimits()) : ImageOptions()
        let prefetcher = prefetcher(of: pipeline, destination: .disk)
        prefetcher.start([ImageRequest(address(0), options: options)])
        try await transport.started(count: 1).succeed(TestImage().bytes)
        try await reports.wait { $0.count == 1 }
        #expect(reports.value == [isWithin ? "0 completed" : "0 tooManyPixels"])
        await pipeline.finishWriting()
        #expect(store.responses(for: address(0)).count == (isWithin ? 1 : 0))
        withExtendedLifetime(prefetcher) {}
    }

    /// A missing codec used to be reported as `notAnImage`.
    @Test func `a prefetch reports why its bytes cannot be decoded`() async throws {
        let pipeline = ImagePipeline.test(transport) { $0.responseStore = DictionaryStore() }
        let prefetcher = prefetcher(of: pipeline, destination: .disk, maxCount: 1)
        prefetcher.start((0..<3).map(request))
        let bodies = [SampleImage.animatedGIF, TestImage(0).bytes, Array("<html>".utf8)]
        for (index, body) in bodies.enumerated() { try await transport.started(count: index + 1).succeed(body) }
        try await reports.wait { $0.count == 3 }
        #expect(reports.value == ["0 unsupportedFormat", "1 corrupt", "2 notAnImage"])
        withExtendedLifetime(prefetcher) {}
    }

    /// The bytes used to be downloaded for nothing.
    @Test func `bytes are not prefetched without a store`() async throws {
        let prefetcher = prefetcher(destination: .disk)
        prefetcher.start((0..<3).map(request))
        try await reports.wait { $0 == ["0 skipped", "1 skipped", "2 skipped"] }
        #expect(transport.transfers.isEmpty)
    }

    @Test func `bytes are prefetched at the prefetcher's own priority`() async throws {
        let pipeline = ImagePipeline.test(transport) {
            $0.maxConcurrentTransfers = 1
            $0.responseStore = DictionaryStore()
        }
        let running = PendingImage(request(0), in: pipeline)
        try await transport.started(count: 1)
        let prefetcher = prefetcher(of: pipeline, destination: .disk)
        prefetcher.start([request(1)])
        var options = ImageOptions()
        options.priority = .veryLow
        let low = PendingImage(ImageRequest(address(2), options: options), in: pipeline)
        // The prefetch has joined the queue when its job exists.
        try await waitUntil("five jobs") { pipeline.context.jobs.jobCount >= 5 }
        transport.transfers[0].succeed(TestImage().bytes)
        _ = try await running.image
        #expect(try await transport.started(count: 2).request.address.string == address(2))
        withExtendedLifetime((prefetcher, low)) {}
    }

    @Test func `a request that is stopped and restarted reports one outcome`() async throws {
        let pipeline = ImagePipeline.test(transport) { $0.responseStore = DictionaryStore() }
        let prefetcher = prefetcher(of: pipeline, destination: .disk)
        for _ in 0..<50 {
            prefetcher.start([request(0)])
            prefetcher.stop([request(0)])
        }
        prefetcher.start([request(0)])
        try await waitUntil("a report") {
            for transfer in transport.transfers where transfer.state == .running {
                transfer.succeed(TestImage().bytes)
            }
            return !reports.value.isEmpty
        }
        #expect(reports.value == ["0 completed"])
    }

    @Test func `a constrained network delays waiting prefetches and loses none`() async throws {
        let network = NetworkConditions()
        let pipeline = ImagePipeline.test(transport) { $0.network = network }
        let prefetcher = prefetcher(of: pipeline, maxCount: 1)
        let adaptive = ImageSource.adaptive(regular: "http://test/large", lowData: "http://test/small")
        prefetcher.start([ImageRequest(adaptive), request(1)])
        let first = try await transport.started(count: 1)
        network.isConstrained = true
        first.succeed(TestImage().bytes)
        try await reports.wait { $0.count == 1 }
        #expect(transport.transfers.count == 1)
        network.isConstrained = false
        try await transport.started(count: 2).succeed(TestImage().bytes)
        try await reports.wait { $0.count == 2 }
        withExtendedLifetime(prefetcher) {}
    }

    @Test func `a changed priority applies to requests that have not started`() async throws {
        let pipeline = ImagePipeline.test(transport) { $0.maxConcurrentTransfers = 1 }
        let waiting = PendingImage(request(0), in: pipeline)
        let prefetcher = prefetcher(of: pipeline)
        prefetcher.start([request(1)])
        await LoadQueue.shared.settled()
        prefetcher.isPaused = true
        prefetcher.start([request(2)])
        prefetcher.priority = .high
        prefetcher.isPaused = false
        await LoadQueue.shared.settled()
        let normal = PendingImage(request(3), in: pipeline)
        for count in 1...4 { try await transport.started(count: count).fail(ImageError(.connection)) }
        #expect(transport.addresses == [0, 2, 3, 1].map(address))
        withExtendedLifetime((waiting, normal, prefetcher)) {}
    }

    @Test func `a prefetcher with a higher priority goes first`() async throws {
        let pipeline = ImagePipeline.test(transport) { $0.maxConcurrentTransfers = 1 }
        let running = PendingImage(request(0), in: pipeline)
        try await transport.started(count: 1)
        let low = prefetcher(of: pipeline)
        low.start([request(1)])
        let high = prefetcher(of: pipeline)
        high.priority = .high
        high.start([request(2)])
        await LoadQueue.shared.settled()
        transport.transfers[0].succeed(TestImage().bytes)
        _ = try await running.image
        try await transport.started(count: 2)
        #expect(transport.addresses.last == address(2))
        withExtendedLifetime(low) {}
    }

    @Test(arguments: [0, -1, 1])
    func `at least one image is prefetched at a time`(maxCount: Int) async throws {
        let prefetcher = prefetcher(maxCount: maxCount)
        prefetcher.start((0..<2).map(request))
        let first = try await transport.started(count: 1)
        await LoadQueue.shared.settled()
        #expect(transport.transfers.count == 1)
        first.succeed(TestImage().bytes)
        try await transport.started(count: 2).succeed(TestImage().bytes)
        try await reports.wait { $0 == ["0 completed", "1 completed"] }
        withExtendedLifetime(prefetcher) {}
    }

    @Test func `the remaining requests keep their order when others are stopped and started`() async throws {
        let prefetcher = prefetcher(maxCount: 1)
        prefetcher.start((0..<6).map(request))
        try await transport.started(count: 1).succeed(TestImage().bytes)
        try await transport.started(count: 2)
        prefetcher.stop([request(3), request(0)])
        prefetcher.start([request(6), request(1), request(4)])
        for count in 2...6 { try await transport.started(count: count).succeed(TestImage().bytes) }
        try await reports.wait { $0.count == 6 }
        #expect(transport.addresses == [0, 1, 2, 4, 5, 6].map(address))
        #expect(reports.value == [0, 1, 2, 4, 5, 6].map { "\($0) completed" })
        withExtendedLifetime(prefetcher) {}
    }

    @Test func `a request that has ended can be started again`() async throws {
        let prefetcher = prefetcher()
        prefetcher.start([request(0)])
        try await transport.started(count: 1).fail(ImageError(.tls))
        try await reports.wait { $0 == ["0 tls"] }
        prefetcher.start([request(0)])
        try await transport.started(count: 2).succeed(TestImage().bytes)
        try await reports.wait { $0 == ["0 tls", "0 completed"] }
        prefetcher.start([request(0)])
        try await reports.wait { $0 == ["0 tls", "0 completed", "0 skipped"] }
        #expect(transport.transfers.count == 2)
        withExtendedLifetime(prefetcher) {}
    }
}
