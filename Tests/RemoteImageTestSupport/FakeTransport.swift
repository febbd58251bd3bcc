import HTTPTypes
import RemoteImageCore

/// A transport without a network. It records requests, and the test answers them.
///
/// Methods of ``FakeTransfer`` return after they have called the receiver, and those that end the
/// transfer after the pipeline has received the end.
public final class FakeTransport: Transport {
    private let watched = Watched<[FakeTransfer]>([])
    private let answer: @Sendable (TransferRequest) -> FakeAnswer?

    /// Creates a transport whose transfers are all answered by the test.
    public convenience init() {
        self.init { _ in nil }
    }

    /// Creates a transport that answers each transfer with the result of `answer`. A transfer with
    /// the result `nil` is answered by the test.
    public init(answering answer: @escaping @Sendable (TransferRequest) -> FakeAnswer?) {
        self.answer = answer
    }

    public func load(_ request: TransferRequest, into receiver: any TransferReceiver) async throws(ImageError) {
        let transfer = FakeTransfer(request, receiver)
        watched.update { $0.append(transfer) }
        if let answer = answer(request) { transfer.answer(answer) }
        try await transfer.run()
    }

    /// All transfers so far, in the order in which they were started, including those of requests
    /// that are just being passed to the transport.
    public var transfers: [FakeTransfer] {
        LoadQueue.shared.settle()
        return watched.value
    }

    /// The requested addresses, in order.
    public var addresses: [String] { transfers.map(\.request.address.string) }

    /// Waits until at least `count` transfers have started, and returns the `count`-th.
    @discardableResult
    public func started(
        count: Int, fileID: StaticString = #fileID, line: Int = #line
    ) async throws -> FakeTransfer {
        try await watched.first("\(count) transfers", fileID: fileID, line: line) {
            $0.count >= count ? $0[count - 1] : nil
        }
    }
}

/// The answer to a fake transfer.
public enum FakeAnswer: Sendable {
    case response(status: Int = 200, headers: HTTPFields = [:], body: [UInt8])
    case failure(ImageError)

    public static func ok(_ body: [UInt8], headers: HTTPFields = [:]) -> FakeAnswer {
        .response(headers: headers, body: body)
    }

    public static func status(_ status: Int, headers: HTTPFields = [:]) -> FakeAnswer {
        .response(status: status, headers: headers, body: [])
    }
}
