/// A line at the bottom of a terminal that shows the overall progress.
struct ProgressBar {
    private let total: Int
    private var done = 0
    private var failureCount = 0

    init(total: Int) {
        self.total = total
    }

    mutating func advance(failureCount: Int) {
        done += 1
        self.failureCount = failureCount
        draw()
    }

    func draw() {
        let width = 30
        let filled = total > 0 ? done * width / total : width
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
        let failures = failureCount > 0 ? ", \(failureCount) failed" : ""
        Console.draw("\r\(bar) \(done) of \(total)\(failures)\u{1B}[K")
    }

    func clear() {
        Console.draw("\r\u{1B}[K")
    }
}
