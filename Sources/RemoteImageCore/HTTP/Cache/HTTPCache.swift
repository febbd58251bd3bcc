// A private cache (RFC 9111) between requests and the transport.

import HTTPTypes

/// Serves requests from a store if HTTP and the cache policy allow it, and otherwise from the
/// network.
package struct HTTPCache: Sendable {
    let store: (any ResponseStore)?
    var transport: any Transport
    let clock: any PipelineClock
    /// Returns the error of a body that is not an image within the decode limits of its request;
    /// `nil` limits are those of the pipeline. Used for bodies that no image request decodes.
    let refusal: @Sendable ([UInt8], DecodeLimits?) async -> ImageError?
    /// Whether responses or images are cached. If not, their freshness is not computed.
    let keepsAnything: Bool
    /// Pending writes and background validations.
    let background = PendingCacheWork()
    /// Starts a validation, at once or when its transfer has a place.
    var startInBackground: @Sendable (BackgroundValidation) -> Void = { validation in
        Task { await validation.run {} }
    }

    package init(
        store: (any ResponseStore)?, transport: any Transport, clock: any PipelineClock = SystemClock(),
        refusal: @escaping @Sendable ([UInt8], DecodeLimits?) async -> ImageError? = { _, _ in nil },
        isMemoryCached: Bool = false
    ) {
        self.store = store
        self.transport = transport
        self.clock = clock
        self.refusal = refusal
        keepsAnything = store != nil || isMemoryCached
    }

    /// The cache parameters of a request.
    struct Lookup: Sendable {
        /// The key of the response in the store.
        var key: String
        var policy: CachePolicy
        /// The age in seconds from which a stored response is not used; `nil` for no limit.
        var expiry: Double?
        /// Whether a response of any status is a valid result; image loads accept only successful
        /// ones.
        var keepsAnyStatus = false
        /// Whether the key names an account. `Vary` then does not compare credentials, so that a
        /// new token of the account finds its responses again.
        var hasAccount = false
        /// Whether a stored error response is not used even if it is fresh, because the load is a
        /// retry.
        var ignoresStoredErrors = false
        /// See ``LoadKey/accountGeneration``.
        var accountGeneration: Int?
        /// The limits within which a new response is checked in the background; `nil` for those of
        /// the pipeline.
        var decodeLimits: DecodeLimits?
        /// Set if the server need not be asked, since it cannot be reached.
        var unreachable: ImageError?
        /// Chooses the resized image that stands for the body of a stored response; `nil` if only
        /// the body can be used.
        var chooseResized: (@Sendable ([ResizedImage.Description]) -> Int?)?
        /// Called with each result of the cache, on any thread.
        var report: (@Sendable (CacheResult) -> Void)?
        /// A header whose value takes time to find out, for requests without it. `value` is called
        /// before a request is sent or compared with a `Vary` header that names the field, perhaps
        /// repeatedly, on any thread.
        var lateHeader: (name: HTTPField.Name, value: @Sendable () -> String)?

        /// The request with all its headers.
        func complete(_ request: TransferRequest) -> TransferRequest {
            guard let lateHeader, request.headers[lateHeader.name] == nil else { return request }
            var request = request
            request.headers[lateHeader.name] = lateHeader.value()
            return request
        }

        /// Whether a stored response matches a request (RFC 9111 section 4.1).
        func matches(_ response: StoredResponse, _ request: TransferRequest) -> Bool {
            let names = VaryMatching.names(in: response.headers) ?? []
            let isComplete = lateHeader.map { !names.contains($0.name.canonicalName) } ?? true
            return VaryMatching.matches(
                response, headersForVary(isComplete ? request.headers : complete(request).headers))
        }

        /// The headers of a request that `Vary` compares.
        func headersForVary(_ headers: HTTPFields) -> HTTPFields {
            hasAccount ? HTTPFields(headers.filter { ![.authorization, .cookie].contains($0.name) }) : headers
        }
    }

    /// Whether the cache takes part although it has no store: it may have to refuse the request
    /// (RFC 9111 section 5.2.1.7) or to add headers to it.
    static func appliesWithoutStore(to request: TransferRequest, _ policy: CachePolicy) -> Bool {
        [.cacheOnly, .revalidate].contains(policy) || forbidsAsking(request.headers, policy)
    }

    /// Whether a request forbids asking the server (RFC 9111 section 5.2.1.7).
    static func forbidsAsking(_ request: HTTPFields, _ policy: CachePolicy) -> Bool {
        switch policy {
        case .http, .staleWhileRevalidate: request[.cacheControl] != nil && CacheControl(request).onlyIfCached
        case .cacheOnly: true
        case .cacheElseLoad, .reload, .noStore, .revalidate: false
        }
    }

    // MARK: Storing

    /// The write of a response to the store, or the removal of the stored response that it
    /// replaces, which starts after its body was accepted. `nil` if the store does not change.
    ///
    /// - Parameter partial: The stored partial response that this response continues.
    func pendingWrite(
        for response: StoredResponse, _ request: TransferRequest, _ lookup: Lookup, continuing partial: PartialResponse?
    ) -> PendingWrite? {
        guard let store, lookup.policy != .noStore, response.status != 304 else { return nil }
        // The policy `cacheElseLoad` also keeps responses that HTTP does not consider storable, but
        // never those that must not be stored (RFC 9111 section 5.2.2.5).
        let isStorable =
            response.redirect?.isStorable != false
            && Storability.isStorable(status: response.status, response.headers, request: request.headers)
        let isKeptByPolicy =
            lookup.policy == .cacheElseLoad && (200..<300).contains(response.status) && response.status != 206
            && response.mayBeKept && !CacheControl(request.headers).noStore
        let isKept = isStorable || isKeptByPolicy
        // Such a response replaces the stored one, even if it may not be stored itself.
        guard isKept || (200..<400).contains(response.status) && response.status != 206 else { return nil }
        return PendingWrite(
            response, key: lookup.key, isStorable: isKept, store: store,
            requestHeaders: lookup.headersForVary(request.headers),
            wasPartial: request.headers[.range] != nil, continuing: partial?.body.count ?? 0,
            accountGeneration: lookup.accountGeneration, background: background)
    }

    /// The time on the pipeline's clock until which a response is fresh for further requests with
    /// these fields; `nil` for no limit.
    func freshUntil(_ response: StoredResponse, _ asked: HTTPFields) -> Duration? {
        let (control, now) = (CacheControl(asked), clock.secondsSince1970)
        // Section 5.2.1.
        if control.noStore || CacheDecision.forbidsUnvalidated(asked) { return clock.now }
        var remaining = Freshness.remainingInMemory(of: response, now: now)
        if let maxAge = control.maxAge {
            remaining = min(remaining, Double(maxAge) - Freshness(of: response, now: now).age)
        }
        remaining = max(0, remaining - Double(control.minFresh ?? 0))
        return remaining > Double(CacheControl.maxSeconds) ? nil : clock.now + .seconds(remaining)
    }
}
