import HTTPTypes

/// Collects the body of a transfer and passes the complete data to the ``JobScheduler``.
final class TransferSink: WholeBodyReceiver, @unchecked Sendable {
    // Unchecked: a transport calls one method at a time, so `head` and `body` are never accessed
    // concurrently.

    private let job: Job
    private let fetcher: Fetcher
    private let jobs: JobScheduler
    private var head: TransferHead?
    private var body: [UInt8] = []
    private let previews: PreviewMaker?

    /// The maximum number of bytes that are reserved for an announced length, which may be false;
    /// longer bodies grow as they are received.
    private static let maxReservedByteCount = 1 << 20

    init(job: Job, fetcher: Fetcher, jobs: JobScheduler) {
        self.job = job
        self.fetcher = fetcher
        self.jobs = jobs
        previews = fetcher.previewMaker(for: job, jobs)
    }

    func transferDidReceive(_ head: TransferHead) {
        self.head = head
        fetcher.observers.report(.responded(status: head.status), of: job)
        guard isSuccess(head.status) else { return }
        // Responses from the store arrive as a whole.
        if let expected = head.expectedByteCount, head.origin == .network {
            body.reserveCapacity(min(expected, Self.maxReservedByteCount))
        }
        jobs.advance(job, to: LoadProgress(completedByteCount: 0, totalByteCount: head.expectedByteCount))
    }

    func transferDidReceive(_ bytes: borrowing RawSpan) {
        guard let head else { return }
        guard isSuccess(head.status) else {
            // The body of an error response is needed only to store it.
            if head.pendingWrite != nil, body.count <= Self.maxErrorByteCount {
                bytes.withUnsafeBytes { body.append(contentsOf: $0) }
            }
            return
        }
        bytes.withUnsafeBytes { body.append(contentsOf: $0) }
        head.pendingWrite?.receive(body)
        jobs.advance(
            job, to: LoadProgress(completedByteCount: body.count, totalByteCount: head.expectedByteCount))
        previews?.look(at: body)
    }

    func transferDidReceive(whole body: [UInt8]) {
        guard let head, isSuccess(head.status) else { return }
        self.body = body
        // A complete body is decoded at once and needs no preview.
        jobs.advance(job, to: LoadProgress(completedByteCount: body.count, totalByteCount: body.count))
    }

    func transferDidFinish(_ result: Result<Void, ImageError>) {
        previews?.end()
        if case .failure(let error) = result, error.isInterruption { head?.pendingWrite?.commitPartial(body) }
        if case .success = result { rememberError() }
        switch outcome(of: result) {
        case .success(let data):
            fetcher.observers.report(.fetched(byteCount: data.bytes.count), of: job)
            jobs.finish(job, with: .success(.bytes(data)))
        case .failure(let error):
            head?.pendingWrite?.discard()
            fetcher.fail(job, error, retryAfter: head.flatMap { RetryAfter.delay(in: $0.headers) }, jobs)
        }
    }

    /// The maximum size of an error response that is stored: 64 KiB.
    private static let maxErrorByteCount = 64 << 10

    /// Stores an error response if its headers allow that, so that the next load need not ask the
    /// server.
    private func rememberError() {
        guard let head, !isSuccess(head.status), let pendingWrite = head.pendingWrite,
            body.count <= Self.maxErrorByteCount,
            pendingWrite.isLastingAbsence(now: fetcher.http.clock.secondsSince1970)
        else { return }
        pendingWrite.commit(body)
    }

    private func outcome(of result: Result<Void, ImageError>) -> Result<LoadedData, ImageError> {
        // The status takes precedence over an error in the body that explains it.
        if let head, !isSuccess(head.status) { return .failure(.httpStatus(head.status)) }
        if case .failure(let error) = result { return .failure(error) }
        guard let head else { return .failure(ImageError(.protocol, "no response")) }
        if let coding = ContentCoding.unknown(in: head.headers) { return .failure(ImageError(.encoding, coding)) }
        guard !body.isEmpty else { return .failure(ImageError(.emptyBody, head.address.stringWithoutUserInfo)) }
        var data = LoadedData(
            bytes: body, status: head.status, headers: head.headers, address: head.address.withoutUserInfo,
            origin: head.origin)
        data.retention = Retention(
            freshUntil: head.freshUntil, storedAt: head.storedAt, isKeptOnlyWhileInUse: head.isKeptOnlyWhileInUse)
        data.pendingWrite = head.pendingWrite
        data.storeKey = head.storeKey
        return Result { () throws(ImageError) in
            try job.options.responseValidation?.check(data)
            return data
        }
    }

    /// Whether the body is the complete image: 2xx except 206, a partial response (RFC 9110 section
    /// 15.3.7), which this request did not ask for.
    private func isSuccess(_ status: Int) -> Bool {
        (200..<300).contains(status) && status != 206
    }
}
