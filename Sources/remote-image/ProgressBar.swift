import Glibc

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

    /// Clears the line if the user interrupts the program, which then ends by the signal. An
    /// ignored signal stays ignored.
    static func clearAtInterrupt() {
        var action = sigaction()
        // The default action is a null pointer.
        guard sigaction(SIGINT, nil, &action) == 0, action.__sigaction_handler.sa_handler == nil else { return }
        action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND))
        action.__sigaction_handler.sa_handler = { signal in
            // A handler may neither lock nor allocate, so it writes a constant with a system call.
            let sequence: StaticString = "\r\u{1B}[K"
            write(STDERR_FILENO, sequence.utf8Start, sequence.utf8CodeUnitCount)
            raise(signal)
        }
        sigaction(SIGINT, &action, nil)
    }
}
