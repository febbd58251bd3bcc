import HTTPTypes

/// What the redirects on the way to a response say of its storage: it is stored under the address that was asked for, which
/// leads there only as long as they hold.
public struct RedirectTerms: Hashable, Sendable {
    /// Seconds for which all redirects hold.
    public var lifetime: Double
    /// Whether a header says so: a temporary redirect without one is never reused.
    public var isSpecified: Bool
    /// Whether all of them may be stored.
    var isStorable = true

    /// A redirect that was followed.
    struct Hop: Sendable {
        let status: Int
        let headers: HTTPFields
    }

    /// Creates the terms of redirects that may be stored.
    public init(lifetime: Double, isSpecified: Bool) {
        self.lifetime = lifetime
        self.isSpecified = isSpecified
    }

    /// nil where no redirect says anything: permanent ones without a word are as good as the address itself
    /// (RFC 9110 sections 15.4.2 and 15.4.9).
    init?(_ hops: [Hop]) {
        var terms = RedirectTerms(lifetime: .infinity, isSpecified: true)
        for hop in hops {
            let control = CacheControl(hop.headers)
            if control.noStore { terms.isStorable = false }
            if let maxAge = control.noCache ? 0 : control.maxAge {
                terms.lifetime = min(terms.lifetime, Double(maxAge))
            } else if hop.headers[.expires] != nil || ![301, 308].contains(hop.status) {
                // Redirects with a date alone are rare, and a lifetime of zero is safe.
                terms.lifetime = 0
                terms.isSpecified = terms.isSpecified && hop.headers[.expires] != nil
            }
        }
        guard terms.lifetime < .infinity || !terms.isStorable else { return nil }
        if terms.lifetime == .infinity { terms.lifetime = 0 }
        self = terms
    }
}
