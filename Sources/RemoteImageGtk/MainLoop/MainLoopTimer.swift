import CGtk

/// Calls back once on the main loop, after a delay.
///
/// The owner holds the timer, and its `body` must reference the owner weakly. A new start replaces
/// the previous one.
@MainActor
final class MainLoopTimer {
    private var source: guint = 0

    @MainActor
    private final class Alarm {
        weak var timer: MainLoopTimer?
        let body: @MainActor () -> Void

        init(_ timer: MainLoopTimer, _ body: @escaping @MainActor () -> Void) {
            self.timer = timer
            self.body = body
        }
    }

    var isRunning: Bool { source != 0 }

    /// - Parameter body: Not called if the timer is stopped or released before.
    func start(
        after delay: Duration, priority: Int32 = G_PRIORITY_DEFAULT_IDLE, _ body: @escaping @MainActor () -> Void
    ) {
        stop()
        source = g_timeout_add_full(
            priority, guint(clamping: Int((delay / .milliseconds(1)).rounded(.up))),
            { @Sendable data in
                guard let data else { return 0 }
                let alarm = Unmanaged<Alarm>.fromOpaque(data).takeUnretainedValue()
                MainLoop.assumeIsolated {
                    guard let timer = alarm.timer else { return }
                    timer.source = 0
                    alarm.body()
                }
                return 0
            }, Unmanaged.passRetained(Alarm(self, body)).toOpaque(),
            { @Sendable data in
                if let data { Unmanaged<Alarm>.fromOpaque(data).release() }
            })
    }

    func stop() {
        guard source != 0 else { return }
        g_source_remove(source)
        source = 0
    }
}
