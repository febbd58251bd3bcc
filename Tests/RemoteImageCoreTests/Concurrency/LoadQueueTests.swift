import Dispatch
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// How models start loads in their pipeline.
@MainActor
@Suite(.timeLimit(.minutes(5)), .endsInTime)
struct LoadQueueTests {
    private let transport = FakeTransport()

    @Test func `work is done in the order in which it was posted`() async {
        let done = Lock<[Int]>([])
        for number in 0..<1000 {
            LoadQueue.shared.post { done.withLock { $0.append(number) } }
        }
        await LoadQueue.shared.settled()
        #expect(done.withLock { $0 } == Array(0..<1000))
    }

    @Test func `a load that is cancelled before it starts sends no request`() async throws {
        let model = NetworkImageModel("http://test/a", pipeline: .test(transport))
        let other = NetworkImageModel("http://test/b", pipeline: .test(transport))
        await whileBusy {
            model.load()
            model.cancel()
            other.load()
        }
        try await transport.started(count: 1)
        #expect(transport.addresses == ["http://test/b"])
        #expect(model.phase.kind == .empty)
    }

    @Test func `a load whose model is released before it starts sends no request`() async throws {
        var model: NetworkImageModel? = NetworkImageModel("http://test/a", pipeline: .test(transport))
        let other = NetworkImageModel("http://test/b", pipeline: .test(transport))
        await whileBusy {
            model?.load()
            model = nil
            other.load()
        }
        try await transport.started(count: 1)
        #expect(transport.addresses == ["http://test/b"])
    }

    @Test func `a priority that is set before the load starts counts`() async throws {
        let pipeline = ImagePipeline.test(transport) { $0.maxConcurrentTransfers = 1 }
        let models = ["a", "b", "c"].map { NetworkImageModel("http://test/\($0)", pipeline: pipeline) }
        await whileBusy {
            for model in models { model.load() }
            models[2].priority = .veryHigh
        }
        try await transport.started(count: 1).succeed(TestImage(1).bytes)
        #expect(try await transport.started(count: 2).request.address.string == "http://test/c")
    }

    /// Runs `body` while the load thread is busy.
    private func whileBusy(_ body: () -> Void) async {
        let gate = DispatchSemaphore(value: 0)
        LoadQueue.shared.post { gate.wait() }
        body()
        gate.signal()
        await LoadQueue.shared.settled()
    }
}
