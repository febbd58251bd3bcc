// The phases of a model as an asynchronous sequence. The standard library's `Observations` drops what
// comes while the consumer is busy; here only progress coalesces.

import DequeModule

/// The phases of a ``NetworkImageModel``, beginning with the present one.
///
/// For one consumer. Each kind of phase comes once and in order; of several `.loading` in a row that the
/// consumer has not taken, the last stands for all.
public struct PhaseSequence: AsyncSequence, Sendable {
    public typealias Element = NetworkImagePhase
    public typealias Failure = Never

    let buffer: PhaseBuffer

    public func makeAsyncIterator() -> Iterator {
        Iterator(buffer: buffer)
    }

    public struct Iterator: AsyncIteratorProtocol {
        let buffer: PhaseBuffer

        public mutating func next() async -> NetworkImagePhase? {
            await buffer.next()
        }

        public mutating func next(isolation actor: isolated (any Actor)?) async -> NetworkImagePhase? {
            await buffer.next()
        }
    }
}

/// Phases that wait for their consumer.
final class PhaseBuffer: Sendable {
    private struct State {
        var phases: Deque<NetworkImagePhase>
        var consumer: CheckedContinuation<NetworkImagePhase?, Never>?
        var isFinished = false
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
            if phase.kind == .loading, state.phases.last?.kind == .loading { state.phases.removeLast() }
            state.phases.append(phase)
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
