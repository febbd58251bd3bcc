// Which failures are retried, and when.

/// Decides after each failed transfer whether it is retried.
public struct RetryPolicy: Sendable, Equatable {
    /// Names the policy and its parameters. Policies with equal identities make equal decisions.
    public let identity: String
    private let decide: @Sendable (TransferFailure) -> RetryDecision

    /// Creates a policy of one's own.
    ///
    /// - Parameters:
    ///   - identity: Names the closure and all parameters that it depends on.
    ///   - decide: Decides how the pipeline handles a failed transfer. Called on a thread that
    ///     many loads share, so it must return soon.
    public init(identity: String, _ decide: @escaping @Sendable (TransferFailure) -> RetryDecision) {
        self.identity = identity
        self.decide = decide
    }

    /// Retries connection failures, incomplete responses, and the statuses 408, 429 and 5xx, with
    /// exponential backoff and jitter. Under ``CachePolicy/cacheElseLoad`` an unreachable server is
    /// not asked again, unless `waitsForConnectivity` is set.
    ///
    /// - Parameters:
    ///   - maxRetryCount: The maximum number of retries: 2 by default, 0 for none.
    ///   - baseDelay: The delay before the first retry: 500 ms by default. It doubles with each
    ///     further retry.
    ///   - maxDelay: The maximum delay: 30 s by default. If a server requests a longer one, the
    ///     transfer is not retried.
    ///   - jitter: The random share of a delay, so that many clients do not retry at the same time:
    ///     0 to 1, 0.5 by default.
    ///   - waitsForConnectivity: Whether a failed connection waits for the network to return, if
    ///     the pipeline knows the state of the network: `false` by default.
    public static func standard(
        maxRetryCount: Int = 2, baseDelay: Duration = .milliseconds(500), maxDelay: Duration = .seconds(30),
        jitter: Double = 0.5, waitsForConnectivity: Bool = false
    ) -> RetryPolicy {
        let backoff = Backoff(
            maxRetryCount: max(0, maxRetryCount), baseDelay: max(.zero, baseDelay), maxDelay: max(.zero, maxDelay),
            jitter: min(1, max(0, jitter)), waitsForConnectivity: waitsForConnectivity)
        return RetryPolicy(identity: "\(backoff)", backoff.decision)
    }

    /// A policy that never retries.
    public static let never = standard(maxRetryCount: 0)

    /// Decides how the pipeline handles a failed transfer.
    public func decision(on failure: TransferFailure) -> RetryDecision { decide(failure) }

    public static func == (left: RetryPolicy, right: RetryPolicy) -> Bool { left.identity == right.identity }
}

/// A failed transfer.
public struct TransferFailure: Sendable {
    /// The error of the transfer.
    public var error: ImageError
    /// The number of attempts so far, 1 after the first failure.
    public var attempt: Int
    /// The delay that the server requested with `Retry-After` (RFC 9110 section 10.2.3).
    public var retryAfter: Duration?

    /// Creates a failure. `attempt` is the number of attempts so far, from 1.
    public init(error: ImageError, attempt: Int, retryAfter: Duration? = nil) {
        self.error = error
        self.attempt = attempt
        self.retryAfter = retryAfter
    }
}

/// How the pipeline handles a failed transfer.
public enum RetryDecision: Hashable, Sendable {
    /// The load fails.
    case giveUp
    /// The transfer is retried after a delay.
    case retry(after: Duration)
    /// The transfer is retried when the network is connected again. If it is connected already, or
    /// its state is unknown, the transfer is retried after a delay that doubles with each attempt.
    case retryWhenConnected
}

/// Exponential backoff with jitter.
struct Backoff: Sendable {
    let maxRetryCount: Int
    let baseDelay: Duration
    let maxDelay: Duration
    let jitter: Double
    let waitsForConnectivity: Bool

    /// That of the standard policy without arguments.
    static let standard = Backoff(
        maxRetryCount: 2, baseDelay: .milliseconds(500), maxDelay: .seconds(30), jitter: 0.5,
        waitsForConnectivity: false)

    func decision(on failure: TransferFailure) -> RetryDecision {
        guard failure.attempt <= maxRetryCount, isCurable(failure.error) else { return .giveUp }
        if let retryAfter = failure.retryAfter {
            return retryAfter <= maxDelay ? .retry(after: retryAfter) : .giveUp
        }
        if waitsForConnectivity, failure.error.isCausedByConnection { return .retryWhenConnected }
        return .retry(after: delay(beforeRetry: failure.attempt))
    }

    /// The delay before retry `number`, from 1.
    func delay(beforeRetry number: Int) -> Duration {
        let factor = 1 << min(20, max(0, number - 1))
        // Compared by division, since the product may be out of the range of `Duration`.
        let delay = baseDelay > maxDelay / factor ? maxDelay : baseDelay * factor
        let chance = 1 - jitter * Double.random(in: 0...1)
        return delay * chance
    }

    private func isCurable(_ error: ImageError) -> Bool {
        switch error.code {
        case .connection, .incomplete: true
        // Without a network, the caller receives the error at once, unless the policy waits for
        // connectivity.
        case .notStored: waitsForConnectivity && error.isCausedByConnection
        case .httpStatus: error.status.map { $0 == 408 || $0 == 429 || (500..<600).contains($0) } ?? false
        default: false
        }
    }
}
