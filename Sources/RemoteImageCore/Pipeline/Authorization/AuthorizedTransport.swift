// The authorization of requests, between the cache and the network: a stored image that is fresh
// needs no credential, and the cache does not distinguish the credentials of an account.

import HTTPTypes

/// Adds the credential of an account to requests, and repeats refused requests once with a new
/// credential.
struct AuthorizedTransport: Transport {
    let base: any Transport
    let provider: AuthorizationProvider
    let refresher: CredentialRefresher
    let clock: any PipelineClock
    /// When the load was requested, on the clock of the pipeline.
    let requestedAt: Duration

    func start(_ request: TransferRequest, receiver: any TransferReceiver) -> any Transfer {
        if let error = provider.invalidOrigin {
            return FailingTransport(error: error).start(request, receiver: receiver)
        }
        // A request hook may have changed the address.
        guard provider.covers(request.address) else { return base.start(request, receiver: receiver) }
        return AuthorizedTransfer(request, self, receiver).begin()
    }
}

/// A transfer with a credential.
private final class AuthorizedTransfer: Transfer {
    /// The number of the attempt, 1 or 2, distinguishes a late report of the first attempt.
    private enum State {
        case preparing(attempt: Int, Task<Void, Never>?)
        case running(any Transfer)
        case cancelled
    }

    private let request: TransferRequest
    private let transport: AuthorizedTransport
    private let receiver: any TransferReceiver
    private let state = Lock(State.preparing(attempt: 1, nil))

    init(_ request: TransferRequest, _ transport: AuthorizedTransport, _ receiver: any TransferReceiver) {
        self.request = request
        self.transport = transport
        self.receiver = receiver
    }

    func begin() -> AuthorizedTransfer {
        prepare(attempt: 1) { [self] () async throws(ImageError) in
            let (provider, limit) = (transport.provider, request.limits.timeout)
            let credential = try await provider.credential(
                for: AuthorizationRequest(address: request.address, refusal: nil), limit: limit, transport.clock)
            let space = CredentialRefresher.Space(provider, request.address)
            send(try await transport.refresher.current(credential, in: space), attempt: 1)
        }
        return self
    }

    func cancel() {
        let old = state.withLock { state in
            defer { state = .cancelled }
            return state
        }
        switch old {
        case .preparing(_, let task): task?.cancel()
        case .running(let transfer): transfer.cancel()
        case .cancelled: break
        }
    }

    private var isCancelled: Bool {
        state.withLock { state in
            if case .cancelled = state { true } else { false }
        }
    }

    /// Runs `body`, which sends the request or throws, in a task that ``cancel()`` cancels.
    private func prepare(attempt: Int, _ body: @escaping @Sendable () async throws(ImageError) -> Void) {
        let task = Task { [self] in
            do throws(ImageError) {
                try await body()
            } catch {
                receiver.transferDidFinish(.failure(isCancelled ? .cancelled : error))
            }
        }
        let wasCancelled = state.withLock { state in
            if case .cancelled = state { return true }
            if case .preparing(attempt, nil) = state { state = .preparing(attempt: attempt, task) }
            return false
        }
        if wasCancelled { task.cancel() }
    }

    private func send(_ credential: String?, attempt: Int) {
        guard !isCancelled else { return receiver.transferDidFinish(.failure(.cancelled)) }
        var request = request
        request.headers[transport.provider.field] = credential
        let receiver: any TransferReceiver =
            if attempt == 1 {
                RefusalReceiver(request, passingTo: receiver) { [self] head in replace(credential, refusedBy: head) }
            } else {
                receiver
            }
        let transfer = transport.base.start(request, receiver: receiver)
        let wasCancelled = state.withLock { state in
            if case .cancelled = state { return true }
            if case .preparing(attempt, _) = state { state = .running(transfer) }
            return false
        }
        if wasCancelled { transfer.cancel() }
    }

    /// Repeats the refused request, or delivers the refusal if there is no other credential.
    private func replace(_ credential: String?, refusedBy head: TransferHead) {
        let wasCancelled = state.withLock { state in
            if case .cancelled = state { return true }
            state = .preparing(attempt: 2, nil)
            return false
        }
        guard !wasCancelled else { return receiver.transferDidFinish(.failure(.cancelled)) }
        prepare(attempt: 2) { [self] () async throws(ImageError) in
            let refusal = AuthorizationRequest.Refusal(
                credential: credential, status: head.status, challenges: head.headers[values: .wwwAuthenticate])
            let replacement = try await transport.refresher.replacement(
                for: refusal, of: request.address, by: transport.provider, requestedAt: transport.requestedAt,
                limit: request.limits.timeout)
            guard let replacement else {
                receiver.transferDidReceive(head)
                return receiver.transferDidFinish(.success(()))
            }
            send(replacement, attempt: 2)
        }
    }
}

/// Passes a response on, unless it refuses the credential of the request.
private final class RefusalReceiver: TransferReceiver, @unchecked Sendable {
    // Unchecked: a transport calls one method at a time, so `refusal` is never accessed
    // concurrently.

    private let request: TransferRequest
    private let receiver: any TransferReceiver
    private let didRefuse: @Sendable (TransferHead) -> Void
    private var refusal: TransferHead?

    init(
        _ request: TransferRequest, passingTo receiver: any TransferReceiver,
        didRefuse: @escaping @Sendable (TransferHead) -> Void
    ) {
        self.request = request
        self.receiver = receiver
        self.didRefuse = didRefuse
    }

    func transferDidReceive(_ head: TransferHead) {
        guard isRefusal(head) else { return receiver.transferDidReceive(head) }
        refusal = head
    }

    func transferDidReceive(_ bytes: borrowing RawSpan) {
        // The body of a refusal is received, which keeps the connection open, but not used.
        if refusal == nil { receiver.transferDidReceive(bytes) }
    }

    func transferDidFinish(_ result: Result<Void, ImageError>) {
        guard let refusal else { return receiver.transferDidFinish(result) }
        // The head is enough, so a body that was not received completely is no failure.
        if case .failure(.cancelled) = result { return receiver.transferDidFinish(result) }
        didRefuse(refusal)
    }

    /// Whether the server refused the credential. A redirect to another origin did not receive it.
    private func isRefusal(_ head: TransferHead) -> Bool {
        guard head.address.hasSameOrigin(as: request.address) else { return false }
        return head.status == 401 || head.status == 403 && head.headers[.wwwAuthenticate] != nil
    }
}
