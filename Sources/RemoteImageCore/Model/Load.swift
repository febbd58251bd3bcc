/// One load of a model: its identity is the generation that tells a late answer from the current one.
@MainActor
final class Load {
    private let handle = Handle()

    /// Starts the load. `receive` is called on the main actor, not before this method returns; the last
    /// progress of several that are under way there stands for all.
    func start(
        _ request: ImageRequest, after delay: Duration, isOnScreen: Bool, in pipeline: ImagePipeline,
        receive: @escaping @MainActor @Sendable (ImageTask.Event) -> Void
    ) {
        handle.isOnScreen = isOnScreen
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
        handle.isOnScreen = isOnScreen
        handle.task?.setPriority(priority, isOnScreen: isOnScreen)
    }

    /// Cancels the task with the load: a released model wants nothing.
    private final class Handle {
        var task: ImageTask?
        var isOnScreen = false
        var isCancelled = false

        deinit {
            task?.cancel()
        }
    }
}
