// What the workers of a scheduler report of their jobs, and what they ask.

extension JobScheduler {
    // MARK: Reports

    func advance(_ job: Job, to progress: LoadProgress) {
        change { state in
            guard state.jobs[job.key] === job else { return }
            job.progress = progress
            state.tell(.progress(progress), toAllOf: job)
        }
    }

    func finish(_ job: Job, with result: Result<JobOutput, ImageError>) {
        change { state in
            state.leaveThread(job)
            // A stopped job has released its place and has no subscribers.
            guard state.jobs[job.key] === job else { return }
            state.leavePlace(job)
            state.finish(job, with: result)
        }
    }

    /// Lets a job whose transfer failed try again after a while, without a place meanwhile; nil waits until
    /// ``reconnect()``.
    func retry(_ job: Job, after delay: Duration?) {
        change { state in
            guard state.jobs[job.key] === job else { return }
            state.leavePlace(job)
            job.state = .waitingToRetry
            job.attempt += 1
            job.progress = LoadProgress()
            state.tell(.retrying(attempt: job.attempt), toAllOf: job)
            if let delay {
                state.effects.append(.resumeRetry(job, after: delay))
            } else {
                state.disconnected[ObjectIdentifier(job)] = job
            }
        }
    }

    /// Lets a local job go on with the output of another job, the first of several that succeeds: a provider that named
    /// a source, or a choice among sources.
    func redirect(_ job: Job, to alternatives: [(key: JobKey, source: ImageSource)]) {
        change { state in
            guard state.jobs[job.key] === job else { return }
            state.leavePlace(job)
            job.alternatives = alternatives
            state.goOn(job, after: ImageError(.invalidURL, "no source"))
        }
    }

    /// Lets a job whose bytes were good for nothing work on others, from the network.
    func refetch(_ job: Job) {
        change { state in
            state.leaveThread(job)
            guard state.jobs[job.key] === job, case .image(let key, let constraints) = job.key else { return }
            state.attach(job, to: .bytes(key.load, constraints.reloading), from: job.source, input: nil)
        }
    }

    /// Gives the thread of a working job to another one while the job waits for memory. False if the job is no longer wanted.
    func setAside(_ job: Job, until claim: DecodeBudget.Claim) -> Bool {
        var isWanted = false
        change { state in
            isWanted = state.jobs[job.key] === job
            guard isWanted, case .working(let byteCount) = job.state else { return }
            job.state = .setAside(claim, byteCount: byteCount)
            state.threads.setAside(job)
            // It may have changed since the claim was made.
            state.effects.append(.setUrgency(claim, job.urgency))
        }
        return isWanted
    }

    /// The network is there again.
    func reconnect() {
        change { state in
            for job in state.disconnected.values { state.enqueueRetry(job) }
            state.disconnected = [:]
        }
    }

    // MARK: Questions

    /// Whether a request asked for this very job, rather than for something made of it.
    func hasSubscribers(_ job: Job) -> Bool {
        state.withLock { _ in !job.subscribers.isEmpty }
    }

    /// The largest of the sizes in which images are made of what a job fetches; nil for full size.
    func largestTarget(of job: Job) -> TargetSize? {
        state.withLock { _ in
            let targets = job.dependents.map { dependent -> TargetSize? in
                if case .image(let key, _) = dependent.key { key.target } else { nil }
            }
            guard !targets.contains(nil) else { return nil }
            return targets.compactMap { $0 }.max { $0.box.pixelCount < $1.box.pixelCount }
        }
    }

    /// Shows a preview to those who wait for the image of what a job fetches, unless something is done to its pixels.
    func show(_ preview: LoadedImage, whileFetching job: Job) {
        change { state in
            guard state.jobs[job.key] === job else { return }
            for dependent in job.dependents {
                guard case .image(let key, _) = dependent.key, key.processors.isEmpty else { continue }
                for subscriber in dependent.subscribers { state.effects.append(.tell(subscriber, .preview(preview))) }
            }
        }
    }

    /// Whether the job still has subscribers or dependents: if not, work that has not begun is left out.
    func isWanted(_ job: Job) -> Bool {
        state.withLock { _ in job.isWanted }
    }

    func urgency(of job: Job) -> Urgency {
        state.withLock { _ in job.urgency }
    }

    /// Which try of its transfer a job is at.
    func attempt(of job: Job) -> Int {
        state.withLock { _ in job.attempt }
    }

    /// How many jobs there are, for tests of what is left alive.
    var jobCount: Int {
        state.withLock { $0.jobs.count }
    }
}
