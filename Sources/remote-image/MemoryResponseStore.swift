import DequeModule
import RemoteImageCore

/// Stores responses in memory, for programs that make many requests and store nothing on disk.
final class MemoryResponseStore: ResponseStore {
    private struct Entry {
        var response: StoredResponse
        var body: [UInt8]
    }

    private struct State {
        /// The entries of each key, the newest first.
        var entries: [String: [Entry]] = [:]
        var byteCount = 0
        /// The keys in order of use, the most recent last. Of several entries of a key only the
        /// last one counts.
        var uses = Deque<(key: String, number: Int)>()
        var lastUses: [String: Int] = [:]
        var useCount = 0
    }

    private let byteLimit: Int
    private let state = Lock(State())

    /// - Parameter byteLimit: The limit on the total size of all bodies, in bytes: 32 MiB by
    ///   default. Bodies larger than an eighth of it are not stored.
    init(byteLimit: Int = 32 << 20) {
        self.byteLimit = byteLimit
    }

    func responses(for key: String) -> [StoredResponse] {
        state.withLock { state in
            guard let entries = state.entries[key] else { return [] }
            Self.use(key, &state)
            return entries.map(\.response)
        }
    }

    func body(of response: StoredResponse, for key: String) -> [UInt8]? {
        state.withLock { $0.entries[key]?.first { $0.response.body.name == response.body.name }?.body }
    }

    func store(
        _ response: StoredResponse, body: [UInt8], for key: String, replacing replaces: (StoredResponse) -> Bool
    ) {
        guard body.count <= byteLimit / 8 else { return remove(key) }
        let kept = responses(for: key).filter { !replaces($0) }.map(\.body.name)
        var stored = response
        stored.body = StoredBody(name: String(UInt64.random(in: 0 ... .max)), byteCount: body.count)
        let entry = Entry(response: stored, body: body)
        state.withLock { state in
            let old = state.entries[key] ?? []
            let entries = [entry] + old.filter { kept.contains($0.response.body.name) }.prefix(Self.variantLimit - 1)
            state.entries[key] = entries
            state.byteCount += Self.size(entries) - Self.size(old)
            Self.use(key, &state)
            while state.byteCount > byteLimit, let use = state.uses.popFirst() {
                if state.lastUses[use.key] == use.number { Self.remove(use.key, &state) }
            }
        }
    }

    func update(_ response: StoredResponse, for key: String) {
        state.withLock { state in
            guard var entries = state.entries[key],
                let index = entries.firstIndex(where: { $0.response.body.name == response.body.name })
            else { return }
            let entry = entries.remove(at: index)
            state.entries[key] = [Entry(response: response, body: entry.body)] + entries
        }
    }

    func remove(_ key: String) {
        state.withLock { Self.remove(key, &$0) }
    }

    func removeAll() {
        state.withLock { $0 = State() }
    }

    /// The maximum number of variants per key.
    private static let variantLimit = 8
    /// The approximate size of an entry without its body, in bytes.
    private static let overhead = 2048

    private static func size(_ entries: [Entry]) -> Int { entries.reduce(0) { $0 + $1.body.count + overhead } }

    private static func remove(_ key: String, _ state: inout State) {
        state.byteCount -= size(state.entries.removeValue(forKey: key) ?? [])
        state.lastUses[key] = nil
    }

    private static func use(_ key: String, _ state: inout State) {
        state.useCount += 1
        state.lastUses[key] = state.useCount
        state.uses.append((key, state.useCount))
        guard state.uses.count > 2 * state.entries.count + 64 else { return }
        let lastUses = state.lastUses
        state.uses.removeAll { lastUses[$0.key] != $0.number }
    }
}
