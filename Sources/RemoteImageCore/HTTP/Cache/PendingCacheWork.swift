import Synchronization

/// The background work of a cache: writes and validations. A program can wait for it before it
/// exits.
final class PendingCacheWork: Sendable {
    private struct State {
        var count = 0
        /// The keys that are being validated, at most once at a time.
        var validated: Set<String> = []
        var waiters: [CheckedContinuation<Void, Never>] = []
        /// The pending writes by store key. A lookup waits for those of its key.
        var writes: [String: Writes] = [:]
        /// The hashes of the accounts whose responses were removed, in order.
        var removedAccounts: [String] = []
    }

    /// The writes of one store key.
    private struct Writes {
        var count = 0
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Lock(State())
    /// ``accountGeneration``, outside of the lock because models read it on the main thread.
    private let generation = Atomic(0)

    func begin() {
        state.withLock { $0.count += 1 }
    }

    func end() {
        let waiters = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            state.count -= 1
            guard state.count == 0 else { return [] }
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Runs `body` on a disk thread.
    func onDisk(_ body: @escaping @Sendable () -> Void) {
        begin()
        Task(executorPreference: WorkerThreads.disk) { [self] in
            body()
            end()
        }
    }

    func beginWrite(of key: String) {
        state.withLock { $0.writes[key, default: Writes()].count += 1 }
    }

    func endWrite(of key: String) {
        let waiters = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            guard let index = state.writes.index(forKey: key) else { return [] }
            state.writes.values[index].count -= 1
            guard state.writes.values[index].count == 0 else { return [] }
            return state.writes.remove(at: index).value.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Returns when no write of the key is pending.
    func writesEnded(of key: String) async {
        guard state.withLock({ $0.writes[key] != nil }) else { return }
        await withCheckedContinuation { continuation in
            let isWaiting = state.withLock { state in
                guard let index = state.writes.index(forKey: key) else { return false }
                state.writes.values[index].waiters.append(continuation)
                return true
            }
            if !isWaiting { continuation.resume() }
        }
    }

    /// Whether the caller must validate a key. `false` while another caller validates it.
    func beginValidation(of key: String) -> Bool {
        state.withLock { state in
            guard state.validated.insert(key).inserted else { return false }
            state.count += 1
            return true
        }
    }

    func endValidation(of key: String) {
        _ = state.withLock { $0.validated.remove(key) }
        end()
    }

    /// Begins a generation without an account: discards its writes that have not started yet.
    func removeAccount(_ hash: String) {
        state.withLock { state in
            state.removedAccounts.append(hash)
            generation.store(state.removedAccounts.count, ordering: .releasing)
        }
    }

    /// The number of account removals so far.
    var accountGeneration: Int { generation.load(ordering: .acquiring) }

    /// Whether an account was removed after a generation. Never for `nil`.
    ///
    /// - Parameter belongs: Whether a key belongs to the account with a hash.
    func hasRemovedAccount(since generation: Int?, where belongs: (String) -> Bool) -> Bool {
        guard let generation else { return false }
        return state.withLock { state in
            // A generation of another pipeline may be a later one.
            state.removedAccounts[min(generation, state.removedAccounts.count)...].contains(where: belongs)
        }
    }

    /// Returns when all pending writes and validations have ended.
    func finished() async {
        await withCheckedContinuation { continuation in
            let isDone = state.withLock { state in
                if state.count > 0 { state.waiters.append(continuation) }
                return state.count == 0
            }
            if isDone { continuation.resume() }
        }
    }
}
