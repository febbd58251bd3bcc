/// The validation of a stale response after it was delivered; at most one per key at a time.
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

    /// - Parameter whenTransferred: Called when the transfer has ended. The response may still be
    ///   checked and stored after that.
    func start(whenTransferred: @escaping @Sendable () -> Void) -> any Transfer {
        state.withLock { $0 = .started }
        var conditional = request
        if Validation.isPossible(stored) { Validation.makeConditional(&conditional.headers, on: stored) }
        let terms = ResponseRelay.Terms(asked: request.headers, validated: stored)
        let receiver = BackgroundReceiver(cache, lookup, transferred: whenTransferred) { [self] in end(.started) }
        return cache.transport.start(
            conditional, receiver: ResponseRelay(cache, conditional, lookup, terms, passingTo: receiver))
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

/// Receives the response of a background validation and stores it if it is acceptable.
private final class BackgroundReceiver: TransferReceiver, @unchecked Sendable {
    // Unchecked: a transport calls one method at a time.
    private let cache: HTTPCache
    private let lookup: HTTPCache.Lookup
    private var head: TransferHead?
    private var body: [UInt8] = []
    private let transferred: @Sendable () -> Void
    private let ended: @Sendable () -> Void

    init(
        _ cache: HTTPCache, _ lookup: HTTPCache.Lookup, transferred: @escaping @Sendable () -> Void,
        ended: @escaping @Sendable () -> Void
    ) {
        self.cache = cache
        self.lookup = lookup
        self.transferred = transferred
        self.ended = ended
    }

    func transferDidReceive(_ head: TransferHead) { self.head = head }

    func transferDidReceive(_ bytes: borrowing RawSpan) {
        bytes.withUnsafeBytes { body.append(contentsOf: $0) }
        if let head, lookup.keepsAnyStatus || (200..<300).contains(head.status) { head.pendingWrite?.receive(body) }
    }

    func transferDidFinish(_ result: Result<Void, ImageError>) {
        transferred()
        guard case .success = result, let head, head.origin == .network, let pendingWrite = head.pendingWrite else {
            return ended()
        }
        let (cache, body) = (cache, body)
        if lookup.keepsAnyStatus {
            pendingWrite.commit(body)
            return ended()
        }
        // An error, or an HTML page with status 200, must not replace an image.
        guard (200..<300).contains(head.status) else { return ended() }
        Task { [ended] in
            if await cache.accepts(body) { pendingWrite.commit(body) } else { pendingWrite.discard() }
            ended()
        }
    }
}
