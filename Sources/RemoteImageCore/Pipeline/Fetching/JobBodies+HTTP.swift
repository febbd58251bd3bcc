import HTTPTypes

/// What a program may change while its pipeline is in use.
struct RuntimeSettings: Sendable {
    /// The proxy of new requests; `nil` for that of the transport.
    var proxy: CurlTransport.Proxy?
    /// The error of all loads from servers and the disk cache; `nil` if they are allowed.
    var refusal: ImageError?
}

/// Sends requests with the settings that the pipeline has at that time.
private struct RuntimeTransport: Transport {
    let base: any Transport
    let runtime: Lock<RuntimeSettings>

    var leavesRedirects: Bool { base.leavesRedirects }

    func load(_ request: TransferRequest, into receiver: any TransferReceiver) async throws(ImageError) {
        let settings = runtime.withLock { $0 }
        if let refusal = settings.refusal { throw refusal }
        var request = request
        request.proxy = request.proxy ?? settings.proxy
        try await base.load(request, into: receiver)
    }
}

/// How the data of a job is fetched over HTTP. Files, data and providers are in
/// JobBodies+Provided.swift.
extension JobBodies {
    /// The cache of the pipeline, over its transport.
    static func httpCache(
        _ configuration: ImagePipeline.Configuration, _ decoders: DecoderRegistry,
        _ decodeScheduler: DecodeScheduler, _ runtime: Lock<RuntimeSettings>
    ) -> HTTPCache {
        let transport = RuntimeTransport(base: configuration.transport, runtime: runtime)
        return HTTPCache(
            store: configuration.responseStore,
            transport: transport.leavesRedirects ? RedirectingTransport(transport, configuration.clock) : transport,
            clock: configuration.clock,
            refusal: imageCheck(decoders, configuration.decodeLimits, decodeScheduler),
            isMemoryCached: configuration.memoryCache != nil)
    }

    /// The limits for the transfer of a job.
    func transferLimits(of job: Job) -> TransferLimits {
        var limits = job.options.transferLimits ?? configuration.transferLimits
        if let timeout = job.options.timeout { limits.timeout = timeout }
        return limits
    }

    /// Loads the data of a job over HTTP, and validates it.
    func fetch(
        _ job: Job, from address: WebAddress, _ progress: TransferProgress, _ jobs: JobScheduler
    ) async throws(ImageError) -> LoadedData {
        try checkRefusal()
        let data = try await response(for: job, from: address, progress, jobs)
        try checkRefusal()
        guard data.isSuccess else {
            await rememberError(data)
            throw .httpStatus(data.status ?? 0)
        }
        guard !data.bytes.isEmpty else { throw ImageError(.emptyBody, address.stringWithoutUserInfo) }
        if data.resized == nil, let coding = ContentCoding.unknown(in: data.headers), !isImage(data.bytes) {
            throw ImageError(.encoding, coding)
        }
        if let validation = job.options.responseValidation { try await validate(data, validation, of: job, jobs) }
        return data
    }

    private func checkRefusal() throws(ImageError) {
        if let refusal = runtime.withLock({ $0.refusal }) { throw refusal }
    }

    /// The response to the request for a job, of any status.
    private func response(
        for job: Job, from address: WebAddress, _ progress: TransferProgress, _ jobs: JobScheduler
    ) async throws(ImageError) -> LoadedData {
        guard case .bytes(let key, let constraints) = job.key else { throw .cancelled }
        var request = request(for: job, to: address)
        var lookup = lookup(for: job, key, constraints.policy, jobs)
        if let hook = job.options.requestHook {
            if constraints.policy != .cacheOnly {
                // The hook sees the headers that are sent, and may change all of them.
                let complete = lookup.complete(request)
                do throws(ImageError) {
                    request = try await hook.changed(complete, jobs.context(of: job), configuration.clock)
                    if !key.isShared { lookup.key = key.storeKey(sent: request) }
                    lookup.lateHeader = nil
                } catch {
                    // A hook may fetch its token from a server. Without a network, the stored
                    // response is used as it is without a hook.
                    guard key.isShared, error.isDisconnection else { throw error }
                    lookup.unreachable = error
                }
            } else if !key.isShared {
                // No request is sent, so the hook does not run: it might contact a server itself.
                throw ImageError(.notStored, address.stringWithoutUserInfo)
            }
        }
        defer { progress.end() }
        var data = try await cache(for: job, jobs).load(request, lookup) { progress.receive($0, $1) }
        data.retention.original = (data.storeKey ?? data.pendingWrite?.storedKey).map { StoredOriginal(storeKey: $0) }
        data.times = progress.times()
        if data.isSuccess, data.origin != .network {
            let count = data.bytes.count
            jobs.advance(job, to: LoadProgress(completedByteCount: count, totalByteCount: count))
        }
        return data
    }

    /// Checks data as the program wants. If the job is stopped meanwhile, its data is only stored.
    private func validate(
        _ data: LoadedData, _ validation: ResponseValidation, of job: Job, _ jobs: JobScheduler
    ) async throws(ImageError) {
        let context = jobs.context(of: job)
        do throws(ImageError) {
            switch validation.check {
            case .immediate(let check): try check(data, context)
            case .asynchronous(let check):
                let (limit, clock) = (transferLimits(of: job).timeout, configuration.clock)
                try await Task {
                    await Result { () async throws(ImageError) in
                        try await withTimeLimit(limit, of: "the response validation", failingWith: .timeout, clock) {
                            try await check(data, context)
                        }
                    }
                }.value.get()
            }
        } catch {
            // The stored part may be the cause. Without it, the next load requests the whole body.
            await data.pendingWrite?.finish(.unacceptable)
            throw error
        }
    }

    /// Stores an error response if its headers allow that, so that the next load need not ask the
    /// server.
    private func rememberError(_ data: LoadedData) async {
        guard let pendingWrite = data.pendingWrite, data.bytes.count <= ServerAnswer.maxErrorByteCount,
            pendingWrite.isLastingAbsence(now: configuration.clock.secondsSince1970)
        else { return }
        await pendingWrite.finish(.accepted(data.bytes))
    }

    /// The request for the data of a job, before any hook and without the `Accept` header. The
    /// headers of the job's options replace those of the pipeline.
    private func request(for job: Job, to address: WebAddress) -> TransferRequest {
        var request = TransferRequest(address, headers: configuration.headers, limits: transferLimits(of: job))
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
                requestedAt: jobs.read { job.requestedAt })
        }
        return http
    }

    private func lookup(for job: Job, _ key: LoadKey, _ policy: CachePolicy, _ jobs: JobScheduler) -> HTTPCache.Lookup {
        let storeKey = key.storeKey(common: configuration.headers)
        var lookup = HTTPCache.Lookup(
            key: storeKey, policy: policy, expiry: job.options.expiryInSeconds,
            ignoresStoredErrors: job.options.ignoresStoredErrors || jobs.read { job.attempt } > 1)
        lookup.accountGeneration = key.accountGeneration
        lookup.decodeLimits = job.options.decodeLimits
        // Only a hook changes the headers that `Vary` compares.
        lookup.hasAccount = job.options.requestHook?.accountHash != nil
        lookup.lateHeader = (.accept, { [decoders] in decoders.acceptHeader })
        if observers.areActive { lookup.report = { [observers] in observers.report(.cache($0), of: job) } }
        lookup.chooseResized = { [weak jobs] in jobs?.resizedImage(for: job, among: $0) }
        return lookup
    }

    /// Whether data has a header that a decoder reads.
    private func isImage(_ bytes: [UInt8]) -> Bool { (try? decoders.decoder(for: bytes)) != nil }

    /// Returns a check of whether data is an image that can be decoded completely, within the
    /// limits of its request or else those of the pipeline.
    private static func imageCheck(
        _ decoders: DecoderRegistry, _ limits: DecodeLimits, _ decodeScheduler: DecodeScheduler
    ) -> @Sendable ([UInt8], DecodeLimits?) async -> ImageError? {
        { bytes, ownLimits in
            let limits = ownLimits ?? limits
            let check = await Result { () async throws(ImageError) in
                try await decodeScheduler.result { expire async throws(ImageError) in
                    let (decoder, header) = try decoders.decoder(for: bytes)
                    try limits.check(header)
                    // A small target also decodes the whole file, but needs less time and memory.
                    let request = DecodeRequest(header: header, target: .longestSide(64), limits: limits)
                    let byteCount = request.estimatedByteCount(of: bytes)
                    return try await decodeScheduler.run(
                        byteCount, .low, limit: limits.timeout, isConfined: decoder.isConfined, expire: expire
                    ) { () throws(ImageError) in try decoder.decode(bytes, request).isTruncated }
                }
            }
            return switch check {
            case .success(let isTruncated): isTruncated ? ImageError(.corrupt, "the image ends early") : nil
            case .failure(let error): error
            }
        }
    }
}

extension RequestHook {
    /// The request as the hook changes it. All later steps, including the cache, use it.
    fileprivate func changed(
        _ request: TransferRequest, _ context: RequestContext, _ clock: any PipelineClock
    ) async throws(ImageError) -> TransferRequest {
        try await withTimeLimit(
            request.limits.timeout, of: "the request hook “\(name)”", failingWith: .timeout, clock
        ) { [change] in
            var request = request
            try await change(&request, context)
            return request
        }
    }
}
