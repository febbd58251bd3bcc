import Dispatch
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

@Suite(.timeLimit(.minutes(5)), .endsInTime)
struct ImageTaskTests {
    let transport = FakeTransport()
    let pipeline: ImagePipeline

    init() {
        pipeline = .test(transport)
    }

    private let request = ImageRequest("http://test/a")

    private func kinds(_ events: AsyncStream<ImageTask.Event>) async -> [String] {
        var kinds: [String] = []
        for await event in events {
            switch event {
            case .progress(let progress): kinds.append("\(progress.completedByteCount)")
            case .preview: kinds.append("preview")
            case .retrying(let attempt): kinds.append("try \(attempt)")
            case .finished(.success): kinds.append("image")
            case .finished(.failure(let error)): kinds.append(error.code.rawValue)
            }
        }
        return kinds
    }

    @Test func `a late subscriber first receives the current state`() async throws {
        let task = pipeline.start(request)
        let transfer = try await transport.started(count: 1)
        let bytes = TestImage().bytes
        transfer.respond(expected: bytes.count)
        transfer.send(Array(bytes.prefix(10)))
        let late = task.events
        transfer.send(Array(bytes.dropFirst(10)))
        transfer.finish()
        let heard = await kinds(late)
        #expect(heard.first == "10")
        #expect(heard.last == "image")
    }

    @Test func `a subscriber after the end receives the result`() async throws {
        let task = pipeline.start(request)
        try await transport.started(count: 1).succeed(TestImage().bytes)
        _ = try await task.image
        #expect(await kinds(task.events) == ["image"])
        #expect(await kinds(task.events) == ["image"])
        #expect(task.result != nil)
    }

    @Test func `all subscribers receive the same events from the time they subscribe`() async throws {
        let task = pipeline.start(request)
        let first = task.events
        let transfer = try await transport.started(count: 1)
        let bytes = TestImage().bytes
        transfer.respond(expected: bytes.count)
        transfer.send(Array(bytes.prefix(10)))
        let (second, third) = (task.events, task.events)
        for await _ in third { break }
        transfer.send(Array(bytes.dropFirst(10)))
        transfer.finish()
        #expect(await kinds(second) == ["10", "\(bytes.count)", "image"])
        #expect(await kinds(first) == ["0", "10", "\(bytes.count)", "image"], "also of those who came before")
    }

    @Test func `a cancelled task has its result at once`() {
        let task = pipeline.start(request)
        #expect(task.result == nil)
        task.cancel()
        #expect(throws: ImageError.cancelled) { try task.result?.get() }
    }

    @Test func `an image in memory ends the task before start returns`() async throws {
        let first = pipeline.start(request)
        try await transport.started(count: 1).succeed(TestImage().bytes)
        _ = try await first.image
        let heard = Watched<[String]>([])
        let task = pipeline.start(request) { _ in heard.update { $0.append("event") } }
        #expect(task.result != nil)
        #expect(heard.value == ["event"])
    }

    @Test func `a task that is cancelled twice ends once, and cancelling after the end has no effect`() async throws {
        let count = Watched(0)
        let task = pipeline.start(request) { event in
            if case .finished = event { count.update { $0 += 1 } }
        }
        let transfer = try await transport.started(count: 1)
        task.cancel()
        task.cancel()
        try await transfer.cancelled()
        #expect(count.value == 1)
        #expect(await kinds(task.events) == ["cancelled"])
        let second = pipeline.start(request)
        try await transport.started(count: 2).succeed(TestImage().bytes)
        _ = try await second.image
        second.cancel()
        #expect(await kinds(second.events) == ["image"])
    }

    @Test func `a task may be cancelled from its own event handler`() async throws {
        let own = Watched<ImageTask?>(nil)
        let ended = Watched(false)
        let task = pipeline.start(request) { event in
            switch event {
            case .progress: own.value?.cancel()
            case .finished: ended.update { $0 = true }
            default: break
            }
        }
        own.update { $0 = task }
        let transfer = try await transport.started(count: 1)
        transfer.respond()
        transfer.send([1])
        try await ended.wait { $0 }
        try await transfer.cancelled()
    }

    /// A thread that had found the task running delivered its event after another thread had
    /// delivered the end.
    @Test func `the end of a task follows an event that is still being delivered`() async throws {
        let own = Watched<ImageTask?>(nil)
        let heard = Watched<[String]>([])
        let task = pipeline.start(request) { event in
            switch event {
            case .progress:
                let cancelled = DispatchSemaphore(value: 0)
                DispatchQueue.global().async {
                    own.value?.cancel()
                    cancelled.signal()
                }
                cancelled.wait()
                heard.update { $0.append("progress") }
            case .finished: heard.update { $0.append("end") }
            default: break
            }
        }
        own.update { $0 = task }
        let events = task.events
        try await transport.started(count: 1).respond(expected: 10)
        try await heard.wait { $0.contains("end") }
        #expect(heard.value == ["progress", "end"])
        #expect(await kinds(events) == ["0", "cancelled"])
    }

    @Test func `images of many requests arrive in the order of their completion`() async throws {
        let requests = (0..<3).map { ImageRequest("http://test/\($0)") }
        let series = pipeline.images(for: requests)
        let transfers = try await [
            transport.started(count: 1), transport.started(count: 2), transport.started(count: 3),
        ]
        var order: [String] = []
        var next = [transfers[2], transfers[0], transfers[1]].makeIterator()
        next.next()?.succeed(TestImage().bytes)
        for await (request, result) in series {
            order.append(request.source.identity.suffix(1) + ((try? result.get()) == nil ? " failed" : ""))
            if order.count == 1 {
                next.next()?.succeed([], status: 500)
            } else {
                next.next()?.succeed(TestImage().bytes)
            }
        }
        #expect(order == ["2", "0 failed", "1"])
    }

    @Test func `each of many sources is returned with its image, loaded with the options of all`() async throws {
        let series = pipeline.images(for: ["http://test/a", "no address"], options: ImageOptions(maxPixelSize: 2))
        try await transport.started(count: 1).succeed(TestImage(1, width: 8, height: 4).bytes)
        var sizes: [String: PixelSize] = [:]
        var failed: [String] = []
        for await (address, result) in series {
            if let image = try? result.get() { sizes[address] = image.pixels.size } else { failed.append(address) }
        }
        #expect(sizes == ["http://test/a": PixelSize(width: 2, height: 1)])
        #expect(failed == ["no address"])
    }

    @Test func `leaving the loop cancels the unfinished requests`() async throws {
        let requests = (0..<3).map { ImageRequest("http://test/\($0)") }
        let transport = transport
        let pipeline = pipeline
        let reader = Task {
            for await _ in pipeline.images(for: requests) { break }
        }
        try await transport.started(count: 3)
        transport.transfers[0].succeed(TestImage().bytes)
        await reader.value
        try await transport.transfers[1].cancelled()
        try await transport.transfers[2].cancelled()
    }

    /// All requests used to start at once, and all images waited in memory for the reader.
    @Test func `a series runs ahead of its reader only by the transfer limit`() async throws {
        let pipeline = ImagePipeline.test(transport) { $0.maxConcurrentTransfers = 2 }
        let requests = (0..<4).map { ImageRequest("http://test/\($0)") }
        var reader = pipeline.images(for: requests).makeAsyncIterator()
        // Finished images come in any order.
        var read: Set<String?> = []
        for count in 1...2 { try await transport.started(count: count).succeed(TestImage().bytes) }
        try await waitUntil("the end of both jobs") { pipeline.context.jobs.jobCount == 0 }
        #expect(transport.transfers.count == 2)
        read.insert(await reader.next()?.request.source.identity)
        try await transport.started(count: 3).succeed(TestImage().bytes)
        try await waitUntil("the end of the third job") { pipeline.context.jobs.jobCount == 0 }
        #expect(transport.transfers.count == 3)
        read.insert(await reader.next()?.request.source.identity)
        try await transport.started(count: 4).succeed(TestImage().bytes)
        for _ in 0..<2 { read.insert(await reader.next()?.request.source.identity) }
        #expect(read == Set((0..<4).map { "http://test/\($0)" }))
        #expect(await reader.next() == nil)
    }

    @Test func `a series without requests ends at once`() async {
        for await _ in pipeline.images(for: []) { Issue.record("There is nothing to come.") }
    }

    @Test func `images in memory come in the order of their requests`() async throws {
        let requests = (0..<3).map { ImageRequest("http://test/\($0)") }
        for (index, request) in requests.enumerated() {
            let image = PendingImage(request, in: pipeline)
            try await transport.started(count: index + 1).succeed(TestImage().bytes)
            _ = try await image.image
        }
        var reader = pipeline.images(for: requests).makeAsyncIterator()
        for request in requests { #expect(await reader.next()?.request.source == request.source) }
        #expect(await reader.next() == nil)
        #expect(transport.transfers.count == 3)
    }

    @Test func `a transfer limit of zero loads one image at a time`() async throws {
        let pipeline = ImagePipeline.test(transport) {
            $0.maxConcurrentTransfers = 0
            $0.maxConcurrentTransfersPerHost = 0
        }
        var reader = pipeline.images(for: (0..<2).map { ImageRequest("http://test/\($0)") }).makeAsyncIterator()
        let other = PendingImage(ImageRequest("http://other/a"), in: pipeline)
        try await transport.started(count: 1)
        #expect(pipeline.context.jobs.jobCount == 4, "the second image of the series has not started")
        #expect(transport.transfers.count == 1)
        transport.transfers[0].succeed(TestImage().bytes)
        try await transport.started(count: 2).succeed(TestImage().bytes)
        _ = try await other.image
        #expect(await reader.next()?.request.source.identity == "http://test/0")
        try await transport.started(count: 3).succeed(TestImage().bytes)
        #expect(await reader.next()?.request.source.identity == "http://test/1")
        #expect(await reader.next() == nil)
    }

    @Test func `a series that is released without being read cancels its requests`() async throws {
        var series = Optional(pipeline.images(for: (0..<2).map { ImageRequest("http://test/\($0)") }))
        try await transport.started(count: 2)
        withExtendedLifetime(series) {}
        series = nil
        for transfer in transport.transfers { try await transfer.cancelled() }
    }
}
