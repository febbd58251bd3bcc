/// Loads images into the caches before they are shown, a few at a time, at the lowest priority.
///
/// Shares all work with views: a view that wants what is being prefetched takes it over, and what is
/// in memory is not loaded. Begins nothing where the network does not allow it (``NetworkConditions/allowsPrefetching``),
/// and goes on when it does again. A prefetcher that is released stops.
public final class ImagePrefetcher: Sendable {
    /// Where images are prefetched to.
    public enum Destination: Hashable, Sendable {
        /// Decoded, into memory, and to disk where there is a store.
        case memory
        /// Only the bytes, where there is a store on disk: less memory, more left to do.
        case disk
    }

    /// How one prefetch ended.
    public enum Outcome: Sendable {
        case completed
        /// The image could not be prefetched.
        case failed(ImageError)
        /// There was nothing to do: the image was in memory.
        case skipped
    }

    /// A request with its name, which is computed once: what a choice chooses changes with the network.
    private struct Item {
        let request: ImageRequest
        let key: ImageCacheKey
    }

    /// A request that was begun. Its number tells it from an earlier one of the same name.
    private struct Running {
        let number: Int
        var cancel: @Sendable () -> Void
    }

    private struct State {
        var waiting: [Item] = []
        /// Requests from here on are waiting; those before were taken.
        var nextIndex = 0
        var running: [ImageCacheKey: Running] = [:]
        var nextNumber = 0
        var wanted: Set<ImageCacheKey> = []
        var isPaused = false
        /// Whether a call of ``ImagePrefetcher/startNext()`` takes what waits. Other calls leave it to that one, so that
        /// thousands of prefetches that end at once do not nest.
        var isStarting = false
        /// Whether there was another call meanwhile: what the first one has seen may no longer hold.
        var mustLookAgain = false
        var priority: LoadPriority?
    }

    private let pipeline: ImagePipeline
    private let destination: Destination
    private let limit: Int
    private let report: @Sendable (ImageRequest, Outcome) -> Void
    private let state: Lock<State>
    private let networkObservation = Lock<(any Sendable)?>(nil)

    /// - Parameters:
    ///   - pipeline: Does the work.
    ///   - destination: How far each goes: into memory by default.
    ///   - maxCount: Prefetches at once: 2 by default, at least 1.
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

    /// Prefetches these, after those that were asked for before. Equal requests are taken once.
    public func start(_ requests: some Sequence<ImageRequest>) {
        let items = requests.map { Item(request: $0, key: pipeline.requestKey(for: $0)) }
        state.withLock { state in
            for item in items where state.wanted.insert(item.key).inserted { state.waiting.append(item) }
        }
        startSoon()
    }

    /// Prefetches these.
    public func start(_ sources: some Sequence<some ImageSourceConvertible>) {
        start(sources.map { ImageRequest($0) })
    }

    /// Gives these up; what a view wants too goes on for the view.
    public func stop(_ requests: some Sequence<ImageRequest>) {
        let keys = Set(requests.map(pipeline.requestKey(for:)))
        let running = state.withLock { state in
            state.waiting = state.waiting[state.nextIndex...].filter { !keys.contains($0.key) }
            state.nextIndex = 0
            state.wanted.subtract(keys)
            return keys.compactMap { state.running.removeValue(forKey: $0)?.cancel }
        }
        Self.cancel(running)
        startSoon()
    }

    /// Gives everything up.
    public func stopAll() {
        let running = state.withLock { state in
            defer {
                state.waiting = []
                state.nextIndex = 0
                state.wanted = []
                state.running = [:]
            }
            return state.running.values.map(\.cancel)
        }
        Self.cancel(running)
    }

    /// Whether nothing new is begun; what runs goes on.
    public var isPaused: Bool {
        get { state.withLock { $0.isPaused } }
        set {
            state.withLock { $0.isPaused = newValue }
            if !newValue { startSoon() }
        }
    }

    /// The priority of what is begun from now on; nil, the default, is below every other.
    public var priority: LoadPriority? {
        get { state.withLock { $0.priority } }
        set { state.withLock { $0.priority = newValue } }
    }

    // MARK: Inside

    // Where the loads of views are begun, and in order with them: those that want the same have joined before these leave.

    private static func cancel(_ running: [@Sendable () -> Void]) {
        if running.isEmpty { return }
        LoadExecutor.shared.post { for cancel in running { cancel() } }
    }

    private func startSoon() {
        LoadExecutor.shared.post { [weak self] in self?.startNext() }
    }

    private func startNext() {
        let isMine = state.withLock { state in
            defer { state.isStarting = true }
            state.mustLookAgain = state.isStarting
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
                // Of thousands that are in memory the loads of views do not wait for the last.
                state.withLock { $0.isStarting = false }
                return startSoon()
            }
        }
    }

    private static let countOfTurn = 32

    private func takeNext() -> (Item, Int, Urgency)? {
        while true {
            // Not under the lock: the answer comes from code of the program's.
            let isAllowed = pipeline.configuration.network.allowsPrefetching
            let (next, isDone) = state.withLock { takeNext(isAllowed, from: &$0) }
            if isDone { return next }
        }
    }

    /// False where the caller has to look again.
    private func takeNext(_ isAllowed: Bool, from state: inout State) -> (next: (Item, Int, Urgency)?, isDone: Bool) {
        guard isAllowed, !state.isPaused, state.running.count < limit, state.nextIndex < state.waiting.count else {
            state.isStarting = state.mustLookAgain
            state.mustLookAgain = false
            return (nil, !state.isStarting)
        }
        let item = state.waiting[state.nextIndex]
        state.nextIndex += 1
        if state.nextIndex == state.waiting.count {
            state.waiting = []
            state.nextIndex = 0
        }
        state.nextNumber += 1
        state.running[item.key] = Running(number: state.nextNumber) {}
        return ((item, state.nextNumber, state.priority.map(Urgency.init) ?? .prefetch), true)
    }

    private func prefetchImage(_ item: Item, _ number: Int, _ urgency: Urgency) {
        if pipeline.cachedImage(for: item.request) != nil { return end(item, number, .skipped) }
        let task = pipeline.start(item.request, urgency: urgency) { [weak self] event in
            guard case .finished(let result) = event else { return }
            self?.end(item, number, result)
        }
        setCancel(of: item, number) { task.cancel() }
    }

    private func prefetchBytes(_ item: Item, _ number: Int, _ urgency: Urgency) {
        let task = Task { [pipeline, weak self] in
            let result = await Result { () async throws(ImageError) in
                try await pipeline.data(for: item.request, urgency: urgency, mustBeImage: true)
            }
            self?.end(item, number, result)
        }
        setCancel(of: item, number) { task.cancel() }
    }

    private func setCancel(of item: Item, _ number: Int, _ cancel: @escaping @Sendable () -> Void) {
        let isStopped = state.withLock { state in
            // Another one, or none, when it has ended or was stopped meanwhile.
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
