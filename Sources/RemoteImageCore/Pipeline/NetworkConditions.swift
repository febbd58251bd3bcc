/// What is known of the network. A desktop front end brings one that asks the desktop.
public protocol NetworkConditions: Sendable {
    /// Whether bytes cost money: a metered connection, a data saver.
    var isConstrained: Bool { get }

    /// Whether there is a network at all.
    var isConnected: Bool { get }

    /// Whether images may be loaded before they are shown: by default on every unmetered network.
    var allowsPrefetching: Bool { get }

    /// Calls `body` whenever one of them has changed, until the observation is released.
    func observe(_ body: @escaping @Sendable () -> Void) -> any Sendable
}

extension NetworkConditions {
    public var allowsPrefetching: Bool { !isConstrained }
}

/// A network that is always connected and unmetered: the default of a pipeline.
public struct UnknownNetworkConditions: NetworkConditions {
    /// Creates conditions of a network that is always connected, unmetered and open to prefetching.
    public init() {}
    public var isConstrained: Bool { false }
    public var isConnected: Bool { true }
    public func observe(_ body: @escaping @Sendable () -> Void) -> any Sendable { () }
}
