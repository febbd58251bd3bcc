/// Work of a Swift task that stands in for a transfer.
struct RunningTask: Transfer {
    enum Threads {
        /// Swift's own, for what never blocks.
        case shared
        /// For reading files.
        case disk
    }

    private let task: Task<Void, Never>

    /// - Parameter whenThrown: Told what the body threw, as an ``ImageError``.
    init(
        on threads: Threads = .shared, _ body: @escaping @Sendable () async throws -> Void,
        whenThrown: @escaping @Sendable (ImageError) -> Void
    ) {
        task = Task(executorPreference: threads == .disk ? WorkerThreads.disk : nil) {
            do {
                try await body()
            } catch let error as ImageError {
                whenThrown(error)
            } catch is CancellationError {
                whenThrown(.cancelled)
            } catch {
                whenThrown(ImageError(.source, "\(error)"))
            }
        }
    }

    func cancel() { task.cancel() }
}

/// A transfer whose request is changed by a hook before it is sent.
final class HookedTransfer: Transfer {
    private enum State {
        case changing(Task<Void, Never>?)
        case running(any Transfer)
        case cancelled
    }

    private let state = Lock(State.changing(nil))

    init(
        _ request: TransferRequest, _ hook: RequestHook, _ transport: any Transport, _ receiver: any TransferReceiver,
        whenThrown: @escaping @Sendable (ImageError) -> Void
    ) {
        let task = Task { [state] in
            var request = request
            do {
                try await hook.change(&request)
            } catch let error as ImageError {
                return whenThrown(error)
            } catch is CancellationError {
                return whenThrown(.cancelled)
            } catch {
                return whenThrown(ImageError(.source, "\(error)"))
            }
            if Task.isCancelled { return whenThrown(.cancelled) }
            let transfer = transport.start(request, receiver: receiver)
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
