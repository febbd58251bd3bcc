// The state of the desktop. A protocol, so that tests can simulate it.

/// Watches the settings and the state of the machine that affect images.
@MainActor
package protocol Desktop: AnyObject {
    /// Starts watching. Calls `receive` as soon as the state is known, and after each change.
    /// Called once.
    func watch(_ receive: @escaping @MainActor (DesktopEvent) -> Void)
}

/// An event of a desktop.
package enum DesktopEvent: Hashable, Sendable {
    /// The state of the desktop changed.
    case state(DesktopState)
    /// Memory is low.
    case lowMemory(MemoryPressure)
}

/// The state of the machine that affects images.
public struct DesktopState: Hashable, Sendable {
    /// Whether a network is available. Default: `true`.
    public var isConnected = true
    /// Whether the network is metered. Default: `false`.
    public var isMetered = false
    /// Whether the machine saves power. Default: `false`.
    public var isPowerSaving = false
    /// The proxy. Default: that of the environment variables. Transfers wait while it is
    /// `CurlTransport.Proxy.pending`.
    public var proxy = CurlTransport.Proxy.environment

    /// Creates the state of a connected, unmetered desktop on mains power.
    public init() {}
}

/// The urgency of freeing memory.
package enum MemoryPressure: Hashable, Sendable, CaseIterable {
    /// Freeing memory is recommended.
    case low
    /// Programs will become slow soon.
    case medium
    /// Programs will be killed soon.
    case critical

    /// The fraction of its limit that a memory cache may keep.
    var keptFraction: Double {
        switch self {
        case .low: 0.5
        case .medium: 0.25
        case .critical: 0
        }
    }
}
