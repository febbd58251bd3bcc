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
    // Unchecked: `jobs` and `isStarted` are touched only under `mutex`; the rest is constant.

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
    private var isStarted = false

    private init(_ name: String, count: Int, nice: Int32) {
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
        pthread_cond_signal(arrival)
        pthread_mutex_unlock(mutex)
    }

    private func startThread() {
        var thread = pthread_t()
        let context = Unmanaged.passUnretained(self).toOpaque()
        let body: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
            guard let context else { return nil }
            Unmanaged<WorkerThreads>.fromOpaque(context).takeUnretainedValue().run()
        }
        pthread_create(&thread, nil, body, context)
        pthread_detach(thread)
    }

    private func run() -> Never {
        platform_set_thread_name(name)
        if nice > 0 { platform_set_thread_nice(nice) }
        while true {
            pthread_mutex_lock(mutex)
            while jobs.isEmpty { pthread_cond_wait(arrival, mutex) }
            let job = jobs.removeFirst()
            pthread_mutex_unlock(mutex)
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}
