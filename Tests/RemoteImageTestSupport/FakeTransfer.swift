import Dispatch
import HTTPTypes
import RemoteImageCore

/// A transfer of a ``FakeTransport`` whose response the test sends.
///
/// Calls after the transfer has ended or been cancelled have no effect.
public final class FakeTransfer: Transfer {
    public enum State: Sendable, Equatable {
        case running
        case finished
        case failed(ImageError)
        case cancelled
    }

    public let request: TransferRequest
    /// Released at the end, as required of transports.
    private let receiver: Lock<(any TransferReceiver)?>
    private let queue: DispatchQueue
    private let watched = Watched(State.running)

    init(_ request: TransferRequest, receiver: any TransferReceiver, queue: DispatchQueue) {
        self.request = request
        self.receiver = Lock(receiver)
        self.queue = queue
    }

    public var state: State { watched.value }
    public var isCancelled: Bool { state == .cancelled }

    /// Waits until the transfer has been cancelled.
    public func cancelled(fileID: StaticString = #fileID, line: Int = #line) async throws {
        try await watched.wait(
            for: "the end of \(request.address.string) by cancellation", fileID: fileID, line: line
        ) { $0 == .cancelled }
    }

    // MARK: Called by the test

    /// Sends the head of a response. `expected` is the expected size of the body in bytes.
    public func respond(
        status: Int = 200, headers: HTTPFields = [:], expected: Int? = nil, from address: WebAddress? = nil,
        timeSinceConnected: Duration? = nil
    ) {
        var head = TransferHead(
            status: status, headers: headers, address: address ?? request.address, expectedByteCount: expected)
        head.timeSinceConnected = timeSinceConnected
        queue.sync { deliver(head) }
    }

    /// Sends a piece of the body.
    public func send(_ bytes: [UInt8]) {
        queue.sync { deliver(bytes) }
    }

    /// Ends the transfer with success.
    public func finish() {
        queue.sync { end(as: .finished) }
    }

    /// Ends the transfer with an error.
    public func fail(_ error: ImageError) {
        queue.sync { end(as: .failed(error)) }
    }

    /// Sends a whole response and ends it.
    public func succeed(_ body: [UInt8], status: Int = 200, headers: HTTPFields = [:]) {
        respond(status: status, headers: headers, expected: body.count)
        if !body.isEmpty { send(body) }
        finish()
    }

    // MARK: Called by the pipeline and the transport

    public func cancel() {
        // Asynchronous: the caller may hold a lock that the receiver acquires.
        queue.async { [self] in end(as: .cancelled) }
    }

    /// Sends a complete answer asynchronously.
    func answer(_ answer: FakeAnswer) {
        queue.async { [self] in
            switch answer {
            case .failure(let error):
                end(as: .failed(error))
            case .response(let status, let headers, let body):
                deliver(
                    TransferHead(
                        status: status, headers: headers, address: request.address, expectedByteCount: body.count))
                if !body.isEmpty { deliver(body) }
                end(as: .finished)
            }
        }
    }

    private func deliver(_ head: TransferHead) {
        guard state == .running else { return }
        receiver.withLock { $0 }?.transferDidReceive(head)
    }

    private func deliver(_ bytes: [UInt8]) {
        guard state == .running else { return }
        receiver.withLock { $0 }?.transferDidReceive(bytes.span.bytes)
    }

    private func end(as state: State) {
        let isFirst = watched.update { current in
            guard current == .running else { return false }
            current = state
            return true
        }
        guard isFirst, let receiver = receiver.withLock({ $0.take() }) else { return }
        switch state {
        case .running: break
        case .finished: receiver.transferDidFinish(.success(()))
        case .failed(let error): receiver.transferDidFinish(.failure(error))
        case .cancelled: receiver.transferDidFinish(.failure(.cancelled))
        }
    }
}
