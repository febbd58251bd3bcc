import HTTPTypes

/// How the cache of responses took part in a load. A load may have several results, for example
/// ``validating`` and then ``validated``.
public enum CacheResult: Sendable {
    /// No stored response can be used: none matches the request, its body is missing or above the
    /// limit of the request, or the request has `no-store`. The server is asked if that is allowed.
    case miss
    /// A stored response is used. It is fresh, or immutable.
    case fresh
    /// A stale response is used without asking the server, as the policy or the request allows.
    case stale
    /// A stale response is used, and validated in the background (`stale-while-revalidate`).
    case staleWhileRevalidate
    /// A stale response is used because the server could not be reached or responded with an error.
    case staleAfterError(ImageError)
    /// The server is asked whether the stored response is still valid.
    case validating
    /// The server confirmed the stored response with status 304, and it is used. After
    /// ``staleWhileRevalidate``, this may follow the end of the load.
    case validated
    /// The server is asked for a new response. The stored one would have to be validated but has no
    /// validator, or under ``CachePolicy/cacheElseLoad`` it has reached the
    /// ``ImageOptions/expiry``.
    case expired
    /// The server is asked for the rest of an interrupted transfer, of which `byteCount` bytes are
    /// stored.
    case resuming(byteCount: Int)
    /// The policy ignores stored responses. The server is asked.
    case bypassed
    /// No stored response may be used, and the policy or the request forbids asking the server.
    case refused
    /// The pipeline has no store of responses.
    case disabled
}

/// How a cache serves a request (RFC 9111 section 4).
enum CacheDecision {
    /// Use the stored response.
    case use(StoredResponse, ImageOrigin)
    /// Use the stale response and validate it in the background (`stale-while-revalidate`, RFC 5861
    /// section 3).
    case useAndValidate(StoredResponse)
    /// Validate the stored response with the server.
    case validate(StoredResponse)
    /// Fetch a new response. The fallback may be used if the server fails.
    case fetch(fallback: StoredResponse?)
    /// Fail: the request allows only stored responses, and none may be used (section 5.2.1.7).
    case refuse

    /// - Parameters:
    ///   - stored: The stored response that matches the request, if any.
    ///   - expiry: The age in seconds from which a stored response must not be used without the
    ///     server, regardless of HTTP; `nil` for no limit.
    ///   - now: Seconds since 1970.
    init(
        for request: HTTPFields, policy: CachePolicy, stored: StoredResponse?, expiry: Double? = nil, now: Double
    ) {
        let isExpired = stored.map { Self.isExpired(storedAt: $0.responseTime, expiry: expiry, now: now) } ?? false
        switch policy {
        case .http, .staleWhileRevalidate: self = Self.http(request, stored, isExpired: isExpired, now)
        case .cacheElseLoad, .cacheOnly:
            // A stored error response is not an image, so it is used only as long as HTTP allows.
            guard let stored,
                (200..<300).contains(stored.status) || Freshness(of: stored, now: now).isFresh
            else {
                self = policy == .cacheElseLoad ? .fetch(fallback: nil) : .refuse
                return
            }
            if isExpired {
                self = policy == .cacheElseLoad ? .fetch(fallback: stored) : .refuse
                return
            }
            let isFresh = Freshness(of: stored, now: now).isFresh
            self = .use(stored, isFresh ? .disk : .stale)
        case .reload, .noStore: self = .fetch(fallback: nil)
        case .revalidate:
            // Validates as a browser's reload does, except for immutable responses (RFC 8246).
            guard let stored else {
                self = .fetch(fallback: nil)
                return
            }
            let isImmutable = CacheControl(stored.headers).immutable && Freshness(of: stored, now: now).isFresh
            if isImmutable, !isExpired {
                self = .use(stored, .disk)
            } else {
                self = Validation.isPossible(stored) ? .validate(stored) : .fetch(fallback: stored)
            }
        }
    }

    /// Whether a stored response, or an image made from it, has reached the age that the program
    /// allows (``ImageOptions/expiry``). A response from the future counts as expired, since the
    /// clock was set back.
    static func isExpired(storedAt: Double, expiry: Double?, now: Double) -> Bool {
        let age = now - storedAt
        guard let expiry else { return false }
        return age < 0 || age >= expiry
    }

    private static func http(
        _ request: HTTPFields, _ stored: StoredResponse?, isExpired: Bool, _ now: Double
    ) -> CacheDecision {
        let asked = CacheControl(request)
        guard let stored, !asked.noStore else { return asked.onlyIfCached ? .refuse : .fetch(fallback: nil) }
        let control = CacheControl(stored.headers)
        let freshness = Freshness(of: stored, now: now)
        let mustValidate = isExpired || control.noCache || forbidsUnvalidated(request)
        if !mustValidate, isAcceptable(freshness, asked, stored) {
            return .use(stored, freshness.isFresh ? .disk : .stale)
        }
        if !mustValidate, asked.maxAge == nil, asked.minFresh == nil, !control.mustRevalidate,
            freshness.areRedirectsValid, let grace = control.staleWhileRevalidate, freshness.staleness < Double(grace)
        {
            return .useAndValidate(stored)
        }
        if asked.onlyIfCached { return .refuse }
        return Validation.isPossible(stored) ? .validate(stored) : .fetch(fallback: stored)
    }

    /// Whether the request directives of section 5.2.1 allow the use of the stored response.
    private static func isAcceptable(
        _ freshness: Freshness, _ asked: CacheControl, _ stored: StoredResponse
    ) -> Bool {
        if let maxAge = asked.maxAge, freshness.age >= Double(maxAge), !(asked.maxStale != nil && freshness.isFresh) {
            return false
        }
        if let minFresh = asked.minFresh, freshness.remaining < Double(minFresh) { return false }
        if freshness.isFresh { return true }
        guard let maxStale = asked.maxStale, !stored.forbidsStale(freshness) else { return false }
        return maxStale == .max || freshness.staleness <= Double(maxStale)
    }

    /// Whether a request asks the server in any case (sections 5.2.1.4 and 5.4).
    static func forbidsUnvalidated(_ request: HTTPFields) -> Bool {
        request[.cacheControl] == nil ? isPragmaNoCache(request) : CacheControl(request).noCache
    }

    private static func isPragmaNoCache(_ request: HTTPFields) -> Bool {
        guard let pragma = HTTPField.Name("Pragma") else { return false }
        return request[values: pragma].contains { $0.lowercased().split { ", \t".contains($0) }.contains("no-cache") }
    }
}

/// Whether a stale response may be used if the server fails (RFC 9111 section 4.2.4, RFC 5861
/// section 4).
enum StaleAnswer {
    /// The server could not be reached.
    static func isAllowedWhenDisconnected(
        _ stored: StoredResponse, _ request: HTTPFields, now: Double
    ) -> Bool {
        let asked = CacheControl(request)
        return !stored.forbidsStale(Freshness(of: stored, now: now)) && !asked.noCache && asked.maxAge == nil
            && asked.minFresh == nil
    }

    /// The server responded with an error.
    static func isAllowed(_ stored: StoredResponse, _ request: HTTPFields, afterStatus status: Int, now: Double) -> Bool
    {
        guard [500, 502, 503, 504].contains(status) else { return false }
        let freshness = Freshness(of: stored, now: now)
        // The directive of the response does not extend the redirects that led to it.
        let granted = freshness.areRedirectsValid ? CacheControl(stored.headers).staleIfError : nil
        guard !stored.forbidsStale(freshness), let grace = granted ?? CacheControl(request).staleIfError else {
            return false
        }
        return freshness.staleness < Double(grace)
    }
}

extension StoredResponse {
    /// Whether the stale response, or a stale redirect that led to it, forbids stale answers (RFC
    /// 9111 sections 5.2.2.2 and 5.2.2.4).
    fileprivate func forbidsStale(_ freshness: Freshness) -> Bool {
        let control = CacheControl(headers)
        return control.mustRevalidate || control.noCache
            || redirect?.mustRevalidate == true && !freshness.areRedirectsValid
    }
}
