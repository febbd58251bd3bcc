import HTTPTypes
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

@Suite(.timeLimit(.minutes(5)), .endsInTime)
struct RetryTests {
    let transport = FakeTransport()
    let clock = TestClock()

    private func pipeline(
        _ policy: RetryPolicy = .standard(jitter: 0), network: NetworkConditions = NetworkConditions()
    ) -> ImagePipeline {
        .test(transport) {
            $0.retryPolicy = policy
            $0.clock = clock
            $0.network = network
        }
    }

    /// A request under `.cacheElseLoad` for an image that is not stored.
    private var offline: ImageRequest {
        var request = ImageRequest("http://test/a")
        request.options.cachePolicy = .cacheElseLoad
        return request
    }

    @Test func `a failed connection is retried after delays that double`() async throws {
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

    @Test func `a load fails after its last retry`() async throws {
        let pending = PendingImage(ImageRequest("http://test/a"), in: pipeline(.standard(maxRetryCount: 1)))
        try await transport.started(count: 1).fail(ImageError(.connection))
        clock.advance(by: .seconds(30))
        try await transport.started(count: 2).fail(ImageError(.connection, "again"))
        await #expect(throws: ImageError(.connection, "again")) { try await pending.image }
        #expect(clock.nextDelay == nil)
    }

    @Test func `the stored policy reports notStored at once when the server is unreachable`() async throws {
        let pending = PendingImage(offline, in: pipeline())
        let reason = ImageError(.connection, "gone")
        try await transport.started(count: 1).fail(reason)
        await #expect(throws: ImageError(.notStored, reason.detail, underlying: [reason])) { try await pending.image }
        #expect(clock.nextDelay == nil)
    }

    @Test func `the stored policy waits for the network if the retry policy does`() async throws {
        let network = NetworkConditions()
        network.isConnected = false
        let patient = RetryPolicy.standard(waitsForConnectivity: true)
        let pending = PendingImage(offline, in: pipeline(patient, network: network))
        try await transport.started(count: 1).fail(ImageError(.connection))
        network.isConnected = true
        try await transport.started(count: 2).succeed(TestImage(1).bytes)
        #expect(try await pending.image.content == 1)
    }

    @Test(arguments: [408, 429, 500, 502, 503, 504])
    func `a transient status is retried`(status: Int) async throws {
        let pending = PendingImage(ImageRequest("http://test/a"), in: pipeline())
        try await transport.started(count: 1).succeed([], status: status)
        clock.advance(by: .seconds(1))
        try await transport.started(count: 2).succeed(TestImage().bytes)
        _ = try await pending.image
    }

    @Test(arguments: [400, 401, 403, 404, 410])
    func `a permanent status is not retried`(status: Int) async throws {
        let pending = PendingImage(ImageRequest("http://test/a"), in: pipeline())
        try await transport.started(count: 1).succeed([], status: status)
        await #expect(throws: ImageError.httpStatus(status)) { try await pending.image }
        #expect(clock.nextDelay == nil)
    }

    @Test func `an error that a retry cannot cure is not retried`() async throws {
        let pipeline = pipeline()
        for code in [ImageError.Code.tls, .timeout, .tooLarge, .protocol, .tooManyRedirects] {
            let pending = PendingImage(ImageRequest("http://test/\(code.rawValue)"), in: pipeline)
            try await transport.started(count: transport.transfers.count).fail(ImageError(code))
            await #expect(throws: ImageError(code)) { try await pending.image }
        }
        #expect(clock.nextDelay == nil)
    }

    @Test func `the delay in Retry-After is followed`() async throws {
        let pending = PendingImage(ImageRequest("http://test/a"), in: pipeline())
        try await transport.started(count: 1).succeed([], status: 429, headers: [.retryAfter: "7"])
        #expect(clock.nextDelay == .seconds(7))
        clock.advance(by: .seconds(7))
        try await transport.started(count: 2).succeed(TestImage().bytes)
        _ = try await pending.image
    }

    @Test func `a Retry-After beyond the limit ends the load`() async throws {
        let pending = PendingImage(ImageRequest("http://test/a"), in: pipeline())
        try await transport.started(count: 1).succeed([], status: 503, headers: [.retryAfter: "3600"])
        await #expect(throws: ImageError.httpStatus(503)) { try await pending.image }
    }

    @Test(arguments: [(30, RetryDecision.retry(after: .seconds(30))), (31, .giveUp)])
    func `a Retry-After equal to the limit is followed`(seconds: Int, decision: RetryDecision) {
        let failure = TransferFailure(error: .httpStatus(503), attempt: 1, retryAfter: .seconds(seconds))
        #expect(RetryPolicy.standard(maxDelay: .seconds(30)).decision(on: failure) == decision)
    }

    @Test(arguments: [(1, false), (2, false), (3, true)])
    func `the limit is the number of retries`(attempt: Int, isLast: Bool) {
        let failure = TransferFailure(error: ImageError(.connection), attempt: attempt)
        #expect((RetryPolicy.standard(maxRetryCount: 2).decision(on: failure) == .giveUp) == isLast)
    }

    private static func backoff(baseDelay: Duration, maxDelay: Duration) -> Backoff {
        Backoff(maxRetryCount: 2, baseDelay: baseDelay, maxDelay: maxDelay, jitter: 0, waitsForConnectivity: false)
    }

    @Test func `no delay is longer than the limit`() {
        let backoff = Self.backoff(baseDelay: .seconds(1), maxDelay: .seconds(4))
        #expect(
            [1, 2, 3, 4, 100].map { backoff.delay(beforeRetry: $0) } == [1, 2, 4, 4, 4].map { Duration.seconds($0) })
    }

    /// Doubling such a delay used to end the process.
    @Test func `a delay may be endless`() {
        let backoff = Self.backoff(baseDelay: .seconds(Int.max), maxDelay: .seconds(Int.max))
        #expect(backoff.delay(beforeRetry: 20) > .seconds(Int.max / 2))
    }

    @Test func `Retry-After may be a date`() {
        let now = 784_111_777 - 20
        #expect(RetryAfter.delay(in: [.retryAfter: "Sun, 06 Nov 1994 08:49:37 GMT"], now: now) == .seconds(20))
        #expect(RetryAfter.delay(in: [.retryAfter: "Sun, 06 Nov 1994 08:49:37 GMT"], now: now + 100) == .zero)
        #expect(RetryAfter.delay(in: [.retryAfter: "soon"], now: now) == nil)
        #expect(RetryAfter.delay(in: [.retryAfter: "-1"], now: now) == nil)
        #expect(RetryAfter.delay(in: [:], now: now) == nil)
    }

    @Test func `jitter shortens a delay and never lengthens it`() {
        let policy = RetryPolicy.standard(jitter: 0.5)
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

    @Test func `cancelling a request that waits for a retry starts no transfer and leaves no job`() async throws {
        let pipeline = pipeline()
        let pending = PendingImage(ImageRequest("http://test/a"), in: pipeline)
        try await transport.started(count: 1).fail(ImageError(.connection))
        pending.task?.cancel()
        await #expect(throws: ImageError.cancelled) { try await pending.image }
        clock.advance(by: .seconds(60))
        #expect(transport.transfers.count == 1)
        #expect(pipeline.context.jobs.jobCount == 0)
    }

    @Test func `a transfer that waits for a retry frees its place`() async throws {
        let pipeline = pipeline()
        pipeline.setConcurrency(transfers: 1, perHost: 1)
        _ = PendingImage(ImageRequest("http://test/a"), in: pipeline)
        let other = PendingImage(ImageRequest("http://test/b"), in: pipeline)
        try await transport.started(count: 1).fail(ImageError(.connection))
        try await transport.started(count: 2).succeed(TestImage(2).bytes)
        #expect(try await other.image.content == 2)
    }

    @Test func `a request that joins a pending retry shares it and learns the number of the attempt`() async throws {
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

    @Test func `a retry that waits for the network continues when it returns`() async throws {
        let network = NetworkConditions()
        let pipeline = pipeline(.standard(waitsForConnectivity: true), network: network)
        let pending = PendingImage(ImageRequest("http://test/a"), in: pipeline)
        network.isConnected = false
        try await transport.started(count: 1).fail(ImageError(.connection))
        clock.advance(by: .seconds(600))
        #expect(transport.transfers.count == 1)
        network.isConnected = true
        try await transport.started(count: 2).succeed(TestImage(1).bytes)
        #expect(try await pending.image.content == 1)
    }

    @Test func `a request may have its own retry policy`() async throws {
        var request = ImageRequest("http://test/a")
        request.options.retryPolicy = .never
        let pending = PendingImage(request, in: pipeline())
        try await transport.started(count: 1).fail(ImageError(.connection))
        await #expect(throws: ImageError(.connection)) { try await pending.image }
    }

    @MainActor
    @Test func `a model shows the number of the attempt`() async throws {
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

    @Test func `the delay grows while the state of the network is unknown`() async throws {
        let (transport, clock) = (FakeTransport { _ in .failure(ImageError(.connection)) }, TestClock())
        let pipeline = ImagePipeline.test(transport) { configuration in
            configuration.clock = clock
            configuration.retryPolicy = .standard(waitsForConnectivity: true)
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
