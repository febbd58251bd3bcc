import HTTPTypes

/// The age and the freshness lifetime of a stored response, in seconds (RFC 9111 section 4.2).
struct Freshness: Hashable, Sendable {
    let age: Double
    let lifetime: Double
    /// How long the redirects that led to the response stay valid; zero or less if they are not.
    let redirectRemaining: Double

    /// The time until the response is stale or a redirect is invalid; negative after that.
    private var timeLeft: Double { min(lifetime - age, redirectRemaining) }

    var isFresh: Bool { timeLeft > 0 }
    var areRedirectsValid: Bool { redirectRemaining > 0 }
    /// How long the response has been stale; zero while it is fresh.
    var staleness: Double { max(0, -timeLeft) }
    /// How long the response stays fresh; zero if it is stale.
    var remaining: Double { max(0, timeLeft) }

    /// - Parameter now: Seconds since 1970.
    init(of response: StoredResponse, now: Double) {
        let control = CacheControl(response.headers)
        lifetime = Self.lifetime(of: response, control)
        age = Self.age(of: response, now: now)
        // The redirects have ages of their own, which their lifetime does not include.
        redirectRemaining = response.redirect.map { $0.lifetime - (now - response.requestTime) } ?? .infinity
    }

    /// How long an image in the memory cache stays fresh.
    ///
    /// Section 4.2.2 leaves it to the cache if the server states no lifetime and no date to derive
    /// it from, for the response or for its redirects. Views come and go within seconds and must
    /// not ask the server each time.
    static func remainingInMemory(of response: StoredResponse, now: Double) -> Double {
        let control = CacheControl(response.headers)
        if control.noCache { return 0 }
        let freshness = Freshness(of: response, now: now)
        var (own, redirects) = (freshness.lifetime - freshness.age, freshness.redirectRemaining)
        let isSpecified =
            control.maxAge != nil || response.headers[.expires] != nil || response.headers[.lastModified] != nil
        if !isSpecified { own = max(own, unspecifiedLifetime) }
        if let redirect = response.redirect, !redirect.isSpecified, !redirect.mustRevalidate {
            redirects = max(redirects, unspecifiedLifetime)
        }
        return max(0, min(own, redirects))
    }

    private static let unspecifiedLifetime = 300.0

    // MARK: Lifetime, section 4.2.1

    private static func lifetime(of response: StoredResponse, _ control: CacheControl) -> Double {
        if let maxAge = control.maxAge { return Double(maxAge) }
        let expires = response.headers[values: .expires]
        if !expires.isEmpty {
            // An invalid date, such as 0, counts as expired (section 5.3), and so do several
            // different dates.
            guard Set(expires).count == 1, let end = date(expires[0], response) else { return 0 }
            let start = response.headers[.date].flatMap { date($0, response) } ?? response.responseTime
            return max(0, end - start)
        }
        return heuristicLifetime(of: response, control)
    }

    /// A tenth of the time since the last modification, at most a week (section 4.2.2).
    private static func heuristicLifetime(of response: StoredResponse, _ control: CacheControl) -> Double {
        guard Storability.isHeuristicallyCacheable(response.status) || control.isPublic,
            let modified = response.headers[.lastModified].flatMap({ date($0, response) })
        else { return 0 }
        let start = response.headers[.date].flatMap { date($0, response) } ?? response.responseTime
        return min(7 * 86_400, max(0, (start - modified) / 10))
    }

    // MARK: Age, section 4.2.3

    private static func age(of response: StoredResponse, now: Double) -> Double {
        let sent = response.headers[.date].flatMap { date($0, response) } ?? response.responseTime
        let apparentAge = max(0, response.responseTime - sent)
        let delay = max(0, response.responseTime - response.requestTime)
        let corrected = Double(ageHeader(in: response.headers)) + delay
        // Without this check, a clock that was set back would make a response young again.
        let resident = now - response.responseTime
        guard resident >= 0 else { return .infinity }
        return max(apparentAge, corrected) + resident
    }

    /// The first value of `Age`; zero if it is missing or invalid.
    static func ageHeader(in headers: HTTPFields) -> Int {
        let first = headers[values: .age].first?.split(separator: ",").first
        return CacheControl.seconds(first.map { String($0.filter { $0 != " " }) }) ?? 0
    }

    private static func date(_ text: String, _ response: StoredResponse) -> Double? {
        let year = 1970 + Int(min(1e12, max(0, response.responseTime)) / 31_556_952)
        return HTTPDate.remembered(text, currentYear: year).map { Double($0.secondsSince1970) }
    }
}
