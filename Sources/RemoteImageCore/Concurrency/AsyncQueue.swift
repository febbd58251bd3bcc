import DequeModule

/// A first-in, first-out queue that any thread fills and one task empties.
///
/// Posting blocks only while another thread holds the lock for a few instructions.
final class AsyncQueue<Item: Sendable>: Sendable {
    private struct State {
        var items: Deque<Item> = []
        /// The suspended task that empties the queue. `nil` while it runs.
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

    /// Suspends until the queue has items and returns whether it had to wait. Runs on the executor
    /// of the caller.
    ///
    /// `UnsafeContinuation` does not check that it is resumed exactly once; taking it out of the
    /// state under the lock guarantees it.
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
    /// - Parameter items: An empty deque; the queue reuses its memory for later items.
    func take(into items: inout Deque<Item>) {
        state.withLock { swap(&$0.items, &items) }
    }
}
