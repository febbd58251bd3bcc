// A private cache after RFC 9111 between those who want a response and the transport.

import HTTPTypes

/// Answers requests from a store where HTTP and the policy allow it, and else from the network.
struct HTTPCache: Sendable {
    let store: (any ResponseStore)?
    var transport: any Transport
    let clock: any PipelineClock
    /// Whether a body is an image. Asked for bodies that no request waits for.
    let accepts: @Sendable ([UInt8]) async -> Bool
    /// Whether responses or images are kept: if not, their freshness is not computed.
    let keepsAnything: Bool
    /// What is going on behind those who ask.
    let background = PendingCacheWork()
    /// Starts a validation, at once or when there is a place for its transfer.
    var startInBackground: @Sendable (BackgroundValidation) -> Void = { _ = $0.start {} }

    init(
        store: (any ResponseStore)?, transport: any Transport, clock: any PipelineClock,
        accepts: @escaping @Sendable ([UInt8]) async -> Bool = { _ in true }, isMemoryCached: Bool = false
    ) {
        self.store = store
        self.transport = transport
        self.clock = clock
        self.accepts = accepts
        keepsAnything = store != nil || isMemoryCached
    }

    /// What is asked of the cache.
    struct Lookup: Sendable {
        /// What the response is stored under.
        var key: String
        var policy: CachePolicy
        /// The age in seconds from which a stored response does not answer; `nil` for ever.
        var expiry: Double?
        /// Whether any status is an answer; the loader of an image takes only successes for one.
        var keepsAnyStatus = false
        /// Whether an error in the store does not answer, however fresh it is: the load is a retry.
        var ignoresStoredErrors = false
    }

    /// Answers `request`; the receiver is told as by a transport, and by the head where the answer came from.
    func start(
        _ request: TransferRequest, _ lookup: Lookup, receiver: any TransferReceiver
    ) -> any Transfer {
        guard store != nil || Self.isDecided(by: request, lookup.policy) else {
            // Freshness counts without a store too: for what is kept in memory.
            let terms = ResponseRelay.Terms(asked: request.headers)
            return transport.start(
                request, receiver: ResponseRelay(self, request, lookup, terms, passingTo: receiver))
        }
        return CachedTransfer(self, request, lookup, receiver).begin()
    }

    /// Whether there is something to decide although nothing is stored: whether the server may be asked at all (RFC 9111
    /// section 5.2.1.7), and with which words.
    private static func isDecided(by request: TransferRequest, _ policy: CachePolicy) -> Bool {
        switch policy {
        case .storedOnly, .revalidate: true
        case .http: request.headers[.cacheControl] != nil && CacheControl(request.headers).onlyIfCached
        case .stored, .reload, .noStore: false
        }
    }

    // MARK: Keeping

    /// The write of a response to the store, which begins once its body is known to be good. `nil` if the response must not
    /// be stored.
    ///
    /// - Parameter partial: The beginning that is stored and goes on with this response.
    func pendingWrite(
        for response: StoredResponse, _ request: TransferRequest, _ lookup: Lookup, continuing partial: PartialResponse?
    ) -> PendingWrite? {
        guard let store, lookup.policy != .noStore, response.status != 304 else { return nil }
        // Under `stored` the policy says what is kept, but never what must not be (RFC 9111 section 5.2.2.5).
        let isStorable =
            response.redirect?.isStorable != false
            && Storability.isStorable(status: response.status, response.headers, request: request.headers)
        let isKeptByPolicy =
            lookup.policy == .stored && (200..<300).contains(response.status) && response.status != 206
            && response.mayBeKept && !CacheControl(request.headers).noStore
        guard isStorable || isKeptByPolicy else {
            // What is stored must not outlive what replaces it.
            if (200..<400).contains(response.status), response.status != 206 { forget(lookup.key, request) }
            return nil
        }
        return PendingWrite(
            response, key: lookup.key, store: store, requestHeaders: request.headers,
            wasPartial: request.headers[.range] != nil, continuing: partial?.body.count ?? 0, background: background)
    }

    /// Until when, on the pipeline's clock, a response answers without being asked for; nil for ever.
    func freshUntil(_ response: StoredResponse, _ policy: CachePolicy) -> Duration? {
        if policy == .stored || policy == .storedOnly { return nil }
        let control = CacheControl(response.headers)
        var remaining = control.noCache ? 0 : Freshness(of: response, now: clock.secondsSince1970).remaining
        if !Freshness.isSpecified(by: response), !control.noCache {
            remaining = max(remaining, Freshness.unspecifiedLifetime)
        }
        return remaining > Double(CacheControl.maxSeconds) ? nil : clock.now + .seconds(remaining)
    }

    private func forget(_ key: String, _ request: TransferRequest) {
        guard let store else { return }
        background.onDisk {
            if store.responses(for: key).contains(where: { VaryMatching.matches($0, request.headers) }) {
                store.remove(key)
            }
        }
    }
}
