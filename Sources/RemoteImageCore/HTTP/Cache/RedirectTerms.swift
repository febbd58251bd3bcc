import HTTPTypes

/// The constraints that redirects put on storing a response. The response is stored under the
/// original address, which leads to it only as long as the redirects are valid.
public struct RedirectTerms: Hashable, Sendable {
    /// The number of seconds from the request for which all redirects are valid.
    public var lifetime: Double
    /// Whether a header states the lifetime. A temporary redirect without one is never reused.
    public var isSpecified: Bool
    /// Whether a redirect forbids its use once it is stale (`no-cache` or `must-revalidate`).
    public var mustRevalidate: Bool
    /// Whether all redirects may be stored.
    var isStorable = true

    /// A redirect that was followed.
    struct Hop: Sendable {
        /// The address that redirected.
        let address: WebAddress
        let status: Int
        let headers: HTTPFields
    }

    /// Creates the terms of redirects that may be stored.
    public init(lifetime: Double, isSpecified: Bool, mustRevalidate: Bool = false) {
        self.lifetime = lifetime
        self.isSpecified = isSpecified
        self.mustRevalidate = mustRevalidate
    }

    /// `nil` if no redirect sets a constraint: permanent redirects without cache headers are valid
    /// as long as the response (RFC 9110 sections 15.4.2 and 15.4.9).
    init?(_ hops: [Hop]) {
        var terms = RedirectTerms(lifetime: .infinity, isSpecified: true)
        for hop in hops {
            let control = CacheControl(hop.headers)
            if control.noStore { terms.isStorable = false }
            if control.noCache || control.mustRevalidate { terms.mustRevalidate = true }
            if let maxAge = control.noCache ? 0 : control.maxAge {
                terms.lifetime = min(terms.lifetime, Double(max(0, maxAge - Freshness.ageHeader(in: hop.headers))))
            } else if hop.headers[.expires] != nil || ![301, 308].contains(hop.status) {
                // Redirects with only an `Expires` date are rare, and a lifetime of zero is safe.
                terms.lifetime = 0
                terms.isSpecified = terms.isSpecified && hop.headers[.expires] != nil
            }
        }
        guard terms.lifetime < .infinity || !terms.isStorable else { return nil }
        if terms.lifetime == .infinity { terms.lifetime = 0 }
        self = terms
    }
}
