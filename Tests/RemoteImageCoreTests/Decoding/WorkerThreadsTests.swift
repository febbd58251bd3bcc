import Glibc
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// Decoding and transfers when the system cannot start threads.
@Suite(.timeLimit(.minutes(5)), .endsInTime)
struct WorkerThreadsTests {
    /// Starts as many threads as the test allows.
    private final class LimitedStarter: Sendable {
        let allowed = Lock(0)
        let startedCount = Lock(0)

        init(_ count: Int) {
            allowed.withLock { $0 = count }
        }

        var starter: ThreadStarter {
            ThreadStarter { [self] stackSize, body in
                let mayStart = allowed.withLock { allowed in
                    defer { allowed = max(0, allowed - 1) }
                    return allowed > 0
                }
                guard mayStart else { return EAGAIN }
                startedCount.withLock { $0 += 1 }
                return ThreadStarter.system.start(stackSize, body)
            }
        }
    }

    private func threadName() -> String {
        guard let file = fopen("/proc/thread-self/comm", "r") else { return "" }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 32)
        return String(decoding: bytes[..<fread(&bytes, 1, bytes.count, file)].prefix { $0 >= 32 }, as: UTF8.self)
    }

    /// At a lower priority, decoding took more than twice as long beside a busy program.
    @Test func `decode threads run at the priority of the program`() async {
        let thread = await Task(executorPreference: WorkerThreads.decoding) {
            getpriority(Int32(PRIO_PROCESS.rawValue), 0)
        }.value
        #expect(thread == getpriority(Int32(PRIO_PROCESS.rawValue), id_t(getpid())))
    }

    /// The result of pthread_create used to be ignored, so that every load waited forever.
    @Test func `work runs on the global pool until a thread can be started`() async throws {
        let limited = LimitedStarter(0)
        let threads = WorkerThreads("limited", count: 2, starter: limited.starter)
        let names = Watched<[String]>([])
        for count in 1...5 {
            Task(executorPreference: threads) {
                // The executor must also resume a suspended task.
                await Task.yield()
                names.update { $0.append(threadName()) }
            }
            try await names.wait(for: "work on the pool") { $0.count == count }
        }
        #expect(!names.value.contains("limited"))
        limited.allowed.withLock { $0 = 2 }
        #expect(await Task(executorPreference: threads) { threadName() }.value == "limited")
        #expect(limited.startedCount.withLock { $0 } == 2)
    }

    @Test func `work runs on the threads that could be started`() async throws {
        let limited = LimitedStarter(1)
        let threads = WorkerThreads("limited", count: 4, starter: limited.starter)
        let names = await withTaskGroup(of: String.self) { group in
            for _ in 0..<10 { group.addTask(executorPreference: threads) { threadName() } }
            return await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(names == ["limited"])
        #expect(limited.startedCount.withLock { $0 } == 1)
    }

    @Test func `an image is decoded without a decode thread`() async throws {
        let pipeline = ImagePipeline.test(FakeTransport()) {
            $0.decodeResources = .own(starter: LimitedStarter(0).starter)
        }
        let request = ImageRequest(ImageSource.bytes(TestImage(7).bytes, identity: "seven"))
        #expect(try await PendingImage(request, in: pipeline).image.content == 7)
    }

    /// The only thread is stuck, and no other thread can replace it.
    @Test func `a stuck thread that could not be replaced continues after its job`() async throws {
        let (limited, clock, decoder) = (LimitedStarter(1), TestClock(), HeldDecoder())
        let pipeline = ImagePipeline.test(FakeTransport(), decoder: decoder) {
            $0.clock = clock
            $0.decodeResources = .own(threadCount: 1, starter: limited.starter)
        }
        func load(_ kind: HeldDecoder.Kind, _ number: UInt8) -> PendingImage {
            let source = ImageSource.bytes(HeldDecoder.bytes(kind, number), identity: "\(number)")
            return PendingImage(ImageRequest(source), in: pipeline)
        }
        let threads = pipeline.configuration.decodeResources.threads
        let name = await Task(executorPreference: threads) { threadName() }.value
        let stuck = load(.slow, 1)
        try await decoder.begun.wait { $0.count == 1 }
        clock.advance(by: .seconds(31))
        await #expect(throws: ImageError.self) { try await stuck.image }
        #expect(await Task(executorPreference: threads) { threadName() }.value != name, "on the pool")
        #expect(try await load(.innocent, 2).image.content == 2)
        decoder.release(1)
        try await waitUntil("the end of the stuck decode") {
            threads.abandonedCount == 0
        }
        #expect(await Task(executorPreference: threads) { threadName() }.value == name)
        #expect(try await load(.innocent, 3).image.content == 3)
        #expect(limited.startedCount.withLock { $0 } == 1)
    }

    @Test func `a transfer fails without a network thread, and the next transfer starts one`() async throws {
        let limited = LimitedStarter(0)
        let transport = CurlTransport(CurlTransport.Configuration(), limited.starter)
        let receiver = RecordingReceiver()
        let request = TransferRequest(try #require(try? WebAddress("http://127.0.0.1:1/")))
        transport.start(request, receiver: receiver)
        #expect(try await receiver.ended().error?.detail == "no thread for the network could be started")
        limited.allowed.withLock { $0 = 1 }
        let next = RecordingReceiver()
        transport.start(request, receiver: next)
        #expect(try await next.ended().error?.detail != "no thread for the network could be started")
        #expect(limited.startedCount.withLock { $0 } == 1)
    }

    /// A load decides on the thread that received its response, or on that of all loads.
    @Test func `a load over libcurl moves to the network thread once that has started`() async throws {
        let limited = LimitedStarter(0)
        let names = Watched<[String]>([])
        let pipeline = ImagePipeline.test(CurlTransport(CurlTransport.Configuration(), limited.starter)) {
            $0.retryPolicy = RetryPolicy(identity: "names") { _ in
                names.update { $0.append(threadName()) }
                return .giveUp
            }
        }
        for count in 0...1 {
            limited.allowed.withLock { $0 = count }
            await #expect(throws: ImageError.self) {
                try await pipeline.image(for: ImageRequest("http://127.0.0.1:1/\(count)"))
            }
        }
        #expect(names.value == ["remote-img load", "remote-img net"])
        #expect(limited.startedCount.withLock { $0 } == 1)
    }
}
