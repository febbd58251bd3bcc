import DequeModule

/// Brings events from any thread to the main actor, many with one wake-up.
///
/// Events of one sender arrive in the order in which they were posted. Events that are posted while the main actor is busy are
/// delivered together, a ``MainThreadTimeSlice`` at a time: between two slices the main loop may draw and handle input.
///
/// One task delivers everything, and its memory is used again. A task for each wake-up would be allocated by a decode
/// thread and freed by the main thread, which then waits, for milliseconds where the machine is busy, for the lock of
/// `malloc` that the decode thread held when it was interrupted.
final class MainActorMailbox: Sendable {
    typealias Delivery = @MainActor @Sendable () -> Void

    static let shared = MainActorMailbox()

    private let queue = AsyncQueue<Delivery>()

    private init() {
        // Detached: it serves all callers and inherits the priority of none.
        Task.detached(priority: .userInitiated) { [queue] in await Self.deliver(from: queue) }
    }

    @MainActor
    private static func deliver(from queue: AsyncQueue<Delivery>) async {
        var deliveries: Deque<Delivery> = []
        var slice = MainThreadTimeSlice()
        while true {
            if await queue.arrival() { slice = MainThreadTimeSlice() }
            queue.take(into: &deliveries)
            // What a delivery holds goes with it: to free thousands of them at the end would take longer than to deliver them.
            while let delivery = deliveries.popFirst() {
                if slice.isOver {
                    await pause()
                    slice = MainThreadTimeSlice()
                }
                delivery()
            }
        }
    }

    func post(_ delivery: @escaping Delivery) {
        queue.post(delivery)
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
