/// Owns the model of one image on screen, and retries a failed load when the network returns.
@MainActor
final class LoadController {
    private(set) var model: NetworkImageModel?
    private var observation: ObservationToken?
    private let networkReturn = NetworkReturn()
    /// Called with the old and the new phase of the model, also if only the progress of the load
    /// changed.
    private let phaseChanged: @MainActor (NetworkImagePhase, NetworkImagePhase) -> Void
    /// Whether a failed load is retried when the network returns.
    private let retries: @MainActor () -> Bool

    init(
        retries: @escaping @MainActor () -> Bool = { true },
        phaseChanged: @escaping @MainActor (NetworkImagePhase, NetworkImagePhase) -> Void
    ) {
        self.retries = retries
        self.phaseChanged = phaseChanged
    }

    /// Replaces the model.
    func load(
        _ source: ImageSource?, options: ImageOptions, pipeline: ImagePipeline, scale: Double
    )
        -> NetworkImageModel
    {
        let model = NetworkImageModel(source, pipeline: pipeline, options: options, scale: scale)
        observation = model.observePhase { [weak self] old, new in
            self?.followNetwork(in: new)
            self?.phaseChanged(old, new)
        }
        self.model = model
        DesktopFollower.shared.add(pipeline)
        return model
    }

    private func followNetwork(in phase: NetworkImagePhase) {
        guard let network = model?.pipeline.configuration.network else { return }
        networkReturn.follow(phase, on: network) { [weak self] in
            if let self, retries() { model?.retry() }
        }
    }

    /// Releases the model.
    ///
    /// - Returns: The model, which may still be loading.
    @discardableResult
    func end() -> NetworkImageModel? {
        networkReturn.end()
        observation = nil
        return model.take()
    }
}
