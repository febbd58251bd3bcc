import DequeModule

/// A serial queue: one thread of the process, ``WorkerThreads/loads``, starts, changes and cancels
/// the loads of all models, in order.
///
/// Models run on the main thread, which must not wait for the locks of a pipeline: the kernel may
/// have suspended a decode thread that holds one for milliseconds.
package final class LoadQueue: Sendable {
    package typealias Work = @Sendable () -> Void

    package static let shared = LoadQueue()

    private let queue = AsyncQueue<Work>()

    private init() {
        Task.detached(executorPreference: WorkerThreads.loads) { [queue] in
            var works: Deque<Work> = []
            while true {
                _ = await queue.arrival()
                queue.take(into: &works)
                while let work = works.popFirst() {
                    work()
                    // Responses over a program's transport do not wait for the start of many
                    // loads.
                    if works.count % 32 == 31 { await Task.yield() }
                }
            }
        }
    }

    package func post(_ work: @escaping Work) {
        queue.post(work)
    }
}
