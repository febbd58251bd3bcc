/// Returns the result of `body`, or throws an error after `limit`, even if `body` ignores its
/// cancellation.
///
/// - Parameters:
///   - what: The subject of the error's message.
///   - code: The code of that error.
func withTimeLimit<Output: Sendable>(
    _ limit: Duration, of what: String, failingWith code: ImageError.Code = .source, _ clock: any PipelineClock,
    _ body: @escaping @Sendable () async throws -> Output
) async throws(ImageError) -> Output {
    typealias Pending = (receive: @Sendable (Result<Output, ImageError>) -> Void, task: Task<Void, Never>?)
    let result = await CancellableContinuation<Output>().wait { receive in
        // Taken by the first of the two results.
        let pending = Lock<Pending?>((receive, nil))
        clock.schedule(after: limit) { [weak pending] in
            guard let (receive, task) = pending?.withLock({ $0.take() }) else { return }
            task?.cancel()
            receive(.failure(ImageError(code, "\(what) took longer than \(limit)")))
        }
        let task = Task {
            let result = await Result { () async throws(ImageError) in
                do { return try await body() } catch { throw ImageError(thrown: error) }
            }
            pending.withLock { $0.take() }?.receive(result)
        }
        pending.withLock { $0?.task = task }
        return { task.cancel() }
    }
    return try result.get()
}
