import HTTPTypes

/// The components that the tasks of a pipeline share.
struct PipelineContext: Sendable {
    let jobs: JobScheduler
    let observers: PipelineObservers
    let cache: (any ImageCache)?
    let account: ImageCacheKey.Account
    /// The headers that every request of the pipeline sets.
    let headers: HTTPFields
    let clock: any PipelineClock
    let http: HTTPCache
    let refresher: CredentialRefresher
    let runtime: Lock<RuntimeSettings>
    let models = ModelRegistry()
    let decoders: DecoderRegistry
    /// Stores resized images; `nil` if they cannot be stored.
    let writer: ResizedImageWriter?

    init(_ configuration: ImagePipeline.Configuration) {
        observers = PipelineObservers(configuration)
        cache = configuration.memoryCache
        headers = configuration.headers
        account = ImageCacheKey.Account(headers)
        clock = configuration.clock
        decoders = DecoderRegistry(configuration.decoders)
        let decodeScheduler = DecodeScheduler(configuration.decodeResources, clock: configuration.clock)
        let bodies = JobBodies(configuration, decoders, decodeScheduler, observers, account)
        (http, refresher, runtime, writer) = (bodies.http, bodies.refresher, bodies.runtime, bodies.writer)
        jobs = JobScheduler(
            JobScheduler.Limits(
                transferCount: max(1, configuration.maxConcurrentTransfers),
                transferCountPerHost: max(1, configuration.maxConcurrentTransfersPerHost),
                threadCount: decodeScheduler.threads.count,
                rate: configuration.rateLimit),
            clock: configuration.clock,
            workers: JobScheduler.Workers(
                start: bodies.start, keepUndecoded: bodies.keepUndecoded,
                becomeIdle: { [writer] in writer?.jobsHaveEnded($0) }))
    }

    // MARK: Keys

    func imageKey(
        _ source: ImageSource, _ request: ImageRequest, _ options: ImageOptions, requestNumber: Int? = nil
    ) -> ImageKey {
        ImageKey(
            load: LoadKey(source, options, requestNumber: requestNumber),
            target: options.bounding(request.target),
            processors: options.processors.map(\.identity))
    }

    // MARK: Memory

    /// The image of a single source in the memory cache; `nil` if the cache policy does not allow
    /// its use.
    ///
    /// - Parameter anySize: Whether an image with fewer pixels than the request needs is returned
    ///   too.
    func memoryHit(
        of source: ImageSource, _ request: ImageRequest, _ options: ImageOptions, anySize: Bool = false
    ) -> MemoryHit? {
        guard options.cachePolicy.readsMemory else { return nil }
        // The key of a processed image contains its size.
        let isProcessed = !options.processors.isEmpty
        let key =
            isProcessed
            ? ImageCacheKey(imageKey(source, request, options), account)
            : ImageCacheKey(LoadKey(source, options), account)
        guard let entry = cache?.entry(for: key) else { return nil }
        // An invalid address may equal the identity of an image that the program loaded itself.
        if case .invalid = source.kind { return nil }
        if !isProcessed {
            guard !entry.exceeds(options.maxPixelSize) else { return nil }
            guard anySize || entry.serves(options.bounding(request.target)) else { return nil }
        }
        return MemoryHit(image: entry.image.from(source, for: request), validity: validity(of: entry, options))
    }

    private func validity(of entry: CachedImage, _ options: ImageOptions) -> MemoryHit.Validity {
        let retention = entry.image.retention
        if let expiry = options.expiryInSeconds, let storedAt = retention.storedAt,
            CacheDecision.isExpired(storedAt: storedAt, expiry: expiry, now: clock.secondsSince1970)
        {
            return .stale
        }
        if let end = entry.freshUntil, clock.now >= end { return .stale }
        // Under other policies, the image in memory is used without regard to HTTP freshness or
        // changes of its file.
        guard options.cachePolicy.ofRequest == .http else { return .fresh }
        if retention.file != nil { return .freshIfFileIsUnchanged }
        if let end = retention.freshUntil, clock.now >= end { return .stale }
        return .fresh
    }

    /// Stores an image that was provided as pixels in the memory cache, under the identity of the
    /// requested source. The ``JobBodies`` store decoded and processed images.
    func keepPixels(_ image: LoadedImage, of source: ImageSource, _ request: ImageRequest, _ options: ImageOptions) {
        let key = LoadKey(source, options)
        guard let cache, image.info.format == nil, options.processors.isEmpty, options.cachePolicy.writesMemory,
            key.isShared
        else { return }
        cache.store(CachedImage(image), for: ImageCacheKey(key, account))
    }

    // MARK: Work

    func want(_ source: ImageSource, _ request: ImageRequest, _ options: ImageOptions, _ subscriber: Subscriber) {
        let key = imageKey(source, request, options)
        jobs.want(
            .image(key, RequestConstraints(options)), from: source, options,
            input: stepInMemory(on: key.processors.isEmpty ? nil : key.unprocessed, options),
            unless: { hasRemovedAccount(of: key.load) }, subscriber)
    }

    /// Whether an account of a load was removed after the request for it was made.
    func hasRemovedAccount(of key: LoadKey) -> Bool {
        http.background.hasRemovedAccount(since: key.accountGeneration, where: key.belongs(toAccount:))
    }

    /// The cached image to which the most processors of `key` were applied, and its key: the input
    /// of the remaining processors. `nil` if no such image is cached.
    private func stepInMemory(on key: ImageKey?, _ options: ImageOptions) -> (ImageKey, JobOutput)? {
        guard let cache, options.cachePolicy.readsMemory else { return nil }
        var next = key
        while let key = next {
            if let entry = cache.entry(for: ImageCacheKey(key, account)), validity(of: entry, options) == .fresh,
                !key.processors.isEmpty || entry.serves(key.target) && !entry.exceeds(options.maxPixelSize)
            {
                return (key, .image(entry.image))
            }
            next = key.processors.isEmpty ? nil : key.unprocessed
        }
        return nil
    }
}

/// An image found in the memory cache.
struct MemoryHit {
    enum Validity {
        case fresh
        /// Checking the file takes a system call that may block. Only under ``CachePolicy/http``.
        case freshIfFileIsUnchanged
        case stale
    }

    let image: LoadedImage
    let validity: Validity

    /// Whether the image can be used without a check of its file.
    var isFresh: Bool { validity == .fresh }
}
