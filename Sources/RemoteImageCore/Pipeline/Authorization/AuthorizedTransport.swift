// The authorization of requests, between the cache and the network: a stored image that is fresh
// needs no credential, and the cache does not distinguish the credentials of an account.

import HTTPTypes

/// Adds the credential of an account to requests, and repeats refused requests once with a new
/// credential.
struct AuthorizedTransport: Transport {
    let base: any Transport
    let provider: AuthorizationProvider
    let refresher: CredentialRefresher
    /// When the load was requested, on the clock of the pipeline.
    let requestedAt: Duration

    func load(_ request: TransferRequest, into receiver: any TransferReceiver) async throws(ImageError) {
        if let error = provider.invalidOrigin { throw error }
        // A request hook may have changed the address.
        guard provider.covers(request.address) else { return try await base.load(request, into: receiver) }

        var sent = request
        let credential = try await refresher.credential(for: request, by: provider)
        sent.headers[provider.field] = credential
        let attempt = AttemptReceiver(sent, receiver)
        do throws(ImageError) {
            try await base.load(sent, into: attempt)
        } catch {
            // The head of a refusal is enough, so a body that was not received completely is no
            // failure.
            guard attempt.refusal != nil, error.code != .cancelled else { throw error }
        }
        guard let refused = attempt.refusal else { return }

        let refusal = AuthorizationRequest.Refusal(
            credential: credential, status: refused.status, challenges: refused.headers[values: .wwwAuthenticate])
        guard
            let renewal = try await refresher.renew(after: refusal, of: request, by: provider, requestedAt: requestedAt)
        else { return try receiver.receive(refused) }
        sent.headers[provider.field] = renewal.credential
        try await base.load(sent, into: receiver)
    }
}

/// Receives the response to the first attempt, and passes it on unless it refuses the credential.
private final class AttemptReceiver: TransferReceiver, @unchecked Sendable {
    // Unchecked: a transport calls one method at a time, and nothing after its end.

    private let request: TransferRequest
    private let receiver: any TransferReceiver
    private(set) var refusal: TransferHead?

    init(_ request: TransferRequest, _ receiver: any TransferReceiver) {
        self.request = request
        self.receiver = receiver
    }

    func receive(_ head: TransferHead) throws(ImageError) {
        if isRefusal(head) { refusal = head } else { try receiver.receive(head) }
    }

    func receive(_ bytes: borrowing RawSpan) throws(ImageError) {
        // The body of a refusal is received, which keeps the connection open, but not used.
        if refusal == nil { try receiver.receive(bytes) }
    }

    /// Whether the server refused the credential. Other origins do not receive it, and neither does
    /// an origin that another one redirects to.
    private func isRefusal(_ head: TransferHead) -> Bool {
        let addresses = head.redirects.map(\.address) + [head.address]
        guard addresses.allSatisfy({ $0.hasSameOrigin(as: request.address) }) else { return false }
        return head.status == 401 || head.status == 403 && head.headers[.wwwAuthenticate] != nil
    }
}
