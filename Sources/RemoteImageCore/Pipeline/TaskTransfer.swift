/// A transfer whose work is a Swift task.
struct TaskTransfer: Transfer {
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
