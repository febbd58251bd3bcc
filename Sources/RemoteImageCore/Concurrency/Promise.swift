/// A result that one task waits for and any thread may deliver. The first result counts.
package final class Promise<Output: Sendable>: Sendable {
    private enum State {
        case open
        case waiting(CheckedContinuation<Void, Never>)
        case kept(Result<Output, ImageError>)
    }

    private let state = Lock(State.open)

    package init() {}

    /// Delivers the result. Returns `false` if there was one before.
    @discardableResult
    package func keep(_ result: Result<Output, ImageError>) -> Bool {
        let old = state.withLock { state in
            let old = state
            if case .kept = old {} else { state = .kept(result) }
            return old
        }
        switch old {
        case .open: return true
        case .waiting(let continuation):
            continuation.resume()
            return true
        case .kept: return false
        }
    }

    /// The result, or ``ImageError/cancelled`` if the surrounding task is cancelled first. One call
    /// only.
    package var value: Output {
        get async throws(ImageError) {
            let result = await withTaskCancellationHandler {
                await self.result
            } onCancel: {
                keep(.failure(.cancelled))
            }
            return try result.get()
        }
    }

    /// The result, also in a task that is cancelled. One call only.
    package var result: Result<Output, ImageError> {
        get async {
            await withCheckedContinuation { continuation in
                let isKept = state.withLock { state in
                    if case .kept = state { return true }
                    state = .waiting(continuation)
                    return false
                }
                if isKept { continuation.resume() }
            }
            // Read under the lock, since ThreadSanitizer does not know that a continuation orders
            // what was written before its resumption.
            return state.withLock { if case .kept(let result) = $0 { result } else { .failure(.cancelled) } }
        }
    }
}
