import HTTPTypes
import TestSupport
import Testing

@testable import RemoteImageCore

@Suite(.timeLimit(.minutes(5)), .endsInTime)
struct RetryTests {
    let transport = FakeTransport()
    let clock = TestClock()

    private func pipeline(
        _ policy: any RetryPolicy = StandardRetryPolicy(jitter: 0), network: FakeNetwork = FakeNetwork()
    ) -> ImagePipeline {
        .test(transport) {
            $0.retryPolicy = policy
            $0.clock = clock
            $0.network = network
        }
    }

    /// What is not stored, asked for without the network.
    private var offline: ImageRequest {
        var request = ImageRequest("http://test/a")
        request.options.cachePolicy = .stored
        return request
    }

    @Test func `a failed connection is tried again, each time after twice as long`() async throws {
        let pending = PendingImage(ImageRequest("http://test/a"), in: pipeline())
        try await transport.started(count: 1).fail(ImageError(.connection))
        #expect(clock.nextDelay == .milliseconds(500))
        clock.advance(by: .milliseconds(500))
        try await transport.started(count: 2).fail(ImageError(.incomplete))
        #expect(clock.nextDelay == .seconds(1))
        clock.advance(by: .seconds(1))
        try await transport.started(count: 3).succeed(TestImage(1).bytes)
        #expect(try await pending.image.content == 1)
    }

    @Test func `after the last retry the failure stands`() async throws {
        let pending = PendingImage(ImageRequest("http://test/a"), in: pipeline(StandardRetryPolicy(maxRetryCount: 1)))
        try await transport.started(count: 1).fail(ImageError(.connection))
        clock.advance(by: .seconds(30))
        try await transport.started(count: 2).fail(ImageError(.connection, "again"))
        await #expect(throws: ImageError(.connection, "again")) { try await pending.image }
        #expect(clock.nextDelay == nil)
    }

    @Test func `who goes without the network is told at once what is not stored`() async throws {
        let pending = PendingImage(offline, in: pipeline())
        let reason = ImageError(.connection, "gone")
        try await transport.started(count: 1).fail(reason)
        await #expect(throws: ImageError(.notStored, reason.detail, underlying: [reason])) { try await pending.image }
        #expect(clock.nextDelay == nil)
    }

    @Test func `but waits for the network where that was asked for`() async throws {
        let network = FakeNetwork()
        network.isConnected = false
        let patient = StandardRetryPolicy(waitsForConnectivity: true)
        let pending = PendingImage(offline, in: pipeline(patient, network: network))
        try await transport.started(count: 1).fail(ImageError(.connection))
        network.isConnected = true
        try await transport.started(count: 2).succeed(TestImage(1).bytes)
        #expect(try await pending.image.content == 1)
    }

    @Test(arguments: [408, 429, 500, 502, 503, 504])
    func `a status that may pass is tried again`(status: Int) async throws {
        let pending = PendingImage(ImageRequest("http://test/a"), in: pipeline())
        try await transport.started(count: 1).succeed([], status: status)
        clock.advance(by: .seconds(1))
        try await transport.started(count: 2).succeed(TestImage().bytes)
        _ = try await pending.image
    }

    @Test(arguments: [400, 401, 403, 404, 410])
    func `a status that will not change is not`(status: Int) async throws {
        let pending = PendingImage(ImageRequest("http://test/a"), in: pipeline())
        try await transport.started(count: 1).succeed([], status: status)
        await #expect(throws: ImageError.httpStatus(status)) { try await pending.image }
        #expect(clock.nextDelay == nil)
    }

    @Test func `nor is what a retry cannot cure`() async throws {
        let pipeline = pipeline()
        for code in [ImageError.Code.tls, .timeout, .tooLarge, .protocol, .tooManyRedirects] {
            let pending = PendingImage(ImageRequest("http://test/\(code.rawValue)"), in: pipeline)
            try await transport.started(count: transport.transfers.count).fail(ImageError(code))
            await #expect(throws: ImageError(code)) { try await pending.image }
        }
        #expect(clock.nextDelay == nil)
    }

    @Test func `the server's wish for a pause is followed`() async throws {
        let pending = PendingImage(ImageRequest("http://test/a"), in: pipeline())
        try await transport.started(count: 1).succeed([], status: 429, headers: [.retryAfter: "7"])
        #expect(clock.nextDelay == .seconds(7))
        clock.advance(by: .seconds(7))
        try await transport.started(count: 2).succeed(TestImage().bytes)
        _ = try await pending.image
    }

    @Test func `a pause that is longer than anyone waits ends the load`() async throws {
        let pending = PendingImage(ImageRequest("http://test/a"), in: pipeline())
        try await transport.started(count: 1).succeed([], status: 503, headers: [.retryAfter: "3600"])
        await #expect(throws: ImageError.httpStatus(503)) { try await pending.image }
    }

    @Test(arguments: [(30, RetryDecision.retry(after: .seconds(30))), (31, .giveUp)])
    func `the longest pause is the limit itself`(seconds: Int, decision: RetryDecision) {
        let failure = TransferFailure(error: .httpStatus(503), attempt: 1, retryAfter: .seconds(seconds))
        #expect(StandardRetryPolicy(maxDelay: .seconds(30)).decision(on: failure) == decision)
    }

    @Test(arguments: [(1, false), (2, false), (3, true)])
    func `as many retries are made as the limit says`(attempt: Int, isLast: Bool) {
        let failure = TransferFailure(error: ImageError(.connection), attempt: attempt)
        #expect((StandardRetryPolicy(maxRetryCount: 2).decision(on: failure) == .giveUp) == isLast)
    }

    @Test func `no pause is longer than the limit`() {
        let policy = StandardRetryPolicy(baseDelay: .seconds(1), maxDelay: .seconds(4), jitter: 0)
        #expect(
            [1, 2, 3, 4, 100].map { policy.delay(beforeRetry: $0) } == [1, 2, 4, 4, 4].map { Duration.seconds($0) })
    }

    @Test func `a pause may be given as a date`() {
        let now = 784_111_777 - 20
        #expect(RetryAfter.delay(in: [.retryAfter: "Sun, 06 Nov 1994 08:49:37 GMT"], now: now) == .seconds(20))
        #expect(RetryAfter.delay(in: [.retryAfter: "Sun, 06 Nov 1994 08:49:37 GMT"], now: now + 100) == .zero)
        #expect(RetryAfter.delay(in: [.retryAfter: "soon"], now: now) == nil)
        #expect(RetryAfter.delay(in: [.retryAfter: "-1"], now: now) == nil)
        #expect(RetryAfter.delay(in: [:], now: now) == nil)
    }

    @Test func `jitter shortens a wait and never lengthens it`() {
        let policy = StandardRetryPolicy(jitter: 0.5)
        for _ in 0..<200 {
            guard
                case .retry(let delay) = policy.decision(
                    on: TransferFailure(error: ImageError(.connection), attempt: 1))
            else {
                Issue.record("no retry")
                return
            }
            #expect(delay >= .milliseconds(250) && delay <= .milliseconds(500))
        }
    }

    @Test func `cancelling while waiting for a retry starts none and leaves nothing`() async throws {
        let pipeline = pipeline()
        let pending = PendingImage(ImageRequest("http://test/a"), in: pipeline)
        try await transport.started(count: 1).fail(ImageError(.connection))
        pending.task?.cancel()
        await #expect(throws: ImageError.cancelled) { try await pending.image }
        clock.advance(by: .seconds(60))
        #expect(transport.transfers.count == 1)
        #expect(pipeline.context.jobs.jobCount == 0)
    }

    @Test func `a transfer that waits for a retry holds no place`() async throws {
        let pipeline = pipeline()
        pipeline.setTransferLimits(count: 1, perHost: 1)
        _ = PendingImage(ImageRequest("http://test/a"), in: pipeline)
        let other = PendingImage(ImageRequest("http://test/b"), in: pipeline)
        try await transport.started(count: 1).fail(ImageError(.connection))
        try await transport.started(count: 2).succeed(TestImage(2).bytes)
        #expect(try await other.image.content == 2)
    }

    @Test func `who joins while a retry is pending shares it and learns which try it is`() async throws {
        let pipeline = pipeline()
        let first = PendingImage(ImageRequest("http://test/a"), in: pipeline)
        try await transport.started(count: 1).fail(ImageError(.connection))
        let attempts = Watched<[Int]>([])
        let second = pipeline.start(ImageRequest("http://test/a")) { event in
            if case .retrying(let attempt) = event { attempts.update { $0.append(attempt) } }
        }
        #expect(attempts.value == [2])
        clock.advance(by: .seconds(1))
        try await transport.started(count: 2).succeed(TestImage(3).bytes)
        #expect(try await first.image.pixels === second.image.pixels)
    }

    @Test func `a policy that waits for the network goes on when it returns`() async throws {
        let network = FakeNetwork()
        let pipeline = pipeline(StandardRetryPolicy(waitsForConnectivity: true), network: network)
        let pending = PendingImage(ImageRequest("http://test/a"), in: pipeline)
        network.isConnected = false
        try await transport.started(count: 1).fail(ImageError(.connection))
        clock.advance(by: .seconds(600))
        #expect(transport.transfers.count == 1)
        network.isConnected = true
        try await transport.started(count: 2).succeed(TestImage(1).bytes)
        #expect(try await pending.image.content == 1)
    }

    @Test func `a request may bring its own policy`() async throws {
        var request = ImageRequest("http://test/a")
        request.options.retryPolicy = StandardRetryPolicy.never
        let pending = PendingImage(request, in: pipeline())
        try await transport.started(count: 1).fail(ImageError(.connection))
        await #expect(throws: ImageError(.connection)) { try await pending.image }
    }

    @MainActor
    @Test func `a model shows which try it is at`() async throws {
        let model = NetworkImageModel("http://test/a", pipeline: pipeline())
        model.load()
        try await transport.started(count: 1).fail(ImageError(.connection))
        for await phase in model.phases {
            if case .loading(let state) = phase, state.attempt == 2 { break }
        }
        clock.advance(by: .seconds(1))
        try await transport.started(count: 2).succeed(TestImage().bytes)
        #expect(await model.reached(.success) != nil)
    }

    /// A transport that is slow to return from its start, while what it started fails and is tried
    /// again.
    private final class StallingTransport: Transport {
        let inner = FakeTransport()
        private let count = Lock(0)

        func start(_ request: TransferRequest, receiver: any TransferReceiver) -> any Transfer {
            let transfer = inner.start(request, receiver: receiver)
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number == 1 {
                inner.transfers[0].fail(ImageError(.connection))
                // Returns when the second try is under way, on the thread that the failure came on.
                while inner.transfers.count < 2 {}
            }
            return transfer
        }
    }

    /// The first start came back late, took the job for its own and cancelled the second transfer.
    @Test func `a start that returns late does not stop the retry`() async throws {
        let transport = StallingTransport()
        let pipeline = ImagePipeline.test(transport) { configuration in
            configuration.retryPolicy = StandardRetryPolicy(baseDelay: .zero)
        }
        let pending = Task.detached { PendingImage(ImageRequest("http://test/a"), in: pipeline) }
        try await transport.inner.started(count: 2)
        let image = await pending.value
        transport.inner.transfers[1].succeed(TestImage(8).bytes)
        #expect(try await image.image.content == 8)
    }

    @Test func `a wait for a network of unknown state gets longer each time`() async throws {
        let (transport, clock) = (FakeTransport { _ in .failure(ImageError(.connection)) }, TestClock())
        let pipeline = ImagePipeline.test(transport) { configuration in
            configuration.clock = clock
            configuration.retryPolicy = StandardRetryPolicy(waitsForConnectivity: true)
        }
        let pending = PendingImage(ImageRequest("http://test/a"), in: pipeline)
        try await clock.scheduled(count: 1)
        let first = try #require(clock.nextDelay)
        #expect(first >= .milliseconds(250) && first <= .milliseconds(500))
        clock.advance(by: first)
        try await clock.scheduled(count: 2)
        let second = try #require(clock.nextDelay)
        #expect(second >= .milliseconds(500) && second <= .seconds(1))
        clock.advance(by: second)
        await #expect(throws: ImageError(.connection)) { try await pending.image }
    }
}
