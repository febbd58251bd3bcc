// How images are made on a decode thread, within the memory budget and the time limit: data is
// decoded, or a processor is applied.

extension JobBodies {
    /// Decodes the data of a job's image, at least in the size that the job needs.
    func decode(_ data: LoadedData, for job: Job, _ jobs: JobScheduler) async throws(ImageError) -> LoadedImage {
        guard case .image(let key, _) = job.key else { throw .cancelled }
        if let resized = data.resized { return try await decode(data, resized, key, of: job, jobs) }
        let limits = decodeLimits(of: job)
        let (decoded, header, decoder) = try await runDecoder(
            on: data.bytes, key.target, limits, of: job, jobs)
        let pixels = limited(decoded.pixels, job.options)
        var info = ImageInfo(
            size: decoded.size, decodedSize: pixels.size, format: header.format, frameCount: decoded.frameCount,
            origin: data.origin, byteCount: data.bytes.count, status: data.status, address: data.address,
            decoder: decoded.decoder ?? decoder.name, isIsolated: decoded.isIsolated)
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
                    limits: limits, decodeScheduler: decodeScheduler) : nil,
            retention: retention)
    }

    /// Decodes a resized image that stands for the original.
    private func decode(
        _ data: LoadedData, _ resized: ResizedContent, _ key: ImageKey, of job: Job, _ jobs: JobScheduler
    ) async throws(ImageError) -> LoadedImage {
        let (limits, description) = (decodeLimits(of: job), resized.description)
        // An image beyond the limits of this request fails, however small the resized one is.
        try limits.check(ImageHeader(format: description.originalFormat, storedSize: description.originalSize))
        let target = key.processors.isEmpty ? key.target : nil
        let decoded = try await runDecoder(on: data.bytes, target, limits, of: job, jobs).image
        let pixels = key.processors.isEmpty ? limited(decoded.pixels, job.options) : decoded.pixels
        guard decoded.size == description.size else { throw ImageError(.corrupt, "a resized image of another size") }
        var info = ImageInfo(
            size: description.originalSize, decodedSize: pixels.size, format: description.originalFormat,
            origin: data.origin, byteCount: resized.byteCount, status: data.status, address: data.address,
            decoder: ResizedImage.decoderName, isIsolated: decoded.isIsolated)
        info.processedSize = description.processedSize
        return LoadedImage(pixels: pixels, info: info, version: data.version, retention: data.retention)
    }

    /// Decodes data with the decoder for its format, unless its header exceeds the limits.
    private func runDecoder(
        on bytes: [UInt8], _ target: TargetSize?, _ limits: DecodeLimits, of job: Job, _ jobs: JobScheduler
    ) async throws(ImageError) -> (image: DecodedImage, header: ImageHeader, decoder: OrientedDecoder) {
        let (decoder, header) = try decoders.decoder(for: bytes)
        try limits.check(header)
        observers.report(.decoding(header.format, decoder: decoder.name), of: job)
        let request = DecodeRequest(header: header, target: target, limits: limits)
        let byteCount = request.estimatedByteCount(of: bytes)
        let image = try await run(job, byteCount, isConfined: decoder.isConfined, jobs) {
            () throws(ImageError) in
            try decoder.decode(bytes, request)
        }
        return (image, header, decoder)
    }

    func decodeLimits(of job: Job) -> DecodeLimits { job.options.decodeLimits ?? configuration.decodeLimits }

    /// A decoder may return more pixels than the target needs, but not more than `maxPixelSize`
    /// allows.
    private func limited(_ pixels: PixelBuffer, _ options: ImageOptions) -> PixelBuffer {
        guard let box = options.maxPixelSize, pixels.size.exceeds(box) else { return pixels }
        return pixels.scaledDown(to: TargetSize(box).drawnSize(of: pixels.size))
    }

    /// Applies the last processor of a job's image, if there is one, or the limit of its request.
    func process(_ image: LoadedImage, for job: Job, _ jobs: JobScheduler) async throws(ImageError) -> LoadedImage {
        guard case .image(let key, _) = job.key else { throw .cancelled }
        var image = image
        let index = key.processors.count - 1
        guard index >= 0 else {
            image.pixels = limited(image.pixels, job.options)
            image.info.decodedSize = image.pixels.size
            return image
        }
        // The decoded image may be larger than the target, but processor parameters such as a
        // radius refer to pixels as drawn.
        if index == 0, let target = key.target {
            image.pixels = image.pixels.scaledDown(to: image.info.pixelSize(for: target))
        }
        let processor = job.options.processors[index]
        observers.report(.processing(processor.identity), of: job)
        let pixels = image.pixels
        image.pixels = try await run(job, pixels.byteCount, jobs) { () throws(ImageError) in
            try processor.process(pixels)
        }
        // Processors are applied only to the first frame.
        image.animation = nil
        image.info.frameCount = 1
        image.info.resize(from: pixels.size, to: image.pixels.size)
        return image
    }

    /// Runs a step under the memory budget and the time limit. If it exceeds the limit, the job
    /// fails while the step is still running.
    private func run<Output>(
        _ job: Job, _ byteCount: Int, isConfined: Bool = false, _ jobs: JobScheduler,
        _ body: () throws(ImageError) -> Output
    ) async throws(ImageError) -> Output {
        try await decodeScheduler.run(
            byteCount, jobs.read { job.urgency }, limit: decodeLimits(of: job).timeout,
            isConfined: isConfined,
            willWait: { jobs.setAside(job, until: $0) },
            expire: { jobs.finish(job, with: .failure(ImageError(.decodeTimeout, job.source.nameToShow))) }
        ) { () throws(ImageError) in
            // The job may have been cancelled during the wait.
            if Task.isCancelled { throw .cancelled }
            return try body()
        }
    }
}
