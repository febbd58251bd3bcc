import HTTPTypes
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// Requests while a hook changes them.
@Suite(.timeLimit(.minutes(2)), .endsInTime)
struct RequestHookTests {
    let transport = FakeTransport()
    let pipeline: ImagePipeline
    private let calls = Watched(0)
    /// Opened by the test to let the hooks continue.
    private let gate = Watched(false)

    init() {
        pipeline = .test(transport)
    }

    private func request(_ hook: RequestHook) -> ImageRequest {
        var options = ImageOptions()
        options.requestHook = hook
        return ImageRequest("http://test/a", options: options)
    }

    private var waiting: RequestHook {
        RequestHook("token", account: "anna") { [calls, gate] request in
            calls.update { $0 += 1 }
            try await gate.wait { $0 }
            request.headers[.authorization] = "token"
        }
    }

    @Test func `requests are sent after their hook, which runs once for equal requests`() async throws {
        let images = [PendingImage(request(waiting), in: pipeline), PendingImage(request(waiting), in: pipeline)]
        try await calls.wait { $0 == 1 }
        #expect(transport.transfers.isEmpty)
        gate.update { $0 = true }
        let transfer = try await transport.started(count: 1)
        #expect(transfer.request.headers[.authorization] == "token")
        transfer.succeed(TestImage(4).bytes)
        for image in images { #expect(try await image.image.content == 4) }
        #expect(calls.value == 1)
    }

    @Test func `a hook sees the Accept header and may remove it`() async throws {
        let seen = Watched<String?>(nil)
        let hook = RequestHook("plain") { request in
            seen.update { [accept = request.headers[.accept]] in $0 = accept }
            request.headers[.accept] = nil
        }
        let image = PendingImage(request(hook), in: pipeline)
        let transfer = try await transport.started(count: 1)
        #expect(seen.value?.hasPrefix("image/png") == true)
        #expect(transfer.request.headers[.accept] == nil)
        transfer.succeed(TestImage(4).bytes)
        #expect(try await image.image.content == 4)
    }

    @Test func `an error thrown by a hook fails the request`() async throws {
        struct NoToken: Error {}
        let ours = request(RequestHook("own") { _ in throw ImageError(.httpStatus, "no token", status: 401) })
        let error = await #expect(throws: ImageError.self) { try await pipeline.image(for: ours) }
        #expect(error?.status == 401)
        let other = request(RequestHook("other") { _ in throw NoToken() })
        let source = await #expect(throws: ImageError.self) { try await pipeline.image(for: other) }
        #expect(source?.code == .source)
        #expect(transport.transfers.isEmpty)
    }

    @Test func `a retry runs the hook again, which can send a new token`() async throws {
        let retryOnce = RetryPolicy(identity: "once") { failure in
            failure.error.status == 401 && failure.attempt == 1 ? .retry(after: .zero) : .giveUp
        }
        let hook = RequestHook("token", account: "anna") { [calls] request in
            calls.update { $0 += 1 }
            request.headers[.authorization] = "\(calls.value)"
        }
        var request = request(hook)
        request.options.retryPolicy = retryOnce
        let image = PendingImage(request, in: pipeline)
        try await transport.started(count: 1).succeed([], status: 401)
        let second = try await transport.started(count: 2)
        #expect(second.request.headers[.authorization] == "2")
        second.succeed(TestImage(4).bytes)
        #expect(try await image.image.content == 4)
    }

    /// It used to hold the place of a transfer forever.
    @Test func `a hook that hangs times out and frees its place`() async throws {
        let clock = TestClock()
        let pipeline = ImagePipeline.test(transport) {
            $0.clock = clock
            $0.maxConcurrentTransfers = 1
        }
        let never = Watched(false)
        defer { never.update { $0 = true } }
        let hook = RequestHook("token") { [calls] _ in
            calls.update { $0 += 1 }
            // This task is not cancelled with the caller.
            await Task { try? await never.wait { $0 } }.value
        }
        var hanging = request(hook)
        hanging.options.timeout = .seconds(5)
        let image = PendingImage(hanging, in: pipeline)
        try await calls.wait { $0 == 1 }
        let next = PendingImage(ImageRequest("http://test/b"), in: pipeline)
        #expect(clock.nextDelay == .seconds(5))
        clock.advance(by: .seconds(5))
        let error = await #expect(throws: ImageError.self) { try await image.image }
        #expect(error?.code == .timeout)
        #expect(error?.detail == "the request hook “token” took longer than 5.0 seconds")
        try await transport.started(count: 1).succeed(TestImage(2).bytes)
        #expect(try await next.image.content == 2)
    }

    @Test func `a hook without its own timeout has the timeout of a transfer`() async throws {
        let clock = TestClock()
        let pipeline = ImagePipeline.test(transport) { $0.clock = clock }
        let image = PendingImage(request(waiting), in: pipeline)
        try await calls.wait { $0 == 1 }
        #expect(clock.nextDelay == TransferLimits().timeout)
        clock.advance(by: .seconds(59))
        gate.update { $0 = true }
        try await transport.started(count: 1).succeed(TestImage(4).bytes)
        #expect(try await image.image.content == 4)
    }

    @Test func `a request that is cancelled while its hook runs sends nothing`() async throws {
        let isCancelled = Watched(false)
        let hook = RequestHook("slow") { [calls] _ in
            calls.update { $0 += 1 }
            // Yields nothing, and ends when the task is cancelled.
            let (nothing, source) = AsyncStream<Void>.makeStream()
            for await _ in nothing {}
            withExtendedLifetime(source) {}
            isCancelled.update { $0 = Task.isCancelled }
        }
        let image = PendingImage(request(hook), in: pipeline)
        try await calls.wait { $0 == 1 }
        image.task?.cancel()
        try await isCancelled.wait { $0 }
        await #expect(throws: ImageError.cancelled) { try await image.image }
        #expect(transport.transfers.isEmpty)
        #expect(pipeline.context.jobs.jobCount == 0)
    }
}
