// Which failures are worth another try, and when.

/// Decides after each failed transfer whether it is tried again.
public protocol RetryPolicy: Sendable {
    /// Names the policy and its parameters: policies with equal identities decide alike.
    var identity: String { get }

    /// Decides what follows a failed transfer.
    func decision(on failure: TransferFailure) -> RetryDecision
}

/// What a retry policy is asked about.
public struct TransferFailure: Sendable {
    /// Why the transfer failed.
    public var error: ImageError
    /// How often the transfer was tried, 1 after the first failure.
    public var attempt: Int
    /// What the server asked for with `Retry-After` (RFC 9110 section 10.2.3).
    public var retryAfter: Duration?

    /// - Parameter attempt: The number of the transfers so far, from 1.
    public init(error: ImageError, attempt: Int, retryAfter: Duration? = nil) {
        self.error = error
        self.attempt = attempt
        self.retryAfter = retryAfter
    }
}

/// What follows a failed transfer.
public enum RetryDecision: Hashable, Sendable {
    /// The load fails.
    case giveUp
    /// The transfer is repeated after a delay.
    case retry(after: Duration)
    /// When the network is connected again. If it is connected, or its state is unknown, after a delay that doubles
    /// each time.
    case retryWhenConnected
}

/// Tries connection failures, incomplete answers, 408, 429 and 5xx again, with exponential backoff and jitter. Under
/// ``CachePolicy/stored`` a server that cannot be reached is not asked again, unless ``waitsForConnectivity`` is set.
public struct StandardRetryPolicy: RetryPolicy {
    /// Further tries: 2 by default, 0 for none.
    public var maxRetryCount: Int
    /// Before the first retry: 500 ms by default. Doubles with each further one.
    public var baseDelay: Duration
    /// No wait is longer: 30 s by default. A server that asks for a longer one is not asked again.
    public var maxDelay: Duration
    /// How much of a wait is chance, so that many clients do not come back at once: 0 to 1, 0.5 by default.
    public var jitter: Double
    /// Whether a failed connection waits for the network to return, where the pipeline can tell: false by default.
    public var waitsForConnectivity: Bool

    /// Creates a policy. Values below zero count as zero.
    public init(
        maxRetryCount: Int = 2, baseDelay: Duration = .milliseconds(500), maxDelay: Duration = .seconds(30),
        jitter: Double = 0.5, waitsForConnectivity: Bool = false
    ) {
        self.maxRetryCount = max(0, maxRetryCount)
        self.baseDelay = max(.zero, baseDelay)
        self.maxDelay = max(.zero, maxDelay)
        self.jitter = min(1, max(0, jitter))
        self.waitsForConnectivity = waitsForConnectivity
    }

    /// Nothing is tried again.
    public static let never = StandardRetryPolicy(maxRetryCount: 0)

    public var identity: String {
        "standard(\(maxRetryCount),\(baseDelay),\(maxDelay),\(jitter),\(waitsForConnectivity))"
    }

    public func decision(on failure: TransferFailure) -> RetryDecision {
        guard failure.attempt <= maxRetryCount, isCurable(failure.error) else { return .giveUp }
        if let retryAfter = failure.retryAfter {
            return retryAfter <= maxDelay ? .retry(after: retryAfter) : .giveUp
        }
        if waitsForConnectivity, failure.error.isForWantOfConnection { return .retryWhenConnected }
        return .retry(after: delay(beforeRetry: failure.attempt))
    }

    /// The pause before the retry of a number, from 1.
    func delay(beforeRetry number: Int) -> Duration {
        let doubled = baseDelay * (1 << min(20, number - 1))
        let chance = 1 - jitter * Double.random(in: 0...1)
        return min(doubled, maxDelay) * chance
    }

    private func isCurable(_ error: ImageError) -> Bool {
        switch error.code {
        case .connection, .incomplete: true
        // Who goes without the network is told at once, unless waiting for it was asked for.
        case .notStored: waitsForConnectivity && error.isForWantOfConnection
        case .httpStatus: error.status.map { $0 == 408 || $0 == 429 || (500..<600).contains($0) } ?? false
        default: false
        }
    }
}
