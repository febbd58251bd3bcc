// Fetches the data of a job: by a transfer, from a file, or from a provider.

import Glibc
import HTTPTypes

/// Fetches the data of a job.
struct Fetcher: Sendable {
    let observers: PipelineObservers
    let http: HTTPCache
    /// Replaces refused credentials.
    let refresher: CredentialRefresher
    private let providers = PreparedProviders()
    private let accept: AcceptHeader
    private let configuration: ImagePipeline.Configuration
    private let decoders: DecoderRegistry
    private let scheduler: DecodeScheduler

    init(
        _ configuration: ImagePipeline.Configuration, _ decoders: DecoderRegistry, _ scheduler: DecodeScheduler,
        observers: PipelineObservers
    ) {
        self.decoders = decoders
        accept = AcceptHeader(decoders)
        self.scheduler = scheduler
        self.observers = observers
        self.configuration = configuration
        refresher = CredentialRefresher(
            limit: configuration.transferLimits.timeout, clock: configuration.clock)
        http = HTTPCache(
            store: configuration.responseStore, transport: configuration.transport, clock: configuration.clock,
            accepts: Self.imageCheck(decoders, configuration.decodeLimits, scheduler),
            isMemoryCached: configuration.memoryCache != nil)
    }

    func start(_ job: Job, reportingTo jobs: JobScheduler) -> any Transfer {
        if let validation = job.validation {
            return validation.start { jobs.finish(job, with: .failure(.cancelled)) }
        }
        observers.report(.fetching(attempt: jobs.attempt(of: job)), of: job)
        decoders.prepare()
        if case .web(let address) = job.source.kind { return startTransfer(of: job, from: address, jobs) }
        return TaskTransfer(on: job.source.filePath == nil ? .shared : .files) {
            try await provide(job, jobs)
        } whenThrown: {
            finish(job, $0, jobs)
        }
    }

    /// The limits for the transfer of a job.
    func limits(of job: Job) -> TransferLimits {
        var limits = job.options.transferLimits ?? configuration.transferLimits
        if let timeout = job.options.timeout { limits.timeout = timeout }
        return limits
    }

    /// Makes previews of the data that a job receives. `nil` if the options request none.
    func previewMaker(for job: Job, _ jobs: JobScheduler) -> PreviewMaker? {
        let options = job.options.previews
        guard !options.isEmpty else { return nil }
        return PreviewMaker(options, decoders, scheduler, configuration) { [weak jobs] in
            jobs?.largestTarget(of: job)
        } receive: { [weak jobs] image in
            jobs?.show(image, whileFetching: job)
        }
    }

    /// Handles a failed transfer as the retry policy decides.
    func fail(_ job: Job, _ error: ImageError, retryAfter: Duration?, _ jobs: JobScheduler) {
        guard error.code != .cancelled else { return finish(job, error, jobs) }
        let policy = job.options.retryPolicy ?? configuration.retryPolicy
        let failure = TransferFailure(error: error, attempt: jobs.attempt(of: job), retryAfter: retryAfter)
        switch policy.decision(on: failure) {
        case .giveUp:
            finish(job, error, jobs)
        case .retry(let delay):
            observers.report(.retrying(after: delay, error), of: job)
            jobs.retry(job, after: max(.zero, delay))
        case .retryWhenConnected:
            // If the network is connected or its state is unknown, waiting for a connection would
            // not help, so the job retries after a delay.
            let network = configuration.network
            let delay = network.isConnected ? StandardRetryPolicy().delay(beforeRetry: failure.attempt) : nil
            observers.report(.retrying(after: delay, error), of: job)
            jobs.retry(job, after: delay)
            // The network may have reconnected since the first check, and would not report it
            // again.
            if delay == nil, network.isConnected { jobs.reconnect() }
        }
    }

    private func finish(_ job: Job, _ error: ImageError, _ jobs: JobScheduler) {
        jobs.finish(job, with: .failure(error))
    }

    // MARK: From the network

    private func startTransfer(of job: Job, from address: WebAddress, _ jobs: JobScheduler) -> any Transfer {
        let request = request(for: job, to: address)
        let sink = TransferSink(job: job, fetcher: self, jobs: jobs).receiver
        guard case .bytes(let key, let constraints) = job.key else {
            return FailingTransport(error: .cancelled).start(request, receiver: sink)
        }
        let http = cache(for: job, jobs)
        var lookup = lookup(for: job, key, constraints.policy, jobs)
        guard let hook = job.options.requestHook else { return http.start(request, lookup, receiver: sink) }
        if constraints.policy == .storedOnly {
            // No request is sent, so the hook does not run: it might contact a server itself.
            if key.isShared { return http.start(request, lookup, receiver: sink) }
            let error = ImageError(.notStored, address.stringWithoutUserInfo)
            return FailingTransport(error: error).start(request, receiver: sink)
        }
        // The hook sees the headers that are sent, and may change all of them.
        let complete = lookup.complete(request)
        lookup.lateHeader = nil
        return startHooked(complete, hook, jobs.context(of: job), key, http, lookup, receiver: sink)
    }

    /// The request for the data of a job, before any hook and without the `Accept` header. The
    /// headers of the job's options replace those of the pipeline.
    private func request(for job: Job, to address: WebAddress) -> TransferRequest {
        var request = TransferRequest(address, headers: configuration.headers, limits: limits(of: job))
        if let agent = configuration.userAgent, request.headers[.userAgent] == nil {
            request.headers[.userAgent] = agent
        }
        let own = job.options.headers
        for field in own { request.headers[field.name] = nil }
        request.headers.append(contentsOf: own)
        return request
    }

    /// The cache for the transfer of a job: it queues background validations as jobs, and adds the
    /// credential of the job's account to its requests.
    private func cache(for job: Job, _ jobs: JobScheduler) -> HTTPCache {
        var http = http
        http.startInBackground = { [weak jobs] validation in
            guard let jobs else { return validation.abandon() }
            jobs.want(validation)
        }
        if let provider = job.options.authorization, provider.applies(to: job.source) {
            http.transport = AuthorizedTransport(
                base: http.transport, provider: provider, refresher: refresher,
                requestedAt: jobs.requestTime(of: job))
        }
        return http
    }

    private func lookup(for job: Job, _ key: LoadKey, _ policy: CachePolicy, _ jobs: JobScheduler) -> HTTPCache.Lookup {
        let storeKey = key.storeKey(common: configuration.headers)
        var lookup = HTTPCache.Lookup(
            key: storeKey, policy: policy, expiry: job.options.expiryInSeconds,
            ignoresStoredErrors: job.options.ignoresStoredErrors || jobs.attempt(of: job) > 1)
        // Only a hook changes the headers that `Vary` compares.
        lookup.hasAccount = job.options.requestHook?.accountHash != nil
        lookup.lateHeader = (.accept, { [accept] in accept.value })
        if observers.areActive { lookup.report = { [observers] in observers.report(.cache($0), of: job) } }
        lookup.chooseResized = { [weak jobs] in jobs?.resizedImage(for: job, among: $0) }
        return lookup
    }

    /// Runs a hook, then starts the transfer of the request as the hook changed it.
    private func startHooked(
        _ request: TransferRequest, _ hook: RequestHook, _ context: RequestContext, _ key: LoadKey, _ http: HTTPCache,
        _ lookup: HTTPCache.Lookup, receiver sink: any TransferReceiver
    ) -> any Transfer {
        HookedTransfer(request, hook, context, http.clock) { result in
            switch result {
            case .success(let sent):
                var lookup = lookup
                if !key.isShared { lookup.key = key.storeKey(sent: sent) }
                return http.start(sent, lookup, receiver: sink)
            case .failure(let error):
                let failing = FailingTransport(error: error)
                guard key.isShared, error.isDisconnection else { return failing.start(request, receiver: sink) }
                // A hook may fetch its token from a server. Without a network, the stored response
                // is used as it is without a hook.
                var offline = http
                offline.transport = failing
                return offline.start(request, lookup, receiver: sink)
            }
        }
    }

    /// Whether data has a header that a decoder reads.
    func isImage(_ bytes: [UInt8]) -> Bool { (try? decoders.decoder(for: bytes)) != nil }

    /// Returns a check of whether data is an image that can be decoded completely.
    private static func imageCheck(
        _ decoders: DecoderRegistry, _ limits: DecodeLimits, _ scheduler: DecodeScheduler
    ) -> @Sendable ([UInt8]) async -> Bool {
        { bytes in
            let check = await Result { () async throws(ImageError) in
                try await scheduler.result { expire async throws(ImageError) in
                    let (decoder, header) = try decoders.decoder(for: bytes)
                    try limits.check(header)
                    // A small target also decodes the whole file, but needs less time and memory.
                    let request = DecodeRequest(header: header, target: .longestSide(64), limits: limits)
                    let byteCount = request.estimatedByteCount(of: bytes)
                    return try await scheduler.run(
                        byteCount, .low, limit: limits.timeout, isConfined: decoder.isConfined, expire: expire
                    ) { () throws(ImageError) in try decoder.decode(bytes, request).isTruncated }
                }
            }
            return if case .success(false) = check { true } else { false }
        }
    }

    // MARK: From the program

    private func provide(_ job: Job, _ jobs: JobScheduler) async throws {
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
