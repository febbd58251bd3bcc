// The engine behind every front end.

import HTTPTypes
import Logging

/// Loads images: fetches, decodes and caches them, and shares the work among equal requests.
///
/// Create a pipeline once and use it everywhere; its methods may be called on any thread. When it
/// is released, its running loads end with ``ImageError/cancelled``. A load that is just then
/// looking for a cached image continues.
///
/// ```swift
/// let image = try await pipeline.image(for: ImageRequest("https://example.org/cat.jpg"))
/// print(image.info.size, image.info.origin)
/// ```
public final class ImagePipeline: Sendable {
    /// The configuration that the pipeline was created with.
    public let configuration: Configuration
    let context: PipelineContext
    package var observers: PipelineObservers { context.observers }
    private let networkObservation: ObservationToken

    /// Creates a pipeline with its own queues.
    public init(_ configuration: Configuration) {
        self.configuration = configuration
        if configuration.headers.contains(.authorization) { _ = Self.authorizationWarning }
        context = PipelineContext(configuration)
        Self.allowTransfers(
            configuration.maxConcurrentTransfers, perHost: configuration.maxConcurrentTransfersPerHost,
            by: configuration.transport)
        let network = configuration.network
        networkObservation = network.observe {
            [jobs = context.jobs, models = context.models, writer = context.writer] in
            if network.isConnected { jobs.reconnect() }
            if !network.isConstrained { models.networkBecameUnconstrained() }
            if !network.savesPower, jobs.isIdle { writer?.jobsHaveEnded(jobs) }
        }
    }

    /// Logged once.
    private static let authorizationWarning: Void = Logger(label: "remote-image").warning(
        "Configuration.headers has Authorization, which is sent to every host. Use ImageOptions.authorization.")

    deinit {
        context.jobs.cancelAll()
    }

    // MARK: Loading

    /// Starts a load and returns at once.
    ///
    /// - Parameters:
    ///   - request: The source, the target size and the options of the image.
    ///   - isVisible: Whether the image is visible: `false` by default. Visible images load before
    ///     all others, whatever their priority.
    ///   - receive: Called for each event, on a thread that many loads share, so it must return
    ///     soon. Events that are available at once, such as an image in the memory cache, are
    ///     delivered before this method returns.
    @discardableResult
    public func start(
        _ request: ImageRequest, isVisible: Bool = false,
        receive: @escaping @Sendable (ImageTask.Event) -> Void = { _ in }
    ) -> ImageTask {
        start(request, urgency: isVisible ? .visible() : nil, receive: receive)
    }

    /// - Parameter urgency: `nil` uses the priority of the request.
    func start(
        _ request: ImageRequest, urgency: Urgency?, receive: @escaping @Sendable (ImageTask.Event) -> Void
    ) -> ImageTask {
        let options = options(of: request)
        let resolution = resolution(for: request, options, usingMemory: true)
        let task = ImageTask(
            request, options, resolution, urgency: urgency ?? Urgency(options.priority), context, receive: receive)
        context.observers.report(
            .requested, of: request.source, request: request, isVisible: task.urgency.isVisible)
        for source in resolution.previews {
            if let hit = context.memoryHit(of: source, request, options, anySize: true) {
                task.show(preview: hit.image)
                break
            }
        }
        task.tryNext()
        return task
    }

    /// Loads an image from the memory cache or its source.
    ///
    /// Throws ``ImageError/cancelled`` if the calling task is cancelled.
    public func image(for request: ImageRequest) async throws(ImageError) -> LoadedImage {
        let image = Promise<LoadedImage>()
        let task = start(request, urgency: nil) { event in
            if case .finished(let result) = event { image.keep(result) }
        }
        do throws(ImageError) {
            return try await image.value
        } catch {
            task.cancel()
            throw error
        }
    }

    /// Loads an image of a source with all pixels.
    ///
    /// Throws ``ImageError/cancelled`` if the calling task is cancelled.
    ///
    /// - Parameters:
    ///   - source: The source of the image.
    ///   - options: Override those of the pipeline.
    public func image(
        for source: some ImageSourceConvertible, options: ImageOptions = ImageOptions()
    ) async throws(ImageError) -> LoadedImage {
        try await image(for: ImageRequest(source, options: options))
    }

    /// Loads the encoded data of an image without decoding it for display. Shares the transfer with
    /// image requests for the same source. As for them, only images are stored.
    ///
    /// Throws ``ImageError/Code/source`` if the source provides pixels instead of encoded data.
    public func data(for request: ImageRequest) async throws(ImageError) -> LoadedData {
        try await data(for: request, urgency: nil, mustBeImage: false)
    }

    /// Loads the encoded data of a source, as for a request.
    public func data(
        for source: some ImageSourceConvertible, options: ImageOptions = ImageOptions()
    ) async throws(ImageError) -> LoadedData {
        try await data(for: ImageRequest(source, options: options))
    }

    /// - Parameters:
    ///   - request: The source and the options of the image.
    ///   - urgency: `nil` uses the priority of the request.
    ///   - mustBeImage: Whether the call fails if the data is not an image that can be decoded.
    func data(
        for request: ImageRequest, urgency: Urgency?, mustBeImage: Bool
    ) async throws(ImageError) -> LoadedData {
        let options = options(of: request)
        var errors: [ImageError] = []
        for source in resolution(for: request, options).attempts {
            do throws(ImageError) {
                return try await data(
                    from: await smallestStored(source, options), options, urgency ?? Urgency(options.priority),
                    mustBeImage: mustBeImage)
            } catch {
                if error.code == .cancelled { throw error }
                errors.append(error)
            }
        }
        throw .ofFallbacks(errors)
    }

    /// The smallest stored step from `source` upwards that may be used; `source` if there is none.
    private func smallestStored(_ source: ImageSource, _ options: ImageOptions) async -> ImageSource {
        guard context.mayBeStoredLarger(source, options) else { return source }
        return await WorkerThreads.disk.run { [context] in context.smallestStored(source, options) }
    }

    private func data(
        from source: ImageSource, _ options: ImageOptions, _ urgency: Urgency, mustBeImage: Bool
    ) async throws(ImageError) -> LoadedData {
        if let refusal = source.refusal(under: options.cachePolicy) { throw refusal }
        let (key, promise) = (LoadKey(source, options), Promise<LoadedData>())
        let subscriber = Subscriber(urgency: urgency) { event in
            guard case .finished(let result) = event else { return }
            promise.keep(
                result.flatMap { output in
                    if case .bytes(let data) = output { return .success(data) }
                    return .failure(ImageError(.source, "the source gives pixels, not bytes"))
                })
        }
        context.jobs.want(
            .bytes(key, RequestConstraints(options)), from: source, options,
            unless: { context.hasRemovedAccount(of: key) }, subscriber)
        let data: LoadedData
        do throws(ImageError) {
            data = try await promise.value
        } catch {
            context.jobs.cancel(subscriber)
            throw error
        }
        if let refusal = await store(data, options), mustBeImage { throw refusal }
        return data
    }

    /// Stores data from the network if it is an image. Returns the error of data that is not.
    private func store(_ data: LoadedData, _ options: ImageOptions) async -> ImageError? {
        guard let pendingWrite = data.pendingWrite else { return nil }
        let check = context.http.refusal
        let limits = options.decodeLimits
        // A detached task, because the caller's task may be cancelled although the data is
        // complete.
        return await Task.detached {
            let refusal = await check(data.bytes, limits)
            await pendingWrite.finish(refusal == nil ? .accepted(data.bytes) : .unacceptable)
            return refusal
        }.value
    }

    /// Returns when all pending writes to the store, including background validations, have ended.
    /// Call this before the program exits.
    public func finishWriting() async {
        await context.http.background.finished()
    }

    // MARK: Memory

    /// The image, if the memory cache has it fresh and with the pixels that `request` needs.
    /// Performs no I/O, so it can be called on the main thread. For a file, the image is as it was
    /// when the file was read; only a load checks whether the file has changed.
    public func cachedImage(for request: ImageRequest) -> LoadedImage? {
        guard let hit = lookUp(request), hit.validity != .stale else { return nil }
        return hit.image
    }

    /// The image of a source, if the memory cache has it fresh and with all pixels.
    public func cachedImage(
        for source: some ImageSourceConvertible, options: ImageOptions = ImageOptions()
    ) -> LoadedImage? {
        cachedImage(for: ImageRequest(source, options: options))
    }

    /// The image in the memory cache, fresh or stale.
    ///
    /// - Parameter anySize: Whether an image with fewer pixels than the request needs is returned
    ///   too.
    func lookUp(_ request: ImageRequest, anySize: Bool = false) -> MemoryHit? {
        let options = request.options.merged(over: configuration.options)
        guard request.source.isChoice else {
            return context.memoryHit(of: request.source, request, options, anySize: anySize)
        }
        let resolution = resolution(for: request, options, usingMemory: true)
        guard let first = resolution.attempts.first else { return nil }
        if let hit = context.memoryHit(of: first, request, options, anySize: anySize) { return hit }
        guard anySize else { return nil }
        return resolution.previews.lazy.filter { $0.step != nil }
            .compactMap { self.context.memoryHit(of: $0, request, options, anySize: true) }.first
    }

    /// Reports a request that was answered without a task by ``lookUp(_:anySize:)``.
    func reportMemoryHit(_ image: LoadedImage, of request: ImageRequest, isVisible: Bool) {
        guard context.observers.areActive else { return }
        for step in [PipelineEvent.Step.requested, .foundInMemory, .finished(.success(image.info))] {
            context.observers.report(step, of: request.source, request: request, isVisible: isVisible)
        }
    }

    /// The memory cache key of the image of `request`, to store, remove or observe it.
    public func cacheKey(for request: ImageRequest) -> ImageCacheKey {
        let options = request.options.merged(over: configuration.options)
        let source = firstSource(of: request, options) ?? request.source
        return ImageCacheKey(context.imageKey(source, request, options), context.account)
    }

    /// A key that equal requests share, including those with a ``RequestHook`` without an account,
    /// and those of a choice whose sources are tried in another order since the network changed.
    func requestKey(for request: ImageRequest) -> ImageKey {
        let options = request.options.merged(over: configuration.options)
        return context.imageKey(request.source, request, options, requestNumber: 0)
    }

    /// The key of the response for `request` in the store
    /// (``ImagePipeline/Configuration/responseStore``), to look it up, to remove it, to get its
    /// file, or to store data from another origin.
    ///
    /// The key consists of the identity of the source, by default its address, and of the headers
    /// and the account of the request. `nil` for sources other than web addresses, including
    /// sources that resolve to an address only while they load, and for requests with a
    /// ``RequestHook`` without an account.
    public func diskCacheKey(for request: ImageRequest) -> String? {
        let options = request.options.merged(over: configuration.options)
        guard let source = firstSource(of: request, options), case .web = source.kind else { return nil }
        let key = LoadKey(source, options)
        return key.isShared ? key.storeKey(common: configuration.headers) : nil
    }

    /// Identifies the data of the first image that `request` loads.
    func loadKey(for request: ImageRequest) -> LoadKey {
        let options = request.options.merged(over: configuration.options)
        return LoadKey(firstSource(of: request, options) ?? request.source, options)
    }

    // MARK: Decoders

    /// The decoders of the configuration, and those that the program adds.
    public var decoders: DecoderRegistry { context.decoders }

    // MARK: Limits

    /// See ``Configuration/memoryLimit``. A change takes effect at once.
    public var memoryLimit: Int? {
        get { configuration.memoryLimit }
        set { if let newValue { (configuration.memoryCache as? MemoryCache)?.costLimit = newValue } }
    }

    /// See ``Configuration/diskLimit``. What exceeds a new limit is removed soon.
    public var diskLimit: Int? {
        get { configuration.diskLimit }
        set {
            var configuration = configuration
            configuration.diskLimit = newValue
            guard let disk = configuration.diskCache else { return }
            Task(executorPreference: WorkerThreads.disk) { try? disk.trim(to: disk.byteLimit) }
        }
    }

    /// Changes the maximum number of concurrent transfers, in total and per host, at least 1 each.
    /// Takes effect at once: waiting transfers start, and transfers above the new limit are allowed
    /// to finish.
    public func setConcurrency(transfers: Int, perHost: Int) {
        Self.allowTransfers(transfers, perHost: perHost, by: configuration.transport)
        context.jobs.setConcurrency(transfers: max(1, transfers), perHost: max(1, perHost))
    }

    private static func allowTransfers(_ count: Int, perHost: Int, by transport: any Transport) {
        (transport as? CurlTransport)?.allow(transferCount: count, perHost: perHost)
    }

    // MARK: Proxy

    /// The proxy of this pipeline, whichever other pipelines use its transport. `nil`, the default,
    /// stands for that of the transport: in GTK that of the desktop, else that of the environment;
    /// so does ``CurlTransport/Proxy/pending``.
    ///
    /// A change applies to all requests that are sent later; running transfers keep their proxy. A
    /// transport of the program receives it as ``TransferRequest/proxy``.
    ///
    /// ```swift
    /// // Tor; with `socks5h`, the proxy resolves the names.
    /// pipeline.proxy = .address("socks5h://127.0.0.1:9050")
    /// ```
    public var proxy: CurlTransport.Proxy? {
        get { context.runtime.withLock { $0.proxy } }
        set { context.runtime.withLock { $0.proxy = newValue == .pending ? nil : newValue } }
    }

    /// Fails all further loads from servers and the disk cache, also those that run.
    package func refuseLoads(_ error: ImageError) {
        context.runtime.withLock { $0.refusal = error }
    }

    // MARK: Choices

    /// Whether the source of the shown image is among those that a load would try now.
    func isShownSourceChosen(for request: ImageRequest) -> Bool {
        guard let shown = request.shownSource else { return true }
        return resolution(for: request, request.options.merged(over: configuration.options)).attempts.contains(shown)
    }

    /// The source that a load would try first; `nil` if there is none.
    func firstAttempt(of request: ImageRequest) -> ImageSource? {
        firstSource(of: request, request.options.merged(over: configuration.options))
    }

    private func firstSource(of request: ImageRequest, _ options: ImageOptions) -> ImageSource? {
        request.source.isChoice ? resolution(for: request, options).attempts.first : request.source
    }

    /// - Parameter usingMemory: Whether an image in the memory cache influences the choice. Keys
    ///   must not depend on the cache and pass `false`.
    private func resolution(
        for request: ImageRequest, _ options: ImageOptions, usingMemory: Bool = false
    ) -> SourceResolution {
        SourceResolution(
            request.source, target: options.bounding(request.target),
            isConstrained: configuration.network.isConstrained
        ) { sources in
            if let shown = request.shownSource, sources.contains(shown) { return true }
            guard usingMemory, let first = sources.first else { return false }
            return context.memoryHit(of: first, request, options)?.isFresh == true
        }
    }
}
