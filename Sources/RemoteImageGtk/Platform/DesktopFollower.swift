import RemoteImagePixbuf

/// Does for images what the desktop asks for.
///
/// On a metered network adaptive sources take the smaller address, and nothing is prefetched; neither is it while the
/// machine saves power, when nothing moves either: animations stand still, and images come in at once. Where there are
/// several followers, it saves power as long as one of them says so. When memory runs short, and when no window of the
/// program has been visible for ten seconds, the memory caches of the pipelines that views use shrink, in the latter case to
/// half of their limits; what is in sight stays. The shared transport goes through the desktop's proxy, and so do
/// those that are added; while the desktop reports `CurlTransport.Proxy.pending`, their
/// transfers wait. Where the desktop reports `CurlTransport.Proxy.environment`, an added transport keeps its configured proxy.
///
/// The first view or other object of this library starts ``shared``, which reports to the network conditions of
/// `ImagePipeline.shared`. A pipeline of the program's own listens too if its `network` is `ReportedNetworkConditions.shared`.
@MainActor
public final class DesktopFollower {
    /// That of the process.
    public static let shared = DesktopFollower(
        SystemDesktop(), network: .shared, setProxy: { CurlTransport.shared.setProxy($0) })

    /// Whether the machine saves power, as any follower that has started says. The last one that was told does not decide:
    /// beside a desktop that a program plays, the real one goes on reporting.
    static var savesPower: Bool { started.contains { $0.follower?.state.isPowerSaving == true } }
    private static var started: [Started] = []

    private struct Started {
        weak var follower: DesktopFollower?
    }

    /// What the desktop said last.
    public private(set) var state = DesktopState()

    private struct Pipeline {
        weak var pipeline: ImagePipeline?
    }

    @MainActor
    struct Transport {
        weak var transport: CurlTransport?

        func setProxy(_ proxy: CurlTransport.Proxy) {
            guard let transport else { return }
            transport.setProxy(proxy == .environment ? transport.configuredProxy : proxy)
        }
    }

    private let desktop: any Desktop
    private let network: ReportedNetworkConditions
    private let setProxy: @MainActor (CurlTransport.Proxy) -> Void
    private var pipelines: [ObjectIdentifier: Pipeline] = [:]
    private(set) var transports: [Transport] = []
    private(set) var isStarted = false
    /// What the transports were told last; `nil` before the desktop reports its state.
    private var proxy: CurlTransport.Proxy?

    /// - Parameters:
    ///   - desktop: Who knows.
    ///   - network: Told of the network.
    ///   - setProxy: Told the proxy when the desktop reports it and when it changes.
    public init(
        _ desktop: any Desktop, network: ReportedNetworkConditions,
        setProxy: @escaping @MainActor (CurlTransport.Proxy) -> Void = { _ in }
    ) {
        self.desktop = desktop
        self.network = network
        self.setProxy = setProxy
    }

    /// Begins to follow. Doing so again does nothing.
    public func start() {
        guard !isStarted else { return }
        isStarted = true
        Self.started.removeAll { $0.follower == nil }
        Self.started.append(Started(follower: self))
        desktop.watch { [weak self] event in self?.receive(event) }
    }

    /// Lets the memory cache of a pipeline shrink when memory runs short. The pipelines of views are added by themselves.
    public func add(_ pipeline: ImagePipeline) {
        guard pipelines[ObjectIdentifier(pipeline)]?.pipeline == nil else { return }
        pipelines = pipelines.filter { $0.value.pipeline != nil }
        pipelines[ObjectIdentifier(pipeline)] = Pipeline(pipeline: pipeline)
    }

    /// Lets a transport of its own go through the desktop's proxy too, from now on.
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
        case .state(let new):
            if new.proxy != proxy { setProxyOfAll(new.proxy) }
            state = new
            network.report(
                isConstrained: new.isMetered, isConnected: new.isConnected,
                allowsPrefetching: !new.isMetered && !new.isPowerSaving)
        case .lowMemory(let pressure):
            shrinkCaches(to: pressure.keptFraction)
        }
    }

    /// Lets the memory caches of the pipelines keep no more than a part of their limits.
    func shrinkCaches(to fraction: Double) {
        for pipeline in pipelines.values.compactMap(\.pipeline) {
            pipeline.configuration.memoryCache?.shrink(to: fraction)
        }
    }
}
