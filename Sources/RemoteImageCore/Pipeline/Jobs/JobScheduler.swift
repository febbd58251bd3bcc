// The shared work of a pipeline: its jobs, their subscribers, and the work that runs.
//
// Invariants, all under one lock:
// - There is at most one job for a key. It lives while it has subscribers or dependents.
// - A subscriber receives its result exactly once: the result of the job, or `cancelled` when the
//   subscriber leaves.
// - Cancellations and notifications are collected as effects and performed after the lock is
//   released, so that no code outside of the scheduler runs under it but the creation of tasks and
//   the short closures that say so.

/// Owns the jobs of a pipeline and schedules their work.
final class JobScheduler: Sendable {
    /// The work that the pipeline does for jobs; see ``JobBodies``.
    struct Workers: Sendable {
        /// Starts the body of a job: without an input, it fetches data; from the output that the
        /// job waited for, it makes an image. Called under the lock.
        var start: @Sendable (Job, JobOutput?, JobScheduler) -> Task<Void, Never>
        /// Called with complete data that is not decoded, since no request waits for its image any
        /// more.
        var keepUndecoded: @Sendable (LoadedData, ImageOptions) -> Void = { _, _ in }
        /// Called when the last job has ended, except for those that wait for the network to
        /// return.
        var becomeIdle: @Sendable (JobScheduler) -> Void = { _ in }
    }

    struct Limits: Sendable {
        var transferCount: Int
        var transferCountPerHost: Int
        /// How many files have a place at the same time, and how many other local sources.
        var localCount = 16
        var threadCount: Int
        var rate: ImagePipeline.RateLimit?
    }

    enum Effect {
        case cancel(Task<Void, Never>)
        case keepUndecoded(LoadedData, ImageOptions)
        case setUrgency(DecodeBudget.Claim, Urgency)
        case tell(Subscriber, Subscriber.Event)
        case resumeRetry(Job, after: Duration)
        case resumeDecoding(Job, after: Duration)
        case fillPlaces(after: Duration)
        case becomeIdle
    }

    struct State {
        var jobs: [JobKey: Job] = [:]
        var transfers: JobQueue
        /// Apart from ``locals``, so that files that do not respond delay no other source.
        var files: JobQueue
        var locals: JobQueue
        var threads: JobQueue
        var limiter: RateLimiter?
        var isWaitingForToken = false
        /// Jobs that wait for the network to return.
        var disconnected: [ObjectIdentifier: Job] = [:]
        var effects: [Effect] = []
        var isIdle = true
        /// The time of the current change.
        var now = Duration.zero
    }

    let state: Lock<State>
    private let workers: Workers
    private let clock: any PipelineClock

    /// Transfers, files and providers of an urgency pause while its data and pixels with this many
    /// bytes wait for a decode thread, so that a fast network or disk does not fill the memory with
    /// data that cannot be decoded yet.
    static let undecodedByteLimit = 32 << 20

    init(_ limits: Limits, clock: any PipelineClock, workers: Workers) {
        self.workers = workers
        self.clock = clock
        state = Lock(
            State(
                transfers: JobQueue(limit: limits.transferCount, laneLimit: limits.transferCountPerHost),
                files: JobQueue(limit: limits.localCount),
                locals: JobQueue(limit: limits.localCount),
                threads: JobQueue(limit: limits.threadCount),
                limiter: limits.rate.map { RateLimiter($0, now: clock.now) }))
    }

    // MARK: Requests

    /// Subscribes `subscriber` to the job of a key, joining work that is already running.
    ///
    /// - Parameters:
    ///   - input: For an image: an intermediate image from the memory cache, and its key.
    ///   - isTooLate: Whether `subscriber` receives `cancelled` instead. Called under the lock, so
    ///     that each job is either found by a concurrent ``cancelAll(where:)`` or refused here.
    func want(
        _ key: JobKey, from source: ImageSource, _ options: ImageOptions, input: (ImageKey, JobOutput)? = nil,
        unless isTooLate: () -> Bool = { false }, _ subscriber: Subscriber
    ) {
        change { state in
            if isTooLate() { return state.effects.append(.tell(subscriber, .finished(.failure(.cancelled)))) }
            let job = state.job(key, from: source, options, input: input, urgency: subscriber.urgency)
            job.add(subscriber)
            state.reconsider(job)
            let fetching = State.fetching(job)
            if fetching.progress.completedByteCount > 0 {
                state.effects.append(.tell(subscriber, .progress(fetching.progress)))
            }
            if fetching.attempt > 1 { state.effects.append(.tell(subscriber, .retrying(attempt: fetching.attempt))) }
        }
    }

    /// Queues a background validation, behind every transfer that a view waits for.
    func want(_ validation: BackgroundValidation) {
        let subscriber = Subscriber(urgency: .veryLow) { event in
            if case .finished = event { validation.abandon() }
        }
        change { state in
            let job = Job(
                key: .validation(validation.key), source: ImageSource(validation.address), options: ImageOptions(),
                urgency: subscriber.urgency, validation: validation)
            // The transfer of a cancelled validation with the same key may not have ended yet.
            guard state.jobs[job.key] == nil else {
                return state.effects.append(.tell(subscriber, .finished(.failure(.cancelled))))
            }
            state.jobs[job.key] = job
            job.add(subscriber)
            state.enqueue(job)
        }
    }

    /// Sends `cancelled` to `subscriber`, and stops work that has no other subscriber. Does nothing
    /// if the subscriber has already received its result.
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

    /// Changes the urgency of `subscriber` to `current()`. The closure is called under the lock, so
    /// that of two concurrent changes the last one counts.
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

    /// Sends `cancelled` to all subscribers of the jobs that match, and stops their work.
    func cancelAll(where matches: (JobKey) -> Bool = { _ in true }) {
        change { state in
            for job in Array(state.jobs.values) where matches(job.key) {
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

    func setConcurrency(transfers: Int, perHost: Int) {
        change { state in
            state.transfers.limit = transfers
            state.transfers.laneLimit = perHost
        }
    }

    // MARK: Effects

    /// Changes the state, gives free places to waiting jobs, and performs the effects after the
    /// lock is released.
    func change(_ body: (inout State) -> Void) {
        let now = clock.now
        let effects = state.withLock { state in
            state.now = now
            body(&state)
            state.fillPlaces(now: now) { workers.start($0, $1, self) }
            let isIdle = state.waitsForNetworkOnly
            if isIdle, !state.isIdle { state.effects.append(.becomeIdle) }
            state.isIdle = isIdle
            defer { state.effects.removeAll() }
            return state.effects
        }
        for effect in effects { carryOut(effect) }
    }

    private func carryOut(_ effect: Effect) {
        switch effect {
        case .cancel(let task): task.cancel()
        case .keepUndecoded(let data, let options): workers.keepUndecoded(data, options)
        case .setUrgency(let claim, let urgency): claim.setUrgency(urgency)
        case .tell(let subscriber, let event): subscriber.receive(event)
        case .resumeRetry(let job, let delay):
            clock.schedule(after: delay) { [weak self] in
                self?.change { $0.enqueueRetry(job) }
            }
        case .resumeDecoding(let job, let delay):
            clock.schedule(after: delay) { [weak self] in
                self?.change { $0.endPause(of: job) }
            }
        case .fillPlaces(let delay):
            clock.schedule(after: delay) { [weak self] in
                self?.change { $0.isWaitingForToken = false }
            }
        case .becomeIdle: workers.becomeIdle(self)
        }
    }
}
