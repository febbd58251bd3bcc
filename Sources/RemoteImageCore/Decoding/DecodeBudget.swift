/// Bytes that decodes may use at the same time: many large images wait for each other instead of
/// filling the memory.
///
/// A decode that does not fit waits in a queue and holds no thread meanwhile. The queue is ordered
/// by urgency, then by arrival. A decode that fits passes larger ones that wait, but the first of
/// them at most ``maxPassCount`` times.
///
/// A decode that exceeds its time limit is *abandoned*, and keeps its memory until it really ends.
/// Beside abandoned decodes one more at a time may run until twice the budget is used. A decode for
/// which that leaves too little is refused at once, since the memory may never come back.
final class DecodeBudget: Sendable {
    /// For every pipeline of the process.
    static let shared = DecodeBudget(byteCount: 256 << 20)

    static let maxPassCount = 16

    fileprivate struct State {
        let byteCount: Int
        /// Bytes of decodes that run within their time.
        var heldByteCount = 0
        var abandonedByteCount = 0
        /// By urgency, then by arrival.
        var waiting: [Claim] = []
        /// Waits that are over, to be resumed once the lock is released.
        var resumptions: [(CheckedContinuation<ImageError?, Never>, ImageError?)] = []
    }

    private let state: Lock<State>

    init(byteCount: Int) {
        state = Lock(State(byteCount: byteCount))
    }

    /// The memory of one decode.
    final class Claim: @unchecked Sendable {
        // Unchecked: what is declared with `var` is touched only under the lock of the budget.

        fileprivate enum Stage {
            case waiting(CheckedContinuation<ImageError?, Never>?)
            case held
            case abandoned
            case ended(ImageError?)
        }

        private let budget: DecodeBudget
        fileprivate let byteCount: Int
        fileprivate var urgency: Urgency
        fileprivate var stage = Stage.waiting(nil)
        fileprivate var passCount = 0

        fileprivate init(_ budget: DecodeBudget, _ byteCount: Int, _ urgency: Urgency) {
            self.budget = budget
            self.byteCount = byteCount
            self.urgency = urgency
        }

        /// Returns as soon as the memory is there. Throws ``ImageError/cancelled`` when the
        /// surrounding task is cancelled before.
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
                state.waiting.removeAll { $0 === self }
                self.urgency = urgency
                state.insert(self)
            }
        }

        /// Ends the wait with ``ImageError/cancelled``. Does nothing once the memory is there.
        func cancel() {
            budget.change { state in
                guard case .waiting = stage else { return }
                state.waiting.removeAll { $0 === self }
                state.decide(self, .ended(.cancelled))
            }
        }

        /// Says that the decode exceeded its time limit and still runs.
        func abandon() {
            budget.change { state in
                guard case .held = stage else { return }
                stage = .abandoned
                state.heldByteCount -= byteCount
                state.abandonedByteCount += byteCount
            }
        }

        /// Gives the memory back. The decode has ended.
        func end() {
            budget.change { state in
                switch stage {
                case .held: state.heldByteCount -= byteCount
                case .abandoned: state.abandonedByteCount -= byteCount
                case .waiting, .ended: return
                }
                stage = .ended(nil)
            }
        }
    }

    /// Asks for the memory of a decode.
    ///
    /// - Returns: The claim, and whether it waits. Where it does not, ``Claim/admission()`` returns
    ///   or throws at once.
    func claim(_ byteCount: Int, _ urgency: Urgency) -> (claim: Claim, isWaiting: Bool) {
        let claim = Claim(self, byteCount, urgency)
        change { $0.insert(claim) }
        return state.withLock { _ in
            if case .waiting = claim.stage { (claim, true) } else { (claim, false) }
        }
    }

    /// How many claims wait.
    var waiterCount: Int { state.withLock { $0.waiting.count } }

    private func change(_ body: (inout State) -> Void) {
        let resumptions = state.withLock { state in
            body(&state)
            if !state.waiting.isEmpty { state.admit() }
            defer { state.resumptions.removeAll() }
            return state.resumptions
        }
        for (continuation, error) in resumptions { continuation.resume(returning: error) }
    }
}

extension DecodeBudget.State {
    mutating func insert(_ claim: DecodeBudget.Claim) {
        waiting.insert(claim, at: waiting.firstIndex { $0.urgency < claim.urgency } ?? waiting.endIndex)
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

    /// Admits what fits, in the order of the queue.
    mutating func admit() {
        var blocked: [DecodeBudget.Claim] = []
        for claim in waiting {
            let first = blocked.first
            if let first, first.passCount >= DecodeBudget.maxPassCount {
                blocked.append(claim)
            } else if fits(claim.byteCount) {
                heldByteCount += claim.byteCount
                first?.passCount += 1
                decide(claim, .held)
            } else if heldByteCount == 0 {
                let reason = "the memory is in use by images that exceeded their time limit"
                decide(claim, .ended(ImageError(.decodeTimeout, reason)))
            } else {
                blocked.append(claim)
            }
        }
        waiting = blocked
    }

    private func fits(_ wanted: Int) -> Bool {
        let used = heldByteCount + abandonedByteCount
        if used == 0 || wanted <= byteCount - used { return true }
        return heldByteCount == 0 && wanted <= 2 * byteCount - used
    }
}
