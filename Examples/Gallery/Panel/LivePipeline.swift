import RemoteImageGtk

/// The shared pipeline, with its live figures and a simulated desktop.
@Observable @MainActor
final class LivePipeline {
    private(set) var counts = RequestCounter.Counts()
    private(set) var cachedByteCount = 0
    let desktop = SwitchedDesktop()

    @ObservationIgnored private let counter = RequestCounter()
    @ObservationIgnored private let follower: DesktopFollower

    /// Configures the shared pipeline. Make one of these, before the first image is loaded.
    init() {
        let network = ReportedNetworkConditions()
        follower = DesktopFollower(desktop, network: network)
        ImagePipeline.configureShared { [counter] configuration in
            configuration.network = network
            configuration.observers = [counter]
            // The endless images of the gallery's server must not time out.
            configuration.transferLimits.stallTimeout = .seconds(600)
            configuration.transferLimits.timeout = .seconds(600)
        }
        follower.start()
        follower.add(ImagePipeline.shared)
    }

    /// The number of requests that have not finished.
    var openCount: Int { counter.counts.openCount }

    func clearMemoryCache() {
        ImagePipeline.shared.configuration.memoryCache?.removeAll()
    }

    /// Whether the figures are updated, four times per second.
    @ObservationIgnored var isFollowed = false {
        didSet {
            guard isFollowed, !oldValue else { return }
            Task { await follow() }
        }
    }

    private func follow() async {
        while isFollowed {
            counts = counter.counts
            cachedByteCount = (ImagePipeline.shared.configuration.memoryCache as? MemoryCache)?.cost ?? 0
            try? await Task.sleep(for: .milliseconds(250))
        }
    }
}
