import HTTPTypes

/// Makes the picture of a job, on a decode thread: decodes bytes, or applies the job's processor.
struct Working: Sendable {
    private let decoders: DecoderRegistry
    private let watch: DecodeWatch
    private let limits: DecodeLimits
    private let cache: (any ImageCache)?
    private let store: (any ResponseStore)?
    private let commonHeaders: HTTPFields
    private let account: ImageCacheKey.Account
    private let clock: any PipelineClock
    private let observers: PipelineObservers

    init(
        _ configuration: ImagePipeline.Configuration, _ decoders: DecoderRegistry, observers: PipelineObservers
    ) {
        self.decoders = decoders
        watch = DecodeWatch(configuration.clock, WorkerThreads.shared)
        limits = configuration.decodeLimits
        cache = configuration.memoryCache
        store = configuration.responseStore
        commonHeaders = configuration.headers
        account = ImageCacheKey.Account(configuration.headers)
        clock = configuration.clock
        self.observers = observers
    }

    func start(_ job: Job, on input: JobOutput, reportingTo board: JobBoard) {
        Task(executorPreference: WorkerThreads.shared) {
            guard board.isWanted(job) else { return board.finish(job, with: .failure(.cancelled)) }
            let result = Result { () throws(ImageError) in try output(of: job, from: input, for: board) }
            if case .failure = result, case .bytes(let data) = input { data.ticket?.discard() }
            if case .failure(let error) = result, let storeKey = damagedKey(input, error, of: job) {
                // Before others are fetched, which take its place.
                await Task(executorPreference: WorkerThreads.disk) { store?.remove(storeKey) }.value
                return board.refetch(job)
            }
            if case .success(.picture(let image)) = result, board.hasWaiters(job) {
                keep(image, of: job)
            }
            board.finish(job, with: result)
        }
    }

    private func output(of job: Job, from input: JobOutput, for board: JobBoard) throws(ImageError) -> JobOutput {
        guard case .picture(let key, _) = job.key else { throw .cancelled }
        switch input {
        case .bytes(let data):
            let image = try decode(data, key, of: job, for: board)
            // Only what was a picture is stored: a page that says 200 leaves nothing behind.
            data.ticket?.commit(data.bytes)
            return .picture(image)
        case .picture(var image):
            let index = key.processors.count - 1
            // A decoder may give more pixels than were wanted. A radius in pixels means those that are drawn.
            if index == 0, let target = key.target {
                image.pixels = image.pixels.scaledDown(to: target.drawnSize(of: image.info.size))
            }
            let processor = job.options.processors[index]
            observers.report(.processing(processor.identity), of: job)
            let pixels = image.pixels
            image.pixels = try watched(job, for: board) { () throws(ImageError) in try processor.process(pixels) }
            // The processor is applied to the first frame alone.
            image.animation = nil
            image.info.frameCount = 1
            image.info.resize(from: pixels.size, to: image.pixels.size)
            return .picture(image)
        }
    }

    /// Runs what may take too long: then the job fails, and what is held is free for others.
    private func watched<Result>(
        _ job: Job, for board: JobBoard, holding share: DecodeBudget.Share? = nil,
        _ body: () throws(ImageError) -> Result
    ) throws(ImageError) -> Result {
        try watch.watch(limit: (job.options.decodeLimits ?? limits).timeout) {
            share?.giveBack()
            board.finish(job, with: .failure(ImageError(.decodeTimeout, job.source.nameToShow)))
        } _: { () throws(ImageError) in
            try body()
        }
    }

    private func decode(
        _ data: LoadedData, _ key: PictureKey, of job: Job, for board: JobBoard
    ) throws(ImageError) -> LoadedImage {
        // Another size of the same bytes may have been made while this one waited.
        if let known = cache?.entry(for: ImageCacheKey(key, account)), known.image.version == data.version,
            known.serves(key.target), !known.exceeds(job.options.maxPixelSize)
        {
            var image = known.image.from(data.origin)
            image.retention = data.retention
            return image
        }
        observers.report(.decoding, of: job)
        let limits = job.options.decodeLimits ?? limits
        let (decoder, header) = try decoders.decoder(for: data.bytes)
        try limits.check(header)
        let request = DecodeRequest(header: header, target: key.target, limits: limits)
        let decoded = try DecodeBudget.shared.holding(request.estimatedByteCount(of: data.bytes)) {
            share throws(ImageError) in
            // It may have had to wait.
            guard board.isWanted(job) else { throw .cancelled }
            return try watched(job, for: board, holding: share) { () throws(ImageError) in
                try decoder.decode(data.bytes, request)
            }
        }
        var pixels = decoded.pixels
        // A decoder may give more pixels than were wanted, but not more than are allowed.
        if let side = job.options.maxPixelSize, pixels.size.longestSide > side {
            pixels = pixels.scaledDown(to: TargetSize.longestSide(side).drawnSize(of: pixels.size))
        }
        return LoadedImage(
            pixels: pixels,
            info: ImageInfo(
                size: decoded.size, decodedSize: pixels.size, format: header.format,
                frameCount: decoded.frameCount, origin: data.origin, byteCount: data.bytes.count,
                status: data.status, address: data.address),
            version: data.version,
            // Frames are not turned: what has to be is shown still.
            animation: decoded.frameCount > 1 && header.orientation == .up
                ? ImageAnimation(
                    data.bytes, header.format, size: decoded.pixels.size, decoder: decoder, limits: limits,
                    watch: watch) : nil,
            retention: data.retention)
    }

    /// What stored bytes that are no picture any more are stored under: they are thrown away and others fetched.
    private func damagedKey(_ input: JobOutput, _ error: ImageError, of job: Job) -> String? {
        guard case .bytes(let data) = input, [.disk, .stale, .revalidated].contains(data.origin),
            [.corrupt, .notAnImage, .unsupportedFormat].contains(error.code),
            case .picture(let key, let terms) = job.key, terms.policy != .storedOnly,
            case .web(let address) = job.source.kind
        else { return nil }
        return key.load.storeKey(for: address, common: commonHeaders)
    }

    private func keep(_ image: LoadedImage, of job: Job) {
        guard let cache, case .picture(let picture, let terms) = job.key, terms.policy.writesMemory else { return }
        let key = ImageCacheKey(picture, account)
        var kept = CachedImage(image, freshUntil: job.options.expiry.map { clock.now + $0 })
        // A smaller one of the same bytes must not take the place of a larger one.
        if let known = cache.entry(for: key), known.image.version == image.version,
            known.image.pixels.size.pixelCount > image.pixels.size.pixelCount
        {
            kept.image = known.image
            kept.image.retention = image.retention
        }
        cache.store(kept, for: key)
    }
}
