/// Tries an image that failed for want of network again when the network returns.
///
/// With a brake: a network that comes and goes, or a server that does not answer, is asked at once the first time, then
/// after 2, 4, 8 seconds and so on, up to a minute.
@MainActor
final class NetworkReturn {
    private var observation: (any Sendable)?
    private let timer = MainLoopTimer()
    private var attemptCount = 0

    /// Takes the phase that an image has come to.
    ///
    /// - Parameter retry: Called once, on the main actor, unless another phase comes before.
    func follow(
        _ phase: NetworkImagePhase, on network: any NetworkConditions, retry: @escaping @MainActor () -> Void
    ) {
        switch phase {
        case .failure(let error): watch(for: error, on: network, retry: retry)
        case .success: succeeded()
        case .empty, .loading: end()
        }
    }

    private func watch(for error: ImageError, on network: any NetworkConditions, retry: @escaping @MainActor () -> Void)
    {
        end()
        guard error.isForWantOfNetwork else { return }
        observation = network.observe { [weak self] in
            guard network.isConnected else { return }
            Task { @MainActor in self?.networkReturned(retry) }
        }
    }

    /// Waits no more.
    func end() {
        observation = nil
        timer.stop()
    }

    /// The network works: the next failure is a new story.
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

    private var delay: Duration {
        attemptCount == 0 ? .zero : min(.seconds(60), .seconds(1 << min(attemptCount, 6)))
    }
}
