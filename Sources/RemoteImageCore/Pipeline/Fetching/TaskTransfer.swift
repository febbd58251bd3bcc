/// A transfer that runs as a Swift task.
struct TaskTransfer: Transfer {
    enum Threads {
        /// Swift's cooperative pool, for work that never blocks.
        case shared
        /// Threads for reading the files of the program.
        case files
    }

    private let task: Task<Void, Never>

    /// - Parameter whenThrown: Receives the error of the body, as an ``ImageError``.
    init(
        on threads: Threads = .shared, _ body: @escaping @Sendable () async throws -> Void,
        whenThrown: @escaping @Sendable (ImageError) -> Void
    ) {
        task = Task(executorPreference: threads == .files ? WorkerThreads.files : nil) {
            do { try await body() } catch { whenThrown(ImageError(thrown: error)) }
        }
    }

    func cancel() { task.cancel() }
}

extension ImageError {
    /// The error of a task that may run code of the program.
    init(thrown error: any Error) {
        self =
            switch error {
            case let error as ImageError: error
            case is CancellationError: .cancelled
            default: ImageError(.source, "\(error)")
            }
    }
}
