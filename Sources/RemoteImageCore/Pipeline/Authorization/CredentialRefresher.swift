// The replacement of refused credentials: one call of the program for any number of transfers.

/// Replaces refused credentials. There is one for each pipeline.
final class CredentialRefresher: Sendable {
    /// What replaces a refused credential.
    struct Renewal: Sendable {
        /// `nil` if the request is sent without a credential.
        let credential: String?
    }

    /// The credentials of an account for its origins. Equal accounts of different servers share
    /// none.
    private struct Scope: Hashable, Sendable {
        let account: String
        let origins: Set<String>
        let field: String

        init(_ provider: AuthorizationProvider) {
            account = provider.account
            origins = Set(provider.origins)
            field = provider.field.canonicalName
        }
    }

    private typealias Outcome = Result<String?, ImageError>

    private struct Refresh: Sendable {
        let number: Int
        let task: Task<Outcome, Never>
    }

    private struct Replacement: Sendable {
        let refused: String?
        let outcome: Outcome
        let endedAt: Duration
    }

    private struct State {
        /// Running replacements by refused credential.
        var running: [String?: Refresh] = [:]
        /// The last replacements, the newest last.
        var ended: [Replacement] = []

        /// The last credential in the chain of successful replacements that starts with
        /// `credential`; `nil` if it was not replaced. That there is no new one holds for
        /// ``sharedOutcomeLifetime``, as a failure does.
        func renewal(of credential: String?, now: Duration) -> Renewal? {
            var result: Renewal?
            var next = credential
            // One pass, so that credentials which replace each other do not loop.
            for replacement in ended where replacement.refused == next {
                guard case .success(let new) = replacement.outcome, new != next,
                    new != nil || now - replacement.endedAt < CredentialRefresher.sharedOutcomeLifetime
                else { continue }
                (result, next) = (Renewal(credential: new), new)
            }
            return result
        }
    }

    private enum Decision {
        case use(Renewal)
        case wait(for: Refresh)
        /// Another credential of the account is being replaced, perhaps by this one: programs may
        /// use the new credential before the replacement has ended.
        case decide(after: Refresh)
        case fail(ImageError)
        /// The refusal is the result of the request.
        case accept
    }

    /// How long the outcome of a replacement applies to loads that were requested before it ended.
    /// They share it, so that a closed account does not cause one replacement for each image.
    static let sharedOutcomeLifetime = Duration.seconds(60)
    private static let maxReplacementCount = 8

    private let states = Lock<(scopes: [Scope: State], lastNumber: Int)>(([:], 0))
    private let limit: Duration
    private let clock: any PipelineClock

    /// - Parameter limit: The time limit of a replacement. It does not depend on the load that was
    ///   refused first, since others wait for it too.
    init(limit: Duration, clock: any PipelineClock) {
        self.limit = limit
        self.clock = clock
    }

    /// The credential for a request: that of the provider, or its replacement if the pipeline knows
    /// that it is refused.
    func credential(
        for request: TransferRequest, by provider: AuthorizationProvider
    ) async throws(ImageError) -> String? {
        let credential = try await provider.credential(
            for: AuthorizationRequest(address: request.address, refusal: nil), limit: request.limits.timeout, clock)
        let scope = Scope(provider)
        let (running, renewal) = states.withLock { states in
            let state = states.scopes[scope]
            return (state?.running[credential], state?.renewal(of: credential, now: clock.now))
        }
        if let running { return try await outcome(of: running, limit: request.limits.timeout).get() }
        return if let renewal { renewal.credential } else { credential }
    }

    /// Replaces a refused credential; `nil` if the refusal is final.
    ///
    /// - Parameter requestedAt: When the load was requested.
    func renew(
        after refusal: AuthorizationRequest.Refusal, of request: TransferRequest, by provider: AuthorizationProvider,
        requestedAt: Duration
    ) async throws(ImageError) -> Renewal? {
        let scope = Scope(provider)
        let authorization = AuthorizationRequest(address: request.address, refusal: refusal)
        let decision = states.withLock { states -> Decision in
            var state = states.scopes[scope] ?? State()
            if let known = known(of: refusal.credential, in: state, requestedAt: requestedAt) { return known }
            states.lastNumber += 1
            let number = states.lastNumber
            let task = Task { [weak self, clock, limit] in
                let outcome: Outcome = await Result { () async throws(ImageError) in
                    try await provider.credential(for: authorization, limit: limit, clock)
                }
                self?.end(number, of: refusal.credential, in: scope, with: outcome)
                return outcome
            }
            let refresh = Refresh(number: number, task: task)
            state.running[refusal.credential] = refresh
            states.scopes[scope] = state
            return .wait(for: refresh)
        }
        switch decision {
        case .use(let renewal): return renewal
        case .fail(let error): throw error
        case .accept: return nil
        case .wait(let refresh):
            let credential = try await outcome(of: refresh, limit: request.limits.timeout).get()
            return credential == refusal.credential ? nil : Renewal(credential: credential)
        case .decide(let refresh):
            _ = try await outcome(of: refresh, limit: request.limits.timeout)
            return try await renew(after: refusal, of: request, by: provider, requestedAt: requestedAt)
        }
    }

    /// The decision on a refused credential that follows from other replacements; `nil` if the
    /// credential has to be replaced.
    private func known(of refused: String?, in state: State, requestedAt: Duration) -> Decision? {
        if let running = state.running[refused] { return .wait(for: running) }
        if let renewal = state.renewal(of: refused, now: clock.now) { return .use(renewal) }
        let recent = state.ended.last { replacement in
            guard replacement.endedAt >= requestedAt, clock.now - replacement.endedAt < Self.sharedOutcomeLifetime
            else { return false }
            if case .success(refused) = replacement.outcome { return true }
            return replacement.refused == refused
        }
        switch recent?.outcome {
        case nil: return state.running.values.first.map { .decide(after: $0) }
        case .success: return .accept
        // A retry of the load may succeed.
        case .failure(let error): return error.isDisconnection ? nil : .fail(error)
        }
    }

    private func end(_ number: Int, of refused: String?, in scope: Scope, with outcome: Outcome) {
        let now = clock.now
        states.withLock { states in
            // The account may have been removed meanwhile.
            guard var state = states.scopes[scope], state.running[refused]?.number == number else { return }
            state.running[refused] = nil
            state.ended.removeAll { $0.refused == refused }
            // A credential that is returned again is valid again.
            if case .success(let new) = outcome { state.ended.removeAll { $0.refused == new } }
            state.ended.append(Replacement(refused: refused, outcome: outcome, endedAt: now))
            if state.ended.count > Self.maxReplacementCount { state.ended.removeFirst() }
            states.scopes[scope] = state
        }
    }

    /// Forgets the credentials of an account.
    func forget(_ account: String) {
        states.withLock { states in states.scopes = states.scopes.filter { $0.key.account != account } }
    }

    /// Waits for a replacement. If the waiting load is cancelled or has waited for `limit`, the
    /// replacement continues.
    private func outcome(of refresh: Refresh, limit: Duration) async throws(ImageError) -> Outcome {
        try await withTimeLimit(limit, of: AuthorizationProvider.subject, failingWith: .timeout, clock) {
            let outcome = Promise<Outcome>()
            Task { outcome.keep(.success(await refresh.task.value)) }
            return try await outcome.value
        }
    }
}

extension AuthorizationProvider {
    /// The subject of error messages. They do not name the account, since they are logged.
    fileprivate static let subject = "the authorization provider"

    /// Calls the closure of the program, and checks its result.
    fileprivate func credential(
        for request: AuthorizationRequest, limit: Duration, _ clock: any PipelineClock
    ) async throws(ImageError) -> String? {
        let value = try await withTimeLimit(limit, of: Self.subject, failingWith: .timeout, clock) { [credential] in
            try await credential(request)
        }
        guard let value, !value.isEmpty else { return nil }
        guard value.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) else {
            throw ImageError(
                .source, "\(Self.subject) returned a credential with characters that a header cannot contain")
        }
        return value
    }
}
