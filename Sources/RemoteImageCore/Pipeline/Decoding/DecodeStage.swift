import HTTPTypes

/// Produces the image of a job on a decode thread: decodes data, or applies the job's processor.
struct DecodeStage: Sendable {
    private let decoders: DecoderRegistry
    private let scheduler: DecodeScheduler
    private let limits: DecodeLimits
    private let cache: (any ImageCache)?
    private let store: (any ResponseStore)?
    private let account: ImageCacheKey.Account
    private let observers: PipelineObservers
    private let clock: any PipelineClock
    /// `nil` if resized images cannot be stored.
    private let writer: ResizedImageWriter?

    init(
        _ configuration: ImagePipeline.Configuration, _ decoders: DecoderRegistry, _ scheduler: DecodeScheduler,
        _ writer: ResizedImageWriter?, observers: PipelineObservers
    ) {
        self.writer = writer
        self.decoders = decoders
        self.scheduler = scheduler
        limits = configuration.decodeLimits
        cache = configuration.memoryCache
        store = configuration.responseStore
        account = ImageCacheKey.Account(configuration.headers)
        self.observers = observers
        clock = configuration.clock
    }

    func start(_ job: Job, on input: JobOutput, reportingTo jobs: JobScheduler) {
        Task(executorPreference: scheduler.threads) {
            guard jobs.isWanted(job) else {
                if case .bytes(let data) = input { keepUndecoded(data, job.options) }
                return jobs.finish(job, with: .failure(.cancelled))
            }
            let result = await Result { () async throws(ImageError) in
                try await output(of: job, from: input, for: jobs)
            }
            if case .failure(let error) = result, let pause = error.retryDelay, jobs.pause(job, on: input, for: pause) {
                return
            }
            switch (result, input) {
            case (.failure(let error), .bytes(let data)) where error.code == .cancelled:
                keepUndecoded(data, job.options)
            case (.failure(let error), .bytes(let data)):
                await data.pendingWrite?.finish(Self.damage.contains(error.code) ? .damaged : .unused)
                if data.resized != nil {
                    if Self.damage.contains(error.code) { await removeResized(of: data) }
                    return jobs.fetchOriginal(for: job)
                }
                if let storeKey = damagedKey(data, error, of: job) {
                    // Removed before the job fetches a new response, which is stored under the same
                    // key.
                    await Task(executorPreference: WorkerThreads.disk) { store?.remove(storeKey) }.value
                    return jobs.refetch(job)
                }
                if let pendingWrite = data.pendingWrite, pendingWrite.isResumed, Self.damage.contains(error.code) {
                    // The stored part is damaged or of another version. The new request is for the
                    // whole body, so this happens once.
                    return jobs.refetch(job)
                }
            case (.success(.image(let image)), _) where jobs.hasSubscribers(job):
                keep(image, of: job, for: jobs)
                if case .image(let key, _) = job.key { await writer?.consider(image, key, job.options) }
            default: break
            }
            jobs.finish(job, with: result)
        }
    }

    /// Stores complete data from the network whose image is not wanted any more, so that a view
    /// that scrolls back does not load it again. Checks only the header: data that cannot be
    /// decoded is found and removed by the next load.
    func keepUndecoded(_ data: LoadedData, _ options: ImageOptions) {
        guard let pendingWrite = data.pendingWrite else { return }
        let (limits, isResumed) = (options.decodeLimits ?? limits, pendingWrite.isResumed)
        pendingWrite.finish(on: scheduler.threads) { [decoders] in
            guard let (_, header) = try? decoders.decoder(for: data.bytes), (try? limits.check(header)) != nil,
                data.hasKnownLength && !isResumed || TruncationCheck.findsEnd(data.bytes, header.format)
            else { return .unacceptable }
            return .accepted(data.bytes)
        }
    }

    private func output(
        of job: Job, from input: JobOutput, for jobs: JobScheduler
    ) async throws(ImageError) -> JobOutput {
        guard case .image(let key, _) = job.key else { throw .cancelled }
        switch input {
        case .bytes(let data):
            var image = try await decode(data, key, of: job, for: jobs)
            if image.info.isTruncated, let pendingWrite = data.pendingWrite {
                guard !pendingWrite.isResumed else { throw ImageError(.corrupt, "a resumed file with a missing part") }
                if !data.hasKnownLength {
                    await pendingWrite.finish(.damaged)
                    image.retention.isKeptOnlyWhileInUse = true
                    return .image(image)
                }
            }
            // Stored only after the data was decoded, so that an HTML page with status 200 is not
            // stored.
            await data.pendingWrite?.finish(.accepted(data.bytes))
            return .image(image)
        case .image(var image):
            let index = key.processors.count - 1
            // The decoded image may be larger than the target, but processor parameters such as a
            // radius refer to pixels as drawn.
            if index == 0, let target = key.target {
                image.pixels = image.pixels.scaledDown(to: target.drawnSize(of: image.info.size))
            }
            let processor = job.options.processors[index]
            observers.report(.processing(processor.identity), of: job)
            let pixels = image.pixels
            image.pixels = try await run(job, pixels.byteCount, for: jobs) { () throws(ImageError) in
                try processor.process(pixels)
            }
            // Processors are applied only to the first frame.
            image.animation = nil
            image.info.frameCount = 1
            image.info.resize(from: pixels.size, to: image.pixels.size)
            return .image(image)
        }
    }

    /// Runs a step under the memory budget and the time limit. If it exceeds the limit, the job
    /// fails while the step is still running.
    private func run<Output>(
        _ job: Job, _ byteCount: Int, isConfined: Bool = false, for jobs: JobScheduler,
        _ body: () throws(ImageError) -> Output
    ) async throws(ImageError) -> Output {
        try await scheduler.run(
            byteCount, jobs.urgency(of: job), limit: (job.options.decodeLimits ?? limits).timeout,
            isConfined: isConfined,
            willWait: { jobs.setAside(job, until: $0) },
            expire: { jobs.finish(job, with: .failure(ImageError(.decodeTimeout, job.source.nameToShow))) }
        ) { () throws(ImageError) in
            // The job may have been cancelled during the wait.
            guard jobs.isWanted(job) else { throw .cancelled }
            return try body()
        }
    }

    private func decode(
        _ data: LoadedData, _ key: ImageKey, of job: Job, for jobs: JobScheduler
    ) async throws(ImageError) -> LoadedImage {
        // While this job waited, another job may have decoded the same data at another size, but
        // perhaps with wider limits.
        if job.options.decodeLimits == nil, let known = cache?.entry(for: ImageCacheKey(key, account)),
            known.image.version == data.version, known.serves(key.target), !known.exceeds(job.options.maxPixelSize)
        {
            var image = known.image.from(data.origin)
            image.retention = data.retention
            image.info.timings = timings(of: data, for: job, jobs)
            return image
        }
        if let resized = data.resized { return try await decode(data, resized, key, of: job, for: jobs) }
        let limits = job.options.decodeLimits ?? limits
        let (decoded, header, decoder) = try await runDecoder(
            on: data.bytes, key.target, limits, of: job, for: jobs)
        let pixels = limited(decoded.pixels, job.options)
        var info = ImageInfo(
            size: decoded.size, decodedSize: pixels.size, format: header.format, frameCount: decoded.frameCount,
            origin: data.origin, byteCount: data.bytes.count, status: data.status, address: data.address,
            decoder: decoded.decoder ?? decoder.name, isIsolated: decoded.isIsolated)
        info.timings = timings(of: data, for: job, jobs)
        info.isTruncated = decoded.isTruncated
        var retention = data.retention
        if decoded.frameCount > 1 || decoded.isTruncated { retention.original = nil }
        retention.original?.decodeTime = DecodeTime(of: data.bytes, header, decodedSize: decoded.pixels.size)
        return LoadedImage(
            pixels: pixels, info: info, version: data.version,
            // The frames of an animation are shown as stored. With an orientation, only the first
            // frame is shown.
            animation: decoded.frameCount > 1 && header.orientation == .up
                ? ImageAnimation(
                    data.bytes, header.format, decoded.timing, size: decoded.pixels.size, decoder: decoder,
                    limits: limits,
                    scheduler: scheduler) : nil,
            retention: retention)
    }

    /// Decodes a resized image that stands for the original.
    private func decode(
        _ data: LoadedData, _ resized: ResizedContent, _ key: ImageKey, of job: Job, for jobs: JobScheduler
    ) async throws(ImageError) -> LoadedImage {
        let (limits, description) = (job.options.decodeLimits ?? limits, resized.description)
        // An image beyond the limits of this request fails, however small the resized one is.
        try limits.check(ImageHeader(format: description.originalFormat, storedSize: description.originalSize))
        let target = key.processors.isEmpty ? key.target : nil
        let decoded = try await runDecoder(on: data.bytes, target, limits, of: job, for: jobs).image
        let pixels = key.processors.isEmpty ? limited(decoded.pixels, job.options) : decoded.pixels
        guard decoded.size == description.size else { throw ImageError(.corrupt, "a resized image of another size") }
        var info = ImageInfo(
            size: description.originalSize, decodedSize: pixels.size, format: description.originalFormat,
            origin: data.origin, byteCount: resized.byteCount, status: data.status, address: data.address,
            decoder: ResizedImage.decoderName, isIsolated: decoded.isIsolated)
        info.processedSize = description.processedSize
        info.timings = timings(of: data, for: job, jobs)
        return LoadedImage(pixels: pixels, info: info, version: data.version, retention: data.retention)
    }

    /// Decodes data with the decoder for its format, unless its header exceeds the limits.
    private func runDecoder(
        on bytes: [UInt8], _ target: TargetSize?, _ limits: DecodeLimits, of job: Job, for jobs: JobScheduler
    ) async throws(ImageError) -> (image: DecodedImage, header: ImageHeader, decoder: OrientedDecoder) {
        let (decoder, header) = try decoders.decoder(for: bytes)
        try limits.check(header)
        observers.report(.decoding(header.format, decoder: decoder.name), of: job)
        let request = DecodeRequest(header: header, target: target, limits: limits)
        let byteCount = request.estimatedByteCount(of: bytes)
        let image = try await run(job, byteCount, isConfined: decoder.isConfined, for: jobs) {
            () throws(ImageError) in
            try decoder.decode(bytes, request)
        }
        return (image, header, decoder)
    }

    /// A decoder may return more pixels than the target needs, but not more than `maxPixelSize`
    /// allows.
    private func limited(_ pixels: PixelBuffer, _ options: ImageOptions) -> PixelBuffer {
        guard let side = options.maxPixelSize, pixels.size.longestSide > side else { return pixels }
        return pixels.scaledDown(to: TargetSize.longestSide(side).drawnSize(of: pixels.size))
    }

    private func removeResized(of data: LoadedData) async {
        guard let store, let key = data.storeKey else { return }
        await Task(executorPreference: WorkerThreads.disk) {
            for response in store.responses(for: key) where ContentVersion(response.body) == data.version {
                store.removeResizedImages(of: response, for: key)
            }
        }.value
    }

    private func timings(of data: LoadedData, for job: Job, _ jobs: JobScheduler) -> LoadTimings? {
        data.times?.timings(since: jobs.requestTime(of: job), decodedAt: clock.now)
    }

    /// The errors after which stored bytes are removed.
    private static let damage: Set<ImageError.Code> = [.corrupt, .notAnImage, .unsupportedFormat]

    /// The store key of a damaged stored response, which is removed and fetched again. `nil` for
    /// other failures.
    private func damagedKey(_ data: LoadedData, _ error: ImageError, of job: Job) -> String? {
        guard Self.damage.contains(error.code), case .image(_, let constraints) = job.key,
            constraints.policy != .storedOnly
        else { return nil }
        return data.storeKey
    }

    private func keep(_ image: LoadedImage, of job: Job, for jobs: JobScheduler) {
        guard let cache, case .image(let imageKey, let constraints) = job.key, constraints.policy.writesMemory,
            imageKey.load.isShared
        else { return }
        let key = ImageCacheKey(imageKey, account)
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
        if imageKey.load.hasAccount, !jobs.isWanted(job) { cache.remove(key) }
    }
}
