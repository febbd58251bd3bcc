/// A stretch of work on the main thread, after which the thread is offered to others: short beside a frame, long beside what
/// it takes to come back.
package struct MainThreadTurn {
    private let end = ContinuousClock.now + .microseconds(300)

    /// Begins now.
    package init() {}

    package var isOver: Bool { ContinuousClock.now >= end }
}
