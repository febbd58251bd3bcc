/// Returns the result of `body`, or throws an error after `limit`, even if `body` ignores its
/// cancellation.
///
/// - Parameters:
///   - what: The subject of the error's message.
///   - code: The code of that error.
func withTimeLimit<Output: Sendable>(
    _ limit: Duration, of what: String, failingWith code: ImageError.Code = .source, _ clock: any PipelineClock,
    _ body: @escaping @Sendable () async throws -> Output
) async throws -> Output {
    let answer = TimeLimitedAnswer<Output>()
    clock.schedule(after: limit) { [weak answer] in
        answer?.give(.failure(ImageError(code, "\(what) took longer than \(limit)")))
    }
    return try await answer.value(of: body)
}

/// Takes the first of two results.
private final class TimeLimitedAnswer<Output: Sendable>: Sendable {
    private enum State {
        case waiting(CheckedContinuation<Output, any Error>?, Task<Void, Never>?)
        case given(Result<Output, any Error>)
    }

    private let state = Lock(State.waiting(nil, nil))

    func value(of body: @escaping @Sendable () async throws -> Output) async throws -> Output {
        let task = Task {
            do {
                give(.success(try await body()))
            } catch {
                give(.failure(error))
            }
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result: Result<Output, any Error>? = state.withLock { state in
                    if case .given(let result) = state { return result }
                    state = .waiting(continuation, task)
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            task.cancel()
        }
    }

    func give(_ result: Result<Output, any Error>) {
        let old = state.withLock { state in
            defer { if case .waiting = state { state = .given(result) } }
            return state
        }
        guard case .waiting(let continuation, let task) = old else { return }
        task?.cancel()
        continuation?.resume(with: result)
    }
}
