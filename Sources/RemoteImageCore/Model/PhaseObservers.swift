/// The observers of a model's phases.
@MainActor
final class PhaseObservers {
    typealias Body = @MainActor (_ old: NetworkImagePhase, _ new: NetworkImagePhase) -> Void

    private struct Entry {
        weak var observation: PhaseObservation?
        let body: Body
    }

    private var entries: [Entry] = []
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

    func add(_ body: @escaping Body) -> PhaseObservation {
        let observation = PhaseObservation()
        entries.append(Entry(observation: observation, body: body))
        hasEntries = true
        return observation
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
            entries.removeAll { $0.observation == nil }
            buffers.removeAll { $0.buffer == nil }
            hasEntries = !entries.isEmpty || !buffers.isEmpty
            for entry in buffers { entry.buffer?.append(new) }
            for entry in entries where entry.observation?.isCancelled == false { entry.body(old, new) }
        }
    }

    deinit {
        for entry in buffers { entry.buffer?.finish() }
    }
}

/// An observation of a model's phases. It ends with ``cancel()`` or when it is released.
@MainActor
public final class PhaseObservation {
    fileprivate private(set) var isCancelled = false

    fileprivate init() {}

    /// Ends the observation.
    public func cancel() {
        isCancelled = true
    }
}

extension NetworkImageModel {
    /// The phases from now on, in order, starting with the current one. A consumer that falls
    /// behind does not receive all of them (see ``PhaseSequence``). The sequence ends when the
    /// model is released.
    public var phases: PhaseSequence {
        observers.sequence(startingWith: phase)
    }

    /// Calls `body` for each change of phase, on the main actor, before the call that caused the
    /// change returns. A change that an observer causes is reported after all observers have
    /// received the first one. The observation ends when it is released.
    public func observePhase(
        _ body: @escaping @MainActor (_ old: NetworkImagePhase, _ new: NetworkImagePhase) -> Void
    ) -> PhaseObservation {
        observers.add(body)
    }
}
