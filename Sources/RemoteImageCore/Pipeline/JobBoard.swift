// The shared work of a pipeline: which jobs there are, who waits for them, what runs.
//
// Invariants, all under one lock:
// - There is at most one job for a key, and it lives only while somebody wants it.
// - A waiter is answered exactly once: with the job's result, or with `cancelled` when it leaves.
// - What a change asks of the outside (start, cancel, answer) is collected as effects and carried out
//   after the lock is released, so that no foreign code runs under it.

/// Keeps the jobs of a pipeline and moves them along.
final class JobBoard: Sendable {
    /// What the pipeline does for a job, on threads of its own choice.
    struct Workers: Sendable {
        /// Starts the transfer of a job's bytes.
        var startTransfer: @Sendable (Job, JobBoard) -> any Transfer
        /// Decodes; reports to ``finishDecoding(_:with:)``.
        var startDecoding: @Sendable (Job, LoadedData, JobBoard) -> Void
    }

    private enum Effect {
        case startTransfer(Job)
        case cancelTransfer(any Transfer)
        case startDecoding(Job, LoadedData)
        case report(Waiter, LoadProgress)
        case answer(Waiter, Result<JobOutput, ImageError>)
    }

    private struct State {
        var jobs: [JobKey: Job] = [:]
        var transfers: JobQueue
        var decodes: JobQueue
        /// Bytes that were transferred and wait to be decoded.
        var undecodedByteCount = 0
        var effects: [Effect] = []
    }

    private let state: Lock<State>
    private let workers: Workers

    /// Transfers pause while this many bytes wait for a decode thread, so that a fast network does not
    /// fill the memory with what cannot be decoded yet.
    private static let undecodedByteLimit = 32 << 20

    init(transferLimit: Int, transferLimitPerHost: Int, decodeLimit: Int, workers: Workers) {
        self.workers = workers
        state = Lock(
            State(
                transfers: JobQueue(limit: transferLimit, laneLimit: transferLimitPerHost),
                decodes: JobQueue(limit: decodeLimit)))
    }

    // MARK: What requests ask

    /// Lets `waiter` wait for a picture, joining work that is under way.
    func want(_ key: PictureKey, of request: ImageRequest, host: String, _ waiter: Waiter) {
        change { state in
            let job = Self.job(.picture(key), host: host, request: request, urgency: waiter.urgency, in: &state)
            Self.add(waiter, to: job, in: &state)
        }
    }

    /// Lets `waiter` wait for bytes, joining work that is under way.
    func want(_ key: LoadKey, of request: ImageRequest, host: String, _ waiter: Waiter) {
        change { state in
            let job = Self.job(.bytes(key), host: host, request: request, urgency: waiter.urgency, in: &state)
            Self.add(waiter, to: job, in: &state)
        }
    }

    /// Answers `waiter` with `cancelled` and stops what nobody else wants. Nothing happens when it has
    /// been answered already.
    func cancel(_ waiter: Waiter) {
        change { state in
            guard let job = waiter.job else { return }
            waiter.job = nil
            job.waiters.removeAll { $0 === waiter }
            state.effects.append(.answer(waiter, .failure(.cancelled)))
            Self.reconsider(job, in: &state)
        }
    }

    func setUrgency(_ urgency: Urgency, of waiter: Waiter) {
        change { state in
            waiter.urgency = urgency
            if let job = waiter.job { Self.reconsider(job, in: &state) }
        }
    }

    /// Answers everybody with `cancelled` and stops all work.
    func cancelAll() {
        change { state in
            for job in state.jobs.values {
                for waiter in job.waiters {
                    waiter.job = nil
                    state.effects.append(.answer(waiter, .failure(.cancelled)))
                }
                job.waiters = []
            }
            for job in Array(state.jobs.values) { Self.reconsider(job, in: &state) }
        }
    }

    // MARK: What workers report

    func advance(_ job: Job, to progress: LoadProgress) {
        change { state in
            guard state.jobs[job.key] === job else { return }
            job.progress = progress
            for waiter in job.waiters { state.effects.append(.report(waiter, progress)) }
            for dependent in job.dependents {
                for waiter in dependent.waiters { state.effects.append(.report(waiter, progress)) }
            }
        }
    }

    func finishTransfer(of job: Job, with result: Result<LoadedData, ImageError>) {
        change { state in
            guard state.jobs[job.key] === job else { return }
            state.transfers.finish(job)
            Self.finish(job, with: result.map(JobOutput.bytes), in: &state)
        }
    }

    func finishDecoding(_ job: Job, with result: Result<LoadedImage, ImageError>) {
        change { state in
            state.decodes.finish(job)
            guard state.jobs[job.key] === job else { return }
            Self.finish(job, with: result.map(JobOutput.picture), in: &state)
        }
    }

    /// Whether anybody still waits for the job: work that has not begun need not begin.
    func isWanted(_ job: Job) -> Bool {
        state.withLock { _ in job.isWanted }
    }

    /// How many jobs there are, for tests of what is left alive.
    var jobCount: Int {
        state.withLock { $0.jobs.count }
    }

    // MARK: Rules, under the lock

    /// The job for a key, made and set to work if there is none.
    private static func job(
        _ key: JobKey, host: String, request: ImageRequest, urgency: Urgency, in state: inout State
    ) -> Job {
        if let job = state.jobs[key] { return job }
        let job = Job(key: key, lane: host, request: request, urgency: urgency)
        state.jobs[key] = job
        switch key {
        case .bytes:
            state.transfers.enqueue(job)
        case .picture(let picture):
            let bytes = self.job(.bytes(picture.load), host: host, request: request, urgency: urgency, in: &state)
            bytes.dependents.append(job)
            job.state = .needsBytes(bytes)
            reconsider(bytes, in: &state)
        }
        return job
    }

    private static func add(_ waiter: Waiter, to job: Job, in state: inout State) {
        waiter.job = job
        job.waiters.append(waiter)
        reconsider(job, in: &state)
        var source = job
        if case .needsBytes(let bytes) = job.state { source = bytes }
        if source.progress.completedByteCount > 0 { state.effects.append(.report(waiter, source.progress)) }
    }

    /// Stops a job that nobody wants, or gives it the urgency of those who do.
    private static func reconsider(_ job: Job, in state: inout State) {
        guard job.isWanted else { return stop(job, in: &state) }
        let urgency = job.wantedUrgency
        guard urgency != job.urgency else { return }
        switch job.state {
        case .waiting: state.transfers.move(job, to: urgency)
        case .waitingToDecode: state.decodes.move(job, to: urgency)
        case .needsBytes(let bytes):
            job.urgency = urgency
            reconsider(bytes, in: &state)
        case .starting, .transferring, .decoding, .finished: job.urgency = urgency
        }
    }

    private static func stop(_ job: Job, in state: inout State) {
        guard state.jobs[job.key] === job else { return }
        state.jobs[job.key] = nil
        switch job.state {
        case .waiting:
            state.transfers.remove(job)
        case .starting:
            // Whoever starts it finds it stopped and cancels the transfer.
            state.transfers.finish(job)
        case .transferring(let transfer):
            state.transfers.finish(job)
            state.effects.append(.cancelTransfer(transfer))
        case .needsBytes(let bytes):
            bytes.dependents.removeAll { $0 === job }
            reconsider(bytes, in: &state)
        case .waitingToDecode(let data):
            state.decodes.remove(job)
            state.undecodedByteCount -= data.bytes.count
        case .decoding, .finished:
            // A decode cannot be interrupted; its result finds no job and is dropped.
            break
        }
        job.state = .finished
    }

    private static func finish(_ job: Job, with result: Result<JobOutput, ImageError>, in state: inout State) {
        state.jobs[job.key] = nil
        job.state = .finished
        for waiter in job.waiters {
            waiter.job = nil
            state.effects.append(.answer(waiter, result))
        }
        job.waiters = []
        let dependents = job.dependents
        job.dependents = []
        for dependent in dependents {
            switch result {
            case .success(.bytes(let data)):
                dependent.state = .waitingToDecode(data)
                state.undecodedByteCount += data.bytes.count
                state.decodes.enqueue(dependent)
            case .success(.picture), .failure:
                finish(dependent, with: result, in: &state)
            }
        }
    }

    /// Gives free places to those who wait.
    private static func fillPlaces(in state: inout State) {
        while let job = state.decodes.next() {
            guard case .waitingToDecode(let data) = job.state else {
                state.decodes.finish(job)
                continue
            }
            job.state = .decoding
            state.undecodedByteCount -= data.bytes.count
            state.effects.append(.startDecoding(job, data))
        }
        while state.undecodedByteCount < undecodedByteLimit, let job = state.transfers.next() {
            job.state = .starting
            state.effects.append(.startTransfer(job))
        }
    }

    // MARK: The way out of the lock

    private func change(_ body: (inout State) -> Void) {
        let effects = state.withLock { state in
            body(&state)
            Self.fillPlaces(in: &state)
            defer { state.effects.removeAll() }
            return state.effects
        }
        for effect in effects { carryOut(effect) }
    }

    private func carryOut(_ effect: Effect) {
        switch effect {
        case .cancelTransfer(let transfer): transfer.cancel()
        case .startDecoding(let job, let data): workers.startDecoding(job, data, self)
        case .report(let waiter, let progress): waiter.receive(.progress(progress))
        case .answer(let waiter, let result): waiter.receive(.finished(result))
        case .startTransfer(let job):
            let transfer = workers.startTransfer(job, self)
            let isStopped = state.withLock { _ in
                guard case .starting = job.state else { return true }
                job.state = .transferring(transfer)
                return false
            }
            // Also for a transfer that has ended by itself, where it does nothing.
            if isStopped { transfer.cancel() }
        }
    }
}
