import Dispatch
import RemoteImageCore

/// A response store that blocks lookups, body reads or writes until the test releases them.
public final class HeldStore: ResponseStore {
    public enum Step: Sendable {
        /// A lookup of the responses for a key, a read of a body, or a write of a response.
        case lookUp, body, write
    }

    private let store: any ResponseStore
    private let held: Step
    private let gate = DispatchSemaphore(value: 0)
    /// The steps started so far, including blocked ones.
    public let steps = Watched<[Step]>([])

    /// - Parameters:
    ///   - held: The step that blocks until ``release()``, on every call.
    ///   - store: The underlying store.
    public init(holding held: Step, of store: any ResponseStore) {
        self.held = held
        self.store = store
    }

    /// Releases one blocked call, or the next one.
    public func release() { gate.signal() }

    private func pass(_ step: Step) {
        steps.update { $0.append(step) }
        if step == held { gate.wait() }
    }

    public func responses(for key: String) -> [StoredResponse] {
        pass(.lookUp)
        return store.responses(for: key)
    }

    public func body(of response: StoredResponse, for key: String) -> [UInt8]? {
        pass(.body)
        return store.body(of: response, for: key)
    }

    public func store(
        _ response: StoredResponse, body: [UInt8], for key: String, replacing replaces: (StoredResponse) -> Bool
    ) {
        pass(.write)
        store.store(response, body: body, for: key, replacing: replaces)
    }

    public func update(_ response: StoredResponse, for key: String) { store.update(response, for: key) }

    public func remove(_ key: String) { store.remove(key) }

    public func removeAll() throws(ImageError) { try store.removeAll() }
}
