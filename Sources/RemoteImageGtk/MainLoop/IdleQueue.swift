import CRemoteImageGtk
import DequeModule

/// Runs deferrable work of many views on the main thread: one ``MainThreadTimeSlice`` in each
/// iteration of the main loop, so that input is handled in between, and all waiting work before the
/// next frame.
@MainActor
final class IdleQueue {
    typealias Work = @MainActor () -> Void

    static let shared = IdleQueue()

    private var works: Deque<Work> = []
    /// The time spent on work in this iteration of the main loop.
    private var spent = Duration.zero
    private var isScheduled = false

    /// Does the work at once if the time slice allows it, else later.
    func perform(_ work: @escaping Work) {
        scheduleSlice()
        guard works.isEmpty, spent < MainThreadTimeSlice.length else { return works.append(work) }
        run(work)
    }

    private func scheduleSlice() {
        guard !isScheduled else { return }
        isScheduled = true
        // The priority of input events, above that of drawing.
        g_idle_add_full(
            G_PRIORITY_DEFAULT,
            { _ in
                MainLoop.perform { IdleQueue.shared.runSlice() }
                return 0
            }, nil, nil)
    }

    private func runSlice() {
        isScheduled = false
        spent = .zero
        // Scheduled before the work runs, since the work may run the main loop until other waiting
        // work is done.
        if !works.isEmpty { scheduleSlice() }
        while spent < MainThreadTimeSlice.length, let work = works.popFirst() { run(work) }
    }

    private func run(_ work: Work) {
        let start = ContinuousClock.now
        work()
        spent += start.duration(to: .now)
    }
}
