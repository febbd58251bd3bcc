/// Makes the picture of a job, on a decode thread: decodes bytes, or applies the job's processor.
struct Working: Sendable {
    private let decoders: [any ImageDecoder]
    private let limits: DecodeLimits
    private let cache: (any ImageCache)?
    private let clock: any PipelineClock
    private let observers: PipelineObservers

    init(_ configuration: ImagePipeline.Configuration, observers: PipelineObservers) {
        decoders = configuration.decoders
        limits = configuration.decodeLimits
        cache = configuration.memoryCache
        clock = configuration.clock
        self.observers = observers
    }

    func start(_ job: Job, on input: JobOutput, reportingTo board: JobBoard) {
        Task(executorPreference: WorkerThreads.shared) {
            guard board.isWanted(job) else { return board.finish(job, with: .failure(.cancelled)) }
            let result = Result { () throws(ImageError) in try output(of: job, from: input) }
            if case .success(.picture(let image)) = result, board.hasWaiters(job) { keep(image, of: job) }
            board.finish(job, with: result)
        }
    }

    private func output(of job: Job, from input: JobOutput) throws(ImageError) -> JobOutput {
        guard case .picture(let key, _) = job.key else { throw .cancelled }
        switch input {
        case .bytes(let data):
            return .picture(try decode(data, key, of: job))
        case .picture(var image):
            let index = key.processors.count - 1
            // A decoder may give more pixels than were wanted. A radius in pixels means those that are drawn.
            if index == 0, let target = key.target {
                image.pixels = image.pixels.scaledDown(to: target.drawnSize(of: image.info.size))
            }
            let processor = job.options.processors[index]
            observers.report(.processing(processor.identity), of: job)
            image.pixels = try processor.process(image.pixels)
            image.info.decodedSize = image.pixels.size
            return .picture(image)
        }
    }

    private func decode(_ data: LoadedData, _ key: PictureKey, of job: Job) throws(ImageError) -> LoadedImage {
        // Another size of the same bytes may have been made while this one waited.
        if let known = cache?.entry(for: ImageCacheKey(key)), known.image.version === data.version,
            known.serves(key.target)
        {
            return known.image.from(data.origin)
        }
        observers.report(.decoding, of: job)
        let limits = job.options.decodeLimits ?? limits
        let header = try ImageHeader.read(data.bytes)
        try limits.check(header)
        guard let decoder = decoders.first(where: { $0.formats.contains(header.format) }) else {
            throw ImageError(.unsupportedFormat, header.format.rawValue)
        }
        let decoded = try decoder.decode(
            data.bytes, DecodeRequest(header: header, target: key.target, limits: limits))
        return LoadedImage(
            pixels: decoded.pixels,
            info: ImageInfo(
                size: decoded.size, decodedSize: decoded.pixels.size, format: header.format,
                frameCount: decoded.frameCount, origin: data.origin, byteCount: data.bytes.count,
                status: data.status, address: data.address),
            version: data.version)
    }

    private func keep(_ image: LoadedImage, of job: Job) {
        guard let cache, case .picture(let picture, let terms) = job.key, terms.policy.writesMemory else { return }
        let key = ImageCacheKey(picture)
        // A smaller one of the same bytes must not take the place of a larger one.
        if let known = cache.entry(for: key), known.image.version === image.version,
            known.image.pixels.size.pixelCount > image.pixels.size.pixelCount
        {
            return
        }
        let expiry = job.options.expiry.map { clock.now + $0 }
        cache.store(CachedImage(image, freshUntil: expiry), for: key)
    }
}
