import RemoteImageCore

/// Reports the result of each image: as JSON on standard output, or as text with failures on
/// standard error. If standard error is a terminal, a progress bar follows.
final class Reporter: Sendable {
    private struct State {
        var bar: ProgressBar?
        var failureCount = 0
    }

    private let isJSON: Bool
    private let state: Lock<State>

    init(total: Int, isJSON: Bool) {
        self.isJSON = isJSON
        let bar = Console.showsErrors ? ProgressBar(total: total) : nil
        if bar != nil { ProgressBar.clearAtInterrupt() }
        bar?.draw()
        state = Lock(State(bar: bar))
    }

    var failureCount: Int { state.withLock { $0.failureCount } }

    func report(_ outcome: FetchOutcome) {
        // Under the lock, so that the lines of two images and the bar do not mix.
        state.withLock { state in
            if case .failure = outcome.result { state.failureCount += 1 }
            state.bar?.clear()
            if isJSON {
                Console.printLine(outcome.json.object)
            } else if case .failure = outcome.result {
                Console.printError(outcome.sentence)
            } else {
                Console.printLine(outcome.sentence)
            }
            state.bar?.advance(failureCount: state.failureCount)
        }
    }

    func finish() {
        state.withLock { $0.bar?.clear() }
    }
}

extension FetchOutcome {
    fileprivate var json: JSONLine {
        var line = JSONLine()
        line.add("url", address)
        switch result {
        case .success(let info):
            line.add("phase", "success")
            line.add("origin", info.origin.rawValue)
            if let status = info.status { line.add("status", status) }
            if let format = info.format { line.add("format", format.rawValue) }
            line.add("width", info.size.width)
            line.add("height", info.size.height)
            line.add("decodedWidth", info.decodedSize.width)
            line.add("decodedHeight", info.decodedSize.height)
            line.add("bytes", info.byteCount)
            line.add("frames", info.frameCount)
            if let decoder = info.decoder {
                line.add("decoder", decoder)
                line.add("isolated", info.isIsolated)
            }
            if let file {
                line.add("file", file.path)
                line.add("writtenWidth", file.size.width)
                line.add("writtenHeight", file.size.height)
            }
        case .failure(let error):
            line.add("phase", "failure")
            line.add("error", error.json)
        }
        line.add("seconds", duration)
        return line
    }

    fileprivate var sentence: String {
        switch result {
        case .success(let info):
            "\(address): \(info.format?.rawValue ?? "pixels"), \(info.size), decoded at \(info.decodedSize), "
                + "\(info.byteCount) bytes, \(duration.secondsText) s"
                + (file.map { ", written to \($0.path) at \($0.size)" } ?? "")
        case .failure(let error):
            "\(address): \(error.detailedMessage)"
        }
    }
}

extension ImageError {
    fileprivate var json: JSONLine {
        var line = JSONLine()
        line.add("code", code.rawValue)
        if let status { line.add("status", status) }
        line.add("message", detailedMessage)
        if !underlying.isEmpty { line.add("underlying", underlying.map(\.json)) }
        return line
    }
}
