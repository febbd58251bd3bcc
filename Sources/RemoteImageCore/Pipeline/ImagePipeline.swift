// The engine that every front end stands on.

import HTTPTypes

/// Loads pictures: fetches, decodes, caches, and shares the work among all that want the same.
///
/// A pipeline is made once and used everywhere; its methods may be called on any thread. When it is
/// released, what it has under way ends with ``ImageError/cancelled``.
public final class ImagePipeline: Sendable {
    /// What a pipeline is made of.
    public struct Configuration: Sendable {
        /// Who brings bytes from the network: one ``CurlTransport`` for the process by default.
        public var transport: any Transport
        /// Asked in this order; the first that knows the format decodes.
        public var decoders: [any ImageDecoder]
        /// Where decoded pictures are kept; nil keeps none.
        public var memoryCache: MemoryCache?
        /// What a transfer may cost.
        public var transferLimits = TransferLimits()
        /// What a picture may cost.
        public var decodeLimits = DecodeLimits()
        /// Sent with each request, unless the request has the field.
        public var headers: HTTPFields = [:]
        /// Transfers at once: 16 by default, at least 1.
        public var maxTransferCount = 16
        /// Transfers at once from one host: 6 by default, at least 1.
        public var maxTransferCountPerHost = 6

        public init(
            transport: any Transport = CurlTransport.shared, decoders: [any ImageDecoder],
            memoryCache: MemoryCache? = MemoryCache()
        ) {
            self.transport = transport
            self.decoders = decoders
            self.memoryCache = memoryCache
        }
    }

    public let configuration: Configuration
    let board: JobBoard

    public init(_ configuration: Configuration) {
        self.configuration = configuration
        let fetching = Fetching(configuration)
        let decoding = Decoding(configuration)
        board = JobBoard(
            transferLimit: max(1, configuration.maxTransferCount),
            transferLimitPerHost: max(1, configuration.maxTransferCountPerHost),
            decodeLimit: WorkerThreads.shared.count,
            workers: JobBoard.Workers(startTransfer: fetching.start, startDecoding: decoding.start))
    }

    deinit {
        board.cancelAll()
    }

    // MARK: Loading

    /// The picture that `request` asks for, from memory or from its source.
    ///
    /// Throws ``ImageError/cancelled`` when the surrounding task is cancelled.
    public func image(for request: ImageRequest) async throws(ImageError) -> LoadedImage {
        if let hit = cachedImage(for: request) { return hit }
        return try await answer(to: request) { receive in
            self.start(request) { event in
                if case .finished(let result) = event { receive(result) }
            }
        }
    }

    /// The bytes that `request` asks for, not decoded. Shares the transfer with pictures of the same source.
    public func data(for request: ImageRequest) async throws(ImageError) -> LoadedData {
        let (key, host) = try Self.loadKey(of: request)
        return try await answer(to: request) { receive in
            let waiter = Waiter(urgency: Urgency(request.options.priority)) { event in
                guard case .finished(let result) = event else { return }
                receive(
                    result.flatMap { output in
                        if case .bytes(let data) = output { .success(data) } else { .failure(.cancelled) }
                    })
            }
            self.board.want(key, of: request, host: host, waiter)
            return ImageTask(request, board: self.board, waiter: waiter)
        }
    }

    /// Starts to load and returns at once.
    ///
    /// - Parameters:
    ///   - isOnScreen: Whether somebody looks at the place of the picture; it is then before every priority.
    ///   - receive: Called for each event, on any thread. A source that cannot be loaded at all is
    ///     reported before this method returns.
    @discardableResult
    public func start(
        _ request: ImageRequest, isOnScreen: Bool = false, receive: @escaping @Sendable (ImageTask.Event) -> Void
    ) -> ImageTask {
        let waiter = Waiter(urgency: isOnScreen ? .onScreen : Urgency(request.options.priority)) { event in
            switch event {
            case .progress(let progress): receive(.progress(progress))
            case .finished(let result):
                receive(
                    .finished(
                        result.flatMap { output in
                            if case .picture(let image) = output { .success(image) } else { .failure(.cancelled) }
                        }))
            }
        }
        do {
            let (key, host) = try Self.loadKey(of: request)
            board.want(PictureKey(load: key, target: request.boundedTarget), of: request, host: host, waiter)
            return ImageTask(request, board: board, waiter: waiter)
        } catch {
            receive(.finished(.failure(error)))
            return ImageTask(request, board: nil, waiter: waiter)
        }
    }

    // MARK: Memory

    /// The picture, if it is in memory with the pixels that `request` wants. Takes no time and no I/O: made
    /// for the thread that draws.
    public func cachedImage(for request: ImageRequest) -> LoadedImage? {
        guard let cache = configuration.memoryCache, let (key, _) = try? Self.loadKey(of: request) else { return nil }
        return cache.image(for: key, target: request.boundedTarget)
    }

    // MARK: Inside

    private static func loadKey(of request: ImageRequest) throws(ImageError) -> (LoadKey, host: String) {
        switch request.source.recipe {
        case .web(let address): (LoadKey(identity: address.string), address.host)
        case .invalid(_, let error): throw error
        }
    }

    /// Bridges a call that answers once to `async`, with cancellation.
    private func answer<Output: Sendable>(
        to request: ImageRequest,
        start: (_ receive: @escaping @Sendable (Result<Output, ImageError>) -> Void) -> ImageTask
    ) async throws(ImageError) -> Output {
        let handle = Lock<(task: ImageTask?, isCancelled: Bool)>((nil, false))
        let result: Result<Output, ImageError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let task = start { continuation.resume(returning: $0) }
                let isCancelled = handle.withLock { handle in
                    handle.task = task
                    return handle.isCancelled
                }
                if isCancelled { task.cancel() }
            }
        } onCancel: {
            handle.withLock { handle in
                handle.isCancelled = true
                return handle.task
            }?.cancel()
        }
        return try result.get()
    }
}
