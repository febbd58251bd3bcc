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
        /// Begins to bring a job's bytes; reports to ``finish(_:with:)`` or ``retry(_:after:)``.
        var startFetching: @Sendable (Job, JobBoard) -> any Transfer
        /// Makes a picture of the output that the job waited for; reports to ``finish(_:with:)``.
        var startWorking: @Sendable (Job, JobOutput, JobBoard) -> Void
    }

    struct Limits: Sendable {
        var transferCount: Int
        var transferCountPerHost: Int
        var localCount = 16
        var threadCount: Int
        var rate: RateLimiter.Rate?
    }

    private enum Effect {
        /// With the number of the start: by the time it is carried out the job may have ended and be started anew.
        case startFetching(Job, start: Int)
        case cancel(any Transfer)
        case startWorking(Job, JobOutput)
        case tell(Waiter, Waiter.Event)
        case resumeRetry(Job, after: Duration)
        case fillPlaces(after: Duration)
    }

    private struct State {
        var jobs: [JobKey: Job] = [:]
        var transfers: JobQueue
        var locals: JobQueue
        var threads: JobQueue
        var limiter: RateLimiter?
        var isWaitingForToken = false
        /// Jobs that wait for the network to return.
        var disconnected: [ObjectIdentifier: Job] = [:]
        /// Bytes that were transferred and wait to be decoded.
        var undecodedByteCount = 0
        var effects: [Effect] = []
    }

    private let state: Lock<State>
    private let workers: Workers
    private let clock: any PipelineClock

    /// Transfers pause while this many bytes wait for a decode thread, so that a fast network does not
    /// fill the memory with what cannot be decoded yet.
    private static let undecodedByteLimit = 32 << 20

    init(_ limits: Limits, clock: any PipelineClock, workers: Workers) {
        self.workers = workers
        self.clock = clock
        state = Lock(
            State(
                transfers: JobQueue(limit: limits.transferCount, laneLimit: limits.transferCountPerHost),
                locals: JobQueue(limit: limits.localCount),
                threads: JobQueue(limit: limits.threadCount),
                limiter: limits.rate.map { RateLimiter($0, now: clock.now) }))
    }

    // MARK: What requests ask

    /// Lets `waiter` wait for the job of a key, joining work that is under way.
    ///
    /// - Parameter input: For a picture: what a step on the way to it is in memory already, and its key.
    func want(
        _ key: JobKey, from source: ImageSource, _ options: ImageOptions, input: (PictureKey, JobOutput)? = nil,
        _ waiter: Waiter
    ) {
        change { state in
            let job = Self.job(key, from: source, options, input: input, urgency: waiter.urgency, in: &state)
            waiter.job = job
            waiter.index = job.waiters.count
            job.waiters.append(waiter)
            job.demand.add(waiter.urgency)
            Self.reconsider(job, in: &state)
            let fetching = Self.fetching(job)
            if fetching.progress.completedByteCount > 0 {
                state.effects.append(.tell(waiter, .progress(fetching.progress)))
            }
            if fetching.attempt > 1 { state.effects.append(.tell(waiter, .retrying(attempt: fetching.attempt))) }
        }
    }

    /// Answers `waiter` with `cancelled` and stops what nobody else wants. Nothing happens when it has
    /// been answered already.
    func cancel(_ waiter: Waiter) {
        change { state in
            guard let job = waiter.job else { return }
            job.waiters.swapAt(waiter.index, job.waiters.count - 1)
            job.waiters[waiter.index].index = waiter.index
            job.waiters.removeLast()
            job.demand.remove(waiter.urgency)
            waiter.job = nil
            state.effects.append(.tell(waiter, .finished(.failure(.cancelled))))
            Self.reconsider(job, in: &state)
        }
    }

    func setUrgency(_ urgency: Urgency, of waiter: Waiter) {
        change { state in
            let old = waiter.urgency
            waiter.urgency = urgency
            guard let job = waiter.job, old != urgency else { return }
            job.demand.remove(old)
            job.demand.add(urgency)
            Self.reconsider(job, in: &state)
        }
    }

    /// Answers everybody with `cancelled` and stops all work.
    func cancelAll() {
        change { state in
            for job in Array(state.jobs.values) {
                for waiter in job.waiters {
                    job.demand.remove(waiter.urgency)
                    waiter.job = nil
                    state.effects.append(.tell(waiter, .finished(.failure(.cancelled))))
                }
                job.waiters = []
                Self.reconsider(job, in: &state)
            }
        }
    }

    func setTransferLimits(count: Int, perHost: Int) {
        change { state in
            state.transfers.limit = count
            state.transfers.laneLimit = perHost
        }
    }

    // MARK: What workers report

    func advance(_ job: Job, to progress: LoadProgress) {
        change { state in
            guard state.jobs[job.key] === job else { return }
            job.progress = progress
            Self.tell(.progress(progress), toAllOf: job, in: &state)
        }
    }

    func finish(_ job: Job, with result: Result<JobOutput, ImageError>) {
        change { state in
            if case .working = job.state { state.threads.finish(job) }
            // A job that was stopped has given its place back and has nobody to answer.
            guard state.jobs[job.key] === job else { return }
            Self.leavePlace(job, in: &state)
            Self.finish(job, with: result, in: &state)
        }
    }

    /// Lets a job whose transfer failed try again after a while, without a place meanwhile; nil waits until
    /// ``reconnect()``.
    func retry(_ job: Job, after delay: Duration?) {
        change { state in
            guard state.jobs[job.key] === job else { return }
            Self.leavePlace(job, in: &state)
            job.state = .waitingToRetry
            job.attempt += 1
            job.progress = LoadProgress()
            Self.tell(.retrying(attempt: job.attempt), toAllOf: job, in: &state)
            if let delay {
                state.effects.append(.resumeRetry(job, after: delay))
            } else {
                state.disconnected[ObjectIdentifier(job)] = job
            }
        }
    }

    /// Lets a local job go on with the output of another job, the first of several that succeeds: a recipe that named
    /// a source, or a choice among sources.
    func redirect(_ job: Job, to alternatives: [(key: JobKey, source: ImageSource)]) {
        change { state in
            guard state.jobs[job.key] === job else { return }
            Self.leavePlace(job, in: &state)
            job.alternatives = alternatives
            Self.goOn(job, after: ImageError(.invalidURL, "no source"), in: &state)
        }
    }

    /// Lets a job whose bytes were good for nothing work on others, from the network.
    func refetch(_ job: Job) {
        change { state in
            if case .working = job.state { state.threads.finish(job) }
            guard state.jobs[job.key] === job, case .picture(let picture, let terms) = job.key else { return }
            Self.attach(job, to: .bytes(picture.load, terms.reloading), from: job.source, input: nil, in: &state)
        }
    }

    /// The network is there again.
    func reconnect() {
        change { state in
            for job in state.disconnected.values { Self.enqueueRetry(job, in: &state) }
            state.disconnected = [:]
        }
    }

    /// Whether a request asked for this very job, rather than for something made of it.
    func hasWaiters(_ job: Job) -> Bool {
        state.withLock { _ in !job.waiters.isEmpty }
    }

    /// The largest of the sizes in which pictures are made of what a job fetches; nil for full size.
    func largestTarget(of job: Job) -> TargetSize? {
        state.withLock { _ in
            let targets = job.dependents.map { dependent -> TargetSize? in
                if case .picture(let key, _) = dependent.key { key.target } else { nil }
            }
            guard !targets.contains(nil) else { return nil }
            return targets.compactMap { $0 }.max { $0.box.pixelCount < $1.box.pixelCount }
        }
    }

    /// Shows a preview to those who wait for the picture of what a job fetches, unless something is done to its pixels.
    func show(_ preview: LoadedImage, whileFetching job: Job) {
        change { state in
            guard state.jobs[job.key] === job else { return }
            for dependent in job.dependents {
                guard case .picture(let key, _) = dependent.key, key.processors.isEmpty else { continue }
                for waiter in dependent.waiters { state.effects.append(.tell(waiter, .preview(preview))) }
            }
        }
    }

    /// Whether anybody still waits for the job: work that has not begun need not begin.
    func isWanted(_ job: Job) -> Bool {
        state.withLock { _ in job.isWanted }
    }

    /// Which try of its transfer a job is at.
    func attempt(of job: Job) -> Int {
        state.withLock { _ in job.attempt }
    }

    /// How many jobs there are, for tests of what is left alive.
    var jobCount: Int {
        state.withLock { $0.jobs.count }
    }

    // MARK: Rules, under the lock

    /// The job for a key, made and set to work if there is none.
    private static func job(
        _ key: JobKey, from source: ImageSource, _ options: ImageOptions, input: (PictureKey, JobOutput)?,
        urgency: Urgency, in state: inout State
    ) -> Job {
        if let job = state.jobs[key] { return job }
        let job = Job(key: key, source: source, options: options, urgency: urgency)
        state.jobs[key] = job
        switch key {
        case .bytes:
            enqueue(job, in: &state)
        case .picture(let picture, let terms):
            if let (known, output) = input, picture.unprocessed == known, !picture.processors.isEmpty {
                giveInput(output, to: job, in: &state)
            } else {
                let needed: JobKey =
                    picture.processors.isEmpty
                    ? .bytes(picture.load, terms) : .picture(picture.unprocessed, terms)
                attach(job, to: needed, from: source, input: input, in: &state)
            }
        }
        return job
    }

    /// Makes a job wait for the output of another one.
    private static func attach(
        _ job: Job, to key: JobKey, from source: ImageSource, input: (PictureKey, JobOutput)?, in state: inout State
    ) {
        let needed = self.job(
            key, from: source, job.options, input: input, urgency: job.urgency, in: &state)
        needed.dependents.append(job)
        needed.demand.add(job.urgency)
        job.state = .needs(needed)
        reconsider(needed, in: &state)
    }

    /// Lets a job that was redirected try its next alternative, or ends it with what all of them said.
    private static func goOn(_ job: Job, after error: ImageError, in state: inout State) {
        var failures = job.failures
        while !job.alternatives.isEmpty {
            let (key, source) = job.alternatives.removeFirst()
            if needs(job, from: state.jobs[key]) {
                // Neither would ever end.
                failures.append(ImageError(.source, "recipes that name each other: \(source.identity)"))
                continue
            }
            job.failures = failures
            return attach(job, to: key, from: source, input: nil, in: &state)
        }
        let last = failures.last ?? error
        let all = ImageError(
            last.code, last.detail, status: last.status, underlying: failures.count > 1 ? failures : last.underlying)
        finish(job, with: .failure(all), in: &state)
    }

    /// Whether `other`, directly or by what it waits for, waits for `job`.
    private static func needs(_ job: Job, from other: Job?) -> Bool {
        var next = other
        while let current = next {
            if current === job { return true }
            if case .needs(let needed) = current.state { next = needed } else { return false }
        }
        return false
    }

    /// The job that fetches the bytes for `job`, or the last on the way there.
    private static func fetching(_ job: Job) -> Job {
        var job = job
        while case .needs(let needed) = job.state { job = needed }
        return job
    }

    private static func enqueue(_ job: Job, in state: inout State) {
        job.state = .waiting
        if case .host = job.lane { state.transfers.enqueue(job) } else { state.locals.enqueue(job) }
    }

    private static func giveInput(_ output: JobOutput, to job: Job, in state: inout State) {
        if case .bytes(let data) = output { state.undecodedByteCount += data.bytes.count }
        job.state = .waitingForThread(output)
        state.threads.enqueue(job)
    }

    /// Stops a job that nobody wants, or gives it the urgency of those who do.
    private static func reconsider(_ job: Job, in state: inout State) {
        guard job.isWanted else { return stop(job, in: &state) }
        let (old, urgency) = (job.urgency, job.demand.highest)
        guard urgency != old else { return }
        switch job.state {
        case .waiting:
            if case .host = job.lane {
                state.transfers.move(job, to: urgency)
            } else {
                state.locals.move(job, to: urgency)
            }
        case .waitingForThread: state.threads.move(job, to: urgency)
        case .needs(let needed):
            job.urgency = urgency
            needed.demand.remove(old)
            needed.demand.add(urgency)
            reconsider(needed, in: &state)
        case .starting, .running, .working, .waitingToRetry, .finished: job.urgency = urgency
        }
    }

    private static func stop(_ job: Job, in state: inout State) {
        guard state.jobs[job.key] === job else { return }
        state.jobs[job.key] = nil
        switch job.state {
        case .waiting:
            if case .host = job.lane { state.transfers.remove(job) } else { state.locals.remove(job) }
        case .starting:
            // Whoever starts it finds it stopped and cancels it.
            leavePlace(job, isCancelled: true, in: &state)
        case .running(let transfer):
            leavePlace(job, isCancelled: true, in: &state)
            state.effects.append(.cancel(transfer))
        case .needs(let needed):
            needed.dependents.removeAll { $0 === job }
            needed.demand.remove(job.urgency)
            reconsider(needed, in: &state)
        case .waitingForThread(let input):
            state.threads.remove(job)
            if case .bytes(let data) = input { state.undecodedByteCount -= data.bytes.count }
        case .working:
            // Cannot be interrupted; keeps its place until it reports, and finds no job then.
            return
        case .waitingToRetry:
            state.disconnected[ObjectIdentifier(job)] = nil
        case .finished: break
        }
        job.state = .finished
    }

    /// Gives back the place of a job that fetches.
    private static func leavePlace(_ job: Job, isCancelled: Bool = false, in state: inout State) {
        switch job.state {
        case .starting, .running: break
        default: return
        }
        if case .host = job.lane {
            state.transfers.finish(job)
            if !isCancelled { state.limiter?.giveBack() }
        } else {
            state.locals.finish(job)
        }
    }

    private static func enqueueRetry(_ job: Job, in state: inout State) {
        guard state.jobs[job.key] === job, case .waitingToRetry = job.state else { return }
        enqueue(job, in: &state)
    }

    private static func finish(_ job: Job, with result: Result<JobOutput, ImageError>, in state: inout State) {
        state.jobs[job.key] = nil
        job.state = .finished
        for waiter in job.waiters {
            waiter.job = nil
            state.effects.append(.tell(waiter, .finished(result)))
        }
        let dependents = job.dependents
        job.waiters = []
        job.dependents = []
        job.demand = Demand()
        for dependent in dependents {
            if case .success(let output) = result, dependent.works(on: output) {
                giveInput(output, to: dependent, in: &state)
            } else if case .failure(let error) = result, dependent.isRedirected, error.code != .cancelled {
                dependent.failures.append(error)
                goOn(dependent, after: error, in: &state)
            } else {
                finish(dependent, with: result, in: &state)
            }
        }
    }

    private static func tell(_ event: Waiter.Event, toAllOf job: Job, in state: inout State) {
        for waiter in job.waiters { state.effects.append(.tell(waiter, event)) }
        for dependent in job.dependents { tell(event, toAllOf: dependent, in: &state) }
    }

    private static func begin(_ job: Job, in state: inout State) {
        job.state = .starting
        job.startCount += 1
        state.effects.append(.startFetching(job, start: job.startCount))
    }

    /// Gives free places to those who wait.
    private static func fillPlaces(now: Duration, in state: inout State) {
        while let job = state.threads.next() {
            guard case .waitingForThread(let input) = job.state else { continue }
            if case .bytes(let data) = input { state.undecodedByteCount -= data.bytes.count }
            job.state = .working
            state.effects.append(.startWorking(job, input))
        }
        while let job = state.locals.next() {
            begin(job, in: &state)
        }
        while state.undecodedByteCount < undecodedByteLimit, state.transfers.hasNext {
            guard state.limiter?.take(now: now) ?? true else {
                if !state.isWaitingForToken, let delay = state.limiter?.delay(now: now) {
                    state.isWaitingForToken = true
                    state.effects.append(.fillPlaces(after: delay))
                }
                return
            }
            guard let job = state.transfers.next() else { return }
            begin(job, in: &state)
        }
    }

    // MARK: The way out of the lock

    private func change(_ body: (inout State) -> Void) {
        let now = clock.now
        let effects = state.withLock { state in
            body(&state)
            Self.fillPlaces(now: now, in: &state)
            defer { state.effects.removeAll() }
            return state.effects
        }
        for effect in effects { carryOut(effect) }
    }

    private func isStarting(_ job: Job, _ start: Int) -> Bool {
        state.withLock { _ in
            if case .starting = job.state { job.startCount == start } else { false }
        }
    }

    private func carryOut(_ effect: Effect) {
        switch effect {
        case .cancel(let transfer): transfer.cancel()
        case .startWorking(let job, let input): workers.startWorking(job, input, self)
        case .tell(let waiter, let event): waiter.receive(event)
        case .resumeRetry(let job, let delay):
            clock.schedule(after: delay) { [weak self] in
                self?.change { Self.enqueueRetry(job, in: &$0) }
            }
        case .fillPlaces(let delay):
            clock.schedule(after: delay) { [weak self] in
                self?.change { $0.isWaitingForToken = false }
            }
        case .startFetching(let job, let start):
            guard isStarting(job, start) else { return }
            let transfer = workers.startFetching(job, self)
            let isStopped = state.withLock { _ in
                guard case .starting = job.state, job.startCount == start else { return true }
                job.state = .running(transfer)
                return false
            }
            // Also for one that has ended by itself, where it does nothing.
            if isStopped { transfer.cancel() }
        }
    }
}
