// The desktop as reported by GLib: GNetworkMonitor, GProxyResolver, GMemoryMonitor,
// GPowerProfileMonitor. They also exist without a message bus, with less information.

import CRemoteImageGtk

/// Watches the real desktop.
@MainActor
package final class SystemDesktop: Desktop {
    /// The monitors of GLib, made on a separate thread, since the first access may wait for the
    /// message bus.
    private struct Monitors: Sendable {
        let network: ObjectReference
        let memory: ObjectReference?
        let power: ObjectReference?
        init() {
            // GLib owns the network monitor, which is never `NULL`.
            network = ObjectReference(owned: g_object_ref(UnsafeMutableRawPointer(g_network_monitor_get_default())))
            memory = g_memory_monitor_dup_default().map { ObjectReference(owned: UnsafeMutableRawPointer($0)) }
            power = g_power_profile_monitor_dup_default().map { ObjectReference(owned: UnsafeMutableRawPointer($0)) }
        }
    }

    private var monitors: Monitors?
    private var state = {
        var state = DesktopState()
        state.proxy = .pending
        return state
    }()
    private var receive: @MainActor (DesktopEvent) -> Void = { _ in }
    private let proxyDelay = MainLoopTimer()
    /// The number of proxy lookups so far, and that of the lookup whose result is in use.
    private var proxyLookups = (started: 0, used: 0)

    /// Creates the desktop of the session. It reads the state when it is watched.
    package init() {}

    package func watch(_ receive: @escaping @MainActor (DesktopEvent) -> Void) {
        self.receive = receive
        // Transfers that start before GLib has returned the proxy must not bypass it.
        receive(.state(state))
        // GTK requests these on the main thread. While another thread requested the default
        // resolver for the first time, GLib 2.90 was seen to deadlock.
        shim_load_gio_defaults()
        // The default resolver and the default network monitor of GLib must not be requested by two
        // threads at the same time, or the threads may deadlock: the resolver of libproxy requests
        // the network monitor under a lock of GIO.
        BackgroundThread.run("remote-image-dr") {
            _ = g_proxy_resolver_get_default()
        } then: { [weak self] in
            self?.askForProxyAndMonitors()
        }
    }

    private func askForProxyAndMonitors() {
        askForProxy()
        // Transfers wait for the proxy only, not for the monitors, which may wait for the message
        // bus.
        BackgroundThread.run("remote-image-dt") {
            Monitors()
        } then: { [weak self] in
            self?.begin($0)
        }
    }

    private func begin(_ monitors: Monitors) {
        self.monitors = monitors
        readNetwork()
        readPower()
        receive(.state(state))
        shim_connect_network_changed(
            monitors.network.pointer, { _, _, data in SystemDesktop.of(data) { $0.networkChanged() } },
            Unmanaged.passUnretained(self).toOpaque())
        if let power = monitors.power {
            Signal.connect(property: "power-saver-enabled", of: power.pointer) { [weak self] in
                self?.change { $0.readPower() }
            }
        }
        if let memory = monitors.memory {
            shim_connect_low_memory(
                memory.pointer,
                { _, level, data in
                    SystemDesktop.of(data) { $0.receive(.lowMemory(MemoryPressure(level: level.rawValue))) }
                }, Unmanaged.passUnretained(self).toOpaque())
        }
        // The signal connections hold no reference to this object, so it is kept alive until the
        // process ends.
        _ = Unmanaged.passRetained(self)
    }

    private nonisolated static func of(_ data: gpointer?, _ body: @MainActor (SystemDesktop) -> Void) {
        guard let data else { return }
        let desktop = Unmanaged<SystemDesktop>.fromOpaque(data).takeUnretainedValue()
        MainLoop.assumeIsolated { body(desktop) }
    }

    private func networkChanged() {
        change { $0.readNetwork() }
        // Another network may have another proxy. The delay collects bursts of changes.
        proxyDelay.start(after: .seconds(1)) { [weak self] in
            self?.askForProxy()
        }
    }

    private func askForProxy() {
        proxyLookups.started += 1
        let number = proxyLookups.started
        BackgroundThread.run("remote-image-dp") {
            DesktopProxy.current()
        } then: { [weak self] proxy in
            // A slow lookup in the previous network may end after that in the current one.
            guard let self, number > proxyLookups.used else { return }
            proxyLookups.used = number
            change { $0.state.proxy = proxy }
        }
    }

    private func readNetwork() {
        let network = monitors.map { OpaquePointer($0.network.pointer) }
        state.isConnected = g_network_monitor_get_network_available(network) != 0
        state.isMetered = g_network_monitor_get_network_metered(network) != 0
    }

    private func readPower() {
        guard let power = monitors?.power else { return }
        state.isPowerSaving = g_power_profile_monitor_get_power_saver_enabled(OpaquePointer(power.pointer)) != 0
    }

    private func change(_ body: @MainActor (SystemDesktop) -> Void) {
        let old = state
        body(self)
        if state != old { receive(.state(state)) }
    }
}

extension MemoryPressure {
    /// Converts a `GMemoryMonitorWarningLevel`: 50, 100, 255.
    init(level: UInt32) {
        self = level >= 255 ? .critical : level >= 100 ? .medium : .low
    }
}
