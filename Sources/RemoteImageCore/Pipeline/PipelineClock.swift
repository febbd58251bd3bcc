// Time, as the pipeline sees it. Tests bring a clock that they turn by hand.

import Glibc

/// Tells the time and calls back later.
public protocol PipelineClock: Sendable {
    /// Time since some fixed moment; never goes back.
    var now: Duration { get }

    /// What the calendar says, in seconds since 1970; may be set, back too. HTTP's dates are compared with it.
    var secondsSince1970: Double { get }

    /// Calls `body` once, after `delay`, on any thread, never from within this method.
    func schedule(after delay: Duration, _ body: @escaping @Sendable () -> Void)
}

/// The machine's clock, which stands still while the machine sleeps.
public struct SystemClock: PipelineClock {
    private static let start = SuspendingClock.now

    /// Creates a clock. All of them show the same time.
    public init() {}

    public var now: Duration { Self.start.duration(to: SuspendingClock.now) }

    public var secondsSince1970: Double {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    public func schedule(after delay: Duration, _ body: @escaping @Sendable () -> Void) {
        Task {
            try? await Task.sleep(for: delay, clock: .suspending)
            body()
        }
    }
}
