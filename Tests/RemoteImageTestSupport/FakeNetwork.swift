import RemoteImageCore

/// Network conditions that the test sets.
public final class FakeNetwork: NetworkConditions {
    private struct State {
        var isConstrained = false
        var isConnected = true
        var savesPower = false
        var observers: [@Sendable () -> Void] = []
    }

    private let state = Lock(State())

    public init() {}

    public var isConstrained: Bool {
        get { state.withLock { $0.isConstrained } }
        set { change { $0.isConstrained = newValue } }
    }

    public var isConnected: Bool {
        get { state.withLock { $0.isConnected } }
        set { change { $0.isConnected = newValue } }
    }

    public var savesPower: Bool {
        get { state.withLock { $0.savesPower } }
        set { change { $0.savesPower = newValue } }
    }

    public func observe(_ body: @escaping @Sendable () -> Void) -> ObservationToken {
        state.withLock { $0.observers.append(body) }
        return ObservationToken()
    }

    private func change(_ body: (inout State) -> Void) {
        let observers = state.withLock { state in
            body(&state)
            return state.observers
        }
        for observer in observers { observer() }
    }
}
