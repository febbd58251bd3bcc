/// The validation of a stale response after it was delivered (`stale-while-revalidate`, RFC 5861
/// section 3); at most one per key at a time. ``CacheDecision`` decides whether it is needed.
final class BackgroundValidation: Sendable {
    private enum State {
        case waiting, started, ended
    }

    private let stored: StoredResponse
    private let request: TransferRequest
    private let lookup: HTTPCache.Lookup
    private let cache: HTTPCache
    private let state = Lock(State.waiting)

    var key: String { lookup.key }
    var address: WebAddress { request.address }

    /// Registers the validation as pending work. Returns `nil` if the key is already being
    /// validated. The caller must call ``start(whenTransferred:)`` or ``abandon()``.
    init?(
        _ stored: StoredResponse, _ request: TransferRequest, _ lookup: HTTPCache.Lookup, _ cache: HTTPCache
    ) {
        guard cache.background.beginValidation(of: lookup.key) else { return nil }
        self.stored = stored
        self.request = request
        self.lookup = lookup
        self.cache = cache
    }

    /// Sends no request if the validation was abandoned before.
    ///
    /// - Parameter whenTransferred: Called when the transfer has ended. The response may still be
    ///   checked and stored after that.
    func start(whenTransferred: @escaping @Sendable () -> Void) -> any Transfer {
        let isWaiting = state.withLock { state in
            guard state == .waiting else { return false }
            state = .started
            return true
        }
        guard isWaiting else {
            let receiver = ResponseCollector { _, _, _ in whenTransferred() }
            return FailingTransport(error: .cancelled).start(request, receiver: receiver)
        }
        let request = lookup.complete(request)
        var conditional = request
        if Validation.isPossible(stored) { Validation.makeConditional(&conditional.headers, on: stored) }
        let terms = ResponseRelay.Terms(asked: request.headers, validated: stored)
        let receiver = ResponseCollector(acceptsAnyStatus: lookup.keepsAnyStatus) { [self] head, body, result in
            whenTransferred()
            store(head, body, result)
        }
        return cache.transport.start(
            conditional, receiver: ResponseRelay(cache, conditional, lookup, terms, passingTo: receiver))
    }

    /// Stores the response if it is acceptable, and ends the validation.
    private func store(_ head: TransferHead?, _ body: [UInt8], _ result: Result<Void, ImageError>) {
        // An error, or an HTML page with status 200, must not replace an image.
        guard case .success = result, let head, head.origin == .network, let pendingWrite = head.pendingWrite,
            lookup.keepsAnyStatus || head.isSuccess
        else { return end(.started) }
        Task {
            if await cache.accepts(body) { pendingWrite.commit(body) } else { pendingWrite.discard() }
            end(.started)
        }
    }

    /// Ends a validation that has not started; otherwise does nothing.
    func abandon() { end(.waiting) }

    private func end(_ expected: State) {
        let isFirst = state.withLock { state in
            guard state == expected else { return false }
            state = .ended
            return true
        }
        if isFirst { cache.background.endValidation(of: key) }
    }
}
