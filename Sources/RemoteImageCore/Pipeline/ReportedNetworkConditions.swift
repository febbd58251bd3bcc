/// Network conditions that another part of the program reports, for example a front end that
/// watches the desktop.
///
/// Until the first report, the network counts as connected and unconstrained.
public final class ReportedNetworkConditions: NetworkConditions {
    private struct State {
        var isConstrained = false
        var isConnected = true
        var allowsPrefetching = true
        var savesPower = false
        var observers: [Int: @Sendable () -> Void] = [:]
        var nextObserver = 0
    }

    private let state = Lock(State())

    /// Creates conditions of an unconstrained, connected network.
    public init() {}

    public var isConstrained: Bool { state.withLock { $0.isConstrained } }
    public var isConnected: Bool { state.withLock { $0.isConnected } }
    public var allowsPrefetching: Bool { state.withLock { $0.allowsPrefetching } }

    public var savesPower: Bool { state.withLock { $0.savesPower } }

    /// Sets the conditions. If they have changed, calls the observers on this thread.
    public func report(
        isConstrained: Bool, isConnected: Bool, allowsPrefetching: Bool, savesPower: Bool = false
    ) {
        let observers = state.withLock { state in
            let old = (state.isConstrained, state.isConnected, state.allowsPrefetching, state.savesPower)
            (state.isConstrained, state.isConnected) = (isConstrained, isConnected)
            (state.allowsPrefetching, state.savesPower) = (allowsPrefetching, savesPower)
            return old == (isConstrained, isConnected, allowsPrefetching, savesPower)
                ? [] : Array(state.observers.values)
        }
        for observer in observers { observer() }
    }

    public func observe(_ body: @escaping @Sendable () -> Void) -> ObservationToken {
        let number = state.withLock { state in
            state.nextObserver += 1
            state.observers[state.nextObserver] = body
            return state.nextObserver
        }
        return ObservationToken { [weak self] in
            // Released outside the lock, since it may own other observations.
            let body = self?.state.withLock { $0.observers.removeValue(forKey: number) }
            withExtendedLifetime(body) {}
        }
    }
}
