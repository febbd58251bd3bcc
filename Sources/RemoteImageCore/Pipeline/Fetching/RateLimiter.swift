/// A token bucket that limits transfers that are cancelled soon after they start, as in a scroll
/// through thousands of images.
///
/// A transfer takes a token when it starts and returns it unless it is cancelled, so that steady
/// work is never slowed. A transfer that is cancelled while it waits has taken no token.
struct RateLimiter {
    let rate: ImagePipeline.RateLimit
    private var tokens: Double
    private var filledAt: Duration

    init(_ rate: ImagePipeline.RateLimit, now: Duration) {
        self.rate = rate
        tokens = Double(max(1, rate.burst))
        filledAt = now
    }

    /// Takes a token; returns `false` if there is none.
    mutating func take(now: Duration) -> Bool {
        fill(now: now)
        guard tokens >= 1 else { return false }
        tokens -= 1
        return true
    }

    /// Returns a token.
    mutating func giveBack() {
        tokens = min(Double(max(1, rate.burst)), tokens + 1)
    }

    /// The time until a token is available.
    mutating func delay(now: Duration) -> Duration {
        fill(now: now)
        guard tokens < 1 else { return .zero }
        // Slightly longer, so that rounding never causes a wake-up without a token.
        // In this order of `max`, NaN becomes the smallest rate.
        return .seconds((1 - tokens) / max(0.001, rate.transfersPerSecond)) + .microseconds(1)
    }

    private mutating func fill(now: Duration) {
        guard now > filledAt else { return }
        let seconds = (now - filledAt) / .seconds(1)
        tokens = min(Double(max(1, rate.burst)), tokens + seconds * rate.transfersPerSecond)
        filledAt = now
    }
}
