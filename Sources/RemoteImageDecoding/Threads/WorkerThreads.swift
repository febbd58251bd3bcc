// Threads for work that computes or waits for a disk, and the thread on which loads are started and
// ended in order. Swift's cooperative pool must not block and keeps no order, and GLib's pool is
// shared with code that waits for its own tasks.

import CRemoteImagePlatform
import DequeModule
import Glibc

/// A fixed number of threads that run Swift tasks in order of arrival.
///
/// The threads start with the first task and live as long as the process. They run at the
/// scheduling priority of the program: at a lower one, decoding starves beside other busy programs.
///
/// If the system cannot start more threads, the work runs on fewer threads, or on Swift's
/// cooperative pool if there are none: more slowly, but without deadlock. Each new task tries again
/// to start the missing threads.
package final class WorkerThreads: TaskExecutor, @unchecked Sendable {
    // Unchecked: properties declared with `var` are accessed only under `mutex`; the rest is
    // constant.

    /// The decode threads of the process: as many as cores, at least two and at most
    /// ``maxDecodingCount``. With two, one slow decode does not block the others, even on a single
    /// core.
    package static let decoding = WorkerThreads(
        "remote-img cpu", count: max(2, min(maxDecodingCount, sysconf(Int32(_SC_NPROCESSORS_ONLN)))))

    /// The maximum number of decode threads. The budget of memory has room for a small decode on
    /// each of them.
    package static let maxDecodingCount = 4

    /// The threads that read and write stored responses and the other files of the library.
    package static let disk = WorkerThreads("remote-image io", count: 2)

    /// The threads that read the files of the program. They are not the threads of the store, since
    /// a file on a network mount that does not respond blocks its thread without a time limit.
    package static let files = WorkerThreads("remote-image fs", count: 2)

    /// The thread that starts, changes and cancels all loads, in order, and leads those over a
    /// program's transport from step to step. Those over libcurl continue on its thread.
    package static let loads = WorkerThreads("remote-img load", count: 1)

    package let count: Int
    private let name: String
    private let starter: ThreadStarter
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let arrival = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var jobs = Deque<UnownedJob>()
    /// The number of threads that take jobs, including those that are still starting.
    private var liveCount = 0
    /// All running threads, including abandoned ones.
    private var slots: Set<Slot> = []
    /// Threads that were replaced while their job ran. Each ends with its job.
    private var abandoned: Set<Slot> = []

    /// Identifies one of the threads.
    package struct Slot: Hashable, Sendable {
        fileprivate let thread: pthread_t
    }

    /// - Parameter name: The name of each thread, for debuggers; at most 15 bytes.
    package init(_ name: String, count: Int, starter: ThreadStarter = .system) {
        self.name = name
        self.count = count
        self.starter = starter
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(arrival, nil)
    }

    deinit {
        // No thread is running, since each holds a reference to this object.
        pthread_mutex_destroy(mutex)
        pthread_cond_destroy(arrival)
        mutex.deallocate()
        arrival.deallocate()
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        pthread_mutex_lock(mutex)
        jobs.append(job)
        let overflow = startMissingThreads()
        pthread_mutex_unlock(mutex)
        // Signalled after unlocking, so that the woken thread need not wait for the mutex.
        pthread_cond_signal(arrival)
        runOnPool(overflow)
    }

    /// The calling thread, which may not be a worker thread.
    package static var currentSlot: Slot { Slot(thread: pthread_self()) }

    /// Starts a new thread in place of one whose job does not end. The old thread ends with its
    /// job.
    package func replace(_ slot: Slot) {
        pthread_mutex_lock(mutex)
        var overflow = Deque<UnownedJob>()
        if slots.contains(slot), abandoned.insert(slot).inserted {
            liveCount -= 1
            overflow = startMissingThreads()
        }
        pthread_mutex_unlock(mutex)
        runOnPool(overflow)
    }

    /// The number of replaced threads whose job is still running.
    package var abandonedCount: Int {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return abandoned.count
    }

    /// The number of jobs that wait for a thread, for tests.
    package var waitingCount: Int {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return jobs.count
    }

    /// Called under the mutex.
    ///
    /// - Returns: The waiting jobs, if there is no thread to run them.
    private func startMissingThreads() -> Deque<UnownedJob> {
        while liveCount < count {
            guard starter.start(nil, { [self] in run() }) == 0 else { break }
            liveCount += 1
        }
        guard liveCount == 0 else { return [] }
        defer { jobs = [] }
        return jobs
    }

    private func runOnPool(_ jobs: Deque<UnownedJob>) {
        for job in jobs {
            Task.detached { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
        }
    }

    private func run() {
        let slot = Self.currentSlot
        platform_set_thread_name(name)
        pthread_mutex_lock(mutex)
        slots.insert(slot)
        while true {
            while jobs.isEmpty { pthread_cond_wait(arrival, mutex) }
            let job = jobs.removeFirst()
            pthread_mutex_unlock(mutex)
            job.runSynchronously(on: asUnownedTaskExecutor())
            pthread_mutex_lock(mutex)
            if abandoned.remove(slot) != nil {
                // The replacement thread may not have been started.
                guard liveCount < count else { break }
                liveCount += 1
            }
        }
        slots.remove(slot)
        pthread_mutex_unlock(mutex)
    }
}

extension WorkerThreads {
    /// Performs work on these threads.
    package func run<Value: Sendable, Failure: Error>(
        _ work: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        try await Task(executorPreference: self) { Result(catching: work) }.value.get()
    }
}
