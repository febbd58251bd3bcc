import RemoteImage

/// Adapts image loading to the state of the desktop.
///
/// On a metered network adaptive sources use the smaller address, and prefetching stops. While the
/// machine saves power, prefetching stops, animations pause, and images appear without transitions.
/// If a program has several followers, animations and transitions are off while any of them reports
/// power saving; prefetching follows the latest report to the `network` of the pipeline.
///
/// The memory caches of the pipelines that views use shrink when memory is low, and to half of
/// their limits when no window of the program has been visible for ten seconds; views keep the
/// images that they show, and views out of sight release theirs at once. The shared transport and
/// the added transports use the desktop's proxy. Their transfers wait while the desktop reports
/// `CurlTransport.Proxy.pending`; if it reports `CurlTransport.Proxy.environment`, an added
/// transport keeps its configured proxy.
///
/// The first view or other object of this library starts ``shared``, which reports to the network
/// conditions of `ImagePipeline.shared`. A custom pipeline follows them, too, if its `network` is
/// `NetworkConditions.shared`.
@MainActor
public final class DesktopFollower {
    /// The follower of the process.
    public static let shared = DesktopFollower(
        SystemDesktop(), network: .shared, setProxy: { CurlTransport.shared.setProxy($0) })

    /// Whether any started follower reports power saving. The latest report alone does not decide,
    /// since the real desktop keeps reporting beside a simulated one.
    static var savesPower: Bool { started.contains { $0.object?.state.isPowerSaving == true } }
    private static var started: [Weak<DesktopFollower>] = []

    /// The state of the desktop. A program that simulates a desktop sets it.
    public var state = DesktopState() {
        didSet { stateChanged() }
    }

    @MainActor
    struct Transport {
        weak var transport: CurlTransport?

        func setProxy(_ proxy: CurlTransport.Proxy) {
            guard let transport else { return }
            transport.setProxy(proxy == .environment ? transport.configuredProxy : proxy)
        }
    }

    /// `nil` if the program sets the state.
    private let desktop: (any Desktop)?
    private let network: NetworkConditions
    private let setProxy: @MainActor (CurlTransport.Proxy) -> Void
    private var pipelines: [ObjectIdentifier: Weak<ImagePipeline>] = [:]
    private(set) var transports: [Transport] = []
    private(set) var isStarted = false
    /// The proxy that was last set on the transports; `nil` before the desktop reports its state.
    private var proxy: CurlTransport.Proxy?

    /// - Parameters:
    ///   - desktop: The desktop to follow.
    ///   - network: Receives the state of the network.
    ///   - setProxy: Called with the proxy when the desktop first reports it and when it changes.
    package init(
        _ desktop: (any Desktop)?, network: NetworkConditions,
        setProxy: @escaping @MainActor (CurlTransport.Proxy) -> Void = { _ in }
    ) {
        self.desktop = desktop
        self.network = network
        self.setProxy = setProxy
    }

    /// Creates a follower of a simulated desktop, whose ``state`` the program sets.
    ///
    /// - Parameter network: Receives the state of the network.
    public convenience init(network: NetworkConditions) { self.init(nil, network: network) }

    deinit {
        // Power saving that this follower has reported ends.
        Task { @MainActor in AnimationPlayback.conditionsChanged() }
    }

    /// Starts following. Further calls do nothing.
    public func start() {
        guard !isStarted else { return }
        isStarted = true
        Self.started.removeAll { $0.object == nil }
        Self.started.append(Weak(self))
        desktop?.watch { [weak self] event in self?.receive(event) }
    }

    /// Makes the memory cache of a pipeline shrink when memory is low. Views add their pipelines.
    public func add(_ pipeline: ImagePipeline) {
        guard pipelines[ObjectIdentifier(pipeline)]?.object == nil else { return }
        pipelines = pipelines.filter { $0.value.object != nil }
        pipelines[ObjectIdentifier(pipeline)] = Weak(pipeline)
    }

    /// Makes a custom transport use the desktop's proxy.
    public func add(_ transport: CurlTransport) {
        transports.removeAll { $0.transport == nil || $0.transport === transport }
        transports.append(Transport(transport: transport))
        if let proxy { transports.last?.setProxy(proxy) }
    }

    private func setProxyOfAll(_ proxy: CurlTransport.Proxy) {
        self.proxy = proxy
        setProxy(proxy)
        for transport in transports { transport.setProxy(proxy) }
    }

    private func receive(_ event: DesktopEvent) {
        switch event {
        case .state(let new): state = new
        case .lowMemory(let pressure): freeMemory(keeping: pressure.keptFraction)
        }
    }

    private func stateChanged() {
        if state.proxy != proxy { setProxyOfAll(state.proxy) }
        AnimationPlayback.conditionsChanged()
        network.set(
            isConstrained: state.isMetered, isConnected: state.isConnected, savesPower: state.isPowerSaving)
    }

    /// Frees memory, as when the desktop reports that it is low.
    ///
    /// Releases the images of views out of sight, shrinks the memory caches of the pipelines to a
    /// fraction of their limits, from 0 to 1, and returns the freed memory to the system.
    public func freeMemory(keeping fraction: Double) {
        UnseenImages.shared.releaseAll()
        for pipeline in pipelines.values.compactMap(\.object) {
            pipeline.configuration.memoryCache?.shrink(to: fraction)
        }
        FreedMemory.shared.returnNow()
        FreedMemory.shared.returnSoon()
    }
}
