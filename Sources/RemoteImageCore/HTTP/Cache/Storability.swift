import HTTPTypes

/// Which responses to a GET may be stored by a private cache (RFC 9111 section 3).
enum Storability {
    /// Statuses that the cache understands (RFC 9110 section 15).
    private static let understood: Set<Int> = [
        200, 203, 204, 300, 301, 302, 303, 307, 308, 400, 401, 403, 404, 405, 410, 414, 421, 451, 500, 501, 502, 503,
        504,
    ]

    /// Statuses that are cacheable without an explicit lifetime (RFC 9110 section 15.1).
    private static let heuristicallyCacheable: Set<Int> = [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501]

    static func isHeuristicallyCacheable(_ status: Int) -> Bool { heuristicallyCacheable.contains(status) }

    /// Whether the directives of a response forbid storing it: `must-understand` takes the place of
    /// `no-store` (section 5.2.2.3).
    static func forbids(_ control: CacheControl, status: Int) -> Bool {
        control.mustUnderstand ? !understood.contains(status) : control.noStore
    }

    static func isStorable(status: Int, _ headers: HTTPFields, request: HTTPFields) -> Bool {
        // A partial response is not a complete one, and a 304 only updates a stored one (sections
        // 3.3 and 4.3.4). 412 and 416 answer the conditions or the range of one request, which are
        // no part of its key.
        guard status >= 200, ![206, 304, 412, 416].contains(status) else { return false }
        let (control, asked) = (CacheControl(headers), CacheControl(request))
        if asked.noStore { return false }
        if forbids(control, status: status) { return false }
        // `Vary: *` matches no request (section 4.1).
        if VaryMatching.names(in: headers) == nil { return false }
        return control.isPublic || control.isPrivate || control.maxAge != nil || headers[.expires] != nil
            || isHeuristicallyCacheable(status)
    }
}
