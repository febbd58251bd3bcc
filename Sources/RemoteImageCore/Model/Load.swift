/// One load of a model: its identity is the generation that tells a late answer from the current one.
///
/// A load that is released is cancelled: a released model wants nothing.
@MainActor
final class Load {
    private let handle: Handle

    init(priority: LoadPriority, isOnScreen: Bool) {
        handle = Handle(priority: priority, isOnScreen: isOnScreen)
    }

    deinit {
        handle.cancel()
    }

    /// Starts the load. `receive` is called on the main actor, not before this method returns; the last
    /// progress of several that are under way there stands for all.
    func start(
        _ request: ImageRequest, after delay: Duration, in pipeline: ImagePipeline,
        receive: @escaping @MainActor @Sendable (ImageTask.Event) -> Void
    ) {
        guard delay > .zero else { return handle.start(request, in: pipeline, receive: receive) }
        pipeline.configuration.clock.schedule(after: delay) { [weak handle] in
            handle?.start(request, in: pipeline, receive: receive)
        }
    }

    func cancel() {
        handle.cancel()
    }

    func setPriority(_ priority: LoadPriority, isOnScreen: Bool) {
        handle.setPriority(priority, isOnScreen: isOnScreen)
    }
}

/// What the main thread and the ``LoadThread`` know of a load. Never locked while the pipeline is called.
private final class Handle: Sendable {
    private struct State {
        var priority: LoadPriority
        var isOnScreen: Bool
        var isCancelled = false
        var isEnded = false
        /// From its beginning to its end.
        var task: ImageTask?
    }

    private let state: Lock<State>

    init(priority: LoadPriority, isOnScreen: Bool) {
        state = Lock(State(priority: priority, isOnScreen: isOnScreen))
    }

    func start(
        _ request: ImageRequest, in pipeline: ImagePipeline,
        receive: @escaping @MainActor @Sendable (ImageTask.Event) -> Void
    ) {
        LoadThread.shared.post { self.begin(request, in: pipeline, receive: receive) }
    }

    func cancel() {
        let isOver = state.withLock { state in
            defer { state.isCancelled = true }
            return state.isCancelled || state.isEnded
        }
        if !isOver { LoadThread.shared.post { self.task?.cancel() } }
    }

    func setPriority(_ priority: LoadPriority, isOnScreen: Bool) {
        state.withLock { state in
            state.priority = priority
            state.isOnScreen = isOnScreen
        }
        LoadThread.shared.post { self.task?.setPriority(priority, isOnScreen: isOnScreen) }
    }

    // MARK: On the thread of loads

    private var task: ImageTask? { state.withLock { $0.task } }

    private func begin(
        _ request: ImageRequest, in pipeline: ImagePipeline,
        receive: @escaping @MainActor @Sendable (ImageTask.Event) -> Void
    ) {
        let (priority, isOnScreen, isCancelled) = state.withLock { ($0.priority, $0.isOnScreen, $0.isCancelled) }
        // Gone by before its turn came.
        if isCancelled { return }
        let latest = Lock<LoadProgress?>(nil)
        var request = request
        request.options.priority = priority
        let task = pipeline.start(request, isOnScreen: isOnScreen) { event in
            guard case .progress(let progress) = event else {
                if case .finished = event { self.end() }
                return MainActorMailbox.shared.post { receive(event) }
            }
            let isPosted = latest.withLock { latest in
                defer { latest = progress }
                return latest != nil
            }
            if isPosted { return }
            MainActorMailbox.shared.post {
                let progress = latest.withLock { latest in
                    defer { latest = nil }
                    return latest
                }
                if let progress { receive(.progress(progress)) }
            }
        }
        state.withLock { if !$0.isEnded { $0.task = task } }
    }

    private func end() {
        // Not released under the lock.
        _ = state.withLock { state in
            state.isEnded = true
            return state.task.take()
        }
    }
}
