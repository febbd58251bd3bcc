/// Retries an image that failed because the network was unavailable, when the network returns.
///
/// The first retry is immediate; later ones wait 2, 4, 8 seconds and so on, up to a minute, in case
/// the network is unstable or the server does not respond.
@MainActor
final class NetworkReturn {
    private var observation: ObservationToken?
    private let timer = MainLoopTimer()
    private var attemptCount = 0

    /// Handles a new phase of the image.
    ///
    /// - Parameter retry: Called once, on the main actor, unless another phase follows first.
    func follow(
        _ phase: NetworkImagePhase, on network: NetworkConditions, retry: @escaping @MainActor () -> Void
    ) {
        switch phase {
        case .failure(let error): watch(for: error, on: network, retry: retry)
        case .success: succeeded()
        case .empty, .loading: end()
        }
    }

    private func watch(for error: ImageError, on network: NetworkConditions, retry: @escaping @MainActor () -> Void) {
        end()
        guard error.mayRecoverWithNetwork else { return }
        observation = network.observe { [weak self] in
            guard network.isConnected else { return }
            Task { @MainActor in self?.networkReturned(retry) }
        }
    }

    /// Stops waiting.
    func end() {
        observation = nil
        timer.stop()
    }

    /// The network works, so the next failure starts without a delay.
    private func succeeded() {
        end()
        attemptCount = 0
    }

    private func networkReturned(_ retry: @escaping @MainActor () -> Void) {
        guard observation != nil, !timer.isRunning else { return }
        timer.start(after: delay) { [weak self] in
            self?.attemptCount += 1
            self?.end()
            retry()
        }
    }

    var delay: Duration {
        attemptCount == 0 ? .zero : min(.seconds(60), .seconds(1 << min(attemptCount, 6)))
    }
}
