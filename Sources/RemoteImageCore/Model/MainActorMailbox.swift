import DequeModule

/// Brings events from any thread to the main actor, many with one wake-up.
///
/// Events of one sender arrive in the order in which they were posted. What arrives while the main
/// actor is busy is delivered together, for a third of a millisecond at a time: between two such turns whoever runs the main
/// loop may draw and hear of keys.
///
/// One task delivers everything, and its memory is used again. A task for each wake-up would be allocated by a decode
/// thread and freed by the main thread, which then waits, for milliseconds where the machine is busy, for the lock of
/// `malloc` that the decode thread held when it was interrupted.
final class MainActorMailbox: Sendable {
    typealias Delivery = @MainActor @Sendable () -> Void

    static let shared = MainActorMailbox()

    private let inbox = Inbox<Delivery>()

    private init() {
        // Of nobody's priority and values: it serves all who post.
        Task.detached(priority: .userInitiated) { [inbox] in await Self.deliver(from: inbox) }
    }

    @MainActor
    private static func deliver(from inbox: Inbox<Delivery>) async {
        var deliveries: Deque<Delivery> = []
        var turn = MainThreadTurn()
        while true {
            if await inbox.arrival() { turn = MainThreadTurn() }
            inbox.take(into: &deliveries)
            // What a delivery holds goes with it: to free thousands of them at the end would take longer than to deliver them.
            while let delivery = deliveries.popFirst() {
                if turn.isOver {
                    await pause()
                    turn = MainThreadTurn()
                }
                delivery()
            }
        }
    }

    func post(_ delivery: @escaping Delivery) {
        inbox.post(delivery)
    }

    /// Lets whatever else waits for the main actor go first. `Task.yield` goes by way of the pool, which a program that
    /// computes there would hold up.
    @MainActor
    private static func pause() async {
        await withUnsafeContinuation { continuation in
            Task { @MainActor in continuation.resume() }
        }
    }
}
