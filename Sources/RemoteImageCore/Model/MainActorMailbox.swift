import DequeModule

/// Delivers events from any thread to the main actor, many per wake-up.
///
/// Events of one sender arrive in the order in which they were posted. Events that are posted while
/// the main actor is busy are delivered together, one ``MainThreadTimeSlice`` at a time; between
/// two slices the main loop can draw and handle input.
///
/// One task delivers all events and reuses its memory. If each wake-up had its own task, a decode
/// thread would allocate it and the main thread free it. On a busy machine the main thread could
/// then wait for milliseconds for the `malloc` lock of a preempted decode thread.
final class MainActorMailbox: Sendable {
    typealias Delivery = @MainActor @Sendable () -> Void

    static let shared = MainActorMailbox()

    private let queue = AsyncQueue<Delivery>()

    private init() {
        // Detached, so that it does not inherit the priority of its first caller.
        Task.detached(priority: .userInitiated) { [queue] in await Self.deliver(from: queue) }
    }

    @MainActor
    private static func deliver(from queue: AsyncQueue<Delivery>) async {
        var deliveries: Deque<Delivery> = []
        var slice = MainThreadTimeSlice()
        while true {
            if await queue.arrival() { slice = MainThreadTimeSlice() }
            queue.take(into: &deliveries)
            // `popFirst` releases each delivery at once: freeing thousands at the end would take
            // longer than delivering them.
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

    /// Lets other work of the main actor run first. `Task.yield` resumes through the global thread
    /// pool, which a program's own computations may keep busy.
    @MainActor
    private static func pause() async {
        await withUnsafeContinuation { continuation in
            Task { @MainActor in continuation.resume() }
        }
    }
}
