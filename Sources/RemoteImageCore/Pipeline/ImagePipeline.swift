// The engine that every front end stands on.

import HTTPTypes
import Logging

/// Loads images: fetches, decodes, caches, and shares the work among all that want the same.
///
/// A pipeline is made once and used everywhere; its methods may be called on any thread. When it is
/// released, what it has under way ends with ``ImageError/cancelled``.
///
/// ```swift
/// let image = try await pipeline.image(for: ImageRequest("https://example.org/cat.jpg"))
/// print(image.info.size, image.info.origin)
/// ```
public final class ImagePipeline: Sendable {
    /// The configuration that the pipeline was created with.
    public let configuration: Configuration
    let context: PipelineContext
    private let networkObservation: any Sendable

    /// Creates a pipeline with queues and worker threads of its own.
    public init(_ configuration: Configuration) {
        self.configuration = configuration
        context = PipelineContext(configuration)
        let network = configuration.network
        networkObservation = network.observe { [jobs = context.jobs, models = context.models] in
            if network.isConnected { jobs.reconnect() }
            if !network.isConstrained { models.networkBecameUnconstrained() }
        }
    }

    deinit {
        context.jobs.cancelAll()
    }

    // MARK: Loading

    /// Starts to load and returns at once.
    ///
    /// - Parameters:
    ///   - request: What is wanted.
    ///   - isOnScreen: Whether the image is visible. It is then loaded before images of any priority that are not.
    ///   - receive: Called for each event, on any thread. What is known at once, such as an image in memory, is
    ///     reported before this method returns.
    @discardableResult
    public func start(
        _ request: ImageRequest, isOnScreen: Bool = false,
        receive: @escaping @Sendable (ImageTask.Event) -> Void = { _ in }
    ) -> ImageTask {
        start(request, urgency: isOnScreen ? .onScreen() : nil, receive: receive)
    }

    /// - Parameter urgency: nil for that of the request's priority.
    func start(
        _ request: ImageRequest, urgency: Urgency?, receive: @escaping @Sendable (ImageTask.Event) -> Void
    ) -> ImageTask {
        let options = request.options.merged(over: configuration.options)
        let resolution = resolution(for: request, options, usingMemory: true)
        let task = ImageTask(
            request, options, resolution, urgency: urgency ?? Urgency(options.priority), context, receive: receive)
        context.observers.report(.requested, of: request.source)
        for source in resolution.previews {
            if let hit = context.memoryHit(of: source, request, options) {
                task.show(preview: hit.image)
                break
            }
        }
        task.tryNext()
        return task
    }

    /// The image that `request` asks for, from memory or from its source.
    ///
    /// Throws ``ImageError/cancelled`` when the surrounding task is cancelled.
    public func image(for request: ImageRequest) async throws(ImageError) -> LoadedImage {
        let answer = CancellableContinuation<LoadedImage>()
        let result = await answer.wait { receive in
            let task = self.start(request, urgency: nil) { event in
                if case .finished(let result) = event { receive(result) }
            }
            return { task.cancel() }
        }
        return try result.get()
    }

    /// The image of a source, from memory or from where it is.
    ///
    /// Throws ``ImageError/cancelled`` when the surrounding task is cancelled.
    public func image(for source: some ImageSourceConvertible) async throws(ImageError) -> LoadedImage {
        try await image(for: ImageRequest(source))
    }

    /// The bytes that `request` asks for, not decoded. Shares the transfer with images of the same source, and like
    /// theirs only bytes that are an image are stored.
    ///
    /// Throws ``ImageError/Code/source`` for a source that gives pixels.
    public func data(for request: ImageRequest) async throws(ImageError) -> LoadedData {
        try await data(for: request, urgency: nil, mustBeImage: false)
    }

    /// - Parameters:
    ///   - request: What is asked for.
    ///   - urgency: nil for that of the request's priority.
    ///   - mustBeImage: Whether other bytes are a failure.
    func data(
        for request: ImageRequest, urgency: Urgency?, mustBeImage: Bool
    ) async throws(ImageError) -> LoadedData {
        let options = request.options.merged(over: configuration.options)
        var errors: [ImageError] = []
        for source in resolution(for: request, options).attempts {
            do throws(ImageError) {
                return try await data(
                    from: source, options, urgency ?? Urgency(options.priority), mustBeImage: mustBeImage)
            } catch {
                if error.code == .cancelled { throw error }
                errors.append(error)
            }
        }
        throw .ofFallbacks(errors)
    }

    private func data(
        from source: ImageSource, _ options: ImageOptions, _ urgency: Urgency, mustBeImage: Bool
    ) async throws(ImageError) -> LoadedData {
        if let refusal = source.refusal(under: options.cachePolicy) { throw refusal }
        let result = await CancellableContinuation<LoadedData>().wait { receive in
            let subscriber = Subscriber(urgency: urgency) { event in
                guard case .finished(let result) = event else { return }
                receive(
                    result.flatMap { output in
                        if case .bytes(let data) = output { return .success(data) }
                        return .failure(ImageError(.source, "the source gives pixels, not bytes"))
                    })
            }
            let jobs = self.context.jobs
            jobs.want(
                .bytes(LoadKey(source, options), RequestConstraints(options)), from: source, options, subscriber)
            return { jobs.cancel(subscriber) }
        }
        let data = try result.get()
        let isImage = await store(data)
        guard isImage || !mustBeImage else { throw ImageError(.notAnImage, source.nameToShow) }
        return data
    }

    /// Stores bytes that came from the network, if they are an image; false where they are none.
    private func store(_ data: LoadedData) async -> Bool {
        guard let pendingWrite = data.pendingWrite else { return true }
        let accepts = context.http.accepts
        // Not in the task of who waits: that may be cancelled, and the bytes are there.
        return await Task.detached {
            let isImage = await accepts(data.bytes)
            if isImage { pendingWrite.commit(data.bytes) } else { pendingWrite.discard() }
            return isImage
        }.value
    }

    /// Returns when nothing is being written into the store any more, background validations included: for programs
    /// that end.
    public func finishWriting() async {
        await context.http.background.finished()
    }

    // MARK: Memory

    /// The image, if it is in memory, fresh, and has the pixels that `request` wants. Takes no time and no I/O: made
    /// for the thread that draws. The image of a file is as the file was when it was read; a load looks whether it changed.
    public func cachedImage(for request: ImageRequest) -> LoadedImage? {
        guard let hit = lookUp(request), hit.validity != .stale else { return nil }
        return hit.image
    }

    /// The image in memory, fresh or not.
    ///
    /// - Parameter anySize: Whether fewer pixels than are wanted will do.
    func lookUp(_ request: ImageRequest, anySize: Bool = false) -> MemoryHit? {
        let options = request.options.merged(over: configuration.options)
        guard let first = firstSource(of: request, options, usingMemory: true) else { return nil }
        return context.memoryHit(of: first, request, options, anySize: anySize)
    }

    /// The key under which the image of `request` is in the memory cache: to store, to remove, or to observe it there.
    public func cacheKey(for request: ImageRequest) -> ImageCacheKey {
        cacheKey(for: request, requestNumber: nil)
    }

    /// A key that equal requests have in common, also those of a ``RequestHook`` without an account.
    func requestKey(for request: ImageRequest) -> ImageCacheKey {
        cacheKey(for: request, requestNumber: 0)
    }

    private func cacheKey(for request: ImageRequest, requestNumber: Int?) -> ImageCacheKey {
        let options = request.options.merged(over: configuration.options)
        let source = firstSource(of: request, options) ?? request.source
        return ImageCacheKey(
            context.imageKey(source, request, options, requestNumber: requestNumber), context.account)
    }

    /// The key under which the response for `request` is in the store
    /// (``ImagePipeline/Configuration/responseStore``): to look it up there, to remove it, to get its file, or to store
    /// what came another way.
    ///
    /// It is made of the source's identity, by default its address, and of the headers and the account that say who asks.
    /// Nil for what does not come by HTTP, or from an address that is only known when it is loaded, or with a
    /// ``RequestHook`` that has no account.
    public func storeKey(for request: ImageRequest) -> String? {
        let options = request.options.merged(over: configuration.options)
        guard let source = firstSource(of: request, options), case .web = source.kind else { return nil }
        let key = LoadKey(source, options)
        return key.isShared ? key.storeKey(common: configuration.headers) : nil
    }

    /// What names the bytes of the image that `request` asks for first.
    func loadKey(for request: ImageRequest) -> LoadKey {
        let options = request.options.merged(over: configuration.options)
        return LoadKey(firstSource(of: request, options) ?? request.source, options)
    }

    // MARK: Decoders

    /// Who decodes: the configuration's decoders, and those that the application adds.
    public var decoders: DecoderRegistry { context.decoders }

    // MARK: Limits

    /// Changes how many transfers run at once, in all and from one host, at least 1 each. Takes effect at
    /// once: what waits starts, and what runs too many runs to its end.
    public func setTransferLimits(count: Int, perHost: Int) {
        context.jobs.setTransferLimits(count: max(1, count), perHost: max(1, perHost))
    }

    // MARK: Choices

    /// Whether the source that the place of `request` shows is one of those that would be tried now.
    func isShownSourceChosen(for request: ImageRequest) -> Bool {
        guard let shown = request.shownSource else { return true }
        return resolution(for: request, request.options.merged(over: configuration.options)).attempts.contains(shown)
    }

    private func firstSource(
        of request: ImageRequest, _ options: ImageOptions, usingMemory: Bool = false
    ) -> ImageSource? {
        request.source.isChoice
            ? resolution(for: request, options, usingMemory: usingMemory).attempts.first : request.source
    }

    /// - Parameter usingMemory: Whether pixels in memory do, in place of a transfer. Keys do not depend on them.
    private func resolution(
        for request: ImageRequest, _ options: ImageOptions, usingMemory: Bool = false
    ) -> SourceResolution {
        SourceResolution(
            request.source, target: request.target(boundedBy: options),
            isConstrained: configuration.network.isConstrained
        ) { sources in
            if let shown = request.shownSource, sources.contains(shown) { return true }
            guard usingMemory, let first = sources.first else { return false }
            return context.memoryHit(of: first, request, options)?.isFresh == true
        }
    }
}
