/// Loads images into the caches before they are shown, a few at a time and at the lowest priority.
///
/// A prefetcher shares its work with views: a view that requests an image joins its prefetch, and
/// images in the memory cache are not loaded again. It starts nothing while the network does not
/// allow prefetching (``NetworkConditions/allowsPrefetching``), and continues when the network
/// allows it again. Releasing a prefetcher stops it.
public final class ImagePrefetcher: Sendable {
    /// The cache that images are prefetched into.
    public enum Destination: Hashable, Sendable {
        /// Decodes images into the memory cache, and stores them on disk if there is a store.
        case memory
        /// Only stores the encoded data on disk: needs less memory, but views must still decode the
        /// image. Without a store, nothing is loaded.
        case disk
    }

    /// The result of one prefetch.
    public enum Outcome: Sendable {
        case completed
        /// The image could not be prefetched.
        case failed(ImageError)
        /// The image was already in the memory cache, or the pipeline has no store for
        /// ``Destination/disk``.
        case skipped
    }

    /// A request with its key.
    private struct Item {
        let request: ImageRequest
        let key: ImageKey
        /// See ``ImagePipeline/marked(_:)``.
        var marked: ImageRequest
    }

    /// A running request. Its number distinguishes it from an earlier one with the same key.
    private struct Running {
        let number: Int
        var cancel: @Sendable () -> Void
    }

    private struct State {
        var waiting: [Item] = []
        /// Requests before this index have been started.
        var nextIndex = 0
        var running: [ImageKey: Running] = [:]
        var nextNumber = 0
        var wanted: Set<ImageKey> = []
        var isPaused = false
        /// Whether a call of ``ImagePrefetcher/startNext()`` is starting requests. Other calls
        /// leave the work to it, so that thousands of prefetches that end at once do not recurse.
        var isStarting = false
        var priority: LoadPriority?
    }

    private let pipeline: ImagePipeline
    private let destination: Destination
    private let limit: Int
    private let report: @Sendable (ImageRequest, Outcome) -> Void
    private let state: Lock<State>
    private let networkObservation = Lock<ObservationToken?>(nil)

    /// - Parameters:
    ///   - pipeline: The pipeline that loads the images.
    ///   - destination: The cache that images are prefetched into: memory by default.
    ///   - maxCount: The maximum number of concurrent prefetches: 2 by default, at least 1.
    ///   - report: Called for each request that was not stopped, on any thread.
    public init(
        pipeline: ImagePipeline, destination: Destination = .memory, maxCount: Int = 2,
        report: @escaping @Sendable (_ request: ImageRequest, _ outcome: Outcome) -> Void = { _, _ in }
    ) {
        self.pipeline = pipeline
        self.destination = destination
        self.report = report
        limit = max(1, maxCount)
        state = Lock(State())
        let observation = pipeline.configuration.network.observe { [weak self] in self?.startNext() }
        networkObservation.withLock { $0 = observation }
    }

    deinit {
        stopAll()
    }

    /// Prefetches the images of `requests`, after those of earlier calls. Requests that are already
    /// waiting or running are ignored.
    public func start(_ requests: some Sequence<ImageRequest>) {
        let items = requests.map { request in
            Item(request: request, key: pipeline.requestKey(for: request), marked: pipeline.marked(request))
        }
        state.withLock { state in
            var repeated: [ImageKey: Int] = [:]
            for item in items {
                if state.wanted.insert(item.key).inserted {
                    state.waiting.append(item)
                } else {
                    repeated[item.key] = item.marked.options[AccountGeneration.self]
                }
            }
            // The account of a waiting request may have been removed since.
            guard !repeated.isEmpty else { return }
            for index in state.waiting.indices.dropFirst(state.nextIndex) {
                if let generation = repeated[state.waiting[index].key] {
                    state.waiting[index].marked.options[AccountGeneration.self] = generation
                }
            }
        }
        startSoon()
    }

    /// Prefetches the images of `sources`, after those of earlier calls.
    public func start(_ sources: [some ImageSourceConvertible]) {
        start(sources.map { ImageRequest($0) })
    }

    /// Stops the prefetches of `requests`, each with the size with which it was started. Loads of
    /// views for the same images continue.
    public func stop(_ requests: some Sequence<ImageRequest>) {
        let keys = Set(requests.map(pipeline.requestKey(for:)))
        let (old, running) = state.withLock { state in
            let old = state.waiting
            state.waiting = old[state.nextIndex...].filter { !keys.contains($0.key) }
            state.nextIndex = 0
            state.wanted.subtract(keys)
            return (old, keys.compactMap { state.running.removeValue(forKey: $0)?.cancel })
        }
        // The requests, which may release objects of the program, are not released under the lock.
        withExtendedLifetime(old) { Self.cancel(running) }
        startSoon()
    }

    /// Stops all prefetches.
    public func stopAll() {
        let (old, running) = state.withLock { state in
            defer {
                state.waiting = []
                state.nextIndex = 0
                state.wanted = []
                state.running = [:]
            }
            return (state.waiting, state.running.values.map(\.cancel))
        }
        withExtendedLifetime(old) { Self.cancel(running) }
    }

    /// Whether the prefetcher starts no new prefetches; running ones continue.
    public var isPaused: Bool {
        get { state.withLock { $0.isPaused } }
        set {
            state.withLock { $0.isPaused = newValue }
            if !newValue { startSoon() }
        }
    }

    /// The priority of prefetches that start from now on. `nil`, the default, is below every other
    /// priority.
    public var priority: LoadPriority? {
        get { state.withLock { $0.priority } }
        set { state.withLock { $0.priority = newValue } }
    }

    // MARK: Implementation

    /// Cancels prefetches on the `LoadQueue`, in order with the loads of views: views that request
    /// the same images have joined before.
    private static func cancel(_ running: [@Sendable () -> Void]) {
        if running.isEmpty { return }
        LoadQueue.shared.post { for cancel in running { cancel() } }
    }

    private func startSoon() {
        LoadQueue.shared.post { [weak self] in self?.startNext() }
    }

    private func startNext() {
        let isMine = state.withLock { state in
            defer { state.isStarting = true }
            return !state.isStarting
        }
        guard isMine else { return }
        var count = 0
        while let (item, number, urgency) = takeNext() {
            switch destination {
            case .memory: prefetchImage(item, number, urgency)
            case .disk: prefetchBytes(item, number, urgency)
            }
            count += 1
            guard count < Self.countOfTurn else {
                // Yields, so that the loads of views do not wait for thousands of images that are
                // already in memory.
                state.withLock { $0.isStarting = false }
                return startSoon()
            }
        }
    }

    private static let countOfTurn = 32

    /// Takes the next item that may start; `nil`, and the end of starting, if there is none. Under
    /// the lock, so that a change of the network comes before it or starts another turn.
    private func takeNext() -> (Item, number: Int, Urgency)? {
        let (next, old) = state.withLock { state in
            // The last one leaves the requests before it.
            let old = state.waiting
            return (takeNext(from: &state), old)
        }
        return withExtendedLifetime(old) { next }
    }

    private func takeNext(from state: inout State) -> (Item, number: Int, Urgency)? {
        guard pipeline.configuration.network.allowsPrefetching, !state.isPaused, state.running.count < limit,
            state.nextIndex < state.waiting.count
        else {
            state.isStarting = false
            return nil
        }
        let item = state.waiting[state.nextIndex]
        state.nextIndex += 1
        if state.nextIndex == state.waiting.count {
            state.waiting = []
            state.nextIndex = 0
        }
        state.nextNumber += 1
        state.running[item.key] = Running(number: state.nextNumber) {}
        return (item, state.nextNumber, state.priority.map(Urgency.init) ?? .prefetch)
    }

    private func prefetchImage(_ item: Item, _ number: Int, _ urgency: Urgency) {
        if pipeline.cachedImage(for: item.request) != nil { return end(item, number, .skipped) }
        let task = pipeline.start(item.marked, urgency: urgency) { [weak self] event in
            guard case .finished(let result) = event else { return }
            self?.end(item, number, result)
        }
        setCancel(of: item, number) { task.cancel() }
    }

    private func prefetchBytes(_ item: Item, _ number: Int, _ urgency: Urgency) {
        guard pipeline.configuration.responseStore != nil else { return end(item, number, .skipped) }
        let task = Task { [pipeline, weak self] in
            let result = await Result { () async throws(ImageError) in
                try await pipeline.data(for: item.marked, urgency: urgency, mustBeImage: true)
            }
            self?.end(item, number, result)
        }
        setCancel(of: item, number) { task.cancel() }
    }

    private func setCancel(of item: Item, _ number: Int, _ cancel: @escaping @Sendable () -> Void) {
        let isStopped = state.withLock { state in
            // The prefetch has ended or was stopped meanwhile.
            guard state.running[item.key]?.number == number else { return true }
            state.running[item.key]?.cancel = cancel
            return false
        }
        if isStopped { cancel() }
    }

    private func end(_ item: Item, _ number: Int, _ result: Result<some Sendable, ImageError>) {
        switch result {
        case .success: end(item, number, .completed)
        case .failure(let error): end(item, number, .failed(error))
        }
    }

    private func end(_ item: Item, _ number: Int, _ outcome: Outcome) {
        let wasWanted = state.withLock { state in
            guard state.running[item.key]?.number == number else { return false }
            state.running[item.key] = nil
            state.wanted.remove(item.key)
            return true
        }
        if wasWanted { report(item.request, outcome) }
        startNext()
    }
}
