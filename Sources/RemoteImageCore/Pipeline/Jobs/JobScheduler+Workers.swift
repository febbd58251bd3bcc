// The reports of a scheduler's workers about their jobs, and their queries.

extension JobScheduler {
    // MARK: Reports

    func advance(_ job: Job, to progress: LoadProgress) {
        change { state in
            guard !job.isOver else { return }
            job.progress = progress
            state.tell(.progress(progress), toAllOf: job)
        }
    }

    func finish(_ job: Job, with result: Result<JobOutput, ImageError>) {
        change { state in
            state.leaveThread(job)
            // A stopped job has already released its place and has no subscribers.
            guard !job.isOver else {
                // It was stopped after the last byte had arrived.
                if case .success(.bytes(let data)) = result { state.effects.append(.keepUndecoded(data, job.options)) }
                return
            }
            state.leavePlace(job)
            state.finish(job, with: result)
        }
    }

    /// Schedules a new attempt for a job whose transfer failed; the job releases its place
    /// meanwhile. With a delay of `nil`, it waits for ``reconnect()``.
    func retry(_ job: Job, after delay: Duration?) {
        change { state in
            guard !job.isOver else { return }
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

    /// Redirects a local job to the output of another job, of several alternatives the first that
    /// succeeds. Used for a provider that returned a source or a choice among sources.
    func redirect(_ job: Job, to alternatives: [(key: JobKey, source: ImageSource)]) {
        change { state in
            guard !job.isOver else { return }
            state.leavePlace(job)
            job.alternatives = alternatives
            state.tryNextAlternative(job, after: ImageError(.invalidURL, "no source"))
        }
    }

    /// Makes a job whose data could not be decoded wait for new data from the network.
    func refetch(_ job: Job) {
        change { state in
            state.leaveThread(job)
            guard !job.isOver, case .image(let key, let constraints) = job.key else { return }
            state.attach(job, to: .bytes(key.load, constraints.reloading), from: job.source, input: nil)
        }
    }

    /// Releases the thread of a running job while the job waits for memory. Returns `false` if the
    /// job is no longer wanted.
    func setAside(_ job: Job, until claim: DecodeBudget.Claim) -> Bool {
        var isWanted = false
        change { state in
            isWanted = !job.isOver
            guard isWanted, case .working(let task, let byteCount) = job.state else { return }
            job.state = .setAside(task, claim, byteCount: byteCount)
            state.threads.setAside(job)
            // The urgency may have changed since the claim was made.
            state.effects.append(.setUrgency(claim, job.urgency))
        }
        return isWanted
    }

    /// Makes a running job wait for its decoder and then for a thread again. Returns `false` if the
    /// job would wait for longer than ``DecodeScheduler/maxPause`` in all.
    func pause(_ job: Job, on input: JobOutput, for pause: Duration) -> Bool {
        var isPaused = true
        change { state in
            job.pausedTime += pause
            isPaused = job.pausedTime <= DecodeScheduler.maxPause
            guard isPaused else { return }
            state.leaveThread(job)
            guard !job.isOver else {
                if case .bytes(let data) = input { state.effects.append(.keepUndecoded(data, job.options)) }
                return
            }
            job.state = .paused(input)
            state.threads.countAside(job)
            state.effects.append(.resumeDecoding(job, after: pause))
        }
        return isPaused
    }

    /// Retries all jobs that wait for the network to return.
    func reconnect() {
        change { state in
            for job in state.disconnected.values { state.enqueueRetry(job) }
            state.disconnected = [:]
        }
    }

    // MARK: Queries

    /// Whether there is no job, except for those that wait for the network to return.
    var isIdle: Bool { state.withLock { $0.isIdle } }

    /// Reads properties of jobs.
    func read<Value>(_ value: () -> Value) -> Value {
        state.withLock { _ in value() }
    }

    /// The largest target of the images that depend on a job's data; `nil` for full size.
    func largestTarget(of job: Job) -> TargetSize? {
        state.withLock { _ in
            let targets = job.images.map(\.key.target)
            guard !targets.contains(nil) else { return nil }
            return targets.compactMap { $0 }.max {
                ($0.box.pixelCount, $0.maxPixelSize?.pixelCount ?? .max)
                    < ($1.box.pixelCount, $1.maxPixelSize?.pixelCount ?? .max)
            }
        }
    }

    /// Sends a preview to the subscribers of images that depend on a job's data, except for
    /// processed images.
    func show(_ preview: LoadedImage, whileFetching job: Job) {
        change { state in
            guard !job.isOver else { return }
            for (image, key) in job.images where key.processors.isEmpty {
                for subscriber in image.subscribers { state.effects.append(.tell(subscriber, .preview(preview))) }
            }
        }
    }

    /// What a request for the job's data is sent for.
    func context(of job: Job) -> RequestContext {
        // Programs compare the target with those that they make, which have no maximum.
        let target = largestTarget(of: job).map { TargetSize($0.box, fit: $0.fit) }
        return RequestContext(source: job.source, target: target, attempt: read { job.attempt })
    }

    /// The number of jobs, for tests that look for leaks.
    var jobCount: Int {
        state.withLock { $0.jobs.count }
    }
}

extension Job {
    /// The jobs that decode the data of this job, and their keys, including those of sources that
    /// resolved to its source.
    fileprivate var images: [(job: Job, key: ImageKey)] {
        dependents.flatMap { dependent in
            if case .image(let key, _) = dependent.key { [(dependent, key)] } else { dependent.images }
        }
    }
}
