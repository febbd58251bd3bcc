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
    }

    private let state = Lock(State())
    private let maxCount: Int

    init(maxCount: Int) { self.maxCount = maxCount }

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
        Task(executorPreference: WorkerThreads.shared) { [weak self] in
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

    /// Keeps a process for the next image.
    func putBack(_ process: DecoderProcess) {
        // A surplus process ends here, outside the lock.
        _ = state.withLock { state -> DecoderProcess? in
            state.busyCount -= 1
            state.waiting.append(process)
            return state.waiting.count > maxCount ? state.waiting.removeFirst() : nil
        }
    }

    /// Removes a process that was taken and is no longer usable.
    func drop() { state.withLock { $0.busyCount -= 1 } }
}
