// The phases of a model as an asynchronous sequence. The standard library's `Observations` drops
// changes while the consumer is busy; this sequence buffers them.

import DequeModule

struct PhaseSequence: AsyncSequence, Sendable {
    let buffer: PhaseBuffer

    func makeAsyncIterator() -> Iterator {
        Iterator(buffer: buffer)
    }

    struct Iterator: AsyncIteratorProtocol {
        let buffer: PhaseBuffer

        mutating func next(isolation actor: isolated (any Actor)?) async -> NetworkImagePhase? {
            await buffer.next()
        }
    }
}

/// The phases that the consumer has not received yet.
final class PhaseBuffer: Sendable {
    private struct State {
        var phases: Deque<NetworkImagePhase>
        var consumer: CheckedContinuation<NetworkImagePhase?, Never>?
        var isFinished = false

        mutating func append(_ phase: NetworkImagePhase) {
            let older = phase.holdsImage ? Deque(phases.compactMap(\.withoutImage)) : phases
            phases = []
            for phase in older.suffix(15) + [phase] {
                if phase.kind == .loading, phases.last?.kind == .loading { phases.removeLast() }
                phases.append(phase)
            }
        }
    }

    private let state: Lock<State>

    init(_ phase: NetworkImagePhase) {
        state = Lock(State(phases: [phase]))
    }

    func append(_ phase: NetworkImagePhase) {
        let consumer: CheckedContinuation<NetworkImagePhase?, Never>? = state.withLock { state in
            if let consumer = state.consumer {
                state.consumer = nil
                return consumer
            }
            state.append(phase)
            return nil
        }
        consumer?.resume(returning: phase)
    }

    func finish() {
        let consumer = state.withLock { state in
            state.isFinished = true
            defer { state.consumer = nil }
            return state.consumer
        }
        consumer?.resume(returning: nil)
    }

    func next() async -> NetworkImagePhase? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer: NetworkImagePhase?? = state.withLock { state in
                    if let phase = state.phases.popFirst() { return .some(phase) }
                    if state.isFinished { return .some(nil) }
                    state.consumer = continuation
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            finish()
        }
    }
}

extension NetworkImagePhase {
    fileprivate var holdsImage: Bool {
        switch self {
        case .success: true
        case .loading(let state): state.preview != nil
        case .empty, .failure: false
        }
    }

    /// `nil` for `.success`, which has no value without its image.
    fileprivate var withoutImage: NetworkImagePhase? {
        switch self {
        case .empty, .failure: return self
        case .success: return nil
        case .loading(var state):
            state.preview = nil
            return .loading(state)
        }
    }
}
