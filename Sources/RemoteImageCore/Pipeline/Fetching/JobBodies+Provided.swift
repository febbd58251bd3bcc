// Data that comes from the program: files, addresses with the data in them, bytes and providers.

import HTTPTypes

extension JobBodies {
    /// What a provider gives.
    enum Provided {
        case data(LoadedData)
        case pixels(LoadedImage)
        /// The sources to load the image from, of which the first that succeeds is used, and their
        /// keys.
        case sources([(key: JobKey, source: ImageSource)])
    }

    /// The data of a source that needs no provider and no transfer. Reads a file.
    func localData(of job: Job, _ jobs: JobScheduler) throws(ImageError) -> LoadedData {
        let limit = transferLimits(of: job).maxBodyByteCount
        switch job.source.kind {
        case .file(let path):
            let (bytes, version) = try FileBytes.read(path, limit: limit)
            return try data(bytes, of: job, jobs, file: version)
        case .data(let text): return try data(DataAddress.bytes(of: text, limit: limit), of: job, jobs)
        case .bytes(let bytes): return try data(bytes, of: job, jobs)
        case .invalid(let error): throw error
        // The resolver has already replaced choices: the source of a job is a single one.
        case .web, .provider, .adaptive, .candidates, .sized, .fallbacks: throw ImageError(.invalidURL, "a choice")
        }
    }

    private func data(
        _ bytes: [UInt8], _ headers: HTTPFields = [:], of job: Job, _ jobs: JobScheduler, file: FileVersion? = nil
    ) throws(ImageError) -> LoadedData {
        guard !bytes.isEmpty else { throw ImageError(.emptyBody, job.source.nameToShow) }
        var data = LoadedData(bytes: bytes, headers: headers, origin: .local)
        data.retention.storedAt = configuration.clock.secondsSince1970
        data.retention.file = file
        data.times = TransferTimes(started: jobs.read { job.startedAt }, ended: configuration.clock.now)
        return data
    }

    /// Asks a provider, which it prepares before.
    func provided(
        by provider: any ImageProvider, for job: Job, _ progress: TransferProgress, _ jobs: JobScheduler
    ) async throws -> Provided {
        guard case .bytes(let key, let constraints) = job.key else { throw ImageError.cancelled }
        let (limits, clock) = (transferLimits(of: job), configuration.clock)
        let prepared = try await providers.prepared(
            provider, name: job.source.nameToShow, anew: constraints.policy == .reload, limit: limits.timeout, clock)
        return try await withTimeLimit(limits.timeout, of: job.source.nameToShow, clock) { [self] in
            switch try await prepared.image() {
            case .bytes(let bytes): return .data(try data(bytes, of: job, jobs))
            case .stream(let stream):
                defer { progress.end() }
                let bytes = try await stream.bytes(limit: limits.maxBodyByteCount, of: job.source.nameToShow) {
                    progress.receive($0, of: stream.byteCount)
                }
                return .data(try data(bytes, stream.contentType.map { [.contentType: $0] } ?? [:], of: job, jobs))
            case .pixels(let pixels):
                var image = LoadedImage(
                    pixels: pixels,
                    info: ImageInfo(size: pixels.size, decodedSize: pixels.size, format: nil, origin: .local))
                image.retention.storedAt = clock.secondsSince1970
                return .pixels(image)
            case .source(let source):
                let resolution = SourceResolution(
                    source, target: nil, isConstrained: configuration.network.isConstrained)
                // A new request number would give each provider a new key, and providers that refer
                // to each other would loop forever.
                return .sources(
                    resolution.attempts.map { source in
                        // Calls the closure of a sized source, which must not run under the lock of
                        // the scheduler.
                        _ = source.kind
                        let next = LoadKey(source, job.options, requestNumber: key.requestNumber)
                        return (.bytes(next, constraints), source)
                    })
            }
        }
    }
}
