// The replacement of refused credentials: one call of the program for any number of transfers.

/// Replaces refused credentials. There is one for each pipeline.
final class CredentialRefresher: Sendable {
    /// The requests that one credential authorizes.
    struct Space: Hashable, Sendable {
        let account: String
        let field: String
        /// Scheme, host and port.
        let origin: String

        init(_ provider: AuthorizationProvider, _ address: WebAddress) {
            account = provider.account
            field = provider.field.canonicalName
            origin = "\(address.scheme)://\(address.authority)"
        }
    }

    typealias Outcome = Result<String?, ImageError>

    private struct State {
        var running: Task<Outcome, Never>?
        var last: (outcome: Outcome, endedAt: Duration)?
        /// Credentials that were refused, the newest last.
        var refused: [String?] = []

        /// The credential that replaced a refused one.
        func replacement(of credential: String?) -> String?? {
            guard refused.contains(credential), case .success(let new)? = last?.outcome, new != credential else {
                return nil
            }
            return .some(new)
        }
    }

    private enum Decision {
        case use(String?)
        case wait(for: Task<Outcome, Never>)
        case fail(ImageError)
        /// The refusal is the result of the request.
        case accept
    }

    /// The time after which a refused credential is replaced again for a load that was requested
    /// before its last replacement. Within this time, all those loads share the outcome, so that an
    /// account that was closed does not cause one replacement for each image.
    static let sharedOutcomeLifetime = Duration.seconds(60)
    private static let maxRefusedCount = 8

    private let states = Lock<[Space: State]>([:])
    private let clock: any PipelineClock

    init(clock: any PipelineClock) {
        self.clock = clock
    }

    /// The credential to use instead of one that the provider returned: the same, unless it is
    /// known to be refused.
    func current(_ credential: String?, in space: Space) async throws(ImageError) -> String? {
        let (running, replacement) = states.withLock { states -> (Task<Outcome, Never>?, String??) in
            guard let state = states[space], state.refused.contains(credential) else { return (nil, nil) }
            return (state.running, state.replacement(of: credential))
        }
        if let running { return try await Self.value(of: running).get() }
        return replacement ?? credential
    }

    /// The replacement of a refused credential; `nil` if the refusal is final.
    ///
    /// - Parameters:
    ///   - requestedAt: When the load was requested.
    ///   - limit: The time limit of the provider.
    func replacement(
        for refusal: AuthorizationRequest.Refusal, of address: WebAddress, by provider: AuthorizationProvider,
        requestedAt: Duration, limit: Duration
    ) async throws(ImageError) -> String?? {
        let space = Space(provider, address)
        let decision = states.withLock { states in
            decide(on: refusal, &states[space, default: State()], requestedAt: requestedAt) {
                Task { [weak self, clock] in
                    let outcome: Outcome = await Result { () async throws(ImageError) in
                        try await provider.credential(
                            for: AuthorizationRequest(address: address, refusal: refusal), limit: limit, clock)
                    }
                    self?.end(space, outcome)
                    return outcome
                }
            }
        }
        switch decision {
        case .use(let credential): return .some(credential)
        case .fail(let error): throw error
        case .accept: return nil
        case .wait(let refresh):
            let credential = try await Self.value(of: refresh).get()
            return credential == refusal.credential ? nil : .some(credential)
        }
    }

    private func decide(
        on refusal: AuthorizationRequest.Refusal, _ state: inout State, requestedAt: Duration,
        start: () -> Task<Outcome, Never>
    ) -> Decision {
        if let running = state.running { return .wait(for: running) }
        let refused = refusal.credential
        if let new = state.replacement(of: refused) { return .use(new) }
        if let (outcome, endedAt) = state.last, endedAt >= requestedAt,
            clock.now - endedAt < Self.sharedOutcomeLifetime
        {
            switch outcome {
            case .failure(let error): return .fail(error)
            case .success(let new) where new == refused: return .accept
            case .success: break
            }
        }
        state.refused.removeAll { $0 == refused }
        state.refused.append(refused)
        if state.refused.count > Self.maxRefusedCount { state.refused.removeFirst() }
        let refresh = start()
        state.running = refresh
        return .wait(for: refresh)
    }

    private func end(_ space: Space, _ outcome: Outcome) {
        let now = clock.now
        states.withLock { states in
            // The account may have been removed meanwhile.
            guard var state = states[space] else { return }
            state.running = nil
            state.last = (outcome, now)
            if case .success(let new) = outcome { state.refused.removeAll { $0 == new } }
            states[space] = state
        }
    }

    /// Forgets the credentials of an account.
    func forget(_ account: String) {
        states.withLock { states in states = states.filter { $0.key.account != account } }
    }

    /// Waits for a replacement. If the waiting task is cancelled, the replacement continues.
    private static func value(of refresh: Task<Outcome, Never>) async -> Outcome {
        await CancellableContinuation<String?>().wait { receive in
            let pending = Lock<(@Sendable (Outcome) -> Void)?>(receive)
            Task {
                let outcome = await refresh.value
                pending.withLock { $0.take() }?(outcome)
            }
            return { pending.withLock { $0.take() }?(.failure(.cancelled)) }
        }
    }
}

extension AuthorizationProvider {
    /// Calls the closure of the program, and checks its result.
    func credential(
        for request: AuthorizationRequest, limit: Duration, _ clock: any PipelineClock
    ) async throws(ImageError) -> String? {
        let subject = "the authorization of “\(account)”"
        let value = try await withTimeLimit(limit, of: subject, failingWith: .timeout, clock) { [credential] in
            try await credential(request)
        }
        guard let value, !value.isEmpty else { return nil }
        guard value.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) else {
            throw ImageError(.source, "\(subject) returned a credential with characters that a header cannot contain")
        }
        return value
    }
}
