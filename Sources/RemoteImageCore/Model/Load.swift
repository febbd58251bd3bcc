/// One load of a model. The model compares its identity to drop events of superseded loads.
///
/// Releasing a load cancels it, so a released model cancels its load. Its methods are called on the
/// main thread. They post work to the ``LoadQueue``, which runs it in the same order and holds only
/// the state of the load.
final class Load: Sendable {
    private enum Stage {
        /// Not started yet, or the `LoadQueue` is starting the task.
        case waiting
        case running(ImageTask)
        /// Cancelled, with the task that the `LoadQueue` is about to cancel.
        case cancelled(ImageTask?)
        case ended
    }

    private struct State {
        var stage = Stage.waiting
        var urgency: Urgency
    }

    /// The lock is never held while the pipeline is called.
    private let state: Lock<State>

    /// - Parameter batch: The images that appeared on screen together with this one; `nil` while
    ///   the view is off screen.
    init(priority: LoadPriority, batch: ScreenBatch?) {
        state = Lock(State(urgency: Self.urgency(priority, batch)))
    }

    private static func urgency(_ priority: LoadPriority, _ batch: ScreenBatch?) -> Urgency {
        batch.map { .visible($0) } ?? Urgency(priority)
    }

    deinit { cancel() }

    /// Starts the load. `receive` is called on the main actor, never before this method returns. Of
    /// several progress events that are still pending, only the last is delivered.
    func start(
        _ request: ImageRequest, after delay: Duration, in pipeline: ImagePipeline,
        receive: @escaping @MainActor @Sendable (ImageTask.Event) -> Void
    ) {
        // The account may be removed before the load begins.
        let request = pipeline.marked(request)
        let begin = { @Sendable [state] in Self.begin(state, request, in: pipeline, receive: receive) }
        guard delay > .zero else { return LoadQueue.shared.post(begin) }
        pipeline.configuration.clock.schedule(after: delay) { LoadQueue.shared.post(begin) }
    }

    /// The `LoadQueue` cancels the task in the order of calls: later loads do not join its
    /// transfer, and earlier loads have already joined it.
    func cancel() {
        let isFirst = state.withLock { state in
            switch state.stage {
            case .waiting: state.stage = .cancelled(nil)
            case .running(let task): state.stage = .cancelled(task)
            case .cancelled, .ended: return false
            }
            return true
        }
        guard isFirst else { return }
        LoadQueue.shared.post { [state] in
            let task: ImageTask? = state.withLock { state in
                if case .cancelled(let task) = state.stage { task } else { nil }
            }
            task?.cancel()
        }
    }

    func setPriority(_ priority: LoadPriority, batch: ScreenBatch?) {
        let urgency = Self.urgency(priority, batch)
        let task: ImageTask? = state.withLock { state in
            state.urgency = urgency
            if case .running(let task) = state.stage { return task }
            return nil
        }
        if let task { LoadQueue.shared.post { task.setUrgency(urgency) } }
    }

    // MARK: On the `LoadQueue`

    private static func begin(
        _ state: Lock<State>, _ request: ImageRequest, in pipeline: ImagePipeline,
        receive: @escaping @MainActor @Sendable (ImageTask.Event) -> Void
    ) {
        let urgency: Urgency? = state.withLock { state in
            if case .waiting = state.stage { state.urgency } else { nil }
        }
        // `nil` if the load was cancelled before it started.
        guard let urgency else { return }
        let latest = Lock<LoadProgress?>(nil)
        let task = pipeline.start(request, urgency: urgency) { event in
            guard case .progress(let progress) = event else {
                if case .finished = event { end(state) }
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
        // The urgency may have changed, and the load may have been cancelled, while the task was
        // being started.
        let newUrgency = state.withLock { state in
            switch state.stage {
            case .waiting: state.stage = .running(task)
            case .cancelled: state.stage = .cancelled(task)
            case .running, .ended: break
            }
            return state.urgency
        }
        if newUrgency != urgency { task.setUrgency(newUrgency) }
    }

    private static func end(_ state: Lock<State>) {
        // Returned so that the task is not released under the lock.
        _ = state.withLock { state in
            let stage = state.stage
            state.stage = .ended
            return stage
        }
    }
}
