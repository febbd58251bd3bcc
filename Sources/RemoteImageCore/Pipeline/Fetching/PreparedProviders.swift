/// The prepared image providers of a pipeline. Each identity is prepared once; a failed preparation
/// is repeated by the next load.
final class PreparedProviders: Sendable {
    /// Loads with different time limits share no preparation.
    private struct Preparation: Hashable {
        let identity: String
        let limit: Duration
    }

    private struct State {
        var prepared: [String: any ImageProvider] = [:]
        var running: [Preparation: Task<any ImageProvider, any Error>] = [:]
    }

    private let state = Lock(State())

    /// The maximum number of prepared providers that are kept. At the limit all are dropped, and
    /// prepared again when they are needed.
    private static let limit = 4096

    /// - Parameters:
    ///   - name: The name of the provider's source for errors, without passwords: an identity may
    ///     be an address.
    ///   - anew: Whether a provider that is already prepared is prepared again and replaced.
    ///   - limit: The time limit of the preparation.
    func prepared(
        _ provider: any ImageProvider, name: String, anew: Bool, limit: Duration, _ clock: any PipelineClock
    ) async throws -> any ImageProvider {
        // A closure needs no preparation, and the next one with the same identity may differ.
        if provider is ClosureImageProvider { return provider }
        let identity = provider.identity
        let preparation = Preparation(identity: identity, limit: limit)
        if anew { state.withLock { $0.prepared[identity] = nil } }
        enum Found {
            case prepared(any ImageProvider)
            case running(Task<any ImageProvider, any Error>)
        }
        let found: Found = state.withLock { state in
            if let prepared = state.prepared[identity] { return .prepared(prepared) }
            if let task = state.running[preparation] { return .running(task) }
            let task = Task {
                try await withTimeLimit(limit, of: "preparing \(name)", clock) { try await provider.prepare() }
            }
            state.running[preparation] = task
            return .running(task)
        }
        switch found {
        case .prepared(let prepared): return prepared
        case .running(let task):
            let result = await task.result
            state.withLock { state in
                guard state.running[preparation] == task else { return }
                state.running[preparation] = nil
                guard case .success(let prepared) = result else { return }
                if state.prepared.count >= Self.limit { state.prepared = [:] }
                state.prepared[identity] = prepared
            }
            return try result.get()
        }
    }
}
