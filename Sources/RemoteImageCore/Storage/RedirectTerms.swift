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

    /// Creates the terms of redirects that may be stored.
    public init(lifetime: Double, isSpecified: Bool, mustRevalidate: Bool = false) {
        self.lifetime = lifetime
        self.isSpecified = isSpecified
        self.mustRevalidate = mustRevalidate
    }
}
