// The way of a request, from the source of a view to its pixels. Each step is a hand-over:
//
// 1. View → model: the `WidgetLoadController` of a visible view calls
//    `NetworkImageModel.appear(in:)`. The model asks the memory cache, on the main thread; without
//    a fresh image it begins a `Load`.
// 2. Model → task: the `LoadQueue`, on the thread of loads, calls `ImagePipeline.start`. An
//    `ImageTask` tries the single sources of the request in order (`SourceResolution`).
// 3. Task → job: `JobScheduler.want` subscribes the task to the job of its `JobKey`, which equal
//    requests share. The job of an image waits for that of its bytes, or of the image with one
//    processor less. `JobQueue` decides which job goes first. The scheduler starts the body of the
//    job, below.
// 4. `bytes` → server: `HTTPCache.load` asks the store on a disk thread, then the transport. A
//    `CurlTransfer` passes the response to a `ServerAnswer` on the curl thread, where the body of
//    the job goes on.
// 5. `pixels` → decoder: on a decode thread, `DecodeScheduler` grants memory and time, and an
//    `IsolatedDecoder` asks a `DecoderProcess`. `processedImage` applies one processor.
// 6. Job → model: `JobScheduler.finish` hands the output to waiting jobs and to subscribers. The
//    `ImageTask` ends, and its `Load` posts to the `MainActorMailbox`.
// 7. Model → view: `NetworkImageModel.show` reports the phase. In the same turn of the main loop,
//    the view builds a `PictureContent`, for which `ImagePaintable` makes the texture. The next
//    frame draws it.

/// The bodies of jobs: what a pipeline does for the requests that share a job. A ``JobScheduler``
/// starts a body as a task and cancels it; the body ends with a report to that scheduler.
final class JobBodies: Sendable {
    let configuration: ImagePipeline.Configuration
    let decoders: DecoderRegistry
    let decodeScheduler: DecodeScheduler
    let observers: PipelineObservers
    let account: ImageCacheKey.Account
    let http: HTTPCache
    let runtime = Lock(RuntimeSettings())
    /// Replaces refused credentials.
    let refresher: CredentialRefresher
    let providers = PreparedProviders()
    /// Stores resized images; `nil` if they cannot be stored.
    let writer: ResizedImageWriter?

    init(
        _ configuration: ImagePipeline.Configuration, _ decoders: DecoderRegistry,
        _ decodeScheduler: DecodeScheduler, _ observers: PipelineObservers, _ account: ImageCacheKey.Account
    ) {
        self.configuration = configuration
        self.decoders = decoders
        self.decodeScheduler = decodeScheduler
        self.observers = observers
        self.account = account
        http = Self.httpCache(configuration, decoders, decodeScheduler, runtime)
        refresher = CredentialRefresher(
            limit: configuration.transferLimits.timeout, clock: configuration.clock)
        writer = ResizedImageWriter(configuration, decoders, decodeScheduler, http.background)
    }

    /// Starts the body of a job as a task.
    ///
    /// - Parameter input: What the job of an image is made from.
    func start(_ job: Job, on input: JobOutput?, for jobs: JobScheduler) -> Task<Void, Never> {
        let executor: (any TaskExecutor)? =
            switch (input, job.source.kind) {
            case (_?, _): decodeScheduler.threads
            case (nil, .web): (configuration.transport as? CurlTransport)?.thread ?? WorkerThreads.loads
            case (nil, .file): WorkerThreads.files
            default: nil
            }
        return Task(executorPreference: executor) { [self] in
            switch input {
            case nil: await bytes(of: job, jobs)
            case .bytes(let data): await pixels(of: job, from: data, jobs)
            case .image(let image): await processedImage(of: job, from: image, jobs)
            }
        }
    }

    // MARK: Bytes

    /// Loads the data of a source: from the store or its server, from a file, or from the program.
    private func bytes(of job: Job, _ jobs: JobScheduler) async {
        if let validation = job.validation {
            return await validation.run { jobs.finish(job, with: .failure(.cancelled)) }
        }
        let progress = TransferProgress(job, self, jobs)
        do {
            if Task.isCancelled { throw ImageError.cancelled }
            observers.report(.fetching(attempt: jobs.read { job.attempt }), of: job)
            decoders.prepare()
            let data: LoadedData
            switch job.source.kind {
            case .web(let address): data = try await fetch(job, from: address, progress, jobs)
            case .provider(let provider):
                switch try await provided(by: provider, for: job, progress, jobs) {
                case .data(let provided): data = provided
                case .pixels(let image): return jobs.finish(job, with: .success(.image(image)))
                case .sources(let sources): return jobs.redirect(job, to: sources)
                }
            default: data = try localData(of: job, jobs)
            }
            observers.report(.fetched(byteCount: data.bytes.count), of: job)
            jobs.finish(job, with: .success(.bytes(data)))
        } catch {
            var failure = ImageError(thrown: error)
            if case .web(let address) = job.source.kind { failure.info = progress.failure(of: address) }
            fail(job, failure, retryAfter: progress.retryAfter, jobs)
        }
    }

    /// Ends a job that has not got its data, or retries its transfer as the retry policy decides.
    private func fail(_ job: Job, _ error: ImageError, retryAfter: Duration?, _ jobs: JobScheduler) {
        guard case .web = job.source.kind, error.code != .cancelled else {
            return jobs.finish(job, with: .failure(error))
        }
        let policy = job.options.retryPolicy ?? configuration.retryPolicy
        let failure = TransferFailure(error: error, attempt: jobs.read { job.attempt }, retryAfter: retryAfter)
        switch policy.decision(on: failure) {
        case .giveUp:
            jobs.finish(job, with: .failure(error))
        case .retry(let delay):
            observers.report(.retrying(after: delay, error), of: job)
            jobs.retry(job, after: max(.zero, delay))
        case .retryWhenConnected:
            // If the network is connected or its state is unknown, waiting for a connection would
            // not help, so the job retries after a delay.
            let network = configuration.network
            let delay = network.isConnected ? Backoff.standard.delay(beforeRetry: failure.attempt) : nil
            observers.report(.retrying(after: delay, error), of: job)
            jobs.retry(job, after: delay)
            // The network may have reconnected since the first check, and would not report it
            // again.
            if delay == nil, network.isConnected { jobs.reconnect() }
        }
    }

    // MARK: Pixels

    /// Decodes data, within the memory budget and usually in a decoder process.
    private func pixels(of job: Job, from data: LoadedData, _ jobs: JobScheduler) async {
        do throws(ImageError) {
            if Task.isCancelled { throw .cancelled }
            var image: LoadedImage
            if let known = imageInMemory(of: data, for: job) {
                image = known
            } else {
                image = try await decode(data, for: job, jobs)
            }
            image.info.timings = data.times?.timings(
                since: jobs.read { job.requestedAt }, decodedAt: configuration.clock.now)
            if let pendingWrite = data.pendingWrite {
                if image.info.isTruncated, pendingWrite.isResumed {
                    throw ImageError(.corrupt, "a resumed file with a missing part")
                }
                let isIncomplete = image.info.isTruncated && !data.hasKnownLength
                if isIncomplete { image.retention.isKeptOnlyWhileInUse = true }
                // Stored only after the data was decoded, so that an HTML page with status 200 is
                // not stored.
                await pendingWrite.finish(isIncomplete ? .damaged : .accepted(data.bytes))
            }
            await finish(job, with: image, jobs)
        } catch {
            await fail(job, error, decoding: data, jobs)
        }
    }

    /// The image of the data, if another job has decoded it at a sufficient size while this one
    /// waited. That job may have had wider limits.
    private func imageInMemory(of data: LoadedData, for job: Job) -> LoadedImage? {
        guard case .image(let key, _) = job.key, job.options.decodeLimits == nil,
            let known = configuration.memoryCache?.entry(for: ImageCacheKey(key, account)),
            known.image.version == data.version, known.serves(key.target), !known.exceeds(job.options.maxPixelSize)
        else { return nil }
        var image = known.image.from(data.origin)
        image.retention = data.retention
        return image
    }

    /// Ends a job whose data could not be decoded, or lets it try again: after a pause of its
    /// decoder, with the original of a resized image, or with new data for damaged data.
    private func fail(_ job: Job, _ error: ImageError, decoding data: LoadedData, _ jobs: JobScheduler) async {
        if let pause = error.retryDelay, jobs.pause(job, on: .bytes(data), for: pause) { return }
        if error.code == .cancelled {
            keepUndecoded(data, job.options)
            return jobs.finish(job, with: .failure(error))
        }
        let isDamaged = [.corrupt, .notAnImage, .unsupportedFormat].contains(error.code)
        await data.pendingWrite?.finish(isDamaged ? .damaged : .unused)
        if data.resized != nil {
            if isDamaged {
                await changeStore(of: data) { store, key in
                    for response in store.responses(for: key) where ContentVersion(response.body) == data.version {
                        store.removeResizedImages(of: response, for: key)
                    }
                }
            }
            return jobs.fetchOriginal(for: job)
        }
        let asked = job.options.headers[.cacheControl] == nil ? configuration.headers : job.options.headers
        if isDamaged, data.storeKey != nil, case .image(_, let constraints) = job.key,
            !HTTPCache.forbidsAsking(asked, constraints.policy)
        {
            // Damaged data is removed before the job fetches a new response, which is stored under
            // the same key. Another pipeline on the same store may have a decoder for the format.
            if error.code != .unsupportedFormat {
                await changeStore(of: data) { store, key in store.remove(key) }
            }
            return jobs.refetch(job)
        }
        // The stored part is damaged or of another version. The new request is for the whole body,
        // so this happens once.
        if isDamaged, data.pendingWrite?.isResumed == true { return jobs.refetch(job) }
        var failure = error
        if let address = data.address {
            let timings = data.times?.timings(
                since: jobs.read { job.requestedAt }, decodedAt: configuration.clock.now)
            failure.info = .failure(
                data.origin, byteCount: data.bytes.count, status: data.status, address: address, timings)
        }
        jobs.finish(job, with: .failure(failure))
    }

    private func changeStore(
        of data: LoadedData, _ change: @escaping @Sendable (any ResponseStore, String) -> Void
    ) async {
        guard let store = configuration.responseStore, let key = data.storeKey else { return }
        await WorkerThreads.disk.run { change(store, key) }
    }

    /// Stores complete data from the network whose image is not wanted any more, so that a view
    /// that scrolls back does not load it again. Checks only the header: data that cannot be
    /// decoded is found and removed by the next load.
    func keepUndecoded(_ data: LoadedData, _ options: ImageOptions) {
        guard let pendingWrite = data.pendingWrite else { return }
        let (limits, isResumed) = (options.decodeLimits ?? configuration.decodeLimits, pendingWrite.isResumed)
        pendingWrite.finish(on: decodeScheduler.threads) { [decoders] in
            guard let (_, header) = try? decoders.decoder(for: data.bytes), (try? limits.check(header)) != nil,
                data.hasKnownLength && !isResumed || header.format.findsEnd(of: data.bytes)
            else { return .unacceptable }
            return .accepted(data.bytes)
        }
    }

    // MARK: Processed image

    /// Applies the last processor of a job to the image that the other ones have made.
    private func processedImage(of job: Job, from image: LoadedImage, _ jobs: JobScheduler) async {
        do throws(ImageError) {
            if Task.isCancelled { throw .cancelled }
            await finish(job, with: try await process(image, for: job, jobs), jobs)
        } catch {
            if let pause = error.retryDelay, jobs.pause(job, on: .image(image), for: pause) { return }
            jobs.finish(job, with: .failure(error))
        }
    }

    /// Ends a job with its image, which is cached if a request waits for it.
    private func finish(_ job: Job, with image: LoadedImage, _ jobs: JobScheduler) async {
        if case .image(let key, let constraints) = job.key, jobs.read({ !job.subscribers.isEmpty }) {
            if constraints.policy.writesMemory { keep(image, key.load, ImageCacheKey(key, account)) }
            await writer?.consider(image, key, job.options)
        }
        jobs.finish(job, with: .success(.image(image)))
    }

    private func keep(_ image: LoadedImage, _ load: LoadKey, _ key: ImageCacheKey) {
        guard let cache = configuration.memoryCache, load.isShared else { return }
        var kept = CachedImage(image)
        // A smaller image of the same version must not replace a larger one.
        if let known = cache.entry(for: key), known.image.version == image.version,
            known.image.pixels.size.pixelCount > image.pixels.size.pixelCount
        {
            kept.image = known.image
            kept.image.retention = image.retention
        }
        cache.store(kept, for: key)
        // The removal of an account cancels its jobs before it removes their images.
        if load.hasAccount, Task.isCancelled { cache.remove(key) }
    }
}
