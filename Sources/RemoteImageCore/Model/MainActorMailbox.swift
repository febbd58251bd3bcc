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

    private let state = Lock(State())

    private init() {
        // Of nobody's priority and values: it serves all who post.
        Task.detached(priority: .userInitiated) { [state] in await Self.deliver(from: state) }
    }

    @MainActor
    private static func deliver(from state: Lock<State>) async {
        var deliveries: Deque<Delivery> = []
        var turn = MainThreadTurn()
        while true {
            if await arrival(in: state) { turn = MainThreadTurn() }
            state.withLock { swap(&$0.deliveries, &deliveries) }
            // What a delivery holds goes with it: to free thousands of them at the end would take longer than to deliver them.
            while let delivery = deliveries.popFirst() {
                if turn.isOver {
                    await pause()
                    turn = MainThreadTurn()
                }
                delivery()
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

    // Both stay on the main actor: by way of the pool, a program that computes there would hold up its pictures. Unsafe are the
    // continuations in that nobody counts: who takes one out of the state resumes it, and nobody else can.

    /// Returns once there is something to deliver, and whether that was waited for.
    @MainActor
    private static func arrival(in state: Lock<State>) async -> Bool {
        var hasWaited = true
        await withUnsafeContinuation { continuation in
            hasWaited = state.withLock { state in
                if state.deliveries.isEmpty { state.waiting = continuation }
                return state.deliveries.isEmpty
            }
            if !hasWaited { continuation.resume() }
        }
        return hasWaited
    }

    /// Lets whatever else waits for the main actor go first. `Task.yield` goes by way of the pool.
    @MainActor
    private static func pause() async {
        await withUnsafeContinuation { continuation in
            Task { @MainActor in continuation.resume() }
        }
    }
}
