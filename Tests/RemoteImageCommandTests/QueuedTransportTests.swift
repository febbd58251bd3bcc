import RemoteImageCore
import RemoteImageTestSupport
import Testing

@testable import remote_image

/// The limit on the number of running transfers.
@Suite(.timeLimit(.minutes(5)))
struct QueuedTransportTests {
    private let transport = FakeTransport()

    private func start(
        _ address: String, on queued: QueuedTransport
    ) throws -> (receiver: RecordingReceiver, task: Task<Void, Never>) {
        let receiver = RecordingReceiver()
        return (receiver, queued.start(TransferRequest(try WebAddress(address)), receiver: receiver))
    }

    @Test func `a transfer above the limit waits, whatever its host, and may be cancelled meanwhile`() async throws {
        let queued = QueuedTransport(transport, count: 2)
        let running = try [start("http://a/1", on: queued), start("http://b/1", on: queued)]
        try await transport.started(count: 2)
        let waiting = try start("http://c/1", on: queued)
        waiting.task.cancel()
        #expect(try await waiting.receiver.ended().error == .cancelled)
        let next = try start("http://d/1", on: queued)
        #expect(transport.transfers.count == 2)
        transport.transfers[1].succeed([1])
        try await transport.started(count: 3).succeed([3])
        #expect(try await next.receiver.ended().body == [3])
        transport.transfers[0].succeed([2])
        for (receiver, _) in running { #expect(try await receiver.ended().error == nil) }
        #expect(transport.transfers.count == 3)
    }

    @Test func `a transfer that is cancelled while it runs frees its place once`() async throws {
        let queued = QueuedTransport(transport, count: 1)
        let first = try start("http://a/1", on: queued)
        try await transport.started(count: 1)
        let others = try (2...4).map { try start("http://a/\($0)", on: queued) }
        first.task.cancel()
        #expect(try await first.receiver.ended().error == .cancelled)
        try await transport.started(count: 2).fail(ImageError(.connection))
        try await transport.started(count: 3).succeed([3])
        try await transport.started(count: 4).succeed([4])
        for (receiver, _) in others { try await receiver.ended() }
        #expect(transport.transfers.count == 4)
    }
}
