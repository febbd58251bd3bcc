// Resized images from the store, used in place of the data of a job.
//
// When the store is read, the scheduler chooses one that serves every image that depends on the
// data at that time. Later requests that need the original are attached to a new job for it.

extension JobScheduler {
    /// The index of the resized image that serves all images which depend on a job's data: one that
    /// is already processed, or the smallest. `nil` if there is none, or if a request needs the
    /// data itself.
    func resizedImage(for job: Job, among images: [ResizedImage.Description]) -> Int? {
        let keys = state.withLock { _ in Self.keysOfImages(on: job) }
        guard let keys, !keys.isEmpty else { return nil }
        return images.indices.filter { index in keys.allSatisfy { images[index].serves($0) } }
            .min { first, second in
                let (first, second) = (images[first], images[second])
                guard first.processing.isEmpty == second.processing.isEmpty else { return second.processing.isEmpty }
                return first.size.pixelCount < second.size.pixelCount
            }
    }

    /// Makes a job whose resized image could not be decoded wait for the original.
    func fetchOriginal(for job: Job) {
        change { state in
            state.leaveThread(job)
            guard !job.isOver, case .image(let key, let constraints) = job.key else { return }
            let data = state.job(
                .bytes(key.load, constraints), from: job.source, job.options, input: nil, urgency: job.urgency)
            data.needsOriginal = true
            state.attach(job, to: .input(of: key, constraints), from: job.source, input: nil)
            state.reconsider(data)
        }
    }

    /// The keys of all images that were requested and depend on a job. `nil` if a resized image
    /// must not be used.
    private static func keysOfImages(on job: Job) -> [ImageKey]? {
        guard !job.needsOriginal else { return nil }
        var keys: [ImageKey] = []
        if !job.subscribers.isEmpty {
            guard case .image(let key, let constraints) = job.key, constraints.allowsResized else { return nil }
            keys.append(key)
        }
        for dependent in job.dependents {
            guard let more = keysOfImages(on: dependent) else { return nil }
            keys += more
        }
        return keys
    }
}

extension JobScheduler.State {
    /// Gives a resized image to the jobs that it serves, and attaches all others to a job for the
    /// original.
    mutating func finish(_ job: Job, with output: JobOutput, resized: ResizedImage.Description) {
        for subscriber in job.subscribers { originalJob(of: job).add(subscriber) }
        for dependent in job.dependents { give(output, resized, to: dependent, of: job) }
        if let original = jobs[job.key] { reconsider(original) }
    }

    private mutating func give(
        _ output: JobOutput, _ resized: ResizedImage.Description, to dependent: Job, of job: Job
    ) {
        guard case .image(let key, _) = dependent.key else {
            return finish(dependent, with: .success(output))
        }
        if resized.serves(key) {
            giveInput(output, to: dependent)
        } else if Self.isServed(by: resized, dependent) {
            // A step of the processing that the resized image already has.
            drop(dependent)
            dependent.state = .finished
            for next in dependent.dependents { give(output, resized, to: next, of: job) }
            dependent.dependents = []
        } else {
            _ = originalJob(of: job)
            attach(dependent, to: job.key, from: job.source, input: nil)
        }
    }

    /// Whether a resized image serves everything that was requested of a job.
    private static func isServed(by resized: ResizedImage.Description, _ job: Job) -> Bool {
        if case .image(let key, _) = job.key, resized.serves(key) { return true }
        return job.subscribers.isEmpty && !job.dependents.isEmpty
            && job.dependents.allSatisfy { isServed(by: resized, $0) }
    }

    /// A job with the key of `job`, which has ended, that does not use resized images.
    private mutating func originalJob(of job: Job) -> Job {
        let original = self.job(job.key, from: job.source, job.options, input: nil, urgency: job.urgency)
        original.needsOriginal = true
        return original
    }
}
