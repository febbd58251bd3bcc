/// Replaces the threads of decodes that exceed their time limit, so that a decode that never ends
/// affects only its own image.
///
/// All running decodes share one timer: a decode that ends in time costs only an insertion into a
/// table and a removal.
final class DecodeWatchdog: Sendable {
    private struct Decode {
        let deadline: Duration
        let thread: WorkerThreads.Slot
        let expire: @Sendable () -> Void
    }

    private struct State {
        var decodes: [Int: Decode] = [:]
        var nextID = 0
        /// The time of the next timer; timers set before it are ignored.
        var alarm: Duration?
        var alarmID = 0

        /// The number of a new timer for `deadline`; `nil` if an earlier one is already set.
        mutating func alarm(at deadline: Duration) -> Int? {
            if let alarm, alarm <= deadline { return nil }
            alarm = deadline
            alarmID += 1
            return alarmID
        }
    }

    private let clock: any PipelineClock
    private let threads: WorkerThreads
    private let state = Lock(State())

    init(_ clock: any PipelineClock, _ threads: WorkerThreads) {
        self.clock = clock
        self.threads = threads
    }

    /// Runs `body` on this thread. If it takes longer than `limit`, a new thread replaces this one,
    /// and `expire` is called on another thread.
    func watch<Result>(
        limit: Duration, expire: @escaping @Sendable () -> Void, _ body: () throws(ImageError) -> Result
    ) throws(ImageError) -> Result {
        let decode = Decode(deadline: clock.awakeTime + limit, thread: WorkerThreads.currentSlot, expire: expire)
        let (id, alarm) = state.withLock { state in
            state.nextID += 1
            state.decodes[state.nextID] = decode
            return (state.nextID, state.alarm(at: decode.deadline))
        }
        if let alarm { arm(alarm, after: limit) }
        defer { state.withLock { _ = $0.decodes.removeValue(forKey: id) } }
        return try body()
    }

    private func arm(_ alarm: Int, after delay: Duration) {
        clock.schedule(after: delay) { [weak self] in self?.check(alarm) }
    }

    private func check(_ alarm: Int) {
        let now = clock.awakeTime
        let (expired, next): ([Decode], (alarm: Int, delay: Duration)?) = state.withLock { state in
            guard alarm == state.alarmID else { return ([], nil) }
            state.alarm = nil
            let expired = state.decodes.filter { $0.value.deadline <= now }
            for id in expired.keys { state.decodes[id] = nil }
            let next = state.decodes.values.map(\.deadline).min().flatMap { deadline in
                state.alarm(at: deadline).map { ($0, max(.milliseconds(1), deadline - now)) }
            }
            return (Array(expired.values), next)
        }
        if let next { arm(next.alarm, after: next.delay) }
        for decode in expired {
            threads.replace(decode.thread)
            decode.expire()
        }
    }
}
