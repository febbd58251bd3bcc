import HTTPTypes
import RemoteImageCore

/// Loads resources through the HTTP cache, with retries and a limit on concurrent transfers.
struct HTTPClient: Sendable {
    private let cache: HTTPCache
    private let retryPolicy: RetryPolicy
    private let clock: any PipelineClock

    /// - Parameter concurrency: The maximum number of concurrent transfers. Time limits do not
    ///   apply to waiting transfers.
    init(
        store: (any ResponseStore)?, transport: any Transport, concurrency: Int,
        clock: any PipelineClock = SystemClock(), retryPolicy: RetryPolicy
    ) {
        cache = HTTPCache(store: store, transport: QueuedTransport(transport, count: concurrency), clock: clock)
        self.clock = clock
        self.retryPolicy = retryPolicy
    }

    /// Returns a response of any status. Throws if there is none after the attempts that the retry
    /// policy allows.
    ///
    /// - Parameter separating: Headers of the request by which stored responses are separated,
    ///   besides credentials.
    func response(
        for request: TransferRequest, policy: CachePolicy, separating: HTTPFields = [:]
    ) async throws(ImageError) -> LoadedData {
        var attempt = 1
        while true {
            do throws(ImageError) {
                return try await cache.response(for: request, policy: policy, separating: separating)
            } catch {
                let failure = TransferFailure(error: error, attempt: attempt)
                guard case .retry(let delay) = retryPolicy.decision(on: failure) else { throw error }
                await withCheckedContinuation { continuation in
                    clock.schedule(after: delay) { continuation.resume() }
                }
                attempt += 1
            }
        }
    }

    /// Returns when background validations and writes have ended.
    func finished() async { await cache.finished() }
}
