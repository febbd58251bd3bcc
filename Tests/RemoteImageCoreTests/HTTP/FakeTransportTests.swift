import RemoteImageCore
import RemoteImageTestSupport
import Testing

/// The guarantees of the fake transport, on which other tests rely.
@Suite("The fake transport", .timeLimit(.minutes(5)))
struct FakeTransportTests {
    private let request: TransferRequest

    init() throws {
        request = TransferRequest(try WebAddress("http://example.com/a"))
    }

    @Test("A transfer delivers what the test sends, when the test sends it")
    func drivenByHand() async throws {
        let transport = FakeTransport()
        let receiver = RecordingReceiver()
        async let started = transport.started(count: 1)
        transport.start(request, receiver: receiver)
        let transfer = try await started
        #expect(transport.addresses == ["http://example.com/a"])

        transfer.respond(status: 206, expected: 4)
        #expect(receiver.record.head?.status == 206)
        transfer.send([1, 2])
        transfer.send([3, 4])
        #expect(receiver.record.body == [1, 2, 3, 4])
        #expect(receiver.record.results.isEmpty)
        transfer.finish()
        #expect(try await receiver.ended().isSuccess)
    }

    @Test("A cancelled transfer reports its cancellation once and nothing after it")
    func cancelled() async throws {
        let transport = FakeTransport()
        let receiver = RecordingReceiver()
        let task = transport.start(request, receiver: receiver)
        try await transport.started(count: 1)
        task.cancel()
        try await transport.transfers[0].cancelled()
        #expect(transport.transfers[0].isCancelled)
        transport.transfers[0].succeed([1])
        let record = try await receiver.ended()
        #expect(record.errorCode == .cancelled)
        #expect(record.results.count == 1)
        #expect(record.heads.isEmpty)
    }

    @Test("Prepared answers are sent automatically")
    func prepared() async throws {
        let transport = FakeTransport { $0.address.string.hasSuffix("a") ? .ok([1]) : .failure(.cancelled) }
        let first = RecordingReceiver()
        let second = RecordingReceiver()
        transport.start(request, receiver: first)
        transport.start(TransferRequest(try WebAddress("http://example.com/b")), receiver: second)
        #expect(try await first.ended().body == [1])
        #expect(try await second.ended().errorCode == .cancelled)
    }
}
