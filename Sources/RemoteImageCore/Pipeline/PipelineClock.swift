// Time, as the pipeline sees it. Tests bring a clock that they turn by hand.

/// Tells the time and calls back later.
public protocol PipelineClock: Sendable {
    /// Time since some fixed moment; never goes back.
    var now: Duration { get }

    /// Calls `body` once, after `delay`, on any thread, never from within this method.
    func schedule(after delay: Duration, _ body: @escaping @Sendable () -> Void)
}

/// The machine's clock, which stands still while the machine sleeps.
public struct SystemClock: PipelineClock {
    private static let start = SuspendingClock.now

    public init() {}

    public var now: Duration { Self.start.duration(to: SuspendingClock.now) }

    public func schedule(after delay: Duration, _ body: @escaping @Sendable () -> Void) {
        Task {
            try? await Task.sleep(for: delay, clock: .suspending)
            body()
        }
    }
}
