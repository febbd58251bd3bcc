import RemoteImageGtk

/// The shared pipeline, with its live figures and a simulated desktop.
@Observable @MainActor
final class LivePipeline {
    private(set) var counts = RequestCounter.Counts()
    private(set) var cachedByteCount = 0
    @ObservationIgnored private let counter = RequestCounter()
    /// Follows the simulated desktop that the switches of the panel set.
    let follower: DesktopFollower

    @ObservationIgnored private var following: Task<Void, Never>?

    /// Configures the shared pipeline. Make one of these, before the first image is loaded.
    ///
    /// - Parameter isSimulated: Whether the pipeline loads from the gallery's own server, and
    ///   follows the simulated desktop.
    init(isSimulated: Bool) {
        let network = NetworkConditions()
        follower = DesktopFollower(network: network)
        ImagePipeline.configureShared { [counter] configuration in
            configuration.observers = [counter.receive]
            guard isSimulated else { return }
            configuration.network = network
            // The endless images of the gallery's server must not time out.
            configuration.transferLimits.stallTimeout = .seconds(600)
            configuration.transferLimits.timeout = .seconds(600)
        }
        guard isSimulated else { return }
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
            following?.cancel()
            following = isFollowed ? Task { await follow() } : nil
        }
    }

    private func follow() async {
        while !Task.isCancelled {
            counts = counter.counts
            cachedByteCount = (ImagePipeline.shared.configuration.memoryCache as? MemoryCache)?.cost ?? 0
            try? await Task.sleep(for: .milliseconds(250))
        }
    }
}
