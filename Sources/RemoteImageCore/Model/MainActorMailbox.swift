/// Brings events from any thread to the main actor, many with one wake-up.
///
/// Events of one sender arrive in the order in which they were posted. What arrives while the main
/// actor is busy is delivered together.
final class MainActorMailbox: Sendable {
    typealias Delivery = @MainActor @Sendable () -> Void

    static let shared = MainActorMailbox()

    private let pending = Lock<[Delivery]>([])

    func post(_ delivery: @escaping Delivery) {
        let isFirst = pending.withLock { pending in
            pending.append(delivery)
            return pending.count == 1
        }
        guard isFirst else { return }
        Task { @MainActor in
            let deliveries = pending.withLock { pending in
                defer { pending = [] }
                return pending
            }
            for delivery in deliveries { delivery() }
        }
    }
}
