/// A running request, with its progress, priority and result.
///
/// Cancelling a task does not affect other tasks that share its work. A released task continues;
/// cancel it if its result is not needed, or keep its ``cancellable`` instead.
public final class ImageTask: Sendable {
    /// A step of a task.
    public enum Event: Sendable {
        /// More bytes were received.
        case progress(LoadProgress)
        /// An image to show until the final image is loaded. Never follows the final image.
        case preview(LoadedImage)
        /// The transfer failed and is tried for the `attempt`th time.
        case retrying(attempt: Int)
        /// The last event. It is sent exactly once, after the receiver has returned from all
        /// others, even if the task is cancelled meanwhile.
        case finished(Result<LoadedImage, ImageError>)
    }

    private struct State {
        var urgency: Urgency
        var priority: LoadPriority
        var subscriber: Subscriber?
        /// The next source to try.
        var nextAttempt = 0
        var errors: [ImageError] = []
        var progress: LoadProgress?
        var preview: LoadedImage?
        var result: Result<LoadedImage, ImageError>?
        /// The number of events that threads are delivering. The last thread delivers the result.
        var deliveryCount = 0
        var listeners: [AsyncStream<Event>.Continuation] = []
    }

    /// The request of the task.
    public let request: ImageRequest
    private let options: ImageOptions
    private let sources: [ImageSource]
    private let context: PipelineContext
    private let receive: @Sendable (Event) -> Void
    private let state: Lock<State>

    init(
        _ request: ImageRequest, _ options: ImageOptions, _ resolution: SourceResolution, urgency: Urgency,
        _ context: PipelineContext, receive: @escaping @Sendable (Event) -> Void
    ) {
        self.request = request
        self.options = options
        self.context = context
        self.receive = receive
        sources = resolution.attempts
        state = Lock(State(urgency: urgency, priority: options.priority))
    }

    // MARK: For callers

    /// Ends the task with ``ImageError/cancelled``, unless it has already ended. The transfer is
    /// cancelled if no other task shares it.
    public func cancel() {
        end(with: .failure(.cancelled))
    }

    /// A token that cancels the task when it is released, for a load that ends with its owner.
    public var cancellable: ObservationToken { ObservationToken { self.cancel() } }

    /// The priority of the remaining work of the task: at first that of its options. A visible
    /// image loads before all others, whatever its priority.
    public var priority: LoadPriority {
        get { state.withLock { $0.priority } }
        set {
            change { state in
                state.priority = newValue
                if !state.urgency.isVisible { state.urgency = Urgency(newValue) }
            }
        }
    }

    /// Whether the image is visible.
    public var isVisible: Bool {
        get { urgency.isVisible }
        set {
            change { state in
                guard newValue != state.urgency.isVisible else { return }
                state.urgency = newValue ? .visible() : Urgency(state.priority)
            }
        }
    }

    /// The progress of the task.
    public var progress: LoadProgress { state.withLock { $0.progress ?? LoadProgress() } }

    /// The result of the task; `nil` while it runs.
    public var result: Result<LoadedImage, ImageError>? { state.withLock { $0.result } }

    /// The image, once the task has ended. Throws the error of the task, or
    /// ``ImageError/cancelled`` if the calling task is cancelled.
    public var image: LoadedImage {
        get async throws(ImageError) {
            for await event in events {
                if case .finished(let result) = event { return try result.get() }
            }
            // The stream ends early only if the task that reads it is cancelled.
            throw .cancelled
        }
    }

    /// The events of the task. A late subscriber first receives the current state; after completion
    /// it receives only the result. Each access creates a new stream.
    public var events: AsyncStream<Event> {
        let (stream, continuation) = AsyncStream<Event>.makeStream()
        state.withLock { state in
            if let result = state.result {
                continuation.yield(.finished(result))
                continuation.finish()
                return
            }
            if let preview = state.preview { continuation.yield(.preview(preview)) }
            if let progress = state.progress { continuation.yield(.progress(progress)) }
            state.listeners.append(continuation)
        }
        return stream
    }

    // MARK: For the pipeline

    func setUrgency(_ urgency: Urgency) { change { $0.urgency = urgency } }

    private func change(_ body: (inout State) -> Void) {
        let subscriber = state.withLock { state in
            body(&state)
            return state.subscriber
        }
        if let subscriber { context.jobs.setUrgency(of: subscriber) { self.urgency } }
    }

    /// The urgency of the task.
    var urgency: Urgency { state.withLock { $0.urgency } }

    func show(preview: LoadedImage) {
        send(.preview(preview))
    }

    /// Tries the next source. If all sources failed, the task ends with their error.
    func tryNext() {
        let next: ImageSource? = state.withLock { state in
            guard state.result == nil, state.nextAttempt < sources.count else { return nil }
            defer { state.nextAttempt += 1 }
            return sources[state.nextAttempt]
        }
        guard let next else { return end(with: .failure(.ofFallbacks(state.withLock { $0.errors }))) }
        guard let hit = context.memoryHit(of: next, request, options) else { return loadSmallestStored(next) }
        switch hit.validity {
        case .fresh: answer(with: hit.image, of: next)
        case .stale: loadSmallestStored(next)
        case .freshIfFileIsUnchanged:
            guard let version = hit.image.retention.file, let path = next.filePath else { return load(next) }
            Task(executorPreference: WorkerThreads.files) { [self] in
                if FileVersion(path: path.cString) == version { answer(with: hit.image, of: next) } else { load(next) }
            }
        }
    }

    private func answer(with image: LoadedImage, of source: ImageSource) {
        context.observers.report(.foundInMemory, of: source, request: request, isVisible: urgency.isVisible)
        end(with: .success(image))
    }

    /// Loads the smallest stored step from `next` upwards that may be used, or `next` without one.
    private func loadSmallestStored(_ next: ImageSource) {
        guard context.mayBeStoredLarger(next, options) else { return load(next) }
        Task(executorPreference: WorkerThreads.disk) { [self] in
            load(context.smallestStored(next, options))
        }
    }

    private func load(_ next: ImageSource) {
        if let refusal = next.refusal(under: options.cachePolicy) { return fail(refusal) }
        let urgencyAtFirst = urgency
        let subscriber = Subscriber(urgency: urgencyAtFirst) { [self] event in
            switch event {
            case .progress(let progress): send(.progress(progress))
            case .preview(let image): send(.preview(image.from(next, for: request)))
            case .retrying(let attempt): send(.retrying(attempt: attempt))
            case .finished(.success(.image(let image))): finish(with: image, of: next)
            case .finished(.success(.bytes)): fail(ImageError(.processing, "bytes instead of an image"))
            case .finished(.failure(let error)): fail(error)
            }
        }
        let isEnded = state.withLock { state in
            // The subscriber retains the task, and a task that has ended would never release it.
            if state.result == nil { state.subscriber = subscriber }
            return state.result != nil
        }
        if isEnded { return }
        context.want(next, request, options, subscriber)
        // The task may have been cancelled or changed its urgency meanwhile.
        if result != nil {
            context.jobs.cancel(subscriber)
        } else if urgency != urgencyAtFirst {
            context.jobs.setUrgency(of: subscriber) { self.urgency }
        }
    }

    private func finish(with image: LoadedImage, of source: ImageSource) {
        context.keepPixels(image, of: source, request, options)
        // The account may have been removed after the job had ended, and before its pixels were
        // stored.
        if options[AccountGeneration.self] != nil, context.hasRemovedAccount(of: LoadKey(source, options)) {
            context.cache?.remove(ImageCacheKey(LoadKey(source, options), context.account))
            return end(with: .failure(.cancelled))
        }
        if options.cachePolicy == .reload { context.models.imageWasReloaded(LoadKey(source, options), image) }
        end(with: .success(image.from(source, for: request)))
    }

    private func fail(_ error: ImageError) {
        guard error.code != .cancelled else { return end(with: .failure(error)) }
        state.withLock { $0.errors.append(error) }
        tryNext()
    }

    private func send(_ event: Event) {
        let listeners: [AsyncStream<Event>.Continuation]? = state.withLock { state in
            guard state.result == nil else { return nil }
            if case .progress(let progress) = event { state.progress = progress }
            if case .preview(let preview) = event { state.preview = preview }
            state.deliveryCount += 1
            return state.listeners
        }
        guard let listeners else { return }
        receive(event)
        for listener in listeners { listener.yield(event) }
        endDelivery()
    }

    private func end(with result: Result<LoadedImage, ImageError>) {
        let (isFirst, subscriber) = state.withLock { state -> (Bool, Subscriber?) in
            guard state.result == nil else { return (false, nil) }
            state.result = result
            // The end counts as a delivery, so that the observers are told before the receiver.
            state.deliveryCount += 1
            defer { state.subscriber = nil }
            return (true, state.subscriber)
        }
        guard isFirst else { return }
        if let subscriber { context.jobs.cancel(subscriber) }
        context.observers.report(
            .finished(result.map(\.info)), of: request.source, request: request, isVisible: urgency.isVisible)
        if case .failure(let error) = result, error.code != .cancelled, !options.isFirstLook {
            context.observers.reportFailure(error, of: sources.first ?? request.source, isVisible: urgency.isVisible)
        }
        endDelivery()
    }

    /// Delivers the result if the task has ended and no other event is being delivered.
    private func endDelivery() {
        let ended = state.withLock { state -> (Result<LoadedImage, ImageError>, [AsyncStream<Event>.Continuation])? in
            state.deliveryCount -= 1
            guard state.deliveryCount == 0, let result = state.result else { return nil }
            defer { state.listeners = [] }
            return (result, state.listeners)
        }
        guard let (result, listeners) = ended else { return }
        receive(.finished(result))
        for listener in listeners {
            listener.yield(.finished(result))
            listener.finish()
        }
    }
}

extension ImageSource {
    /// The error of a source that is not loaded at all: an invalid source, or under `.cacheOnly` a
    /// source that may access the network without asking the store.
    func refusal(under policy: CachePolicy) -> ImageError? {
        switch kind {
        case .invalid(let error): error
        case .provider, .adaptive, .candidates, .sized, .fallbacks:
            policy == .cacheOnly ? ImageError(.notStored, nameToShow) : nil
        case .web, .file, .data, .bytes: nil
        }
    }

    /// Whether a load of the source may send a request.
    var mayBeSent: Bool {
        // Keys of steps are made before their addresses.
        if step != nil { return true }
        return switch kind {
        case .web, .provider, .adaptive, .candidates, .sized, .fallbacks: true
        case .invalid, .file, .data, .bytes: false
        }
    }
}
