/// A time slice of the main thread, after which other work gets a turn. It is short compared with a
/// frame and long compared with the cost of a switch.
package struct MainThreadTimeSlice {
    package static let length = Duration.microseconds(300)

    private let end = ContinuousClock.now + length

    /// Starts a time slice.
    package init() {}

    package var isOver: Bool { ContinuousClock.now >= end }
}
