import HTTPTypes

extension RedirectTerms {
    /// A redirect that was followed.
    struct Hop: Sendable {
        /// The address that redirected.
        let address: WebAddress
        let status: Int
        let headers: HTTPFields
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
