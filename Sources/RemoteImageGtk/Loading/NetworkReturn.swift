/// Retries an image that failed because the network was unavailable, when the network returns.
///
/// The first retry is immediate; later ones wait 2, 4, 8 seconds and so on, up to a minute, in case
/// the network is unstable or the server does not respond.
@MainActor
final class NetworkReturn {
    /// The observation of the model's phases.
    private var following: ObservationToken?
    /// The observation of the network, while an image waits for it.
    private var waiting: ObservationToken?
    private let timer = MainLoopTimer()
    private var attemptCount = 0

    /// Follows the phases of a model, in place of those of an earlier one, which is not retried any
    /// more.
    ///
    /// - Parameter retries: Whether the model is retried now that the network has returned.
    func follow(_ model: NetworkImageModel, retries: @escaping @MainActor () -> Bool = { true }) {
        stopWaiting()
        let network = model.pipeline.configuration.network
        following = model.observePhase { [weak self, weak model] _, new in
            self?.follow(new, on: network) { if retries() { model?.retry() } }
        }
    }

    /// Stops following the model, and waiting.
    func end() {
        following = nil
        stopWaiting()
    }

    /// Handles a new phase of the image.
    ///
    /// - Parameter retry: Called once, on the main actor, unless another phase follows first.
    func follow(
        _ phase: NetworkImagePhase, on network: NetworkConditions, retry: @escaping @MainActor () -> Void
    ) {
        switch phase {
        case .failure(let error): watch(for: error, on: network, retry: retry)
        case .success: succeeded()
        case .empty, .loading: stopWaiting()
        }
    }

    private func watch(for error: ImageError, on network: NetworkConditions, retry: @escaping @MainActor () -> Void) {
        stopWaiting()
        guard error.mayRecoverWithNetwork else { return }
        waiting = network.observe { [weak self] in
            guard network.isConnected else { return }
            Task { @MainActor in self?.networkReturned(retry) }
        }
    }

    private func stopWaiting() {
        waiting = nil
        timer.stop()
    }

    /// The network works, so the next failure starts without a delay.
    private func succeeded() {
        stopWaiting()
        attemptCount = 0
    }

    private func networkReturned(_ retry: @escaping @MainActor () -> Void) {
        guard waiting != nil, !timer.isRunning else { return }
        timer.start(after: delay) { [weak self] in
            self?.attemptCount += 1
            self?.stopWaiting()
            retry()
        }
    }

    var delay: Duration {
        attemptCount == 0 ? .zero : min(.seconds(60), .seconds(1 << min(attemptCount, 6)))
    }
}
