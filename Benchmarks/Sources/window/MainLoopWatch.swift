import CRemoteImageGtk
import Dispatch
import Glibc

/// Measures the duration of each iteration of the main loop, from one poll to the next.
///
/// Unsafe code: only the main thread accesses the globals, since it polls the default context.
enum MainLoopWatch {
    /// The durations since the last reset, in seconds: of all iterations, and of the library's
    /// iterations, in which the main queue ran and no frame was drawn.
    nonisolated(unsafe) private static var turns: [Double] = []
    nonisolated(unsafe) private static var turnsOfLibrary: [Double] = []
    /// The longest of the library's iterations: by processor time, and by elapsed time without the
    /// time in which the thread was ready but other threads held the processors. The second
    /// includes the time spent waiting for locks and the disk.
    nonisolated(unsafe) private static var longestWorkOfLibrary = 0.0
    nonisolated(unsafe) private static var longestHoldOfLibrary = 0.0
    /// Like `longestHoldOfLibrary`, of all iterations without a frame, including those that run
    /// timers and GTK's measuring.
    nonisolated(unsafe) private static var longestBetweenFrames = 0.0
    nonisolated(unsafe) private static var awake = 0.0
    nonisolated(unsafe) private static var awakeWork = 0.0
    nonisolated(unsafe) private static var awakeWait = 0.0
    nonisolated(unsafe) private static var queueIsReady = false
    /// Set by the code that draws: the iteration is then GTK's.
    nonisolated(unsafe) static var hasDrawn = false

    static func start() {
        // The arrays must not grow during a measurement.
        turns.reserveCapacity(1 << 20)
        turnsOfLibrary.reserveCapacity(1 << 20)
        queueDescriptor = mainQueueHandle()
        schedule = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC)
        g_main_context_set_poll_func(nil) { descriptors, count, timeout in
            MainLoopWatch.turnEnds()
            let result = g_poll(descriptors, count, timeout)
            MainLoopWatch.turnBegins(descriptors, count)
            return result
        }
    }

    static func reset() {
        turns.removeAll(keepingCapacity: true)
        turnsOfLibrary.removeAll(keepingCapacity: true)
        longestWorkOfLibrary = 0
        longestHoldOfLibrary = 0
        longestBetweenFrames = 0
        awake = 0
    }

    /// Adds the longest iteration and the 99th percentile, of all iterations and of the library's.
    /// Adds the most processor time of one of the library's iterations, and the longest time that
    /// one held the thread, without the time spent waiting for a processor.
    static func add(to report: inout Report) {
        for (name, turns) in [("Gap", turns), ("LibraryGap", turnsOfLibrary)] {
            let sorted = turns.sorted()
            report.add("longest\(name)", seconds: sorted.last ?? 0)
            report.add("long\(name)", seconds: sorted.isEmpty ? 0 : sorted[(sorted.count - 1) * 99 / 100])
        }
        report.add("longestLibraryWork", seconds: longestWorkOfLibrary)
        report.add("longestLibraryHold", seconds: longestHoldOfLibrary)
        report.add("longestHoldBetweenFrames", seconds: longestBetweenFrames)
    }

    nonisolated(unsafe) private static var queueDescriptor: Int32 = -1
    nonisolated(unsafe) private static var schedule: Int32 = -1

    /// The time in which this thread was ready to run but other threads had the processors, in
    /// seconds: the second of the three numbers of the kernel's `schedstat`, in nanoseconds.
    private static func waitingTime() -> Double {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { text in
            guard let start = text.baseAddress else { return 0 }
            let count = pread(schedule, start, text.count - 1, 0)
            guard count > 0 else { return 0 }
            text[count] = 0
            return strchr(start, 32).map { strtod($0, nil) / 1e9 } ?? 0
        }
    }

    private static func turnEnds() {
        CallWatch.turnEnds()
        guard awake > 0 else { return }
        // Read before the clock, so that the duration includes every wait that is subtracted.
        let wait = waitingTime() - awakeWait
        let duration = monotonicTime() - awake
        turns.append(duration)
        guard !hasDrawn else { return }
        longestBetweenFrames = max(longestBetweenFrames, duration - wait)
        guard queueIsReady else { return }
        turnsOfLibrary.append(duration)
        longestWorkOfLibrary = max(longestWorkOfLibrary, threadTime() - awakeWork)
        longestHoldOfLibrary = max(longestHoldOfLibrary, duration - wait)
    }

    private static func turnBegins(_ descriptors: UnsafeMutablePointer<GPollFD>?, _ count: UInt32) {
        hasDrawn = false
        queueIsReady = (0..<Int(count)).contains { index in
            descriptors?[index].fd == queueDescriptor && descriptors?[index].revents != 0
        }
        awake = monotonicTime()
        awakeWait = waitingTime()
        awakeWork = threadTime()
    }

    /// Processor time of this thread, in seconds.
    static func threadTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

func monotonicTime() -> Double {
    Double(g_get_monotonic_time()) / 1e6
}

/// Processor time of the process so far, in seconds.
func processorTime() -> Double {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    return seconds(usage.ru_utime) + seconds(usage.ru_stime)
}

@_silgen_name("_dispatch_get_main_queue_handle_4CF")
private func mainQueueHandle() -> Int32
