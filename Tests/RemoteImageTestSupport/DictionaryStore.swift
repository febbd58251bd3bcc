import RemoteImageCore

/// An in-memory response store without a size limit.
public final class DictionaryStore: ResponseStore {
    private struct Entry {
        var response: StoredResponse
        let body: [UInt8]
    }

    private let entries = Lock<[String: [Entry]]>([:])

    public init() {}

    public func responses(for key: String) -> [StoredResponse] {
        entries.withLock { $0[key, default: []].map(\.response) }
    }

    public func body(of response: StoredResponse, for key: String) -> [UInt8]? {
        entries.withLock { $0[key]?.first { $0.response.body.name == response.body.name }?.body }
    }

    public func store(
        _ response: StoredResponse, body: [UInt8], for key: String, replacing replaces: (StoredResponse) -> Bool
    ) {
        var stored = response
        stored.body = StoredBody(name: String(UInt64.random(in: 0 ... .max)), byteCount: body.count)
        let entry = Entry(response: stored, body: body)
        entries.withLock { $0[key] = [entry] + $0[key, default: []].filter { !replaces($0.response) } }
    }

    public func update(_ response: StoredResponse, for key: String) {
        entries.withLock { entries in
            guard let index = entries[key]?.firstIndex(where: { $0.response.body.name == response.body.name }) else {
                return
            }
            entries[key]?[index].response = response
        }
    }

    public func remove(_ key: String) { entries.withLock { $0[key] = nil } }

    public func removeAll() { entries.withLock { $0 = [:] } }
}
