/// Limits the memory of all running decodes, so that many large images wait for each other instead
/// of filling the memory.
///
/// Large decodes and small ones have a budget each, so that small decodes never wait for the memory
/// of large ones: a file of a few kilobytes may claim to be large. A small decode takes at most the
/// budget divided by ``WorkerThreads/maxDecodingCount``, the limit of decode threads, so small ones
/// wait for memory only while decodes are abandoned. Of decodes larger than the budget, one runs at
/// a time beside the others. All decodes thus use at most twice the budget and one larger image.
///
/// A decode that does not fit waits in its queue and holds no thread meanwhile. The queue is
/// ordered by urgency, then by arrival. A decode that fits may overtake larger waiting ones; the
/// first of these is overtaken at most ``maxPassCount`` times.
///
/// A decode that exceeds its time limit is *abandoned* and keeps its memory until it really ends.
/// While abandoned decodes run, one other decode at a time of each budget may run if it and they
/// stay within twice the budget. A decode that does not fit even then is refused at once, since the
/// abandoned decodes may never end. Decodes in decoder processes are exempt from both rules: their
/// memory is not that of the calling process, and it is released when the process is ended.
final class DecodeBudget: Sendable {
    /// The budget that all pipelines of the process share: 256 MiB.
    static let shared = DecodeBudget(byteCount: 256 << 20)

    static let maxPassCount = 16

    fileprivate struct State {
        let byteCount: Int
        /// The queue of small, that of large and that of oversized decodes.
        var queues: [3 of Queue] = [Queue(), Queue(), Queue()]
        var abandonedByteCount = 0
        /// Continuations to resume after the lock is released.
        var resumptions: [(CheckedContinuation<ImageError?, Never>, ImageError?)] = []
    }

    fileprivate struct Queue {
        /// The bytes of decodes that have not exceeded their time limit.
        var heldByteCount = 0
        /// Ordered by urgency, then by arrival.
        var waiting: [Claim] = []
    }

    private let state: Lock<State>

    private let byteCount: Int

    init(byteCount: Int) {
        self.byteCount = byteCount
        state = Lock(State(byteCount: byteCount))
    }

    /// The memory of one decode.
    final class Claim: @unchecked Sendable {
        // Unchecked: the variables are accessed only under the lock of the budget.

        fileprivate enum Stage {
            case waiting(CheckedContinuation<ImageError?, Never>?)
            case held
            case abandoned
            case ended(ImageError?)
        }

        private let budget: DecodeBudget
        fileprivate let byteCount: Int
        fileprivate let isConfined: Bool
        /// The index of the queue that the claim belongs to.
        fileprivate let queue: Int
        fileprivate var urgency: Urgency
        fileprivate var stage = Stage.waiting(nil)
        fileprivate var passCount = 0

        fileprivate init(_ budget: DecodeBudget, _ byteCount: Int, _ urgency: Urgency, isConfined: Bool) {
            self.budget = budget
            self.byteCount = byteCount
            self.isConfined = isConfined
            let isSmall = byteCount <= budget.byteCount / WorkerThreads.maxDecodingCount
            queue = isSmall ? 0 : byteCount <= budget.byteCount ? 1 : 2
            self.urgency = urgency
        }

        /// Throws the error of a claim that was refused at once.
        func check() throws(ImageError) {
            if case .ended(let error?) = budget.state.withLock({ _ in self.stage }) { throw error }
        }

        /// Waits for the memory. Throws ``ImageError/cancelled`` if the surrounding task is
        /// cancelled first.
        func admission() async throws(ImageError) {
            let failure = await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    budget.change { state in
                        switch stage {
                        case .waiting: stage = .waiting(continuation)
                        case .held, .abandoned: state.resumptions.append((continuation, nil))
                        case .ended(let error): state.resumptions.append((continuation, error))
                        }
                    }
                }
            } onCancel: {
                cancel()
            }
            if let failure { throw failure }
        }

        /// Moves the claim to another place in the queue.
        func setUrgency(_ urgency: Urgency) {
            budget.change { state in
                guard case .waiting = stage, urgency != self.urgency else { return }
                state.queues[queue].waiting.removeAll { $0 === self }
                self.urgency = urgency
                state.insert(self)
            }
        }

        /// Ends the wait with ``ImageError/cancelled``. Does nothing after the claim was admitted.
        func cancel() {
            budget.change { state in
                guard case .waiting = stage else { return }
                state.queues[queue].waiting.removeAll { $0 === self }
                state.decide(self, .ended(.cancelled))
            }
        }

        /// Marks the decode as abandoned: it exceeded its time limit and still runs.
        func abandon() {
            budget.change { state in
                guard case .held = stage else { return }
                stage = .abandoned
                state.queues[queue].heldByteCount -= byteCount
                state.abandonedByteCount += byteCount
            }
        }

        /// Returns the memory after the decode has ended.
        func end() {
            budget.change { state in
                switch stage {
                case .held: state.queues[queue].heldByteCount -= byteCount
                case .abandoned: state.abandonedByteCount -= byteCount
                case .waiting, .ended: return
                }
                stage = .ended(nil)
            }
        }
    }

    /// Claims the memory of a decode.
    ///
    /// - Parameter isConfined: Whether the decode runs in a decoder process.
    /// - Returns: The claim, and whether it waits. If it does not, ``Claim/admission()`` returns or
    ///   throws at once, as ``Claim/check()`` does.
    func claim(
        _ byteCount: Int, _ urgency: Urgency, isConfined: Bool = false
    ) -> (claim: Claim, isWaiting: Bool) {
        let claim = Claim(self, byteCount, urgency, isConfined: isConfined)
        change { $0.insert(claim) }
        return state.withLock { _ in
            if case .waiting = claim.stage { (claim, true) } else { (claim, false) }
        }
    }

    /// The number of waiting claims.
    var waiterCount: Int {
        state.withLock { state in state.queues.indices.reduce(0) { $0 + state.queues[$1].waiting.count } }
    }

    private func change(_ body: (inout State) -> Void) {
        let resumptions = state.withLock { state in
            body(&state)
            for queue in state.queues.indices { state.admit(queue) }
            defer { state.resumptions.removeAll() }
            return state.resumptions
        }
        for (continuation, error) in resumptions { continuation.resume(returning: error) }
    }
}

extension DecodeBudget.State {
    mutating func insert(_ claim: DecodeBudget.Claim) {
        let waiting = queues[claim.queue].waiting
        let index = waiting.firstIndex { $0.urgency < claim.urgency } ?? waiting.endIndex
        queues[claim.queue].waiting.insert(claim, at: index)
    }

    mutating func decide(_ claim: DecodeBudget.Claim, _ stage: DecodeBudget.Claim.Stage) {
        if case .waiting(let continuation?) = claim.stage {
            if case .ended(let error) = stage {
                resumptions.append((continuation, error))
            } else {
                resumptions.append((continuation, nil))
            }
        }
        claim.stage = stage
    }

    /// Admits the claims of a queue that fit, in its order.
    mutating func admit(_ queue: Int) {
        let waiting = queues[queue].waiting
        guard !waiting.isEmpty else { return }
        var blocked: [DecodeBudget.Claim] = []
        for claim in waiting {
            let first = blocked.first
            if let first, first.passCount >= DecodeBudget.maxPassCount {
                blocked.append(claim)
            } else if fits(claim) {
                queues[queue].heldByteCount += claim.byteCount
                first?.passCount += 1
                decide(claim, .held)
            } else if !claim.isConfined, claim.byteCount > 2 * byteCount - abandonedByteCount, abandonedByteCount > 0 {
                let reason = "the memory is in use by images that exceeded their time limit"
                decide(claim, .ended(ImageError(.decodeTimeout, reason)))
            } else {
                blocked.append(claim)
            }
        }
        queues[queue].waiting = blocked
    }

    private func fits(_ claim: DecodeBudget.Claim) -> Bool {
        let held = queues[claim.queue].heldByteCount
        let abandoned = claim.isConfined ? 0 : abandonedByteCount
        if held + abandoned == 0 || claim.byteCount <= byteCount - held - abandoned { return true }
        return held == 0 && claim.byteCount <= 2 * byteCount - abandoned
    }
}
