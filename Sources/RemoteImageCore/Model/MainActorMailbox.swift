import DequeModule

/// Brings events from any thread to the main actor, many with one wake-up.
///
/// Events of one sender arrive in the order in which they were posted. What arrives while the main
/// actor is busy is delivered together, for a third of a millisecond at a time: between two such turns whoever runs the main
/// loop may draw and hear of keys.
///
/// One task delivers everything, and its memory is used again. A task for each wake-up would be allocated by a decode
/// thread and freed by the main thread, which then waits, for milliseconds where the machine is busy, for the lock of
/// `malloc` that the decode thread held when it was interrupted.
final class MainActorMailbox: Sendable {
    typealias Delivery = @MainActor @Sendable () -> Void

    static let shared = MainActorMailbox()

    private struct State {
        var deliveries: Deque<Delivery> = []
        /// Of the task that delivers, while there is nothing to deliver.
        var waiting: UnsafeContinuation<Void, Never>?
    }

    /// How long the main actor may be held before it is offered to others.
    private static let turn = Duration.microseconds(300)

    private let state = Lock(State())

    private init() {
        Task { @MainActor [state] in
            var deliveries: Deque<Delivery> = []
            while true {
                await Self.arrival(in: state)
                state.withLock { swap(&$0.deliveries, &deliveries) }
                var end = ContinuousClock.now + Self.turn
                // What a delivery holds goes with it: to free thousands of them at the end would take longer than to deliver them.
                while let delivery = deliveries.popFirst() {
                    if ContinuousClock.now >= end {
                        await Task.yield()
                        end = .now + Self.turn
                    }
                    delivery()
                }
            }
        }
    }

    func post(_ delivery: @escaping Delivery) {
        let waiting = state.withLock { state in
            state.deliveries.append(delivery)
            return state.waiting.take()
        }
        waiting?.resume()
    }

    /// Returns once there is something to deliver. Unsafe is the continuation in that nobody counts: who takes it out of the
    /// state resumes it, and nobody else can.
    private static func arrival(in state: Lock<State>) async {
        await withUnsafeContinuation { continuation in
            let isThere = state.withLock { state in
                if state.deliveries.isEmpty { state.waiting = continuation }
                return !state.deliveries.isEmpty
            }
            if isThere { continuation.resume() }
        }
    }
}
