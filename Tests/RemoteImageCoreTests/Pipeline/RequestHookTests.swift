import HTTPTypes
import TestSupport
import Testing

@testable import RemoteImageCore

/// What becomes of a request while it is changed before it is sent.
@Suite(.timeLimit(.minutes(2)))
struct RequestHookTests {
    let transport = FakeTransport()
    let pipeline: ImagePipeline
    private let calls = Watched(0)
    /// Open once the test lets hooks go on.
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

    @Test func `nothing is sent before the hook has ended, which runs once for all who want the same`() async throws {
        let images = [PendingImage(request(waiting), in: pipeline), PendingImage(request(waiting), in: pipeline)]
        try await calls.wait { $0 == 1 }
        #expect(transport.transfers.isEmpty)
        gate.update { $0 = true }
        let transfer = try await transport.started(count: 1)
        #expect(transfer.request.headers[.authorization] == "token")
        transfer.succeed(TestPicture(4).bytes)
        for image in images { #expect(try await image.image.content == 4) }
        #expect(calls.value == 1)
    }

    @Test func `what a hook throws is why there is no picture`() async throws {
        struct NoToken: Error {}
        let ours = request(RequestHook("own") { _ in throw ImageError(.httpStatus, "no token", status: 401) })
        let error = await #expect(throws: ImageError.self) { try await pipeline.image(for: ours) }
        #expect(error?.status == 401)
        let other = request(RequestHook("other") { _ in throw NoToken() })
        let source = await #expect(throws: ImageError.self) { try await pipeline.image(for: other) }
        #expect(source?.code == .source)
        #expect(transport.transfers.isEmpty)
    }

    @Test func `who leaves while the hook runs sends nothing`() async throws {
        let isCancelled = Watched(false)
        let hook = RequestHook("slow") { [calls] _ in
            calls.update { $0 += 1 }
            // Brings nothing, and ends with the task.
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
        #expect(pipeline.context.board.jobCount == 0)
    }
}
