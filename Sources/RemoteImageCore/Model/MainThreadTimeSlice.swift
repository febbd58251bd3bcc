/// A time slice of the main thread, after which other work gets a turn: short compared with a frame, long compared with the
/// cost of coming back.
package struct MainThreadTimeSlice {
    package static let length = Duration.microseconds(300)

    private let end = ContinuousClock.now + length

    /// Begins now.
    package init() {}

    package var isOver: Bool { ContinuousClock.now >= end }
}
