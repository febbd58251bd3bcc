import CRemoteImageGtk

/// Calls back once on the main loop, after a delay.
///
/// The owner holds the timer, and its `body` must reference the owner weakly. A new start replaces
/// the previous one.
@MainActor
package final class MainLoopTimer {
    private var source: guint = 0
    private var startCount = 0

    package init() {}

    package var isRunning: Bool { source != 0 }

    /// - Parameters:
    ///   - delay: A delay of more than 49 days counts as 49 days, the range of GLib.
    ///   - body: Not called if the timer is stopped or released before.
    package func start(
        after delay: Duration, priority: Int32 = MainLoop.drawingPriority, _ body: @escaping @MainActor () -> Void
    ) {
        stop()
        let milliseconds = (delay / .milliseconds(1)).rounded(.up)
        startCount += 1
        source = g_timeout_add_full(
            priority, guint(min(Double(guint.max), max(0, milliseconds))),
            { @Sendable data in
                Callback<Void, Void>.perform(data)
                return 0
            },
            Callback<Void, Void>.retained { [weak self, startCount] in
                guard let self, source != 0, startCount == self.startCount else { return }
                source = 0
                body()
            }, { @Sendable data in Signal.release(data, nil) })
    }

    package func stop() {
        guard source != 0 else { return }
        // It is gone already if another thread has run the main context.
        if let source = g_main_context_find_source_by_id(nil, source) { g_source_destroy(source) }
        source = 0
    }
}
