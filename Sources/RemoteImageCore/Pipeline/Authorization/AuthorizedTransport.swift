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
        case finished

        var isFinished: Bool {
            if case .finished = self { true } else { false }
        }
    }

    private let request: TransferRequest
    private let transport: AuthorizedTransport
    /// Released at the end, since a receiver often retains its transfer.
    private let receiver: Lock<(any TransferReceiver)?>
    private let state = Lock(State.preparing(attempt: 1, nil))

    init(_ request: TransferRequest, _ transport: AuthorizedTransport, _ receiver: any TransferReceiver) {
        self.request = request
        self.transport = transport
        self.receiver = Lock(receiver)
    }

    func begin() -> AuthorizedTransfer {
        prepare(attempt: 1) { [self] () async throws(ImageError) in
            send(try await transport.refresher.credential(for: request, by: transport.provider), attempt: 1)
        }
        return self
    }

    func cancel() {
        let old = state.withLock { state in
            defer { if !state.isFinished { state = .cancelled } }
            return state
        }
        switch old {
        case .preparing(_, let task): task?.cancel()
        case .running(let transfer): transfer.cancel()
        case .cancelled, .finished: break
        }
    }

    private var isCancelled: Bool {
        state.withLock { state in
            if case .cancelled = state { true } else { false }
        }
    }

    /// Reports the end to the receiver, once.
    fileprivate func finish(_ result: Result<Void, ImageError>) {
        state.withLock { $0 = .finished }
        receiver.withLock { $0.take() }?.transferDidFinish(result)
    }

    /// Runs `body`, which sends the request or throws, in a task that ``cancel()`` cancels.
    private func prepare(attempt: Int, _ body: @escaping @Sendable () async throws(ImageError) -> Void) {
        let task = Task { [self] in
            do throws(ImageError) {
                try await body()
            } catch {
                finish(.failure(isCancelled ? .cancelled : error))
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
        guard !isCancelled, let receiver = receiver.withLock({ $0 }) else { return finish(.failure(.cancelled)) }
        var request = request
        request.headers[transport.provider.field] = credential
        let didRefuse: @Sendable (TransferHead) -> Void = { [self] head in replace(credential, refusedBy: head) }
        let attemptReceiver = AttemptReceiver(
            request, passingTo: receiver, didRefuse: attempt == 1 ? didRefuse : nil, didFinish: finish)
        let transfer = transport.base.start(request, receiver: attemptReceiver)
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
        guard !wasCancelled else { return finish(.failure(.cancelled)) }
        prepare(attempt: 2) { [self] () async throws(ImageError) in
            let refusal = AuthorizationRequest.Refusal(
                credential: credential, status: head.status, challenges: head.headers[values: .wwwAuthenticate])
            let renewal = try await transport.refresher.renew(
                after: refusal, of: request, by: transport.provider, requestedAt: transport.requestedAt)
            if let renewal { return send(renewal.credential, attempt: 2) }
            receiver.withLock { $0 }?.transferDidReceive(head)
            finish(.success(()))
        }
    }
}

/// Receives the response to one attempt, and passes it on unless it refuses the credential.
private final class AttemptReceiver: TransferReceiver, @unchecked Sendable {
    // Unchecked: a transport calls one method at a time, so `refusal` is never accessed
    // concurrently.

    private let request: TransferRequest
    private let receiver: any TransferReceiver
    private let didRefuse: (@Sendable (TransferHead) -> Void)?
    private let didFinish: @Sendable (Result<Void, ImageError>) -> Void
    private var refusal: TransferHead?

    /// - Parameter didRefuse: Called at the end of a refusal. `nil` passes refusals on.
    init(
        _ request: TransferRequest, passingTo receiver: any TransferReceiver,
        didRefuse: (@Sendable (TransferHead) -> Void)?,
        didFinish: @escaping @Sendable (Result<Void, ImageError>) -> Void
    ) {
        self.request = request
        self.receiver = receiver
        self.didRefuse = didRefuse
        self.didFinish = didFinish
    }

    func transferDidReceive(_ head: TransferHead) {
        if didRefuse != nil, isRefusal(head) { refusal = head } else { receiver.transferDidReceive(head) }
    }

    func transferDidReceive(_ bytes: borrowing RawSpan) {
        // The body of a refusal is received, which keeps the connection open, but not used.
        if refusal == nil { receiver.transferDidReceive(bytes) }
    }

    func transferDidFinish(_ result: Result<Void, ImageError>) {
        // The head is enough, so a body that was not received completely is no failure.
        if let refusal, let didRefuse, result.failure != .cancelled { didRefuse(refusal) } else { didFinish(result) }
    }

    /// Whether the server refused the credential. Other origins do not receive it, and neither does
    /// an origin that another one redirects to.
    private func isRefusal(_ head: TransferHead) -> Bool {
        let addresses = head.redirects.map(\.address) + [head.address]
        guard addresses.allSatisfy({ $0.hasSameOrigin(as: request.address) }) else { return false }
        return head.status == 401 || head.status == 403 && head.headers[.wwwAuthenticate] != nil
    }
}

extension Result {
    fileprivate var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
