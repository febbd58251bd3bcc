import CRemoteImageGtk
import DequeModule

/// Runs delayed work in the ``IdleQueue``. Hundreds of views share one timer, since GLib checks
/// each timer in every iteration of the main loop.
@MainActor
final class DelayQueue {
    static let shared = DelayQueue()

    private struct Entry {
        let deadline: ContinuousClock.Instant
        let work: IdleQueue.Work
    }

    /// Sorted by deadline.
    private var entries: Deque<Entry> = []
    private let timer = MainLoopTimer()
    /// The number of running delays, for tests.
    var count: Int { entries.count }

    func perform(after delay: Duration, _ work: @escaping IdleQueue.Work) {
        let entry = Entry(deadline: .now + delay, work: work)
        // Most delays are equal, so that new entries usually go to the end.
        var index = entries.count
        while index > 0, entries[index - 1].deadline > entry.deadline { index -= 1 }
        entries.insert(entry, at: index)
        if index == 0 { wait() }
    }

    private func wait() {
        guard let first = entries.first else { return timer.stop() }
        let delay = max(.zero, ContinuousClock.now.duration(to: first.deadline))
        timer.start(after: delay, priority: G_PRIORITY_DEFAULT) { [weak self] in self?.performDue() }
    }

    private func performDue() {
        let now = ContinuousClock.now
        let due = entries.prefix { $0.deadline <= now }
        entries.removeFirst(due.count)
        // The timer is set before the work runs, since the work may run the main loop.
        wait()
        for entry in due { IdleQueue.shared.perform(entry.work) }
    }
}
