/// Looks at the watchers of a viewport in turn, some in each frame.
///
/// While any style in a window is animated, a spinner or a button that was pressed, GTK lays each frame out, though nothing
/// moves as a rule. To look where thousands of views are would take longer than all else in such a frame. What is drawn is
/// looked at in each of them, and of the rest a part: once all that moves is found, everybody is looked at.
@MainActor
struct Rounds {
    private var drawn: [Sight] = []
    private var all: [Sight] = []
    private var next = 0
    private var lastFrame: Int?
    private var layoutNumber = 0

    /// All have just been looked at, in a frame in which they were laid out.
    mutating func begin(with watchers: some Collection<Sight>, in frame: Int, _ layoutNumber: Int) {
        all = Array(watchers)
        drawn = all.filter(\.isDrawn)
        next = 0
        lastFrame = frame
        self.layoutNumber = layoutNumber
    }

    mutating func end() {
        guard lastFrame != nil else { return }
        self = Rounds()
    }

    /// Whether this is the next of frames in a row that are laid out, and nobody knows of a move since.
    mutating func goOn(in frame: Int, _ layoutNumber: Int) -> Bool {
        guard let lastFrame, lastFrame + 1 == frame, layoutNumber == self.layoutNumber else { return false }
        self.lastFrame = frame
        return true
    }

    /// Whether one of those whose turn it is has moved.
    mutating func findMove() -> Bool {
        let end = min(all.count, next + max(32, all.count / 16))
        defer { next = end == all.count ? 0 : end }
        return drawn.contains { $0.hasMoved() }
            || all[next..<end].contains { $0.hasMoved() }
    }
}
