import DequeModule
import RemoteImageCore

/// Limits the number of concurrent transfers, in total and per host. The timeouts of waiting
/// transfers do not run.
final class QueuedTransport: Transport {
    private struct Host {
        /// Transfers that run, or that wait only for the total limit.
        var admittedCount = 0
        var waiting = Deque<QueuedTransfer>()
    }

    private struct State {
        var hosts: [String: Host] = [:]
        var runningCount = 0
        var admitted = Deque<QueuedTransfer>()
    }

    private let transport: any Transport
    private let count: Int
    private let countPerHost: Int
    private let state = Lock(State())

    init(_ transport: any Transport, count: Int = .max, countPerHost: Int) {
        self.transport = transport
        self.count = count
        self.countPerHost = countPerHost
    }

    func start(_ request: TransferRequest, receiver: any TransferReceiver) -> any Transfer {
        let transfer = QueuedTransfer(request, receiver: receiver, queue: self)
        let next = state.withLock { state in
            admit(transfer, &state)
            return takeNext(&state)
        }
        run(next)
        return transfer
    }

    /// A transfer ended; the next waiting transfer starts.
    fileprivate func end(_ authority: String) {
        run(leave(authority))
    }

    private func run(_ first: QueuedTransfer?) {
        var next = first
        // Transfers that were cancelled while they waited pass their place on.
        while let transfer = next, !transfer.begin(on: transport) { next = leave(transfer.authority) }
    }

    private func leave(_ authority: String) -> QueuedTransfer? {
        state.withLock { state in
            state.runningCount -= 1
            state.hosts[authority]?.admittedCount -= 1
            if let next = state.hosts[authority]?.waiting.popFirst() {
                admit(next, &state)
            } else if state.hosts[authority]?.admittedCount == 0 {
                state.hosts[authority] = nil
            }
            return takeNext(&state)
        }
    }

    private func admit(_ transfer: QueuedTransfer, _ state: inout State) {
        var host = state.hosts[transfer.authority] ?? Host()
        if host.admittedCount < countPerHost {
            host.admittedCount += 1
            state.admitted.append(transfer)
        } else {
            host.waiting.append(transfer)
        }
        state.hosts[transfer.authority] = host
    }

    private func takeNext(_ state: inout State) -> QueuedTransfer? {
        guard state.runningCount < count, let next = state.admitted.popFirst() else { return nil }
        state.runningCount += 1
        return next
    }
}

/// A transfer that may wait before it starts.
private final class QueuedTransfer: Transfer, TransferReceiver {
    private enum State {
        case waiting
        /// The transport is starting the transfer. If it is cancelled meanwhile, the transport's
        /// transfer is cancelled afterwards, and only the transport reports the end.
        case starting(isCancelled: Bool)
        case running(any Transfer)
        case ended
    }

    private let request: TransferRequest
    private let receiver: any TransferReceiver
    private let queue: QueuedTransport
    private let state = Lock(State.waiting)

    init(_ request: TransferRequest, receiver: any TransferReceiver, queue: QueuedTransport) {
        self.request = request
        self.receiver = receiver
        self.queue = queue
    }

    var authority: String { request.address.authority }

    /// Starts the transfer. Returns `false` if it was cancelled while it waited.
    func begin(on transport: any Transport) -> Bool {
        let isWanted = state.withLock { state in
            guard case .waiting = state else { return false }
            state = .starting(isCancelled: false)
            return true
        }
        guard isWanted else { return false }
        let transfer = transport.start(request, receiver: self)
        let isCancelled = state.withLock { state in
            // The transfer may have ended already.
            guard case .starting(let isCancelled) = state else { return false }
            state = .running(transfer)
            return isCancelled
        }
        if isCancelled { transfer.cancel() }
        return true
    }

    func cancel() {
        let old = state.withLock { state in
            let old = state
            switch state {
            case .waiting: state = .ended
            case .starting: state = .starting(isCancelled: true)
            case .running, .ended: break
            }
            return old
        }
        switch old {
        case .waiting: receiver.transferDidFinish(.failure(.cancelled))
        case .running(let transfer): transfer.cancel()
        case .starting, .ended: break
        }
    }

    func transferDidReceive(_ head: TransferHead) { receiver.transferDidReceive(head) }

    func transferDidReceive(_ bytes: borrowing RawSpan) { receiver.transferDidReceive(bytes) }

    func transferDidFinish(_ result: Result<Void, ImageError>) {
        state.withLock { $0 = .ended }
        queue.end(authority)
        receiver.transferDidFinish(result)
    }
}
