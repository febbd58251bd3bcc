/// Reports the progress of a job that fetches, and makes previews of its data.
final class TransferProgress: Sendable {
    private let job: Job
    private let bodies: JobBodies
    private let jobs: JobScheduler
    private let previews: PreviewMaker?
    /// The head of the response, and when it was received.
    private let head = Lock<(head: TransferHead, time: Duration)?>(nil)

    init(_ job: Job, _ bodies: JobBodies, _ jobs: JobScheduler) {
        self.job = job
        self.bodies = bodies
        self.jobs = jobs
        previews =
            job.options.previews.isEmpty
            ? nil
            : PreviewMaker(
                job.options.previews, bodies.decoders, bodies.decodeScheduler, limits: bodies.decodeLimits(of: job),
                clock: bodies.configuration.clock
            ) { [weak jobs] in
                jobs?.largestTarget(of: job)
            } receive: { [weak jobs] image in
                jobs?.show(image, whileFetching: job)
            }
    }

    func receive(_ head: TransferHead, _ body: [UInt8]) {
        if body.isEmpty {
            let now = bodies.http.clock.now
            self.head.withLock { $0 = (head, now) }
            bodies.observers.report(.responded(status: head.status), of: job)
        }
        if head.isSuccess { receive(body, of: head.expectedByteCount) }
    }

    /// - Parameters:
    ///   - body: All bytes received so far.
    ///   - byteCount: The announced size.
    func receive(_ body: [UInt8], of byteCount: Int?) {
        jobs.advance(job, to: LoadProgress(completedByteCount: body.count, totalByteCount: byteCount))
        previews?.look(at: body)
    }

    func end() { previews?.end() }

    /// When the server allows a retry; `nil` if it does not say so.
    var retryAfter: Duration? { head.withLock { $0 }.flatMap { RetryAfter.delay(in: $0.head.headers) } }

    /// The metadata of a load that failed before its data was complete.
    func failure(of address: WebAddress) -> ImageInfo {
        let (times, head) = (times(), head.withLock { $0?.head })
        return .failure(
            .network, status: head?.status, address: head?.address ?? address,
            times.timings(since: jobs.read { job.requestedAt }, decodedAt: times.ended))
    }

    /// The times of the steps; a stored response has no connection.
    func times() -> TransferTimes {
        let (now, head) = (bodies.http.clock.now, head.withLock { $0 })
        return TransferTimes(
            started: jobs.read { job.startedAt },
            connected: head.flatMap { head in head.head.timeSinceConnected.map { head.time - $0 } },
            firstByte: head?.time ?? now, ended: now)
    }
}
