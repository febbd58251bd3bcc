/// Sees to it that a decode which never ends costs one picture, and no thread for the others.
///
/// One alarm stands for all decodes that are under way: a decode that ends in time costs two entries in a table.
final class DecodeWatch: Sendable {
    private struct Decode {
        let deadline: Duration
        let thread: WorkerThreads.Slot
        let expire: @Sendable () -> Void
    }

    private struct State {
        var decodes: [Int: Decode] = [:]
        var nextID = 0
        var isArmed = false
    }

    private let clock: any PipelineClock
    private let threads: WorkerThreads
    private let state = Lock(State())

    init(_ clock: any PipelineClock, _ threads: WorkerThreads) {
        self.clock = clock
        self.threads = threads
    }

    /// Runs `body` on this thread. Where it takes longer than `limit`, `expire` is called, on another thread, and a new
    /// thread takes the place of this one.
    func watch<Result>(
        limit: Duration, expire: @escaping @Sendable () -> Void, _ body: () throws(ImageError) -> Result
    ) throws(ImageError) -> Result {
        let decode = Decode(deadline: clock.now + limit, thread: WorkerThreads.currentSlot, expire: expire)
        let (id, isFirst) = state.withLock { state in
            state.nextID += 1
            state.decodes[state.nextID] = decode
            defer { state.isArmed = true }
            return (state.nextID, !state.isArmed)
        }
        if isFirst { arm(after: limit) }
        defer { state.withLock { _ = $0.decodes.removeValue(forKey: id) } }
        return try body()
    }

    private func arm(after delay: Duration) {
        clock.schedule(after: delay) { [weak self] in self?.check() }
    }

    private func check() {
        let now = clock.now
        let (expired, next): ([Decode], Duration?) = state.withLock { state in
            let expired = state.decodes.filter { $0.value.deadline <= now }
            for id in expired.keys { state.decodes[id] = nil }
            let next = state.decodes.values.map(\.deadline).min()
            state.isArmed = next != nil
            return (Array(expired.values), next.map { max(.milliseconds(1), $0 - now) })
        }
        if let next { arm(after: next) }
        for decode in expired {
            threads.replace(decode.thread)
            decode.expire()
        }
    }
}
