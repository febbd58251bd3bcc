import CGtk
import DequeModule

/// Deferrable work of many views on the main thread: one ``MainThreadTimeSlice`` of it in each iteration of the main loop, so
/// that input is handled in between, and all of it before the next frame.
@MainActor
final class IdleQueue {
    typealias Work = @MainActor () -> Void

    static let shared = IdleQueue()

    private var works: Deque<Work> = []
    /// How long work has been done in this turn of the main loop.
    private var spent = Duration.zero
    private var goesOnSoon = false

    /// - Returns: Whether the work was done; else it waits.
    @discardableResult
    func perform(_ work: @escaping Work) -> Bool {
        goOnSoon()
        guard works.isEmpty, spent < MainThreadTimeSlice.length else {
            works.append(work)
            return false
        }
        run(work)
        return true
    }

    private func goOnSoon() {
        guard !goesOnSoon else { return }
        goesOnSoon = true
        // As urgent as input, more urgent than drawing.
        g_idle_add_full(
            G_PRIORITY_DEFAULT,
            { _ in
                MainLoop.assumeIsolated { IdleQueue.shared.goOn() }
                return 0
            }, nil, nil)
    }

    private func goOn() {
        goesOnSoon = false
        spent = .zero
        // Before the work, which may run the main loop until some of the rest is done.
        if !works.isEmpty { goOnSoon() }
        while spent < MainThreadTimeSlice.length, let work = works.popFirst() { run(work) }
    }

    private func run(_ work: Work) {
        let start = ContinuousClock.now
        work()
        spent += start.duration(to: .now)
    }
}
