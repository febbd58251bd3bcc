import CRemoteImageGtk

/// The answer to a question to the program: given at most once, awaited by one task.
@MainActor
package final class AnswerOnce<Answer: Sendable> {
    private enum State {
        case unasked
        case awaited(CheckedContinuation<Result<Answer, ImageError>, Never>)
        /// The waiting task was cancelled.
        case unneeded
        case given
    }

    private var state = State.unasked
    /// A `GCancellable`, cancelled when the answer is no longer needed.
    package let cancellable: ObjectReference

    init?() {
        guard let cancellable = g_cancellable_new() else { return nil }
        self.cancellable = ObjectReference(owned: UnsafeMutableRawPointer(cancellable))
    }

    /// Waits for the answer. A cancelled task ends with ``ImageError/cancelled`` at once.
    ///
    /// - Parameter ask: Asks the program. Not called if the task is cancelled before.
    func wait(_ ask: @escaping @MainActor () -> Void) async throws(ImageError) -> Answer {
        guard !Task.isCancelled else { throw .cancelled }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                state = .awaited(continuation)
                // The program may run the main loop. A cancellation comes first if it is already
                // in the main queue.
                MainLoop.callBack { [self] in
                    if case .awaited = state { ask() }
                }
            }
        } onCancel: {
            Task { @MainActor in cancel() }
        }
        return try result.get()
    }

    private func cancel() {
        guard case .awaited(let continuation) = state else { return }
        state = .unneeded
        continuation.resume(returning: .failure(.cancelled))
        MainLoop.callBack { [cancellable] in
            g_cancellable_cancel(cancellable.pointer.assumingMemoryBound(to: GCancellable.self))
        }
    }

    /// Answers the question. A second answer is ignored and logs a critical message; so does an
    /// answer without a question. An answer that is no longer needed is ignored.
    ///
    /// - Parameter function: The C function that answers, for the message.
    package func give(_ result: Result<Answer, ImageError>, in function: String) {
        switch state {
        case .awaited(let continuation):
            state = .given
            continuation.resume(returning: result)
        case .unneeded: state = .given
        case .given: shim_critical("\(function): the request is answered already")
        case .unasked: shim_critical("\(function): the request was not made by RemoteImage")
        }
    }

    /// Whether an answer would have an effect.
    package var isAwaited: Bool {
        if case .awaited = state { true } else { false }
    }

    /// Fails the question if it was not answered. The program has released its request.
    package func end(_ request: StaticString) {
        guard case .awaited(let continuation) = state else { return }
        state = .given
        shim_warning("\(request): it was released without an answer, so its load fails")
        continuation.resume(returning: .failure(ImageError(.source, "\(request) was released without an answer")))
    }
}
