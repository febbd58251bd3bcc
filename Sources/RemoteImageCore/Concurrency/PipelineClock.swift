// The pipeline's source of time. Tests use a manual clock.

import Glibc

/// Tells the time and schedules callbacks.
package protocol PipelineClock: Sendable {
    /// The time since an arbitrary fixed moment; never decreases.
    var now: Duration { get }

    /// The calendar time in seconds since 1970, for comparison with HTTP dates. It may be set, also
    /// backwards.
    var secondsSince1970: Double { get }

    /// The time that the delays of ``schedule(after:_:)`` measure; ``now`` by default. The limits
    /// of work that the machine interrupts by sleeping refer to it.
    var awakeTime: Duration { get }

    /// Calls `body` once, after `delay`, on any thread, never from within this method.
    func schedule(after delay: Duration, _ body: @escaping @Sendable () -> Void)
}

extension PipelineClock {
    package var awakeTime: Duration { now }
}

/// The system clock. While the machine sleeps, ``now`` advances, so that cached images become
/// stale, and the delays of ``schedule(after:_:)`` do not.
package struct SystemClock: PipelineClock {
    private static let start = ContinuousClock.now
    private static let awakeStart = SuspendingClock.now

    /// Creates a clock. All system clocks show the same time.
    package init() {}

    package var now: Duration { Self.start.duration(to: ContinuousClock.now) }

    package var awakeTime: Duration { Self.awakeStart.duration(to: SuspendingClock.now) }

    package var secondsSince1970: Double {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    package func schedule(after delay: Duration, _ body: @escaping @Sendable () -> Void) {
        // `Task.sleep` traps if the deadline is more than `Int64.max` seconds.
        let delay = min(delay, Self.longestDelay)
        Task {
            try? await Task.sleep(for: delay, clock: .suspending)
            body()
        }
    }

    /// 68 years, within the range of the system's timers.
    private static let longestDelay = Duration.seconds(1 << 31)
}
