/// Checks the trackers of a viewport in turn, some in each frame.
///
/// During CSS animations in a window, such as a spinner or a pressed button, GTK lays out every
/// frame, although views rarely move. Locating thousands of views would take longer than the rest
/// of such a frame. Each frame checks all drawn views and a part of the others; after the first
/// moved view is found, all views are checked.
@MainActor
struct RoundRobinCheck {
    private var drawn: [VisibilityTracker] = []
    private var all: [VisibilityTracker] = []
    private var next = 0
    private var lastFrame: Int?
    private var layoutNumber = 0

    /// Call after a layout in which all trackers were checked.
    mutating func begin(with watchers: some Collection<VisibilityTracker>, in frame: Int, _ layoutNumber: Int) {
        all = Array(watchers)
        drawn = all.filter(\.needsDrawing)
        next = 0
        lastFrame = frame
        self.layoutNumber = layoutNumber
    }

    /// Adds a tracker whose position is known.
    mutating func add(_ tracker: VisibilityTracker) {
        guard lastFrame != nil else { return }
        all.append(tracker)
        drawn.append(tracker)
    }

    mutating func end() {
        guard lastFrame != nil else { return }
        self = RoundRobinCheck()
    }

    /// Whether this frame directly follows the previous one without a known move in between.
    mutating func continueRound(in frame: Int, _ layoutNumber: Int) -> Bool {
        guard let lastFrame, lastFrame + 1 == frame, layoutNumber == self.layoutNumber else { return false }
        self.lastFrame = frame
        return true
    }

    /// Whether a view that is checked in this frame has moved.
    mutating func findMove() -> Bool {
        let end = min(all.count, next + max(32, all.count / 16))
        defer { next = end == all.count ? 0 : end }
        return drawn.contains { $0.hasMoved() }
            || all[next..<end].contains { $0.hasMoved() }
    }
}
