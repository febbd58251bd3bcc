// The shared work of a pipeline: its jobs, their subscribers, and what runs.
//
// Invariants, all under one lock:
// - There is at most one job for a key. It lives while it has subscribers or dependents.
// - A subscriber is answered exactly once: with the job's result, or with `cancelled` when it leaves.
// - Starting, cancelling and telling are collected as effects and carried out after the lock is released, so that no
//   code outside of the scheduler runs under it.

/// Keeps the jobs of a pipeline and moves them along.
final class JobScheduler: Sendable {
    /// What the pipeline does for a job, on threads of its own choice.
    struct Workers: Sendable {
        /// Begins to bring a job's bytes; reports to ``finish(_:with:)`` or ``retry(_:after:)``.
        var startFetching: @Sendable (Job, JobScheduler) -> any Transfer
        /// Makes an image of the output that the job waited for; reports to ``finish(_:with:)``.
        var startDecoding: @Sendable (Job, JobOutput, JobScheduler) -> Void
    }

    struct Limits: Sendable {
        var transferCount: Int
        var transferCountPerHost: Int
        var localCount = 16
        var threadCount: Int
        var rate: RateLimiter.Rate?
    }

    enum Effect {
        /// With the number of the start: by the time it is carried out the job may have ended and be started anew.
        case startFetching(Job, start: Int)
        case cancel(any Transfer)
        case startDecoding(Job, JobOutput)
        case setUrgency(DecodeBudget.Claim, Urgency)
        case cancelWait(DecodeBudget.Claim)
        case tell(Subscriber, Subscriber.Event)
        case resumeRetry(Job, after: Duration)
        case fillPlaces(after: Duration)
    }

    struct State {
        var jobs: [JobKey: Job] = [:]
        var transfers: JobQueue
        var locals: JobQueue
        var threads: JobQueue
        var limiter: RateLimiter?
        var isWaitingForToken = false
        /// Jobs that wait for the network to return.
        var disconnected: [ObjectIdentifier: Job] = [:]
        var effects: [Effect] = []
    }

    let state: Lock<State>
    private let workers: Workers
    private let clock: any PipelineClock

    /// Transfers pause while this many bytes wait for a decode thread that are as urgent, so that a fast network does not
    /// fill the memory with what cannot be decoded yet.
    static let undecodedByteLimit = 32 << 20

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

    /// Lets `subscriber` wait for the job of a key, joining work that is under way.
    ///
    /// - Parameter input: For an image: what a step on the way to it is in memory already, and its key.
    func want(
        _ key: JobKey, from source: ImageSource, _ options: ImageOptions, input: (ImageKey, JobOutput)? = nil,
        _ subscriber: Subscriber
    ) {
        change { state in
            let job = state.job(key, from: source, options, input: input, urgency: subscriber.urgency)
            subscriber.job = job
            subscriber.index = job.subscribers.count
            job.subscribers.append(subscriber)
            job.urgencyCounts.add(subscriber.urgency)
            state.reconsider(job)
            let fetching = State.fetching(job)
            if fetching.progress.completedByteCount > 0 {
                state.effects.append(.tell(subscriber, .progress(fetching.progress)))
            }
            if fetching.attempt > 1 { state.effects.append(.tell(subscriber, .retrying(attempt: fetching.attempt))) }
        }
    }

    /// Queues a validation for a transfer, behind every transfer that a view waits for.
    func want(_ validation: BackgroundValidation) {
        let subscriber = Subscriber(urgency: .veryLow) { event in
            if case .finished = event { validation.abandon() }
        }
        change { state in
            let job = Job(
                key: .validation(validation.key), source: ImageSource(validation.address), options: ImageOptions(),
                urgency: subscriber.urgency, validation: validation)
            // The transfer of one that was cancelled may still be ending.
            guard state.jobs[job.key] == nil else {
                return state.effects.append(.tell(subscriber, .finished(.failure(.cancelled))))
            }
            state.jobs[job.key] = job
            subscriber.job = job
            job.subscribers.append(subscriber)
            job.urgencyCounts.add(subscriber.urgency)
            state.enqueue(job)
        }
    }

    /// Tells `subscriber` that it is `cancelled`, and stops work that no one else subscribed to. Nothing happens when it has
    /// been answered already.
    func cancel(_ subscriber: Subscriber) {
        change { state in
            guard let job = subscriber.job else { return }
            job.subscribers.swapAt(subscriber.index, job.subscribers.count - 1)
            job.subscribers[subscriber.index].index = subscriber.index
            job.subscribers.removeLast()
            job.urgencyCounts.remove(subscriber.urgency)
            subscriber.job = nil
            state.effects.append(.tell(subscriber, .finished(.failure(.cancelled))))
            state.reconsider(job)
        }
    }

    /// Gives `subscriber` the urgency that `current` says. It is asked under the lock: of two that change it the last one counts.
    func setUrgency(of subscriber: Subscriber, to current: () -> Urgency) {
        change { state in
            let (old, urgency) = (subscriber.urgency, current())
            subscriber.urgency = urgency
            guard let job = subscriber.job, old != urgency else { return }
            job.urgencyCounts.remove(old)
            job.urgencyCounts.add(urgency)
            state.reconsider(job)
        }
    }

    /// Tells all subscribers that they are `cancelled`, and stops all work.
    func cancelAll() {
        change { state in
            for job in Array(state.jobs.values) {
                for subscriber in job.subscribers {
                    job.urgencyCounts.remove(subscriber.urgency)
                    subscriber.job = nil
                    state.effects.append(.tell(subscriber, .finished(.failure(.cancelled))))
                }
                job.subscribers = []
                state.reconsider(job)
            }
        }
    }

    func setTransferLimits(count: Int, perHost: Int) {
        change { state in
            state.transfers.limit = count
            state.transfers.laneLimit = perHost
        }
    }

    // MARK: The way out of the lock

    /// Changes the jobs, gives free places to those that wait, and carries out the effects.
    func change(_ body: (inout State) -> Void) {
        let now = clock.now
        let effects = state.withLock { state in
            body(&state)
            state.fillPlaces(now: now)
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
        case .startDecoding(let job, let input): workers.startDecoding(job, input, self)
        case .setUrgency(let claim, let urgency): claim.setUrgency(urgency)
        case .cancelWait(let claim): claim.cancel()
        case .tell(let subscriber, let event): subscriber.receive(event)
        case .resumeRetry(let job, let delay):
            clock.schedule(after: delay) { [weak self] in
                self?.change { $0.enqueueRetry(job) }
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
