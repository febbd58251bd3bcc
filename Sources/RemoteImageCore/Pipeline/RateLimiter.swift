/// A token bucket in front of the transport, for bursts of transfers that are given up as soon as they
/// began: a scroll through thousands.
///
/// A transfer takes a token when it starts and gives it back when it runs to its end, so that steady
/// work is never slowed. What is cancelled while it waits has taken none.
struct RateLimiter {
    /// Tokens that come back each second, and how many there are at the most.
    struct Rate: Hashable, Sendable {
        var perSecond: Double
        var burst: Int
    }

    let rate: Rate
    private var tokens: Double
    private var filledAt: Duration

    init(_ rate: Rate, now: Duration) {
        self.rate = rate
        tokens = Double(max(1, rate.burst))
        filledAt = now
    }

    /// Takes a token; false where there is none.
    mutating func take(now: Duration) -> Bool {
        fill(now: now)
        guard tokens >= 1 else { return false }
        tokens -= 1
        return true
    }

    /// Brings a token back.
    mutating func giveBack() {
        tokens = min(Double(max(1, rate.burst)), tokens + 1)
    }

    /// How long it takes until there is a token.
    mutating func delay(now: Duration) -> Duration {
        fill(now: now)
        guard tokens < 1 else { return .zero }
        // A little longer, so that rounding never causes a wake-up without a token.
        return .seconds((1 - tokens) / max(rate.perSecond, 0.001)) + .microseconds(1)
    }

    private mutating func fill(now: Duration) {
        guard now > filledAt else { return }
        let seconds = (now - filledAt) / .seconds(1)
        tokens = min(Double(max(1, rate.burst)), tokens + seconds * rate.perSecond)
        filledAt = now
    }
}
