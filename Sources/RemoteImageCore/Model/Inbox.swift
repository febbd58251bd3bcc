import DequeModule

/// What any thread puts in and one task takes out, in order.
///
/// Whoever puts something in waits for nothing but a few instructions of others.
final class Inbox<Item: Sendable>: Sendable {
    private struct State {
        var items: Deque<Item> = []
        /// Of the task that takes out, while there is nothing.
        var waiting: UnsafeContinuation<Void, Never>?
    }

    private let state = Lock(State())

    func post(_ item: Item) {
        let waiting = state.withLock { state in
            state.items.append(item)
            return state.waiting.take()
        }
        waiting?.resume()
    }

    /// Returns once there is something, where the caller runs, and says whether that was waited for.
    ///
    /// Unsafe is the continuation in that nobody counts: who takes it out of the state resumes it, and nobody else can.
    nonisolated(nonsending) func arrival() async -> Bool {
        var hasWaited = true
        await withUnsafeContinuation { continuation in
            hasWaited = state.withLock { state in
                if state.items.isEmpty { state.waiting = continuation }
                return state.items.isEmpty
            }
            if !hasWaited { continuation.resume() }
        }
        return hasWaited
    }

    /// Takes all there is.
    ///
    /// - Parameter items: Empty; its memory is used for what comes next.
    func take(into items: inout Deque<Item>) {
        state.withLock { swap(&$0.items, &items) }
    }
}
