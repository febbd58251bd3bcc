import DequeModule

/// The thread of the process on which loads of models are begun, changed and ended, in the order in which they were asked for.
///
/// Models belong to the main thread, which must not wait for the locks of a pipeline: a decode thread that holds one may have
/// lost its processor for milliseconds.
package final class LoadThread: Sendable {
    package typealias Work = @Sendable () -> Void

    package static let shared = LoadThread()

    private let inbox = Inbox<Work>()

    private init() {
        let thread = WorkerThreads("remote-img load", count: 1, nice: 0)
        Task.detached(executorPreference: thread) { [inbox] in
            var works: Deque<Work> = []
            while true {
                _ = await inbox.arrival()
                inbox.take(into: &works)
                while let work = works.popFirst() { work() }
            }
        }
    }

    package func post(_ work: @escaping Work) {
        inbox.post(work)
    }
}
