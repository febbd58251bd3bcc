/// The state of the network. A desktop front end provides an implementation that asks the desktop.
public protocol NetworkConditions: Sendable {
    /// Whether the program should save data, for example on a metered connection.
    var isConstrained: Bool { get }

    /// Whether a network is available.
    var isConnected: Bool { get }

    /// Whether images may be loaded before they are shown: by default on every unconstrained
    /// network.
    var allowsPrefetching: Bool { get }

    /// Whether the machine saves power, so that work that can wait is not done: `false` by default.
    var savesPower: Bool { get }

    /// Calls `body` whenever one of the conditions has changed, until the returned observation is
    /// released.
    func observe(_ body: @escaping @Sendable () -> Void) -> ObservationToken
}

extension NetworkConditions {
    public var allowsPrefetching: Bool { !isConstrained }

    public var savesPower: Bool { false }
}

/// A network that is always connected and unconstrained: the default of a pipeline.
public struct UnknownNetworkConditions: NetworkConditions {
    /// Creates conditions of a network that is always connected, unconstrained and open to
    /// prefetching.
    public init() {}
    public var isConstrained: Bool { false }
    public var isConnected: Bool { true }
    public func observe(_ body: @escaping @Sendable () -> Void) -> ObservationToken { ObservationToken() }
}
