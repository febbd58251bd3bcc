// Threads for work that holds a processor or waits for a disk. Swift's cooperative pool only coordinates and
// must not be blocked, and GLib's pool is shared with code that waits for its own tasks.

import CPlatform
import DequeModule
import Glibc

/// A fixed number of threads that run Swift tasks, in the order of their arrival.
///
/// The threads start with the first task and live as long as the process. Those that decode run at a
/// lower scheduling priority than the main thread, so that decoding never makes a scroll stutter.
package final class WorkerThreads: TaskExecutor, @unchecked Sendable {
    // Unchecked: what is declared with `var` is touched only under `mutex`; the rest is constant.

    /// For every pipeline of the process: as many threads as cores, at most four.
    package static let shared = WorkerThreads(
        "remote-image cpu", count: max(1, min(4, sysconf(Int32(_SC_NPROCESSORS_ONLN)))), nice: 5)

    /// For reading files.
    static let disk = WorkerThreads("remote-image io", count: 2, nice: 0)

    package let count: Int
    private let name: String
    private let nice: Int32
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let arrival = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var jobs = Deque<UnownedJob>()
    /// Threads that were given up; each ends when its job does.
    private var replaced: Set<Slot> = []
    private var live: Set<Slot> = []

    /// One of the threads.
    struct Slot: Hashable, Sendable {
        fileprivate let thread: pthread_t
    }
    private var isStarted = false

    /// - Parameter name: Of each thread, for debuggers; at most 15 bytes.
    package init(_ name: String, count: Int, nice: Int32) {
        self.name = name
        self.count = count
        self.nice = nice
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(arrival, nil)
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        pthread_mutex_lock(mutex)
        jobs.append(job)
        if !isStarted {
            isStarted = true
            for _ in 0..<count { startThread() }
        }
        pthread_mutex_unlock(mutex)
        // After the unlocking: the thread that is woken need not wait for it.
        pthread_cond_signal(arrival)
    }

    /// The thread that calls, whether it is one of these or not.
    static var currentSlot: Slot { Slot(thread: pthread_self()) }

    /// Starts another thread in the place of one that does not come back; that one ends when it does.
    func replace(_ slot: Slot) {
        pthread_mutex_lock(mutex)
        if live.contains(slot), replaced.insert(slot).inserted { startThread() }
        pthread_mutex_unlock(mutex)
    }

    private func startThread() {
        var thread = pthread_t()
        let context = Unmanaged.passUnretained(self).toOpaque()
        let body: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
            guard let context else { return nil }
            Unmanaged<WorkerThreads>.fromOpaque(context).takeUnretainedValue().run()
            return nil
        }
        pthread_create(&thread, nil, body, context)
        pthread_detach(thread)
    }

    private func run() {
        let slot = Slot(thread: pthread_self())
        platform_set_thread_name(name)
        if nice > 0 { platform_set_thread_nice(nice) }
        pthread_mutex_lock(mutex)
        live.insert(slot)
        pthread_mutex_unlock(mutex)
        while true {
            pthread_mutex_lock(mutex)
            if replaced.remove(slot) != nil {
                live.remove(slot)
                pthread_mutex_unlock(mutex)
                return
            }
            while jobs.isEmpty { pthread_cond_wait(arrival, mutex) }
            let job = jobs.removeFirst()
            pthread_mutex_unlock(mutex)
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}
