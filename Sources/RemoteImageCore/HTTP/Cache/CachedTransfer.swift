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
    private let hasStartedOver = Lock(false)

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
        // A look-up that is under way sees it when it ends.
        if case .running(let transfer) = old { transfer.cancel() }
    }

    private var isCancelled: Bool {
        state.withLock { state in
            if case .cancelled = state { true } else { false }
        }
    }

    private func run() {
        // Nobody waits any more: nothing is read.
        if isCancelled { return receiver.transferDidFinish(.failure(.cancelled)) }
        let stored = storedResponse()
        let now = cache.clock.secondsSince1970
        let decision = CacheDecision(
            for: request.headers, policy: lookup.policy, stored: stored, expiry: lookup.expiry, now: now)
        switch decision {
        case .use(let response, let origin):
            if !deliver(response, origin) { forward(validating: nil, fallback: nil) }
        case .useAndValidate(let response):
            guard deliver(response, .stale) else { return forward(validating: nil, fallback: nil) }
            BackgroundValidation.start(response, request, lookup, cache)
        case .validate(let response): forward(validating: response, fallback: response)
        case .fetch(let fallback): forward(validating: nil, fallback: fallback, resuming: partialResponse())
        case .refuse: refuse()
        }
    }

    private func storedResponse() -> StoredResponse? {
        guard let store = cache.store, lookup.policy != .reload, lookup.policy != .noStore,
            !Validation.isConditional(request.headers)
        else { return nil }
        return store.responses(for: lookup.key).first { Variation.matches($0, request.headers) }
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
        ResponseRelay.deliver(response, body, origin, lookup, cache, to: receiver)
        return true
    }

    private func forward(
        validating stored: StoredResponse?, fallback: StoredResponse?, resuming partial: PartialResponse? = nil
    ) {
        guard lookup.policy != .storedOnly else { return refuse() }
        var request = request
        partial?.ask(&request.headers)
        if let stored { Validation.makeConditional(&request.headers, on: stored) }
        if lookup.policy == .revalidate, request.headers[.cacheControl] == nil {
            request.headers[.cacheControl] = "max-age=0"
        }
        let relay = ResponseRelay(
            cache, request, lookup, passingTo: receiver, validating: stored, fallback: fallback)
        if let partial {
            relay.resume(partial) { [self] in startOver(fallback: fallback) }
        }
        let transfer = cache.transport.start(request, receiver: relay)
        let isCancelled = state.withLock { state in
            if case .cancelled = state { return true }
            // A transfer that was started over is ahead of the one that it replaces.
            guard partial == nil || !hasStartedOver.withLock({ $0 }) else { return true }
            state = .running(transfer)
            return false
        }
        if isCancelled { transfer.cancel() }
    }

    /// What the server sent is not the rest of what is there: everything is asked for.
    private func startOver(fallback: StoredResponse?) {
        hasStartedOver.withLock { $0 = true }
        let old: (any Transfer)? = state.withLock { state in
            if case .running(let transfer) = state { transfer } else { nil }
        }
        forward(validating: nil, fallback: fallback)
        old?.cancel()
    }

    private func refuse() {
        guard lookup.keepsAnyStatus, lookup.policy != .storedOnly else {
            return receiver.transferDidFinish(
                .failure(ImageError(.notStored, request.address.stringWithoutUserInfo)))
        }
        var head = TransferHead(status: 504, address: request.address, expectedByteCount: 0)
        head.origin = .generated
        receiver.transferDidReceive(head)
        receiver.transferDidFinish(.success(()))
    }
}

/// Validations behind responses that were handed out stale: one for each key at a time.
enum BackgroundValidation {
    static func start(
        _ stored: StoredResponse, _ request: TransferRequest, _ lookup: HTTPCache.Lookup, _ cache: HTTPCache
    ) {
        guard cache.background.beginValidation(of: lookup.key) else { return }
        var conditional = request
        if Validation.isPossible(stored) { Validation.makeConditional(&conditional.headers, on: stored) }
        let listener = BackgroundReceiver { cache.background.endValidation(of: lookup.key) }
        _ = cache.transport.start(
            conditional,
            receiver: ResponseRelay(
                cache, conditional, lookup, passingTo: listener, validating: stored, fallback: nil))
    }
}

/// Takes what a validation in the background brings, and stores it.
private final class BackgroundReceiver: TransferReceiver, @unchecked Sendable {
    // Unchecked: a transport calls one method at a time.
    private var head: TransferHead?
    private var body: [UInt8] = []
    private let ended: @Sendable () -> Void

    init(ended: @escaping @Sendable () -> Void) {
        self.ended = ended
    }

    func transferDidReceive(_ head: TransferHead) { self.head = head }

    func transferDidReceive(_ bytes: borrowing RawSpan) {
        bytes.withUnsafeBytes { body.append(contentsOf: $0) }
    }

    func transferDidFinish(_ result: Result<Void, ImageError>) {
        if case .success = result, head?.origin == .network { head?.ticket?.commit(body) }
        ended()
    }
}
