/// One load of a model: its identity is the generation that tells a late answer from the current one.
@MainActor
final class Load {
    private let handle: Handle

    init(priority: LoadPriority, isOnScreen: Bool) {
        handle = Handle(priority: priority, isOnScreen: isOnScreen)
    }

    /// Starts the load. `receive` is called on the main actor, not before this method returns; the last
    /// progress of several that are under way there stands for all.
    func start(
        _ request: ImageRequest, after delay: Duration, in pipeline: ImagePipeline,
        receive: @escaping @MainActor @Sendable (ImageTask.Event) -> Void
    ) {
        guard delay > .zero else { return begin(request, in: pipeline, receive: receive) }
        pipeline.configuration.clock.schedule(after: delay) { [weak self] in
            MainActorMailbox.shared.post {
                guard let self, !self.handle.isCancelled else { return }
                self.begin(request, in: pipeline, receive: receive)
            }
        }
    }

    private func begin(
        _ request: ImageRequest, in pipeline: ImagePipeline,
        receive: @escaping @MainActor @Sendable (ImageTask.Event) -> Void
    ) {
        let latest = Lock<LoadProgress?>(nil)
        var request = request
        request.options.priority = handle.priority
        handle.task = pipeline.start(request, isOnScreen: handle.isOnScreen) { event in
            guard case .progress(let progress) = event else {
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
    }

    func cancel() {
        handle.isCancelled = true
        handle.task?.cancel()
    }

    func setPriority(_ priority: LoadPriority, isOnScreen: Bool) {
        handle.priority = priority
        handle.isOnScreen = isOnScreen
        handle.task?.setPriority(priority, isOnScreen: isOnScreen)
    }

    /// Cancels the task with the load: a released model wants nothing.
    private final class Handle {
        var task: ImageTask?
        /// Kept for a load that has not begun.
        var priority: LoadPriority
        var isOnScreen: Bool
        var isCancelled = false

        init(priority: LoadPriority, isOnScreen: Bool) {
            self.priority = priority
            self.isOnScreen = isOnScreen
        }

        deinit {
            task?.cancel()
        }
    }
}
