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
    /// validated. The caller must call ``run(whenTransferred:)`` or ``abandon()``.
    init?(
        _ stored: StoredResponse, _ request: TransferRequest, _ lookup: HTTPCache.Lookup, _ cache: HTTPCache
    ) {
        guard cache.background.beginValidation(of: lookup.key) else { return nil }
        self.stored = stored
        self.request = request
        self.lookup = lookup
        self.cache = cache
    }

    /// Asks the server, and stores its response if it is acceptable. Sends no request if the
    /// validation was abandoned before.
    ///
    /// - Parameter whenTransferred: Called when the transfer has ended. The response may still be
    ///   checked and stored after that.
    func run(whenTransferred: () -> Void) async {
        let isWaiting = state.withLock { state in
            guard state == .waiting else { return false }
            state = .started
            return true
        }
        guard isWaiting else { return whenTransferred() }
        let data = try? await cache.ask(request, lookup, HTTPCache.Conditions(validated: stored)) { _, _ in }
        whenTransferred()
        // An error, or an HTML page with status 200, must not replace an image.
        if let data, data.origin == .network, let pendingWrite = data.pendingWrite,
            lookup.keepsAnyStatus || data.isSuccess
        {
            let refusal = await cache.refusal(data.bytes, lookup.decodeLimits)
            await pendingWrite.finish(refusal == nil ? .accepted(data.bytes) : .unused)
        }
        end(.started)
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
