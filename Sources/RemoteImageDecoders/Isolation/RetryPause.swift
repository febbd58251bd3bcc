/// The pause before a retry: 0.1 seconds after the first failure, and twice as long after each
/// further one, up to 30 seconds.
struct RetryPause {
    static let shortest = Duration.milliseconds(100)

    private var length = Self.shortest
    private var end: ContinuousClock.Instant

    init(at now: ContinuousClock.Instant) { end = now + length }

    /// The time until the end of the pause, negative after it.
    func left(at now: ContinuousClock.Instant) -> Duration { end - now }

    func isOver(at now: ContinuousClock.Instant) -> Bool { now >= end }

    /// Records another failure. A failure during the pause belongs to an attempt that began earlier
    /// and does not extend it.
    mutating func addFailure(at now: ContinuousClock.Instant) {
        guard isOver(at: now) else { return }
        length = min(length * 2, .seconds(30))
        end = now + length
    }
}
