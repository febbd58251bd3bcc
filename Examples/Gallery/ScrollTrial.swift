import Observation

/// Scrolls the grid from end to end, and measures the time between frames.
@Observable @MainActor
final class ScrollTrial {
    /// The scroll distance per frame, in points.
    private static let step = 60.0

    var position = 0.0
    @ObservationIgnored private var times: [Duration] = []
    @ObservationIgnored private var lastPosition = -1.0
    private(set) var isRunning = false

    func start() {
        isRunning = true
    }

    func frame(at time: Duration) {
        guard isRunning else { return }
        times.append(time)
        // A position beyond the end becomes the end.
        if position == lastPosition { isRunning = false }
        lastPosition = position
        position += Self.step
    }

    /// A line with the figures.
    var report: String {
        let intervals = zip(times.dropFirst(), times).map { ($0 - $1) / Duration.milliseconds(1) }.sorted()
        guard let longest = intervals.last else { return "There is nothing to scroll." }
        func text(_ milliseconds: Double) -> String { "\(Double(Int(milliseconds * 10)) / 10) ms" }
        return "\(intervals.count) frames, 99th percentile \(text(intervals[intervals.count * 99 / 100])), "
            + "longest \(text(longest))"
    }
}
