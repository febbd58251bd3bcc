// A request that passes through the cache: first the store is searched, then the server is asked if
// necessary.

import HTTPTypes

/// A transfer that a stored response may serve.
final class CachedTransfer: Transfer {
    private struct State {
        /// The transfer that the server answers; `nil` before it starts, and between two of them.
        var transfer: (any Transfer)?
        /// The number of the current transfer; earlier ones are obsolete.
        var transferNumber = 0
        var isCancelled = false
    }

    private let cache: HTTPCache
    private let request: TransferRequest
    private let lookup: HTTPCache.Lookup
    private let receiver: any TransferReceiver
    private let state = Lock(State())

    init(
        _ cache: HTTPCache, _ request: TransferRequest, _ lookup: HTTPCache.Lookup, _ receiver: any TransferReceiver
    ) {
        self.cache = cache
        self.request = request
        self.lookup = lookup
        self.receiver = receiver
    }

    func begin() -> CachedTransfer {
        let start: @Sendable () -> Void = { [self] in
            Task(executorPreference: WorkerThreads.disk) { self.run() }
        }
        if readsStore { cache.background.afterWrites(of: lookup.key, start) } else { start() }
        return self
    }

    func cancel() {
        let transfer = state.withLock { state in
            state.isCancelled = true
            return state.transfer.take()
        }
        // A running lookup checks for cancellation before it reads the body.
        transfer?.cancel()
    }

    private var isCancelled: Bool { state.withLock { $0.isCancelled } }

    private func run() {
        if isCancelled { return receiver.transferDidFinish(.failure(.cancelled)) }
        let stored = storedResponse()
        // Do not read the body after a cancellation.
        if isCancelled { return receiver.transferDidFinish(.failure(.cancelled)) }
        let now = cache.clock.secondsSince1970
        let decision = CacheDecision(
            for: request.headers, policy: lookup.policy, stored: stored, expiry: lookup.expiry, now: now)
        switch decision {
        case .use(let response, let origin):
            lookup.report?(origin == .stale ? .stale : .fresh)
            if !deliver(response, origin) { forward() }
        case .useAndValidate(let response):
            // Created before the response is delivered: its receiver may wait for pending work and
            // then exit the program.
            let validation = BackgroundValidation(response, request, lookup, cache)
            lookup.report?(.staleWhileRevalidate)
            guard deliver(response, .stale) else {
                validation?.abandon()
                return forward()
            }
            if let validation { cache.startInBackground(validation) }
        case .validate(let response):
            lookup.report?(.validating)
            // Both conditions may be sent: servers evaluate `If-None-Match` before `If-Range` (RFC
            // 9110 section 13.2.2).
            forward(validating: response, fallback: response, continuing: partialResponse())
        case .fetch(let fallback):
            if cache.store != nil {
                lookup.report?(fallback != nil ? .expired : readsStore ? .miss : .bypassed)
            }
            forward(fallback: fallback, continuing: partialResponse())
        case .refuse: refuse()
        }
    }

    private var readsStore: Bool { lookup.policy != .reload && lookup.policy != .noStore }

    private func storedResponse() -> StoredResponse? {
        guard let store = cache.store, readsStore, !Validation.isConditional(request.headers)
        else { return nil }
        // A body above the limit of the request is not read: another request may have stored it, or
        // its metadata is damaged.
        let found = store.responses(for: lookup.key).first { response in
            response.body.byteCount <= request.limits.maxBodyByteCount && lookup.matches(response, request)
        }
        guard let found, !lookup.keepsAnyStatus, !(200..<300).contains(found.status) else { return found }
        // A stored error response is used only while it is fresh: it is not validated, and it is
        // not a fallback for a failed connection.
        guard !lookup.ignoresStoredErrors, lookup.policy != .revalidate else { return nil }
        let now = cache.clock.secondsSince1970
        let decision = CacheDecision(
            for: request.headers, policy: lookup.policy, stored: found, expiry: lookup.expiry, now: now)
        guard case .use = decision, Freshness(of: found, now: now).isFresh else { return nil }
        return found
    }

    /// The stored part of an earlier transfer that was interrupted.
    private func partialResponse() -> PartialResponse? {
        guard let store = cache.store, readsStore else { return nil }
        let headers = lookup.headersForVary(lookup.complete(request).headers)
        return PartialResponse.stored(
            beside: lookup.key, for: headers, maxByteCount: request.limits.maxBodyByteCount, in: store)
    }

    /// Delivers a stored response; returns `false` if its body is missing.
    private func deliver(_ response: StoredResponse, _ origin: ImageOrigin) -> Bool {
        guard let content = cache.content(of: response, lookup) else {
            cache.store?.forget(response, for: lookup.key)
            lookup.report?(.miss)
            return false
        }
        response.deliver(content, origin, request, lookup, cache, to: receiver)
        return true
    }

    private func forward(
        validating stored: StoredResponse? = nil, fallback: StoredResponse? = nil,
        continuing partial: PartialResponse? = nil
    ) {
        guard lookup.policy != .storedOnly else { return refuse() }
        if isCancelled { return receiver.transferDidFinish(.failure(.cancelled)) }
        var request = lookup.complete(request)
        let terms = ResponseRelay.Terms(
            asked: request.headers, validated: stored, fallback: fallback, partial: partial)
        if let partial {
            lookup.report?(.resuming(byteCount: partial.body.count))
            partial.ask(&request.headers)
        }
        if let stored { Validation.makeConditional(&request.headers, on: stored) }
        if lookup.policy == .revalidate, request.headers[.cacheControl] == nil {
            request.headers[.cacheControl] = "max-age=0"
        }
        let number = state.withLock { state in
            state.transferNumber += 1
            return state.transferNumber
        }
        let transfer = cache.transport.start(
            request,
            receiver: ResponseRelay(cache, request, lookup, terms, passingTo: receiver, owner: self, number: number))
        let isCurrent = state.withLock { state in
            // The relay may have started another transfer meanwhile.
            guard !state.isCancelled, state.transferNumber == number else { return false }
            state.transfer = transfer
            return true
        }
        if !isCurrent { transfer.cancel() }
    }

    // MARK: Calls of the relay

    /// Releases a transfer that has ended, perhaps before ``Transport/start(_:receiver:)`` has
    /// returned.
    func transferDidEnd(_ number: Int) {
        // Released outside the lock, since it may be a type of the program.
        _ = state.withLock { state -> (any Transfer)? in
            guard state.transferNumber == number else { return nil }
            state.transferNumber += 1
            return state.transfer.take()
        }
    }

    /// Discards an unusable response and repeats the request without conditions.
    func startOver(fallback: StoredResponse?) {
        leaveTransfer()
        forward(fallback: fallback)
    }

    /// Cancels the transfer without a result.
    func leaveTransfer() {
        let transfer = state.withLock { state in
            state.transferNumber += 1
            return state.transfer.take()
        }
        transfer?.cancel()
    }

    private func refuse() {
        lookup.report?(.refused)
        guard lookup.keepsAnyStatus, lookup.policy != .storedOnly else {
            return receiver.transferDidFinish(
                .failure(ImageError(.notStored, request.address.stringWithoutUserInfo)))
        }
        receiver.receiveGatewayTimeout(from: request.address)
    }
}
