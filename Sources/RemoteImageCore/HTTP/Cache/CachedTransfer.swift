// One request on its way through the cache: the store is asked first, then the network if it must be.

import HTTPTypes

/// A transfer that a stored response may answer.
final class CachedTransfer: Transfer {
    private enum State {
        case lookingUp(Task<Void, Never>?)
        case running(any Transfer)
        case cancelled
    }

    private let cache: HTTPCache
    private let request: TransferRequest
    private let lookup: HTTPCache.Lookup
    private let receiver: any TransferReceiver
    private let state = Lock(State.lookingUp(nil))
    /// Of several transfers the last one counts.
    private let transferCount = Lock(0)

    init(
        _ cache: HTTPCache, _ request: TransferRequest, _ lookup: HTTPCache.Lookup, _ receiver: any TransferReceiver
    ) {
        self.cache = cache
        self.request = request
        self.lookup = lookup
        self.receiver = receiver
    }

    func begin() -> CachedTransfer {
        let task = Task(executorPreference: WorkerThreads.disk) { [self] in run() }
        state.withLock { state in
            if case .lookingUp = state { state = .lookingUp(task) }
        }
        return self
    }

    func cancel() {
        let old = state.withLock { state in
            defer { state = .cancelled }
            return state
        }
        // A look-up that is under way sees it before it reads the body.
        if case .running(let transfer) = old { transfer.cancel() }
    }

    private var isCancelled: Bool {
        state.withLock { state in
            if case .cancelled = state { true } else { false }
        }
    }

    private func run() {
        // Cancelled: nothing is read.
        if isCancelled { return receiver.transferDidFinish(.failure(.cancelled)) }
        let stored = storedResponse()
        // Cancelled during the look-up: the body is not read.
        if isCancelled { return receiver.transferDidFinish(.failure(.cancelled)) }
        let now = cache.clock.secondsSince1970
        let decision = CacheDecision(
            for: request.headers, policy: lookup.policy, stored: stored, expiry: lookup.expiry, now: now)
        var terms = ResponseRelay.Terms(asked: request.headers)
        switch decision {
        case .use(let response, let origin):
            if !deliver(response, origin) { forward(terms) }
        case .useAndValidate(let response):
            // Before the response: its receiver may wait for pending work and then exit the program.
            let validation = BackgroundValidation(response, request, lookup, cache)
            guard deliver(response, .stale) else {
                validation?.abandon()
                return forward(terms)
            }
            if let validation { cache.startInBackground(validation) }
        case .validate(let response):
            (terms.validated, terms.fallback) = (response, response)
            forward(terms)
        case .fetch(let fallback):
            (terms.fallback, terms.partial) = (fallback, partialResponse())
            forward(terms)
        case .refuse: refuse()
        }
    }

    private func storedResponse() -> StoredResponse? {
        guard let store = cache.store, lookup.policy != .reload, lookup.policy != .noStore,
            !Validation.isConditional(request.headers)
        else { return nil }
        let found = store.responses(for: lookup.key).first { VaryMatching.matches($0, request.headers) }
        guard let found, !lookup.keepsAnyStatus, !(200..<300).contains(found.status) else { return found }
        // An error answers only while it is fresh: it is not validated, and replaces no connection that fails.
        guard !lookup.ignoresStoredErrors, lookup.policy != .revalidate else { return nil }
        let now = cache.clock.secondsSince1970
        let decision = CacheDecision(
            for: request.headers, policy: lookup.policy, stored: found, expiry: lookup.expiry, now: now)
        guard case .use = decision, Freshness(of: found, now: now).isFresh else { return nil }
        return found
    }

    /// What an earlier transfer brought before it broke off.
    private func partialResponse() -> PartialResponse? {
        guard let store = cache.store, lookup.policy != .reload, lookup.policy != .noStore else { return nil }
        return PartialResponse.stored(beside: lookup.key, for: request.headers, in: store)
    }

    /// Hands a stored response out; false where its body is gone.
    private func deliver(_ response: StoredResponse, _ origin: ImageOrigin) -> Bool {
        guard let body = cache.store?.body(of: response, for: lookup.key) else {
            cache.store?.remove(lookup.key)
            return false
        }
        response.deliver(body, origin, request, lookup, cache, to: receiver)
        return true
    }

    private func forward(_ terms: ResponseRelay.Terms) {
        guard lookup.policy != .storedOnly else { return refuse() }
        if isCancelled { return receiver.transferDidFinish(.failure(.cancelled)) }
        var request = request
        terms.partial?.ask(&request.headers)
        if let stored = terms.validated { Validation.makeConditional(&request.headers, on: stored) }
        if lookup.policy == .revalidate, request.headers[.cacheControl] == nil {
            request.headers[.cacheControl] = "max-age=0"
        }
        let number = transferCount.withLock { count in
            count += 1
            return count
        }
        let transfer = cache.transport.start(
            request, receiver: ResponseRelay(cache, request, lookup, terms, passingTo: receiver, owner: self))
        let isCancelled = state.withLock { state in
            if case .cancelled = state { return true }
            // One that was started over is ahead of the one that it replaces.
            guard transferCount.withLock({ $0 == number }) else { return true }
            state = .running(transfer)
            return false
        }
        if isCancelled { transfer.cancel() }
    }

    // MARK: What the relay asks for

    /// What the server sent is good for nothing: everything is asked for, without conditions.
    func startOver(fallback: StoredResponse?) {
        leaveTransfer()
        var terms = ResponseRelay.Terms(asked: request.headers)
        terms.fallback = fallback
        forward(terms)
    }

    /// Cancels the transfer without a result.
    func leaveTransfer() {
        transferCount.withLock { $0 += 1 }
        let old: (any Transfer)? = state.withLock { state in
            guard case .running(let transfer) = state else { return nil }
            state = .lookingUp(nil)
            return transfer
        }
        old?.cancel()
    }

    private func refuse() {
        guard lookup.keepsAnyStatus, lookup.policy != .storedOnly else {
            return receiver.transferDidFinish(
                .failure(ImageError(.notStored, request.address.stringWithoutUserInfo)))
        }
        receiver.transferDidReceive(.gatewayTimeout(for: request.address))
        receiver.transferDidFinish(.success(()))
    }
}
