// How the jobs of a board hang together and move along. All of this runs under the board's lock; what it asks of the
// outside it leaves behind as effects.

extension JobBoard {
    /// The job for a key, made and set to work if there is none.
    static func job(
        _ key: JobKey, from source: ImageSource, _ options: ImageOptions, input: (PictureKey, JobOutput)?,
        urgency: Urgency, in state: inout State
    ) -> Job {
        if let job = state.jobs[key] { return job }
        let job = Job(key: key, source: source, options: options, urgency: urgency)
        state.jobs[key] = job
        switch key {
        case .bytes, .validation:
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
    static func attach(
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
    static func goOn(_ job: Job, after error: ImageError, in state: inout State) {
        var failures = job.failures
        while !job.alternatives.isEmpty {
            let (key, source) = job.alternatives.removeFirst()
            if needs(job, from: state.jobs[key]) {
                // Neither would ever end.
                failures.append(ImageError(.source, "recipes that name each other: \(source.nameToShow)"))
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
    static func needs(_ job: Job, from other: Job?) -> Bool {
        var next = other
        while let current = next {
            if current === job { return true }
            if case .needs(let needed) = current.state { next = needed } else { return false }
        }
        return false
    }

    /// The job that fetches the bytes for `job`, or the last on the way there.
    static func fetching(_ job: Job) -> Job {
        var job = job
        while case .needs(let needed) = job.state { job = needed }
        return job
    }

    static func enqueue(_ job: Job, in state: inout State) {
        job.state = .waiting
        if case .host = job.lane { state.transfers.enqueue(job) } else { state.locals.enqueue(job) }
    }

    static func giveInput(_ output: JobOutput, to job: Job, in state: inout State) {
        job.state = .waitingForThread(output)
        state.threads.enqueue(job)
    }

    /// Stops a job that nobody wants, or gives it the urgency of those who do.
    static func reconsider(_ job: Job, in state: inout State) {
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
        case .setAside(let claim, _):
            state.threads.moveAside(job, to: urgency)
            state.effects.append(.setUrgency(claim, urgency))
        case .starting, .running, .working, .waitingToRetry, .finished: job.urgency = urgency
        }
    }

    static func stop(_ job: Job, in state: inout State) {
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
        case .waitingForThread:
            state.threads.remove(job)
        case .working:
            // Cannot be interrupted; keeps its place until it reports, and finds no job then.
            return
        case .setAside(let claim, _):
            // Reports too, at once if it still waits.
            state.effects.append(.cancelWait(claim))
            return
        case .waitingToRetry:
            state.disconnected[ObjectIdentifier(job)] = nil
        case .finished: break
        }
        job.state = .finished
    }

    /// Gives back the place of a job that fetches.
    static func leavePlace(_ job: Job, isCancelled: Bool = false, in state: inout State) {
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

    /// Gives back the thread of a job that works.
    static func leaveThread(_ job: Job, in state: inout State) {
        switch job.state {
        case .working: state.threads.finish(job)
        case .setAside: state.threads.finishAside(job)
        default: return
        }
        job.state = .finished
    }

    static func enqueueRetry(_ job: Job, in state: inout State) {
        guard state.jobs[job.key] === job, case .waitingToRetry = job.state else { return }
        enqueue(job, in: &state)
    }

    static func finish(_ job: Job, with result: Result<JobOutput, ImageError>, in state: inout State) {
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

    static func tell(_ event: Waiter.Event, toAllOf job: Job, in state: inout State) {
        for waiter in job.waiters { state.effects.append(.tell(waiter, event)) }
        for dependent in job.dependents { tell(event, toAllOf: dependent, in: &state) }
    }

    static func begin(_ job: Job, in state: inout State) {
        job.state = .starting
        job.startCount += 1
        state.effects.append(.startFetching(job, start: job.startCount))
    }

    /// Gives free places to those who wait.
    static func fillPlaces(now: Duration, in state: inout State) {
        while let job = state.threads.next() {
            guard case .waitingForThread(let input) = job.state else { continue }
            job.state = .working(byteCount: job.byteCount)
            state.effects.append(.startWorking(job, input))
        }
        while let job = state.locals.next() {
            begin(job, in: &state)
        }
        while let urgency = state.transfers.nextUrgency, mayTransfer(urgency, in: state) {
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

    /// Whether a transfer of an urgency may begin, as far as what was transferred before is decoded: what is more urgent needs
    /// the processor, which a transfer takes too. The end of each decode looks again.
    private static func mayTransfer(_ urgency: Urgency, in state: State) -> Bool {
        !state.threads.isWaiting(above: urgency) && state.threads.byteCount(of: urgency) < undecodedByteLimit
    }
}
