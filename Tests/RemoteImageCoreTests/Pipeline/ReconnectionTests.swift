import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// Retries that wait for the network, and their limits.
@Suite(.timeLimit(.minutes(5)), .endsInTime)
struct ReconnectionTests {
    private let transport = FakeTransport()
    private let network = NetworkConditions()

    private func pipeline(_ observers: [@Sendable (PipelineEvent) -> Void] = []) -> ImagePipeline {
        .test(transport) {
            $0.retryPolicy = .standard(waitsForConnectivity: true)
            $0.clock = TestClock()
            $0.network = network
            $0.observers = observers
        }
    }

    private func request(_ number: Int = 0) -> ImageRequest { ImageRequest("http://test/\(number)") }

    @Test func `all requests that wait for the network continue when it returns`() async throws {
        let pipeline = pipeline()
        network.isConnected = false
        let images = (0..<3).map { PendingImage(request($0), in: pipeline) }
        for count in 1...3 { try await transport.started(count: count).fail(ImageError(.connection)) }
        network.isConnected = true
        for count in 4...6 { try await transport.started(count: count).succeed(TestImage(7).bytes) }
        for image in images { #expect(try await image.image.content == 7) }
    }

    @Test func `a network that returns twice starts one transfer`() async throws {
        let pipeline = pipeline()
        network.isConnected = false
        let pending = PendingImage(request(), in: pipeline)
        try await transport.started(count: 1).fail(ImageError(.connection))
        for isConnected in [true, false, true] { network.isConnected = isConnected }
        try await transport.started(count: 2).succeed(TestImage().bytes)
        _ = try await pending.image
        network.isConnected = true
        #expect(transport.transfers.count == 2)
    }

    @Test func `a request that is cancelled while it waits for the network starts no transfer`() async throws {
        let pipeline = pipeline()
        network.isConnected = false
        let pending = PendingImage(request(), in: pipeline)
        try await transport.started(count: 1).fail(ImageError(.connection))
        pending.task?.cancel()
        await #expect(throws: ImageError.cancelled) { try await pending.image }
        network.isConnected = true
        #expect(transport.transfers.count == 1)
        #expect(pipeline.context.jobs.jobCount == 0)
    }

    @Test func `a network that returns just before the wait is noticed`() async throws {
        network.isConnected = false
        let pipeline = pipeline([
            { [network] event in if case .retrying = event.step { network.isConnected = true } }
        ])
        let pending = PendingImage(request(), in: pipeline)
        try await transport.started(count: 1).fail(ImageError(.connection))
        try await transport.started(count: 2).succeed(TestImage(8).bytes)
        #expect(try await pending.image.content == 8)
    }

    private func pipeline(_ clock: TestClock, _ decision: RetryDecision) -> ImagePipeline {
        .test(transport) {
            $0.retryPolicy = RetryPolicy(identity: "own") { _ in decision }
            $0.clock = clock
            $0.network = network
        }
    }

    @Test func `a retry that waits for a network is delayed if the network is connected`() async throws {
        let clock = TestClock()
        let pending = PendingImage(request(), in: pipeline(clock, .retryWhenConnected))
        try await transport.started(count: 1).fail(ImageError(.connection))
        let delay = try #require(clock.nextDelay)
        #expect(delay > .zero && delay < .seconds(60))
        clock.advance(by: delay)
        network.isConnected = false
        try await transport.started(count: 2).fail(ImageError(.connection))
        #expect(clock.nextDelay == nil)
        network.isConnected = true
        try await transport.started(count: 3).succeed(TestImage(6).bytes)
        #expect(try await pending.image.content == 6)
    }

    @Test func `a negative delay of a policy is none`() async throws {
        let clock = TestClock()
        let pending = PendingImage(request(), in: pipeline(clock, .retry(after: .seconds(-5))))
        try await transport.started(count: 1).fail(ImageError(.connection))
        #expect(clock.nextDelay == .zero)
        clock.advance(by: .zero)
        try await transport.started(count: 2).succeed(TestImage(6).bytes)
        _ = try await pending.image
    }

    @Test(arguments: [true, false])
    func `the retry policy of a request replaces that of the pipeline`(isNever: Bool) async throws {
        let clock = TestClock()
        var request = request()
        request.options.retryPolicy = isNever ? .never : RetryPolicy(identity: "7") { _ in .retry(after: .seconds(7)) }
        let pending = PendingImage(request, in: pipeline(clock, .retry(after: .seconds(3))))
        try await transport.started(count: 1).fail(ImageError(.connection))
        #expect(clock.nextDelay == (isNever ? nil : .seconds(7)))
        pending.task?.cancel()
    }

    @Test func `retry delays double up to the maximum of the policy`() {
        let policy = RetryPolicy.standard(
            maxRetryCount: 100, baseDelay: .seconds(1), maxDelay: .seconds(5), jitter: 0)
        let decisions = [1, 2, 3, 4, 5, 100].map { attempt in
            policy.decision(on: TransferFailure(error: ImageError(.connection), attempt: attempt))
        }
        #expect(decisions == [1, 2, 4, 5, 5, 5].map { .retry(after: .seconds($0)) })
    }
}
