import RemoteImageCore

/// A clock that only the test advances.
public final class TestClock: PipelineClock {
    private struct Alarm {
        let time: Duration
        let body: @Sendable () -> Void
    }

    private struct State {
        var now = Duration.zero
        var alarms: [Alarm] = []
        var calendarOffset = 0.0
    }

    private let watched = Watched(0)
    private let state = Lock(State())

    public init() {}

    public var now: Duration { state.withLock { $0.now } }

    /// The wall-clock time: the start of 2026 plus the time by which the clock has been advanced,
    /// minus the effect of ``setBack(by:)``.
    public var secondsSince1970: Double {
        state.withLock { 1_767_225_600 + $0.now / .seconds(1) + $0.calendarOffset }
    }

    /// Sets the wall clock back, as a user may. ``now`` does not change.
    public func setBack(by seconds: Double) {
        state.withLock { $0.calendarOffset -= seconds }
    }

    public func schedule(after delay: Duration, _ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.alarms.append(Alarm(time: $0.now + delay, body: body)) }
        watched.update { $0 += 1 }
    }

    /// Waits until ``schedule(after:_:)`` has been called at least `count` times in total.
    public func scheduled(count: Int, fileID: StaticString = #fileID, line: Int = #line) async throws {
        try await watched.wait(for: "\(count) alarms", fileID: fileID, line: line) { $0 >= count }
    }

    /// The time until the next scheduled call; `nil` if there is none.
    public var nextDelay: Duration? {
        state.withLock { state in state.alarms.map { $0.time - state.now }.min() }
    }

    /// Advances the clock and runs the scheduled calls that are due, in order.
    public func advance(by duration: Duration) {
        let end = now + duration
        while true {
            let due: Alarm? = state.withLock { state in
                let index = state.alarms.indices.min { state.alarms[$0].time < state.alarms[$1].time }
                guard let index, state.alarms[index].time <= end else {
                    state.now = end
                    return nil
                }
                let alarm = state.alarms.remove(at: index)
                state.now = max(state.now, alarm.time)
                return alarm
            }
            guard let due else { return }
            due.body()
        }
    }
}
