import DequeModule

/// A first-in, first-out queue that any thread fills and one task empties.
///
/// Posting never blocks for longer than a few instructions of another thread.
final class AsyncQueue<Item: Sendable>: Sendable {
    private struct State {
        var items: Deque<Item> = []
        /// The task that empties the queue, while it is empty.
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

    /// Returns when the queue has items, on the executor of the caller, and says whether it had to wait.
    ///
    /// `UnsafeContinuation` does not check that it is resumed exactly once; taking it out of the state under the lock
    /// guarantees it.
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

    /// Takes all items.
    ///
    /// - Parameter items: Empty; its memory is used for what comes next.
    func take(into items: inout Deque<Item>) {
        state.withLock { swap(&$0.items, &items) }
    }
}
