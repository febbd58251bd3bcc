/// The state of the network, which a part of the program that watches it sets, such as a front end
/// for a desktop. Until then, the network counts as connected and unconstrained.
public final class NetworkConditions: Sendable {
    private struct State {
        var isConstrained = false
        var isConnected = true
        var savesPower = false
        var observers: [Int: @Sendable () -> Void] = [:]
        var nextObserver = 0
    }

    private let state = Lock(State())

    /// Creates conditions of an unconstrained, connected network.
    public init() {}

    /// Whether the program should save data, for example on a metered connection: `false` by
    /// default.
    public var isConstrained: Bool {
        get { state.withLock { $0.isConstrained } }
        set { set(isConstrained: newValue) }
    }

    /// Whether a network is available: `true` by default.
    public var isConnected: Bool {
        get { state.withLock { $0.isConnected } }
        set { set(isConnected: newValue) }
    }

    /// Whether the machine saves power, so that work that can wait is not done: `false` by default.
    public var savesPower: Bool {
        get { state.withLock { $0.savesPower } }
        set { set(savesPower: newValue) }
    }

    /// Whether images may be loaded before they are shown: on every unconstrained network, while
    /// the machine does not save power.
    public var allowsPrefetching: Bool { state.withLock { !$0.isConstrained && !$0.savesPower } }

    /// Sets several conditions at once. If one has changed, calls the observers on this thread.
    package func set(isConstrained: Bool? = nil, isConnected: Bool? = nil, savesPower: Bool? = nil) {
        let observers = state.withLock { state in
            let old = (state.isConstrained, state.isConnected, state.savesPower)
            if let isConstrained { state.isConstrained = isConstrained }
            if let isConnected { state.isConnected = isConnected }
            if let savesPower { state.savesPower = savesPower }
            return old == (state.isConstrained, state.isConnected, state.savesPower)
                ? [] : Array(state.observers.values)
        }
        for observer in observers { observer() }
    }

    /// Calls `body` whenever one of the conditions has changed, on the thread that set it, until
    /// the returned observation is released.
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
