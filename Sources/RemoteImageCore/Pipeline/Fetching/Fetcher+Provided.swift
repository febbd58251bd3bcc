// Data that comes from the program: files, addresses with the data in them, bytes and providers.

import HTTPTypes

extension Fetcher {
    /// Reads or asks for the data of a job, and reports it.
    func provide(_ job: Job, _ jobs: JobScheduler) async throws {
        let limit = limits(of: job).maxBodyByteCount
        switch job.source.kind {
        case .file(let path):
            let (bytes, version) = try FileBytes.read(path, limit: limit)
            deliver(bytes, of: job, jobs, file: version)
        case .data(let text): deliver(try DataAddress.bytes(of: text, limit: limit), of: job, jobs)
        case .bytes(let bytes): deliver(bytes, of: job, jobs)
        case .provider(let provider): try await follow(provider, of: job, jobs)
        case .invalid(let error): throw error
        // The resolver has already replaced choices: the source of a job is a single one.
        case .web, .adaptive, .candidates, .sized, .fallbacks: throw ImageError(.invalidURL, "a choice")
        }
    }

    private func deliver(
        _ bytes: [UInt8], _ headers: HTTPFields = [:], of job: Job, _ jobs: JobScheduler, file: FileVersion? = nil
    ) {
        guard !bytes.isEmpty else { return finish(job, ImageError(.emptyBody, job.source.nameToShow), jobs) }
        observers.report(.fetched(byteCount: bytes.count), of: job)
        var data = LoadedData(bytes: bytes, headers: headers, origin: .local)
        data.retention.storedAt = configuration.clock.secondsSince1970
        data.retention.file = file
        data.times = TransferTimes(started: jobs.startTime(of: job), ended: configuration.clock.now)
        jobs.finish(job, with: .success(.bytes(data)))
    }

    private func deliver(_ stream: ByteStream, of job: Job, _ jobs: JobScheduler) async throws {
        let previews = previewMaker(for: job, jobs)
        defer { previews?.end() }
        let bytes = try await stream.bytes(limit: limits(of: job).maxBodyByteCount, of: job.source.nameToShow) {
            bytes in
            jobs.advance(job, to: LoadProgress(completedByteCount: bytes.count, totalByteCount: stream.byteCount))
            previews?.look(at: bytes)
        }
        deliver(bytes, stream.contentType.map { [.contentType: $0] } ?? [:], of: job, jobs)
    }

    private func follow(_ provider: any ImageProvider, of job: Job, _ jobs: JobScheduler) async throws {
        guard case .bytes(let key, let constraints) = job.key else { throw ImageError.cancelled }
        let (limit, clock) = (limits(of: job).timeout, configuration.clock)
        let prepared = try await providers.prepared(
            provider, name: job.source.nameToShow, anew: constraints.policy == .reload, limit: limit, clock)
        let provided = try await withTimeLimit(limit, of: job.source.nameToShow, clock) { () -> ProvidedImage? in
            let provided = try await prepared.image()
            guard case .stream(let stream) = provided else { return provided }
            try await deliver(stream, of: job, jobs)
            return nil
        }
        switch provided {
        // The stream was delivered within the time limit.
        case .stream, nil: break
        case .bytes(let bytes):
            deliver(bytes, of: job, jobs)
        case .pixels(let pixels):
            var image = LoadedImage(
                pixels: pixels,
                info: ImageInfo(size: pixels.size, decodedSize: pixels.size, format: nil, origin: .local))
            image.retention.storedAt = configuration.clock.secondsSince1970
            jobs.finish(job, with: .success(.image(image)))
        case .source(let source):
            let attempts = SourceResolution(source, target: nil, isConstrained: configuration.network.isConstrained)
                .attempts
            // A new request number would give each provider a new key, and providers that refer to
            // each other would loop forever.
            jobs.redirect(
                job,
                to: attempts.map { source in
                    let next = LoadKey(source, job.options, requestNumber: key.requestNumber)
                    return (.bytes(next, constraints), source)
                })
        }
    }
}
