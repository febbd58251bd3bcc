import HTTPTypes

/// Collects what a transfer brings and hands the whole to the ``JobBoard``.
final class TransferSink: TransferReceiver, @unchecked Sendable {
    // Unchecked: a transport calls one method at a time, so that `head` and `body` have one user.

    private let job: Job
    private let board: JobBoard
    private var head: TransferHead?
    private var body: [UInt8] = []

    init(job: Job, board: JobBoard) {
        self.job = job
        self.board = board
    }

    func transferDidReceive(_ head: TransferHead) {
        self.head = head
        guard isSuccess(head.status) else { return }
        if let expected = head.expectedByteCount { body.reserveCapacity(expected) }
        board.advance(job, to: LoadProgress(completedByteCount: 0, totalByteCount: head.expectedByteCount))
    }

    func transferDidReceive(_ bytes: borrowing RawSpan) {
        guard let head, isSuccess(head.status) else { return }
        bytes.withUnsafeBytes { body.append(contentsOf: $0) }
        board.advance(
            job, to: LoadProgress(completedByteCount: body.count, totalByteCount: head.expectedByteCount))
    }

    func transferDidFinish(_ result: Result<Void, ImageError>) {
        board.finishTransfer(of: job, with: outcome(of: result))
    }

    private func outcome(of result: Result<Void, ImageError>) -> Result<LoadedData, ImageError> {
        // The status says more than how the page that explains it ended.
        if let head, !isSuccess(head.status) { return .failure(.httpStatus(head.status)) }
        if case .failure(let error) = result { return .failure(error) }
        guard let head else { return .failure(ImageError(.protocol, "no response")) }
        guard !body.isEmpty else { return .failure(ImageError(.emptyBody, head.address.string)) }
        return .success(
            LoadedData(
                bytes: body, status: head.status, headers: head.headers, address: head.address, origin: .network))
    }

    /// Whether the body is the picture: 2xx, but no part of it (RFC 9110 section 15.3.7; no part was
    /// asked for).
    private func isSuccess(_ status: Int) -> Bool {
        (200..<300).contains(status) && status != 206
    }
}
