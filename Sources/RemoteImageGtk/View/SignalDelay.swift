import CRemoteImageGtk

/// Delays the signals of a view until the virtual functions of GTK have returned: a handler that
/// shows another widget during an allocation would break the layout around the view, since GTK
/// ignores resize requests during allocation.
@MainActor
final class SignalDelay {
    /// The number of virtual functions that are running for the view.
    private var depth = 0
    private var isPending = false
    private let timer = MainLoopTimer()

    /// Runs the work of a virtual function. Signals that it causes are emitted before the next
    /// frame.
    ///
    /// - Parameter emit: Emits the pending signals. Must reference the view weakly.
    func run(_ work: () -> Void, then emit: @escaping @MainActor () -> Void) {
        depth += 1
        work()
        depth -= 1
        guard depth == 0, isPending else { return }
        isPending = false
        timer.start(after: .zero, priority: G_PRIORITY_HIGH_IDLE, emit)
    }

    /// Whether signals may be emitted now. Otherwise they are pending, and emitted later.
    func mayEmit() -> Bool {
        isPending = depth > 0
        if !isPending { timer.stop() }
        return !isPending
    }

    /// Drops the pending signals.
    func stop() {
        timer.stop()
    }
}
