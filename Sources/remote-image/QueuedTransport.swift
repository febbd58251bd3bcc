import DequeModule
import RemoteImageCore

/// Limits the number of concurrent transfers. The timeouts of waiting transfers do not run.
final class QueuedTransport: Transport {
    private struct State {
        var freeCount: Int
        /// The promises of a place, in order; those of cancelled transfers are already kept.
        var waiting = Deque<Promise<Void>>()

        mutating func giveFreePlaces() {
            while freeCount > 0, let next = waiting.popFirst() {
                if next.keep(.success(())) { freeCount -= 1 }
            }
        }
    }

    private let transport: any Transport
    private let state: Lock<State>

    init(_ transport: any Transport, count: Int) {
        self.transport = transport
        state = Lock(State(freeCount: count))
    }

    func load(_ request: TransferRequest, into receiver: any TransferReceiver) async throws(ImageError) {
        let place = Promise<Void>()
        state.withLock { state in
            state.waiting.append(place)
            state.giveFreePlaces()
        }
        try await place.value
        defer {
            state.withLock { state in
                state.freeCount += 1
                state.giveFreePlaces()
            }
        }
        try await transport.load(request, into: receiver)
    }
}
