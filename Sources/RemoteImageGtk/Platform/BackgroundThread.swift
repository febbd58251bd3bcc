import CPlatform
import RemoteImageCore

/// A thread for one question that may wait: it blocks neither the main thread nor Swift's pool.
enum BackgroundThread {
    /// Where the system has no thread left, the question waits on Swift's pool.
    ///
    /// - Parameter name: Of the thread, at most 15 characters.
    static func run<Answer: Sendable>(
        _ name: String, starter: ThreadStarter = .system, _ ask: @escaping @Sendable () -> Answer,
        then: @escaping @MainActor @Sendable (Answer) -> Void
    ) {
        let work: @Sendable () -> Void = {
            let answer = ask()
            Task { @MainActor in then(answer) }
        }
        let failure = starter.start(nil) {
            platform_set_thread_name(name)
            work()
        }
        if failure != 0 { Task.detached { work() } }
    }
}
