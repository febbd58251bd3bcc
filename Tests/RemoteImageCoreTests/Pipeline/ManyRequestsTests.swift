import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// Many requests from many threads: each of them is answered once.
@Suite(.timeLimit(.minutes(5 * WaitLimit.factor)))
struct ManyRequestsTests {
    /// Counts the answers of each request.
    private final class Answers: Sendable {
        private let counts: Lock<[UInt8]>
        private let watched = Watched(0)

        init(count: Int) {
            counts = Lock([UInt8](repeating: 0, count: count))
        }

        func answer(_ number: Int) {
            counts.withLock { $0[number] += 1 }
            watched.update { $0 += 1 }
        }

        func all(_ count: Int) async throws {
            try await watched.wait { $0 >= count }
        }

        var isOnceEach: Bool { counts.withLock { $0.allSatisfy { $0 == 1 } } }
    }

    @Test func `a hundred thousand requests with random priorities and cancellations are each answered once`()
        async throws
    {
        let count = 100_000
        let transport = FakeTransport { request in
            request.address.string.hasSuffix("7")
                ? .status(404) : .ok(TestImage(UInt8(request.address.string.utf8.count)).bytes)
        }
        let pipeline = ImagePipeline.test(transport, memoryCache: nil) { $0.rateLimit = nil }
        let answers = Answers(count: count)
        var random = SeededGenerator(seed: 11)
        var tasks: [ImageTask] = []
        tasks.reserveCapacity(count)
        for number in 0..<count {
            // A fifth of the requests share their address with another request.
            let address = "http://host\(number % 7)/\(number % (count * 4 / 5))"
            let task = pipeline.start(ImageRequest(address), isVisible: number % 50 == 0) { event in
                if case .finished = event { answers.answer(number) }
            }
            tasks.append(task)
            // Other tests run on these threads too.
            if number % 200 == 0 { await Task.yield() }
            switch Int.random(in: 0..<3, using: &random) {
            case 0: tasks[Int.random(in: 0..<tasks.count, using: &random)].cancel()
            case 1:
                let other = tasks[Int.random(in: 0..<tasks.count, using: &random)]
                other.priority = LoadPriority.allCases.randomElement(using: &random) ?? .normal
                other.isVisible = Bool.random(using: &random)
            default: break
            }
        }
        try await answers.all(count)
        #expect(answers.isOnceEach)
        #expect(pipeline.context.jobs.jobCount == 0)
    }

    @Test func `requests, cancellations and look-ups from many threads are each answered once`() async throws {
        let transport = FakeTransport { _ in .ok(TestImage().bytes) }
        let pipeline = ImagePipeline.test(transport) { $0.rateLimit = nil }
        let threadCount = 8
        let countEach = 400
        let answers = Answers(count: threadCount * countEach)
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<threadCount {
                group.addTask(executorPreference: WorkerThreads.contending) {
                    var random = SeededGenerator(seed: UInt64(thread))
                    for index in 0..<countEach {
                        let request = ImageRequest("http://test/\(Int.random(in: 0..<50, using: &random))")
                        let task = pipeline.start(request) { event in
                            if case .finished = event { answers.answer(thread * countEach + index) }
                        }
                        switch Int.random(in: 0..<4, using: &random) {
                        case 0: task.cancel()
                        case 1: task.priority = .veryHigh
                        case 2: _ = pipeline.cachedImage(for: request)
                        default: pipeline.configuration.memoryCache?.remove(pipeline.cacheKey(for: request))
                        }
                    }
                }
            }
        }
        try await answers.all(threadCount * countEach)
        #expect(answers.isOnceEach)
        #expect(pipeline.context.jobs.jobCount == 0)
    }

    @Test func `prefetches can be started and stopped from many threads`() async throws {
        let transport = FakeTransport { _ in .ok(TestImage().bytes) }
        let pipeline = ImagePipeline.test(transport) { $0.rateLimit = nil }
        let prefetcher = ImagePrefetcher(pipeline: pipeline)
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<4 {
                group.addTask(executorPreference: WorkerThreads.contending) {
                    for index in 0..<300 {
                        let requests = (0..<4).map { ImageRequest("http://test/\(thread)-\(index)-\($0)") }
                        await Task.yield()
                        prefetcher.start(requests)
                        if index % 2 == 0 { prefetcher.stop(requests) }
                    }
                }
            }
        }
        prefetcher.stopAll()
        let last = try await pipeline.image(for: ImageRequest("http://test/last"))
        #expect(last.content == 1)
    }

    @Test func `a hundred simultaneous requests for one image share one transfer`() async throws {
        let transport = FakeTransport()
        let pipeline = ImagePipeline.test(transport)
        let images = await withTaskGroup(of: PendingImage.self) { group in
            for _ in 0..<100 { group.addTask { PendingImage(ImageRequest("http://test/a"), in: pipeline) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(transport.transfers.count == 1)
        try await transport.started(count: 1).succeed(TestImage(4).bytes)
        for image in images { #expect(try await image.image.content == 4) }
    }

    @Test func `a request that joins as the last request leaves receives the image`() async throws {
        let transport = FakeTransport { _ in .ok(TestImage(5).bytes) }
        let pipeline = ImagePipeline.test(transport, memoryCache: nil) { $0.rateLimit = nil }
        let request = ImageRequest("http://test/a")
        for _ in 0..<500 {
            let leaving = PendingImage(request, in: pipeline)
            async let joined = pipeline.image(for: request)
            leaving.task?.cancel()
            #expect(try await joined.content == 5)
        }
    }

    @Test func `pipelines of one configuration share its caches from many threads`() async {
        let transport = FakeTransport { request in
            let number = request.address.string.split(separator: "/").last.flatMap { UInt8($0) } ?? 0
            return .ok(TestImage(number).bytes, headers: [.cacheControl: "max-age=60"])
        }
        var configuration = ImagePipeline.Configuration(
            transport: transport, decoders: [FakeDecoder()], memoryCache: MemoryCache(countLimit: 20))
        configuration.responseStore = DictionaryStore()
        configuration.rateLimit = nil
        let pipelines = [ImagePipeline(configuration), ImagePipeline(configuration)]
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<4 {
                group.addTask(executorPreference: WorkerThreads.contending) {
                    var random = SeededGenerator(seed: UInt64(thread))
                    for _ in 0..<200 {
                        let number = UInt8.random(in: 1...50, using: &random)
                        let image = try? await pipelines[thread % 2].image(for: "http://test/\(number)")
                        #expect(image?.content == number)
                    }
                }
            }
        }
    }

    @Test func `a released task and its pipeline are deallocated`() async throws {
        let transport = FakeTransport()
        weak var weakPipeline: ImagePipeline?
        weak var weakTask: ImageTask?
        do {
            let pipeline = ImagePipeline.test(transport)
            let pending = PendingImage(ImageRequest("http://test/a"), in: pipeline)
            weakPipeline = pipeline
            weakTask = pending.task
            try await transport.started(count: 1).succeed(TestImage().bytes)
            _ = try await pending.image
        }
        // The answering thread may hold the last reference.
        try await waitUntil("the end of the task and the pipeline") { weakTask == nil && weakPipeline == nil }
    }
}
