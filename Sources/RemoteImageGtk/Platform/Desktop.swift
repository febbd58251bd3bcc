// What the desktop tells of the machine: a protocol, so that tests can say that the battery is low.

/// Watches the settings and the state of the machine that matter to images.
@MainActor
public protocol Desktop: AnyObject {
    /// Begins to watch. Calls `receive` with what is known, as soon as it is known, and with each change. Called once.
    func watch(_ receive: @escaping @MainActor (DesktopEvent) -> Void)
}

/// What a desktop reports.
public enum DesktopEvent: Hashable, Sendable {
    /// The state of the desktop changed.
    case state(DesktopState)
    /// Memory runs short.
    case lowMemory(MemoryPressure)
}

/// The machine as images see it.
public struct DesktopState: Hashable, Sendable {
    /// Whether there is a network: true by default.
    public var isConnected = true
    /// Whether its bytes cost money: false by default.
    public var isMetered = false
    /// Whether the machine saves power: false by default.
    public var isPowerSaving = false
    /// The way into the network: what the environment says by default. While it is
    /// `CurlTransport.Proxy.pending`, transfers wait.
    public var proxy = CurlTransport.Proxy.environment

    /// Creates the state of a connected, unmetered desktop on mains power.
    public init() {}
}

/// How urgently memory is wanted back.
public enum MemoryPressure: Hashable, Sendable, CaseIterable {
    /// Some would do good.
    case low
    /// Soon programs will be slow.
    case medium
    /// Soon programs will be killed.
    case critical

    /// How much of its limit a memory cache may keep.
    var keptFraction: Double {
        switch self {
        case .low: 0.5
        case .medium: 0.25
        case .critical: 0
        }
    }
}
