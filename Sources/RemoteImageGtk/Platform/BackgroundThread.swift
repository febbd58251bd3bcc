import CRemoteImagePlatform
import RemoteImageCore

/// Runs one blocking call on a separate thread, so that it blocks neither the main thread nor
/// Swift's thread pool.
enum BackgroundThread {
    /// If the system cannot create a thread, the call runs on Swift's pool.
    ///
    /// - Parameter name: The name of the thread, at most 15 characters.
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
