/// The time after a failure in which nothing is tried again: 0.1 seconds, and twice as long after
/// each further failure, up to 30 seconds.
struct RetryPause {
    private var length: Duration = .milliseconds(100)
    private var end: ContinuousClock.Instant

    init(at now: ContinuousClock.Instant) { end = now + length }

    func isOver(at now: ContinuousClock.Instant) -> Bool { now >= end }

    /// Takes note of another failure. Failures during the pause are of tries that began before it,
    /// and leave it as it is.
    mutating func addFailure(at now: ContinuousClock.Instant) {
        guard isOver(at: now) else { return }
        length = min(length * 2, .seconds(30))
        end = now + length
    }
}
