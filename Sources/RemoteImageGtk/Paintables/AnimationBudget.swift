/// Limits the memory of all animations that play in the process. The others show their first frame,
/// and play when there is room.
///
/// Only animations in visible views claim memory. They are admitted in the order of their claims; a
/// claim that fits may overtake larger ones, the first of which is overtaken at most
/// ``maxPassCount`` times. An animation that is larger than the budget plays alone. An animation
/// that pauses keeps its memory until another one waits for it.
@MainActor
final class AnimationBudget {
    /// The budget of all windows: as much as a memory cache has by default.
    static let shared = AnimationBudget(byteCount: MemoryCache.standardCostLimit)

    static let maxPassCount = 16

    /// The budget in bytes. Tests change it.
    var byteCount: Int
    /// Ordered by the time of their admission.
    private var held: [Claim] = []
    /// Ordered by arrival.
    private var waiting: [Claim] = []

    init(byteCount: Int) {
        self.byteCount = byteCount
    }

    /// The memory of one animation.
    @MainActor
    final class Claim {
        fileprivate enum Stage {
            case waiting
            case held(isPausing: Bool)
            case ended
        }

        fileprivate var byteCount: Int
        fileprivate var stage = Stage.waiting
        fileprivate var passCount = 0
        fileprivate let admitted: @MainActor () -> Void
        fileprivate let revoked: @MainActor () -> Void

        fileprivate init(
            _ byteCount: Int, admitted: @escaping @MainActor () -> Void, revoked: @escaping @MainActor () -> Void
        ) {
            (self.byteCount, self.admitted, self.revoked) = (byteCount, admitted, revoked)
        }

        /// Whether the animation may use the memory.
        var isHeld: Bool { if case .held = stage { true } else { false } }
    }

    /// The number of animations that wait for memory.
    var waitingCount: Int { waiting.count }

    /// The bytes of all admitted animations.
    var heldByteCount: Int { held.reduce(0) { $0 + $1.byteCount } }

    /// Claims the memory of an animation.
    ///
    /// - Parameters:
    ///   - admitted: Called once the animation may use the memory, perhaps before this returns.
    ///   - revoked: Called if the claim ends because it pauses and another one needs the memory.
    func claim(
        _ byteCount: Int, admitted: @escaping @MainActor () -> Void, revoked: @escaping @MainActor () -> Void
    ) -> Claim {
        let claim = Claim(byteCount, admitted: admitted, revoked: revoked)
        waiting.append(claim)
        admit()
        return claim
    }

    /// Reduces a claim.
    func shrink(_ claim: Claim, to byteCount: Int) {
        guard byteCount < claim.byteCount else { return }
        claim.byteCount = byteCount
        admit()
    }

    /// Lets a claim that is held give way to others, or no longer.
    func setPausing(_ claim: Claim, _ isPausing: Bool) {
        guard claim.isHeld else { return }
        claim.stage = .held(isPausing: isPausing)
        if isPausing { admit() }
    }

    /// Ends a claim. Does nothing if it has ended.
    func end(_ claim: Claim) {
        claim.stage = .ended
        waiting.removeAll { $0 === claim }
        held.removeAll { $0 === claim }
        admit()
    }

    private func admit() {
        var (blocked, admitted, revoked) = ([Claim](), [Claim](), [Claim]())
        for claim in waiting {
            if let first = blocked.first, first.passCount >= Self.maxPassCount {
                blocked.append(claim)
            } else if makeRoom(for: claim, &revoked) {
                claim.stage = .held(isPausing: false)
                held.append(claim)
                blocked.first?.passCount += 1
                admitted.append(claim)
            } else {
                blocked.append(claim)
            }
        }
        waiting = blocked
        // These calls may change the claims.
        for claim in revoked { claim.revoked() }
        for claim in admitted where claim.isHeld { claim.admitted() }
    }

    /// Whether there is room for a claim, for which pausing ones may have been revoked.
    private func makeRoom(for claim: Claim, _ revoked: inout [Claim]) -> Bool {
        let pausing = held.filter { if case .held(isPausing: true) = $0.stage { true } else { false } }
        let playingByteCount = heldByteCount - pausing.reduce(0) { $0 + $1.byteCount }
        guard playingByteCount == 0 || claim.byteCount <= byteCount - playingByteCount else { return false }
        for other in pausing where claim.byteCount > byteCount - heldByteCount {
            other.stage = .ended
            held.removeAll { $0 === other }
            revoked.append(other)
        }
        return true
    }
}
