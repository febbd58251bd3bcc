/// Receives a response and collects its body, for jobs, background validations and HTTP clients.
/// Large bodies are stored in pieces meanwhile.
final class ResponseCollector: TransferReceiver, @unchecked Sendable {
    // Unchecked: a transport calls one method at a time, so `head` and `body` are never accessed
    // concurrently.

    private let acceptsAnyStatus: Bool
    private let didReceive: @Sendable (TransferHead, [UInt8]) -> Void
    private let didFinish: @Sendable (TransferHead?, [UInt8], Result<Void, ImageError>) -> Void
    private var head: TransferHead?
    private var body: [UInt8] = []

    /// The maximum number of bytes that are reserved for an announced length, which may be false;
    /// longer bodies grow as they are received.
    private static let maxReservedByteCount = 1 << 20
    /// The maximum size of an error response that is stored: 64 KiB.
    static let maxErrorByteCount = 64 << 10

    /// - Parameters:
    ///   - acceptsAnyStatus: Whether the body of an error response is collected. Otherwise its
    ///     first part is collected if it may be stored.
    ///   - didReceive: Called with the head, and again with all bytes received so far after each
    ///     piece of an accepted body.
    ///   - didFinish: Called once, with the head, if there was one, and the collected body.
    init(
        acceptsAnyStatus: Bool = false,
        didReceive: @escaping @Sendable (TransferHead, [UInt8]) -> Void = { _, _ in },
        didFinish: @escaping @Sendable (TransferHead?, [UInt8], Result<Void, ImageError>) -> Void
    ) {
        self.acceptsAnyStatus = acceptsAnyStatus
        self.didReceive = didReceive
        self.didFinish = didFinish
    }

    func transferDidReceive(_ head: TransferHead) {
        self.head = head
        // Responses from the store arrive as a whole.
        if accepts(head), head.origin == .network, let expected = head.expectedByteCount {
            body.reserveCapacity(min(expected, Self.maxReservedByteCount))
        }
        didReceive(head, body)
    }

    func transferDidReceive(_ bytes: borrowing RawSpan) {
        guard let head, !bytes.isEmpty else { return }
        guard accepts(head) || head.pendingWrite?.storedKey != nil && body.count <= Self.maxErrorByteCount
        else { return }
        bytes.withUnsafeBytes { body.append(contentsOf: $0) }
        guard accepts(head) else { return }
        head.pendingWrite?.receive(body)
        didReceive(head, body)
    }

    /// Receives a complete body at once instead of in pieces.
    func receive(whole body: [UInt8]) {
        guard let head, accepts(head), !body.isEmpty else { return }
        self.body = body
        didReceive(head, body)
    }

    func transferDidFinish(_ result: Result<Void, ImageError>) {
        didFinish(head, body, result)
    }

    private func accepts(_ head: TransferHead) -> Bool { acceptsAnyStatus || head.isSuccess }
}

extension TransferHead {
    /// Whether the body is the complete resource: 2xx except 206, a partial response (RFC 9110
    /// section 15.3.7), which was not asked for.
    var isSuccess: Bool { (200..<300).contains(status) && status != 206 }
}
