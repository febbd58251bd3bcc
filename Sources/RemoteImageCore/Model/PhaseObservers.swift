import Synchronization

/// The observers of a model's phases.
@MainActor
final class PhaseObservers {
    typealias Body = @MainActor (_ old: NetworkImagePhase, _ new: NetworkImagePhase) -> Void

    /// Whether an observation has ended. Apart from its body, which belongs to the main actor.
    private final class End: Sendable {
        let isReached = Atomic(false)
    }

    private var entries: [(body: Body, end: End)] = []
    /// Changes that are not reported yet. An observer may cause another change; it is reported
    /// after all observers have received the first, so that all of them see the same order.
    private var changes: [(old: NetworkImagePhase, new: NetworkImagePhase)] = []
    private var isReporting = false
    /// Whether there may be observers.
    private var hasEntries = false
    private var buffers: [WeakBuffer] = []

    private struct WeakBuffer {
        weak var buffer: PhaseBuffer?
    }

    nonisolated init() {}

    func add(_ body: @escaping Body) -> ObservationToken {
        let end = End()
        entries.append((body, end))
        hasEntries = true
        return ObservationToken { end.isReached.store(true, ordering: .relaxed) }
    }

    func sequence(startingWith phase: NetworkImagePhase) -> PhaseSequence {
        let buffer = PhaseBuffer(phase)
        buffers.append(WeakBuffer(buffer: buffer))
        hasEntries = true
        return PhaseSequence(buffer: buffer)
    }

    func report(_ old: NetworkImagePhase, _ new: NetworkImagePhase) {
        guard hasEntries else { return }
        changes.append((old, new))
        guard !isReporting else { return }
        isReporting = true
        defer { isReporting = false }
        while !changes.isEmpty {
            let (old, new) = changes.removeFirst()
            entries.removeAll { $0.end.isReached.load(ordering: .relaxed) }
            buffers.removeAll { $0.buffer == nil }
            hasEntries = !entries.isEmpty || !buffers.isEmpty
            for entry in buffers { entry.buffer?.append(new) }
            for entry in entries where !entry.end.isReached.load(ordering: .relaxed) { entry.body(old, new) }
        }
    }

    deinit {
        for entry in buffers { entry.buffer?.finish() }
    }
}

extension NetworkImageModel {
    /// The phases from now on, in order, starting with the current one. The sequence is for one
    /// consumer, and ends when the model is released.
    ///
    /// Of the phases that the consumer has not received yet, only the newest holds an image: an
    /// older `.success` is dropped, an older `.loading` loses its preview, and only the last of
    /// several consecutive `.loading` phases is kept. At most 16 phases are buffered; the oldest
    /// are dropped first.
    public var phases: some AsyncSequence<NetworkImagePhase, Never> & Sendable {
        observers.sequence(startingWith: phase)
    }

    /// Calls `body` for each change of phase, on the main actor, before the call that caused the
    /// change returns. A change that an observer causes is reported after all observers have
    /// received the first one. The observation ends when it is released.
    public func observePhase(
        _ body: @escaping @MainActor (_ old: NetworkImagePhase, _ new: NetworkImagePhase) -> Void
    ) -> ObservationToken {
        observers.add(body)
    }
}
