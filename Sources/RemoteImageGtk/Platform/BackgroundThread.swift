import CGtk

/// A thread for one question that may wait: neither the main thread nor Swift's pool may be held up by it.
enum BackgroundThread {
    private final class Work: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }

    /// - Parameter name: Of the thread, at most 15 characters.
    static func run<Answer: Sendable>(
        _ name: String, _ ask: @escaping @Sendable () -> Answer,
        then: @escaping @MainActor @Sendable (Answer) -> Void
    ) {
        let work = Work {
            let answer = ask()
            Task { @MainActor in then(answer) }
        }
        let thread = g_thread_new(
            name,
            { data in
                if let data { Unmanaged<Work>.fromOpaque(data).takeRetainedValue().run() }
                return nil
            }, Unmanaged.passRetained(work).toOpaque())
        g_thread_unref(thread)
    }
}
