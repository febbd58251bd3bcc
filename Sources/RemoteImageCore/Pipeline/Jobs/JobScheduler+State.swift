// The dependencies between jobs and their state changes. All of this runs under the lock of the
// scheduler. Calls of outside code are recorded as effects, but for the creation of tasks.

extension JobScheduler.State {
    /// Returns the job for a key. If there is none, creates and queues it.
    mutating func job(
        _ key: JobKey, from source: ImageSource, _ options: ImageOptions, input: (ImageKey, JobOutput)?,
        urgency: Urgency
    ) -> Job {
        if let job = jobs[key] { return job }
        let job = Job(key: key, source: source, options: options, urgency: urgency)
        job.requestedAt = now
        jobs[key] = job
        switch key {
        case .bytes, .validation:
            enqueue(job)
        case .image(let imageKey, let constraints):
            if let (known, output) = input, imageKey.unprocessed == known, !imageKey.processors.isEmpty {
                giveInput(output, to: job)
            } else {
                attach(job, to: .input(of: imageKey, constraints), from: source, input: input)
            }
        }
        return job
    }

    /// Makes a job depend on the output of the job for `key`.
    mutating func attach(
        _ job: Job, to key: JobKey, from source: ImageSource, input: (ImageKey, JobOutput)?
    ) {
        let needed = self.job(
            key, from: source, job.options, input: input, urgency: job.urgency)
        needed.dependents.append(job)
        needed.urgencyCounts.add(job.urgency)
        job.state = .needs(needed)
        reconsider(needed)
    }

    /// Continues a redirected job with its next alternative. If none is left, the job fails with
    /// the errors of all alternatives.
    mutating func tryNextAlternative(_ job: Job, after error: ImageError) {
        var failures = job.failures
        while !job.alternatives.isEmpty {
            let (wanted, source) = job.alternatives.removeFirst()
            var key = wanted
            if Self.needs(job, from: jobs[key]) {
                if case .provider = source.kind {
                    // The two jobs would wait for each other forever.
                    failures.append(ImageError(.source, "providers that name each other: \(source.nameToShow)"))
                    continue
                }
                // No loop: a provider has the identity of the source that it resolved to.
                key = key.resolved
            }
            job.failures = failures
            return attach(job, to: key, from: source, input: nil)
        }
        finish(job, with: .failure(failures.isEmpty ? error : .ofFallbacks(failures)))
    }

    /// Whether `other` depends on `job`, directly or through other jobs.
    static func needs(_ job: Job, from other: Job?) -> Bool {
        var next = other
        while let current = next {
            if current === job { return true }
            if case .needs(let needed) = current.state { next = needed } else { return false }
        }
        return false
    }

    /// The job that fetches the data for `job`, or the furthest existing job on the way to it.
    static func fetching(_ job: Job) -> Job {
        var job = job
        while case .needs(let needed) = job.state { job = needed }
        return job
    }

    /// Whether there is no job, except for those that wait for the network to return and those that
    /// depend on them.
    var waitsForNetworkOnly: Bool {
        if disconnected.isEmpty { return jobs.isEmpty }
        return jobs.values.allSatisfy { disconnected[ObjectIdentifier(Self.fetching($0))] != nil }
    }

    mutating func enqueue(_ job: Job) {
        job.state = .waiting
        change(queueOf: job) { $0.enqueue(job) }
    }

    mutating func giveInput(_ output: JobOutput, to job: Job) {
        job.ownsPixels = false
        job.state = .waitingForThread(output)
        threads.enqueue(job)
    }

    /// Queues the processing of an image that was just decoded or processed. It comes before the
    /// decodes of its urgency: otherwise the pixels of all of them would wait at the same time.
    private mutating func process(_ image: LoadedImage, by job: Job, ownsPixels: Bool) {
        job.ownsPixels = ownsPixels
        job.state = .waitingForThread(.image(image))
        threads.enqueueFirst(job)
    }

    /// Stops a job without subscribers and dependents; otherwise gives it their highest urgency.
    mutating func reconsider(_ job: Job) {
        guard job.isWanted else { return stop(job) }
        let (old, urgency) = (job.urgency, job.urgencyCounts.highest)
        guard urgency != old else { return }
        switch job.state {
        case .waiting:
            change(queueOf: job) { $0.move(job, to: urgency) }
        case .waitingForThread(.bytes): threads.move(job, to: urgency)
        case .waitingForThread(.image): threads.move(job, to: urgency, isFirst: true)
        case .needs(let needed):
            job.urgency = urgency
            needed.urgencyCounts.remove(old)
            needed.urgencyCounts.add(urgency)
            reconsider(needed)
        case .setAside(_, let claim, _):
            threads.moveAside(job, to: urgency)
            effects.append(.setUrgency(claim, urgency))
        case .paused: threads.moveAside(job, to: urgency)
        case .running, .working, .waitingToRetry, .finished: job.urgency = urgency
        }
    }

    /// Frees the key of a job, which can only end now.
    mutating func drop(_ job: Job) {
        jobs[job.key] = nil
        job.isOver = true
    }

    mutating func stop(_ job: Job) {
        guard !job.isOver else { return }
        drop(job)
        switch job.state {
        case .waiting:
            change(queueOf: job) { $0.remove(job) }
        case .running(let task):
            leavePlace(job, isCancelled: true)
            effects.append(.cancel(task))
        case .needs(let needed):
            needed.dependents.removeAll { $0 === job }
            needed.urgencyCounts.remove(job.urgency)
            reconsider(needed)
        case .waitingForThread(let output):
            threads.remove(job)
            if case .bytes(let data) = output { effects.append(.keepUndecoded(data, job.options)) }
        case .paused(let output):
            threads.finishAside(job)
            if case .bytes(let data) = output { effects.append(.keepUndecoded(data, job.options)) }
        case .working(let task, _), .setAside(let task, _, _):
            // A running decode cannot be interrupted. The job keeps its place until it reports its
            // end, at once if it waits for memory. The report is then ignored.
            return effects.append(.cancel(task))
        case .waitingToRetry:
            disconnected[ObjectIdentifier(job)] = nil
        case .finished: break
        }
        job.state = .finished
    }

    /// Releases the place of a job that fetches.
    mutating func leavePlace(_ job: Job, isCancelled: Bool = false) {
        guard case .running = job.state else { return }
        change(queueOf: job) { $0.finish(job) }
        if case .host = job.lane, !isCancelled { limiter?.giveBack() }
    }

    /// Changes the queue in which a job waits for its place and has it.
    private mutating func change(queueOf job: Job, _ change: (inout JobQueue) -> Void) {
        switch job.lane {
        case .host: change(&transfers)
        case .files: change(&files)
        case .local, .threads: change(&locals)
        }
    }

    /// Releases the thread of a job that decodes or processes.
    mutating func leaveThread(_ job: Job) {
        switch job.state {
        case .working: threads.finish(job)
        case .setAside: threads.finishAside(job)
        default: return
        }
        job.state = .finished
    }

    mutating func enqueueRetry(_ job: Job) {
        guard !job.isOver, case .waitingToRetry = job.state else { return }
        enqueue(job)
    }

    mutating func endPause(of job: Job) {
        guard !job.isOver, case .paused(let input) = job.state else { return }
        threads.finishAside(job)
        job.state = .waitingForThread(input)
        threads.enqueue(job)
    }

    mutating func finish(_ job: Job, with result: Result<JobOutput, ImageError>) {
        drop(job)
        job.state = .finished
        defer {
            job.subscribers = []
            job.dependents = []
            job.urgencyCounts = UrgencyCounts()
        }
        if case .success(.bytes(let data)) = result, case .bytes = job.key, let resized = data.resized {
            return finish(job, with: .bytes(data), resized: resized.description)
        }
        for subscriber in job.subscribers {
            subscriber.job = nil
            effects.append(.tell(subscriber, .finished(result)))
        }
        var dependents = job.dependents
        // Each is queued before those that were queued earlier.
        if case .success(.image) = result { dependents.reverse() }
        for dependent in dependents {
            if case .success(let output) = result, dependent.works(on: output) {
                if case .image(let image) = output {
                    // The pixels count for the one that is processed last.
                    process(image, by: dependent, ownsPixels: dependent === dependents.first)
                } else {
                    giveInput(output, to: dependent)
                }
            } else if case .failure(let error) = result, dependent.isRedirected, error.code != .cancelled {
                dependent.failures.append(error)
                tryNextAlternative(dependent, after: error)
            } else {
                finish(dependent, with: result)
            }
        }
    }

    mutating func tell(_ event: Subscriber.Event, toAllOf job: Job) {
        for subscriber in job.subscribers { effects.append(.tell(subscriber, event)) }
        for dependent in job.dependents { tell(event, toAllOf: dependent) }
    }

    /// Gives free places to waiting jobs.
    ///
    /// - Parameter start: Starts the body of a job with its input.
    mutating func fillPlaces(now: Duration, start: (Job, JobOutput?) -> Task<Void, Never>) {
        func begin(_ job: Job) {
            job.startedAt = now
            job.state = .running(start(job, nil))
        }
        while let job = threads.next() {
            job.state = .working(start(job, job.input), byteCount: job.byteCount)
        }
        while let urgency = files.nextUrgency, hasMemory(urgency), let job = files.next() {
            begin(job)
        }
        while let urgency = locals.nextUrgency, hasMemory(urgency), let job = locals.next() {
            begin(job)
        }
        while let urgency = transfers.nextUrgency, mayTransfer(urgency) {
            guard limiter?.take(now: now) ?? true else {
                if !isWaitingForToken, let delay = limiter?.delay(now: now) {
                    isWaitingForToken = true
                    effects.append(.fillPlaces(after: delay))
                }
                return
            }
            guard let job = transfers.next() else { return }
            begin(job)
        }
    }

    /// Whether a transfer of an urgency may start. It waits for the decoding of more urgent images,
    /// since a transfer also needs processor time. The end of each decode checks again.
    private func mayTransfer(_ urgency: Urgency) -> Bool {
        !threads.isWaiting(above: urgency) && hasMemory(urgency)
    }

    /// Whether data of an urgency may be fetched: less than ``JobScheduler/undecodedByteLimit`` of
    /// data and of decoded pixels waits for a thread.
    private func hasMemory(_ urgency: Urgency) -> Bool {
        threads.byteCount(of: urgency) < JobScheduler.undecodedByteLimit
    }
}
