/// A request under way: its progress, its priority, its end.
///
/// Cancelling one task never harms another that wants the same picture. A task that is released goes
/// on; cancel it if nobody wants its result.
public final class ImageTask: Sendable {
    public enum Event: Sendable {
        case progress(LoadProgress)
        /// The last event; comes exactly once.
        case finished(Result<LoadedImage, ImageError>)
    }

    public let request: ImageRequest
    private let board: JobBoard?
    private let waiter: Waiter

    /// - Parameter board: nil for a task that is finished already.
    init(_ request: ImageRequest, board: JobBoard?, waiter: Waiter) {
        self.request = request
        self.board = board
        self.waiter = waiter
    }

    /// Ends the task with ``ImageError/cancelled``, unless it has ended. The transfer is closed when
    /// nobody else wants it.
    public func cancel() {
        board?.cancel(waiter)
    }

    /// Changes how urgent the task is, while it waits and for what it still needs.
    public func setPriority(_ priority: LoadPriority, isOnScreen: Bool = false) {
        board?.setUrgency(isOnScreen ? .onScreen : Urgency(priority), of: waiter)
    }
}
