/// A transfer whose request is changed by a hook first. All later steps, including the cache, use
/// the changed request.
final class HookedTransfer: Transfer {
    private enum State {
        case changing(Task<Void, Never>?)
        case running(any Transfer)
        case cancelled
    }

    private let state = Lock(State.changing(nil))

    /// - Parameter start: Called once, with the changed request or the error of the hook.
    init(
        _ request: TransferRequest, _ hook: RequestHook, _ context: RequestContext, _ clock: any PipelineClock,
        start: @escaping @Sendable (Result<TransferRequest, ImageError>) -> any Transfer
    ) {
        let task = Task { [state] in
            let result = await hook.changed(request, context, clock)
            let transfer = start(Task.isCancelled ? .failure(.cancelled) : result)
            let isCancelled = state.withLock { state in
                if case .cancelled = state { return true }
                state = .running(transfer)
                return false
            }
            if isCancelled { transfer.cancel() }
        }
        state.withLock { state in
            if case .changing = state { state = .changing(task) }
        }
    }

    func cancel() {
        let old = state.withLock { state in
            defer { state = .cancelled }
            return state
        }
        switch old {
        case .changing(let task): task?.cancel()
        case .running(let transfer): transfer.cancel()
        case .cancelled: break
        }
    }
}

extension RequestHook {
    fileprivate func changed(
        _ request: TransferRequest, _ context: RequestContext, _ clock: any PipelineClock
    ) async -> Result<TransferRequest, ImageError> {
        await Result { () async throws(ImageError) in
            let limit = request.limits.timeout
            let subject = "the request hook “\(name)”"
            return try await withTimeLimit(limit, of: subject, failingWith: .timeout, clock) { [change] in
                var request = request
                try await change(&request, context)
                return request
            }
        }
    }
}
