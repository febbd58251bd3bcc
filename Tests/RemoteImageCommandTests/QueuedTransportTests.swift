import RemoteImageCore
import RemoteImageTestSupport
import Testing

@testable import remote_image

/// The limits on the number of running transfers.
@Suite(.timeLimit(.minutes(5)))
struct QueuedTransportTests {
    private let transport = FakeTransport()

    private func request(_ address: String = "http://test/a") throws -> TransferRequest {
        TransferRequest(try WebAddress(address))
    }

    @Test func `a transfer above the limit per host waits and may be cancelled while it waits`() async throws {
        let queued = QueuedTransport(transport, countPerHost: 2)
        let receivers = (0..<4).map { _ in RecordingReceiver() }
        let transfers = try receivers.map { queued.start(try request(), receiver: $0) }
        #expect(transport.transfers.count == 2)
        let other = RecordingReceiver()
        _ = queued.start(try request("http://other/a"), receiver: other)
        #expect(transport.transfers.count == 3)
        transfers[2].cancel()
        #expect(try await receivers[2].ended().error == .cancelled)
        transport.transfers[0].succeed([1])
        let last = try await transport.started(count: 4)
        last.succeed([4])
        #expect(try await receivers[3].ended().body == [4])
        #expect(transport.transfers.count == 4)
    }

    @Test func `a transfer above the overall limit waits, whatever its host`() async throws {
        let queued = QueuedTransport(transport, count: 2, countPerHost: 1)
        let receivers = (0..<5).map { _ in RecordingReceiver() }
        let hosts = ["a", "a", "b", "c", "d"]
        let transfers = try zip(hosts, receivers).map { host, receiver in
            queued.start(try request("http://\(host)/"), receiver: receiver)
        }
        #expect(transport.addresses == ["http://a/", "http://b/"])
        transfers[3].cancel()
        transport.transfers[1].succeed([1])
        #expect(transport.addresses == ["http://a/", "http://b/", "http://d/"])
        transport.transfers[2].succeed([1])
        #expect(transport.transfers.count == 3, "the host has one under way")
        transport.transfers[0].succeed([1])
        #expect(transport.addresses.last == "http://a/")
        transport.transfers[3].succeed([1])
        for receiver in receivers { #expect(try await receiver.ended().results.count == 1) }
    }

    @Test func `a transfer that is cancelled while it starts ends once`() async throws {
        // It used to end twice: once as a waiting and once as a running transfer.
        let starting = StartingTransport(transport)
        let queued = QueuedTransport(starting, countPerHost: 1)
        let receivers = (0..<3).map { _ in RecordingReceiver() }
        let transfers = try receivers.map { queued.start(try request(), receiver: $0) }
        starting.onStart { transfers[1].cancel() }
        transport.transfers[0].succeed([1])
        try await transport.started(count: 2).cancelled()
        // The third transfer starts when the second has ended.
        try await transport.started(count: 3).succeed([3])
        try await receivers[2].ended()
        #expect(receivers[1].record.results.count == 1)
        #expect(receivers[1].record.error == .cancelled)
    }

    @Test func `a transfer that ends before its start returns frees its place once`() async throws {
        let others = FakeTransport()
        let starting = StartingTransport(transport, others: others)
        let queued = QueuedTransport(starting, countPerHost: 1)
        let receivers = (0..<4).map { _ in RecordingReceiver() }
        let transfers = try receivers.map { queued.start(try request(), receiver: $0) }
        starting.onStart { others.transfers[0].succeed([2]) }
        transport.transfers[0].succeed([1])
        try await others.started(count: 2)
        transfers[1].cancel()
        #expect(receivers[1].record.results.count == 1)
        #expect(receivers[1].record.body == [2])
        #expect(others.transfers.count == 2, "the fourth waits for the third")
    }
}

/// Runs an action after a transfer is started and before the start returns.
private final class StartingTransport: Transport {
    private struct State {
        var count = 0
        var action: (@Sendable () -> Void)?
    }

    private let first: FakeTransport
    private let others: FakeTransport
    private let state = Lock(State())

    /// - Parameter others: Receives all transfers but the first, for a test that ends one transfer
    ///   within a call of the other.
    init(_ first: FakeTransport, others: FakeTransport? = nil) {
        self.first = first
        self.others = others ?? first
    }

    /// Sets the action, which runs once.
    func onStart(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.action = body } }

    func start(_ request: TransferRequest, receiver: any TransferReceiver) -> any Transfer {
        let (isFirst, action) = state.withLock { state in
            defer { (state.count, state.action) = (state.count + 1, nil) }
            return (state.count == 0, state.action)
        }
        let transfer = (isFirst ? first : others).start(request, receiver: receiver)
        action?()
        return transfer
    }
}
