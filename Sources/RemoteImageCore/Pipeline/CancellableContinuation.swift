/// Bridges a callback that is called exactly once to `async`, with cancellation.
struct CancellableContinuation<Output: Sendable>: Sendable {
    typealias Outcome = Result<Output, ImageError>

    private let cancellation = Lock<(cancel: (@Sendable () -> Void)?, isCancelled: Bool)>((nil, false))

    /// - Parameter start: Starts the work and returns a closure that cancels it. The work must call
    ///   `receive` exactly once, also when it is cancelled.
    func wait(
        _ start: (_ receive: @escaping @Sendable (Outcome) -> Void) -> @Sendable () -> Void
    ) async -> Outcome {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let cancel = start { continuation.resume(returning: $0) }
                let isCancelled = cancellation.withLock { cancellation in
                    cancellation.cancel = cancel
                    return cancellation.isCancelled
                }
                if isCancelled { cancel() }
            }
        } onCancel: {
            cancellation.withLock { cancellation in
                cancellation.isCancelled = true
                return cancellation.cancel
            }?()
        }
    }
}
