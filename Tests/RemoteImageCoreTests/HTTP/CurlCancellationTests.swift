import RemoteImageCore
import RemoteImageTestSupport
import Testing

@Suite("Cancellation of transfers", .timeLimit(.minutes(5)))
struct CurlCancellationTests {
    let origin: RawOrigin
    let transport = CurlTransport(.direct)

    init() throws {
        origin = try RawOrigin()
    }

    @Test("A cancelled transfer closes its connection and ends once")
    func whileSilent() async throws {
        origin.respond(to: "/a", with: .silence)
        let receiver = RecordingReceiver()
        let transfer = transport.start(TransferRequest(try origin.address("/a")), receiver: receiver)
        try await origin.received(count: 1)
        transfer.cancel()
        try await origin.connectionClosed()
        let record = try await receiver.ended()
        #expect(record.results.count == 1)
        #expect(record.errorCode == .cancelled)
        #expect(record.heads.isEmpty)
    }

    @Test("A transfer that is cancelled within its body closes its connection")
    func withinBody() async throws {
        origin.respond(to: "/a", with: .truncated(Array("half".utf8), announced: 8, then: .keepAlive))
        let receiver = RecordingReceiver()
        let transfer = transport.start(TransferRequest(try origin.address("/a")), receiver: receiver)
        try await receiver.received(byteCount: 4)
        transfer.cancel()
        try await origin.connectionClosed()
        #expect(try await receiver.ended().errorCode == .cancelled)
    }

    @Test("A transfer may be cancelled right after its start, twice, and after its end")
    func atOnceAndTwice() async throws {
        origin.respond(to: "/a", with: .silence)
        let receiver = RecordingReceiver()
        let transfer = transport.start(TransferRequest(try origin.address("/a")), receiver: receiver)
        transfer.cancel()
        transfer.cancel()
        #expect(try await receiver.ended().errorCode == .cancelled)
        transfer.cancel()

        origin.respond(to: "/b", with: .ok("b"))
        let second = RecordingReceiver()
        let finished = transport.start(TransferRequest(try origin.address("/b")), receiver: second)
        try await second.ended()
        finished.cancel()
        // Once another transfer has ended, the transport has handled the late cancellation.
        #expect(try await transport.load(try origin.address("/b")).isSuccess)
        #expect(receiver.record.results.count == 1)
        #expect(second.record.isSuccess)
    }

    @Test("A transfer that waits for a connection can be cancelled")
    func whileWaiting() async throws {
        let transport = CurlTransport(.direct { $0.maxConnections = 1 })
        origin.respond(to: "/a", with: .silence)
        let first = RecordingReceiver()
        let busy = transport.start(TransferRequest(try origin.address("/a")), receiver: first)
        try await origin.received(count: 1)

        let second = RecordingReceiver()
        let waiting = transport.start(TransferRequest(try origin.address("/a")), receiver: second)
        waiting.cancel()
        #expect(try await second.ended().errorCode == .cancelled)
        #expect(origin.requests.count == 1)
        busy.cancel()
        #expect(try await first.ended().errorCode == .cancelled)
    }

    @Test("A receiver may cancel its own transfer", arguments: [RecordingReceiver.Call.head, .bytes, .end])
    func fromReceiver(when: RecordingReceiver.Call) async throws {
        origin.respond(to: "/a", with: .ok([UInt8](repeating: 0, count: 8 << 20)))
        let transfer = Watched<Task<Void, Never>?>(nil)
        let receiver = RecordingReceiver { call in
            if call == when { transfer.value?.cancel() }
        }
        // The receiver must know the transfer before its first call: the origin waits for that.
        origin.hold("/a")
        let started = transport.start(TransferRequest(try origin.address("/a")), receiver: receiver)
        transfer.update { $0 = started }
        let exchange = try await origin.exchange(for: "/a")
        exchange.send(RawResponse.ok([UInt8](repeating: 0, count: when == .end ? 1 : 8 << 20)))

        let record = try await receiver.ended()
        #expect(record.results.count == 1)
        #expect(record.callsAfterEnd == 0)
        if when == .end {
            #expect(record.isSuccess)
        } else {
            #expect(record.errorCode == .cancelled)
            // The transfer stopped at once, not at the end of the body.
            #expect(record.pieceCount == (when == .head ? 0 : 1))
            try await origin.connectionClosed()
        }
        transfer.update { $0 = nil }
    }

    @Test("Cancelling a transfer does not affect other transfers")
    func others() async throws {
        origin.respond(to: "/silent", with: .silence)
        origin.hold("/b")
        let cancelled = RecordingReceiver()
        let other = RecordingReceiver()
        let transfer = transport.start(TransferRequest(try origin.address("/silent")), receiver: cancelled)
        _ = transport.start(TransferRequest(try origin.address("/b")), receiver: other)
        let exchange = try await origin.exchange(for: "/b")
        transfer.cancel()
        #expect(try await cancelled.ended().errorCode == .cancelled)
        exchange.send(RawResponse.ok("b"))
        #expect(try await other.ended().text == "b")
    }

    @Test("A transport that is released while transfers run lives until they end")
    func transportLetGo() async throws {
        origin.hold("/a")
        var transport: CurlTransport? = CurlTransport(.direct)
        let receiver = RecordingReceiver()
        transport?.start(TransferRequest(try origin.address("/a")), receiver: receiver)
        let exchange = try await origin.exchange(for: "/a")
        transport = nil
        exchange.send(RawResponse.ok("a"))
        #expect(try await receiver.ended().text == "a")
        try await origin.connectionClosed()
    }

    @Test("An error that the receiver throws ends the transfer", arguments: [RecordingReceiver.Call.head, .bytes])
    func thrownByReceiver(when: RecordingReceiver.Call) async throws {
        origin.respond(to: "/a", with: .truncated(Array("half".utf8), announced: 8, then: .keepAlive))
        let receiver = RefusingReceiver(when)
        let error = await #expect(throws: ImageError.self) {
            try await transport.load(TransferRequest(try origin.address("/a")), into: receiver)
        }
        #expect(error == ImageError(.processing, "refused"))
        try await origin.connectionClosed()
    }

    /// Throws an error at its first call of one kind.
    private final class RefusingReceiver: TransferReceiver {
        private let call: RecordingReceiver.Call

        init(_ call: RecordingReceiver.Call) { self.call = call }

        func receive(_ head: TransferHead) throws(ImageError) {
            if call == .head { throw ImageError(.processing, "refused") }
        }

        func receive(_ bytes: borrowing RawSpan) throws(ImageError) {
            if call == .bytes { throw ImageError(.processing, "refused") }
        }
    }

    @Test("A receiver may release the transport on the transport's own thread")
    func letGoByReceiver() async throws {
        origin.respond(to: "/a", with: .ok("a"))
        let holder = Watched<CurlTransport?>(CurlTransport(.direct))
        let receiver = RecordingReceiver { call in
            if call == .end { holder.update { $0 = nil } }
        }
        holder.value?.start(TransferRequest(try origin.address("/a")), receiver: receiver)
        #expect(try await receiver.ended().isSuccess)
        try await origin.connectionClosed()
    }

    @Test("An unused transport starts nothing and can be released")
    func neverUsed() {
        for _ in 0..<1_000 { _ = CurlTransport(.direct) }
    }

    @Test("Transfers that are cancelled from many threads as they end report one end")
    func races() async throws {
        origin.respond(to: "/a", with: .ok("a"))
        let address = try origin.address("/a")
        try await withThrowingTaskGroup(of: RecordingReceiver.self) { group in
            for _ in 0..<200 {
                group.addTask { [transport] in
                    let receiver = RecordingReceiver()
                    let transfer = transport.start(TransferRequest(address), receiver: receiver)
                    await Task.yield()
                    transfer.cancel()
                    try await receiver.ended()
                    return receiver
                }
            }
            for try await receiver in group {
                let record = receiver.record
                #expect(record.results.count == 1)
                #expect(record.callsAfterEnd == 0)
                #expect(record.isSuccess || record.errorCode == .cancelled)
            }
        }
    }
}
