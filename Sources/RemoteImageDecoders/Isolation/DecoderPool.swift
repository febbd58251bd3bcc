// The decoder processes of an isolated decoder.

import Glibc

/// Keeps decoder processes between images. Their number, including waiting ones, is at most the
/// number of decode threads.
final class DecoderPool: Sendable {
    private struct State {
        /// The processes that wait for an image, the most recently used one last.
        var waiting: [DecoderProcess] = []
        /// The number of processes that decode.
        var busyCount = 0
        /// The number of processes that are about to be started ahead.
        var startingCount = 0
        /// Whether a task ends the processes that wait for too long.
        var isWatched = false
    }

    private let state = Lock(State())
    private let maxCount: Int
    private let idleTime: Duration
    private let maxAge: Duration
    private let now: @Sendable () -> ContinuousClock.Instant

    /// - Parameters:
    ///   - idleTime: The time after which a waiting process is ended.
    ///   - maxAge: The age from which a process is not kept for another image: a compromised one
    ///     could forge the images that it decodes later.
    init(
        maxCount: Int, idleTime: Duration = .seconds(30), maxAge: Duration = .seconds(300),
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.maxCount = maxCount
        self.idleTime = idleTime
        self.maxAge = maxAge
        self.now = now
    }

    /// The process ids of the waiting processes.
    var processes: [Int32] { state.withLock { $0.waiting.compactMap(\.process) } }

    /// Whether no process is waiting.
    var isEmpty: Bool { state.withLock { $0.waiting.isEmpty } }

    /// Removes and returns the waiting processes that have ended.
    func takeEnded() -> [DecoderProcess] { take(where: \.hasEnded) }

    /// Releases the shared memory and the sockets of processes that have ended after their images.
    /// The others stay until the reason of their end is recorded.
    func releaseEnded() {
        _ = take { $0.hasHadImage && $0.hasEnded }
    }

    private func take(where matches: (DecoderProcess) -> Bool) -> [DecoderProcess] {
        state.withLock { state in
            let taken = state.waiting.filter(matches)
            if !taken.isEmpty { state.waiting.removeAll { process in taken.contains { $0 === process } } }
            return taken
        }
    }

    /// Starts another process on a worker thread if there are fewer processes than decode threads.
    /// Does not wait for it.
    func startAhead(_ start: @escaping @Sendable () throws(StartFailure) -> DecoderProcess?) {
        let isWanted = state.withLock { state in
            guard state.waiting.count + state.busyCount + state.startingCount < maxCount else { return false }
            state.startingCount += 1
            return true
        }
        guard isWanted else { return }
        Task(executorPreference: WorkerThreads.decoding) { [weak self] in
            // An image may have used the slot in the meantime.
            let isStillWanted = self?.state.withLock { state in
                guard state.startingCount > 0 else { return false }
                state.startingCount -= 1
                state.busyCount += 1
                return true
            }
            guard isStillWanted == true else { return }
            let process = try? start()
            self?.state.withLock { state in
                state.busyCount -= 1
                // Processes that have decoded images are taken first.
                if let process { state.waiting.insert(process, at: 0) }
            }
            self?.watch()
        }
    }

    /// Returns a waiting process that decodes the format, or starts one. Ends a waiting process if
    /// the pool is full.
    func take(
        for format: ImageFormat, fresh: Bool, _ start: () throws(StartFailure) -> DecoderProcess
    ) throws(StartFailure) -> DecoderProcess {
        // A process that is removed to make room ends here, outside the lock.
        let (waiting, _) = state.withLock { state -> (DecoderProcess?, DecoderProcess?) in
            state.busyCount += 1
            if !fresh, let index = state.waiting.lastIndex(where: { $0.formats.contains(format) }) {
                return (state.waiting.remove(at: index), nil)
            }
            if state.startingCount > 0 { state.startingCount -= 1 }
            let isFull = state.waiting.count + state.busyCount > maxCount
            return (nil, isFull && !state.waiting.isEmpty ? state.waiting.removeFirst() : nil)
        }
        do throws(StartFailure) {
            return if let waiting { waiting } else { try start() }
        } catch {
            drop()
            throw error
        }
    }

    /// Keeps a process for the next image. Returns `false` if the process is too old and was ended.
    @discardableResult
    func putBack(_ process: DecoderProcess) -> Bool {
        let now = now()
        let isKept = now - process.started < maxAge
        process.idleSince = now
        // A surplus process ends here, outside the lock.
        _ = state.withLock { state -> DecoderProcess? in
            state.busyCount -= 1
            guard isKept else { return nil }
            state.waiting.append(process)
            return state.waiting.count > maxCount ? state.waiting.removeFirst() : nil
        }
        watch()
        return isKept
    }

    // MARK: Idle processes

    /// Ends processes when they have waited for the idle time. They also exit by themselves, unless
    /// an image has taken them over.
    private func watch() {
        let isNew = state.withLock { state in
            guard !state.isWatched, !state.waiting.isEmpty else { return false }
            state.isWatched = true
            return true
        }
        guard isNew else { return }
        Task { [weak self, idleTime] in
            var pause = idleTime
            // The idle time may be longer than a task can sleep.
            while (try? await Task.sleep(for: min(pause, .seconds(3600)))) != nil, let next = self?.endIdle() {
                pause = next
            }
        }
    }

    /// Ends the processes that have waited for the idle time, and returns the time until the next
    /// one has; `nil` if none is left.
    private func endIdle() -> Duration? {
        let now = now()
        // The ended processes are released outside the lock.
        let (next, _) = state.withLock { state -> (Duration?, [DecoderProcess]) in
            // The reason why a process did not start is still to be recorded.
            let watched = state.waiting.filter { $0.hasHadImage || !$0.hasEnded }
            let ended = watched.filter { now - $0.idleSince >= idleTime }
            state.waiting.removeAll { process in ended.contains { $0 === process } }
            let left = watched.filter { process in !ended.contains { $0 === process } }
            state.isWatched = !left.isEmpty
            return (left.map { idleTime - (now - $0.idleSince) }.min(), ended)
        }
        return next
    }

    /// Removes a process that was taken and is no longer usable.
    func drop() { state.withLock { $0.busyCount -= 1 } }
}
