import Foundation
import HTTPTypes
import RemoteImageCore

/// A transfer of a ``FakeTransport`` whose response the test sends.
///
/// Calls after the transfer has ended or been cancelled have no effect.
public final class FakeTransfer: Sendable {
    public enum State: Sendable, Equatable {
        case running
        case finished
        case failed(ImageError)
        case cancelled
    }

    public let request: TransferRequest
    /// Released at the end, since the transport keeps its transfers for the test.
    private let receiver: Lock<(any TransferReceiver)?>
    private let end = Promise<Void>()
    private let watched = Watched(State.running)
    /// Held during each call of the receiver, so that none is made after the end.
    private let calls = NSRecursiveLock()

    init(_ request: TransferRequest, _ receiver: any TransferReceiver) {
        self.request = request
        self.receiver = Lock(receiver)
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
        deliver { [head] receiver throws(ImageError) in try receiver.receive(head) }
    }

    /// Sends a piece of the body.
    public func send(_ bytes: [UInt8]) {
        deliver { receiver throws(ImageError) in try receiver.receive(bytes.span.bytes) }
    }

    /// Ends the transfer with success.
    public func finish() {
        endAndSettle(.success(()))
    }

    /// Ends the transfer with an error.
    public func fail(_ error: ImageError) {
        endAndSettle(.failure(error))
    }

    /// Sends a whole response and ends it.
    public func succeed(_ body: [UInt8], status: Int = 200, headers: HTTPFields = [:]) {
        respond(status: status, headers: headers, expected: body.count)
        if !body.isEmpty { send(body) }
        finish()
    }

    private func endAndSettle(_ result: Result<Void, ImageError>) {
        end(result)
        LoadQueue.shared.settle()
    }

    // MARK: Called by the transport

    /// Returns when the transfer has ended.
    func run() async throws(ImageError) {
        do throws(ImageError) {
            try await end.value
        } catch {
            end(.failure(error))
            throw error
        }
    }

    /// Sends a complete answer.
    func answer(_ answer: FakeAnswer) {
        switch answer {
        case .failure(let error): end(.failure(error))
        case .response(let status, let headers, let body):
            respond(status: status, headers: headers, expected: body.count)
            if !body.isEmpty { send(body) }
            end(.success(()))
        }
    }

    private func deliver(_ call: (any TransferReceiver) throws(ImageError) -> Void) {
        calls.withLock {
            guard state == .running, let receiver = receiver.withLock({ $0 }) else { return }
            do throws(ImageError) { try call(receiver) } catch { end(.failure(error)) }
        }
    }

    private func end(_ result: Result<Void, ImageError>) {
        calls.withLock {
            watched.update { state in
                guard state == .running else { return }
                state =
                    switch result {
                    case .success: .finished
                    case .failure(.cancelled): .cancelled
                    case .failure(let error): .failed(error)
                    }
            }
            receiver.withLock { $0 = nil }
            end.keep(result)
        }
    }
}
