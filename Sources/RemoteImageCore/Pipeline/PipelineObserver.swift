// Reports the steps of a pipeline to observers.

import Glibc
import Logging

/// Receives each step of each request.
public protocol PipelineObserver: Sendable {
    /// Called for each step of each request, on the thread that performs the step. The pipeline
    /// waits until it returns, so it must return soon.
    func pipelineDid(_ event: PipelineEvent)
}

/// A step of a request.
public struct PipelineEvent: Sendable {
    /// A step of a request.
    public enum Step: Sendable {
        /// The request was made.
        case requested
        /// The image was found in the memory cache.
        case foundInMemory
        /// The data is being fetched, for the `attempt`th time.
        case fetching(attempt: Int)
        /// The head of a response was received.
        case responded(status: Int)
        /// The body was received; it has `byteCount` bytes.
        case fetched(byteCount: Int)
        /// Fetching failed and will be retried after a delay; `nil` means when the network returns.
        case retrying(after: Duration?, ImageError)
        /// Decoding starts.
        case decoding
        /// The processor with this identity starts.
        case processing(String)
        /// The request ended.
        case finished(Result<ImageInfo, ImageError>)
    }

    /// The time of the step on the clock of the pipeline.
    public var time: Duration
    /// The source, without user name and password.
    public var source: String
    /// The step.
    public var step: Step
}

/// The observers of a pipeline. Without observers, events are not created.
package struct PipelineObservers: Sendable {
    private let observers: [any PipelineObserver]
    private let clock: any PipelineClock

    init(_ configuration: ImagePipeline.Configuration) {
        var observers = configuration.observers
        if let logger = configuration.logger { observers.append(LogObserver(logger: logger)) }
        if DebugLog.isEnabled { observers.append(PrintObserver()) }
        self.observers = observers
        clock = configuration.clock
    }

    @inline(__always)
    func report(_ step: @autoclosure () -> PipelineEvent.Step, of job: Job) {
        if !observers.isEmpty { send(step(), source: job.source) }
    }

    @inline(__always)
    func report(_ step: @autoclosure () -> PipelineEvent.Step, of source: ImageSource) {
        if !observers.isEmpty { send(step(), source: source) }
    }

    private func send(_ step: PipelineEvent.Step, source: ImageSource) {
        let event = PipelineEvent(time: clock.now, source: source.nameToShow, step: step)
        for observer in observers { observer.pipelineDid(event) }
    }
}

/// Writes steps to a log: failures at level notice, retries at info, other results at debug, and
/// all other steps at trace.
private struct LogObserver: PipelineObserver {
    let logger: Logger

    func pipelineDid(_ event: PipelineEvent) {
        let level: Logger.Level =
            switch event.step {
            case .finished(.failure(let error)): error.code == .cancelled ? .debug : .notice
            case .retrying: .info
            case .finished(.success): .debug
            default: .trace
            }
        logger.log(
            level: level, "\(event.step.summary.printable)",
            metadata: ["source": "\(String(event.shortSource).printable)"])
    }
}

/// Prints a line per step on standard error.
private struct PrintObserver: PipelineObserver {
    func pipelineDid(_ event: PipelineEvent) {
        let milliseconds = Int(event.time / .milliseconds(1))
        let text = "remote-image \(milliseconds) ms \(event.step.summary) \(event.shortSource)"
        let line = Array("\(text.printable)\n".utf8)
        // Written with one call, so that lines of several threads do not mix. A failed write is
        // ignored.
        _ = write(STDERR_FILENO, line, line.count)
    }
}

extension PipelineEvent {
    /// Shortened, since a `data:` address may be megabytes long.
    fileprivate var shortSource: Substring { source.prefix(200) }
}

extension PipelineEvent.Step {
    fileprivate var summary: String {
        switch self {
        case .requested: "requested"
        case .foundInMemory: "found in memory"
        case .fetching(let attempt): attempt == 1 ? "fetching" : "fetching, try \(attempt)"
        case .responded(let status): "status \(status)"
        case .fetched(let byteCount): "fetched \(byteCount) bytes"
        case .retrying(let delay, let error):
            "failed, tries again \(delay.map { "in \(Int($0 / .milliseconds(1))) ms" } ?? "when connected"): "
                + error.detailedMessage
        case .decoding: "decoding"
        case .processing(let name): "processing \(name)"
        case .finished(.success(let info)): "finished, \(info.decodedSize) from \(info.origin.rawValue)"
        case .finished(.failure(let error)): "failed: \(error.detailedMessage)"
        }
    }
}
