/// A stretch of work on the main thread, after which the thread is offered to others: short beside a frame, long beside what
/// it takes to come back.
package struct MainThreadTurn {
    package static let length = Duration.microseconds(300)

    private let end = ContinuousClock.now + length

    /// Begins now.
    package init() {}

    package var isOver: Bool { ContinuousClock.now >= end }
}
