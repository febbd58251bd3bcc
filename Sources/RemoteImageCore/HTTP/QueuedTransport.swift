import DequeModule

/// Lets so many transfers to one host run at once; the others wait, and their time does not run meanwhile.
final class QueuedTransport: Transport {
    private struct Host {
        var running = 0
        var waiting = Deque<QueuedTransfer>()
    }

    private let transport: any Transport
    private let countPerHost: Int
    private let hosts = Lock<[String: Host]>([:])

    init(_ transport: any Transport, countPerHost: Int) {
        self.transport = transport
        self.countPerHost = countPerHost
    }

    func start(_ request: TransferRequest, receiver: any TransferReceiver) -> any Transfer {
        let transfer = QueuedTransfer(request, receiver: receiver, queue: self)
        let hasPlace = hosts.withLock { hosts in
            var host = hosts[request.address.authority] ?? Host()
            defer { hosts[request.address.authority] = host }
            guard host.running < countPerHost else {
                host.waiting.append(transfer)
                return false
            }
            host.running += 1
            return true
        }
        if hasPlace { transfer.begin(on: transport) }
        return transfer
    }

    /// A transfer ended: its place goes to the one that waits longest.
    fileprivate func end(_ authority: String) {
        let next = hosts.withLock { hosts -> QueuedTransfer? in
            guard var host = hosts[authority] else { return nil }
            defer { hosts[authority] = host.running == 0 ? nil : host }
            if let next = host.waiting.popFirst() { return next }
            host.running -= 1
            return nil
        }
        next?.begin(on: transport)
    }
}

/// A transfer that may have to wait.
private final class QueuedTransfer: Transfer, TransferReceiver {
    private enum State {
        case waiting(any TransferReceiver)
        case running(any Transfer)
        case cancelled
    }

    private let request: TransferRequest
    private let receiver: any TransferReceiver
    private let queue: QueuedTransport
    private let state: Lock<State>

    init(_ request: TransferRequest, receiver: any TransferReceiver, queue: QueuedTransport) {
        self.request = request
        self.receiver = receiver
        self.queue = queue
        state = Lock(.waiting(receiver))
    }

    func begin(on transport: any Transport) {
        // Cancelled while it waited: it was told so, and gives its place on.
        if isCancelled { return queue.end(request.address.authority) }
        let transfer = transport.start(request, receiver: self)
        let isCancelled = state.withLock { state in
            if case .cancelled = state { return true }
            state = .running(transfer)
            return false
        }
        if isCancelled { transfer.cancel() }
    }

    private var isCancelled: Bool {
        state.withLock { state in
            if case .cancelled = state { true } else { false }
        }
    }

    func cancel() {
        let old = state.withLock { state in
            defer { if case .waiting = state { state = .cancelled } }
            return state
        }
        switch old {
        case .waiting: receiver.transferDidFinish(.failure(.cancelled))
        case .running(let transfer): transfer.cancel()
        case .cancelled: break
        }
    }

    func transferDidReceive(_ head: TransferHead) { receiver.transferDidReceive(head) }

    func transferDidReceive(_ bytes: borrowing RawSpan) { receiver.transferDidReceive(bytes) }

    func transferDidFinish(_ result: Result<Void, ImageError>) {
        queue.end(request.address.authority)
        receiver.transferDidFinish(result)
    }
}
