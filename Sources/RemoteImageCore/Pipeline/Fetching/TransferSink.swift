import HTTPTypes

/// Passes the response of a job's transfer to the ``JobScheduler``.
struct TransferSink: Sendable {
    private let job: Job
    private let fetcher: Fetcher
    private let jobs: JobScheduler
    private let previews: PreviewMaker?
    /// When the head of the response was received.
    private let headTime = Lock<Duration?>(nil)

    init(job: Job, fetcher: Fetcher, jobs: JobScheduler) {
        self.job = job
        self.fetcher = fetcher
        self.jobs = jobs
        previews = fetcher.previewMaker(for: job, jobs)
    }

    var receiver: ResponseCollector { ResponseCollector(didReceive: advance, didFinish: finish) }

    private func advance(_ head: TransferHead, _ body: [UInt8]) {
        if body.isEmpty {
            let now = fetcher.http.clock.now
            headTime.withLock { $0 = now }
            if head.origin == .network { fetcher.observers.report(.responded(status: head.status), of: job) }
        }
        guard head.isSuccess else { return }
        jobs.advance(
            job, to: LoadProgress(completedByteCount: body.count, totalByteCount: head.expectedByteCount))
        // A complete body from the store is decoded at once and needs no preview.
        if head.origin == .network { previews?.look(at: body) }
    }

    private func finish(_ head: TransferHead?, _ body: [UInt8], _ result: Result<Void, ImageError>) {
        previews?.end()
        switch result {
        case .success: rememberError(head, body)
        case .failure(let error): head?.pendingWrite?.fail(error, after: body)
        }
        let outcome = outcome(head, body, result)
        guard case .success(let data) = outcome, let validation = job.options.responseValidation else {
            return end(head, outcome)
        }
        let context = jobs.context(of: job)
        switch validation.check {
        case .immediate(let check):
            let checked = Result { () throws(ImageError) in try check(data, context) }
            end(head, data, checked)
        case .asynchronous(let check):
            let (limit, clock) = (fetcher.limits(of: job).timeout, fetcher.http.clock)
            // If the job is stopped meanwhile, its data is only stored.
            Task {
                let checked = await Result { () async throws(ImageError) in
                    try await withTimeLimit(limit, of: "the response validation", failingWith: .timeout, clock) {
                        try await check(data, context)
                    }
                }
                end(head, data, checked)
            }
        }
    }

    /// Ends a transfer after the validation of its data.
    private func end(_ head: TransferHead?, _ data: LoadedData, _ validation: Result<Void, ImageError>) {
        let outcome = validation.map { data }
        guard case .failure = validation, let pendingWrite = data.pendingWrite, pendingWrite.isResumed else {
            return end(head, outcome)
        }
        // The stored part may be the cause. Without it, the next load requests the whole body.
        Task {
            await pendingWrite.forgetPartial()
            end(head, outcome)
        }
    }

    private func end(_ head: TransferHead?, _ outcome: Result<LoadedData, ImageError>) {
        switch outcome {
        case .success(let data):
            fetcher.observers.report(.fetched(byteCount: data.bytes.count), of: job)
            jobs.finish(job, with: .success(.bytes(data)))
        case .failure(let error):
            head?.pendingWrite?.discard()
            fetcher.fail(job, error, retryAfter: head.flatMap { RetryAfter.delay(in: $0.headers) }, jobs)
        }
    }

    /// Stores an error response if its headers allow that, so that the next load need not ask the
    /// server.
    private func rememberError(_ head: TransferHead?, _ body: [UInt8]) {
        guard let head, !head.isSuccess, let pendingWrite = head.pendingWrite,
            body.count <= ResponseCollector.maxErrorByteCount,
            pendingWrite.isLastingAbsence(now: fetcher.http.clock.secondsSince1970)
        else { return }
        pendingWrite.commit(body)
    }

    private func outcome(
        _ head: TransferHead?, _ body: [UInt8], _ result: Result<Void, ImageError>
    ) -> Result<LoadedData, ImageError> {
        // The status takes precedence over an error in the body that explains it.
        if let head, !head.isSuccess { return .failure(.httpStatus(head.status)) }
        if case .failure(let error) = result { return .failure(error) }
        guard let head else { return .failure(ImageError(.protocol, "no response")) }
        guard !body.isEmpty else { return .failure(ImageError(.emptyBody, head.address.stringWithoutUserInfo)) }
        if head.resized == nil, let coding = ContentCoding.unknown(in: head.headers), !fetcher.isImage(body) {
            return .failure(ImageError(.encoding, coding))
        }
        var data = LoadedData(
            bytes: body, resized: head.resized, status: head.status, headers: head.headers,
            address: head.address.withoutUserInfo,
            origin: head.origin)
        data.retention = head.retention
        data.pendingWrite = head.pendingWrite
        data.storeKey = head.storeKey
        data.hasKnownLength = head.expectedByteCount != nil
        data.retention.original = (head.storeKey ?? head.pendingWrite?.storedKey).map { StoredOriginal(storeKey: $0) }
        let headTime = headTime.withLock { $0 }
        data.times = TransferTimes(
            started: jobs.startTime(of: job),
            connected: headTime.flatMap { time in head.timeSinceConnected.map { time - $0 } },
            firstByte: headTime, ended: fetcher.http.clock.now)
        return .success(data)
    }
}
