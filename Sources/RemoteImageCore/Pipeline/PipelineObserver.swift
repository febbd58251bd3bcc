// Reports the steps of a pipeline to observers.

import Glibc
import Logging

/// A step of a request, for ``ImagePipeline/Configuration/observers``.
public struct PipelineEvent: Sendable {
    /// A step of a request.
    public enum Step: Sendable {
        /// The request was made.
        case requested
        /// The image was found in the memory cache.
        case foundInMemory
        /// The load of the data starts, for the `attempt`th time. It may come from the cache of
        /// responses, the server, a file or the program.
        case fetching(attempt: Int)
        /// How the cache of responses took part.
        case cache(CacheResult)
        /// The head of a response was received from the server. Not reported for status 304, which
        /// is ``CacheResult/validated``, nor for a response that a stored one replaces. The status
        /// of a resumed transfer is 200 instead of 206.
        case responded(status: Int)
        /// All data was received; it has `byteCount` bytes.
        case fetched(byteCount: Int)
        /// Fetching failed and will be retried after a delay; `nil` means when the network returns.
        case retrying(after: Duration?, ImageError)
        /// Decoding starts, with the decoder of this ``ImageDecoder/name``. The name of
        /// `IsolatedDecoder` is that of its type; ``ImageInfo`` of the finished image states the
        /// decoder in its process.
        case decoding(ImageFormat, decoder: String)
        /// The processor with this identity starts.
        case processing(String)
        /// The request ended.
        case finished(Result<ImageInfo, ImageError>)
        /// A widget of the source became visible. Its size is in points; a side may be 0.
        case appeared(width: Int, height: Int)
        /// A widget of the source is no longer visible.
        case disappeared
    }

    /// The time of the step on the clock of the pipeline.
    public var time: Duration
    /// The source, without user name and password.
    public var source: String
    /// The request; `nil` for a step of work that requests share.
    public var request: ImageRequest?
    /// Whether the image of the request was visible: `false` for an image that is prefetched or out
    /// of its viewport, and for a step of work that requests share.
    public var isVisible: Bool
    /// The step.
    public var step: Step
}

/// The observers of a pipeline. Without observers, events are not created.
package struct PipelineObservers: Sendable {
    /// Receives the first source that a failed request tried, whether its image was visible, and
    /// the error, on the thread that ends the request.
    package typealias FailureReceiver = @Sendable (ImageSource, _ isVisible: Bool, ImageError) -> Void

    private let observers: [@Sendable (PipelineEvent) -> Void]
    private let clock: any PipelineClock
    // Apart from the observers, since it may be set while the pipeline is in use, and other steps
    // must not become events for it.
    private let failureReceiver = Lock<FailureReceiver?>(nil)

    init(_ configuration: ImagePipeline.Configuration) {
        var observers = configuration.observers
        if let logger = configuration.logger { observers.append { $0.write(to: logger) } }
        if DebugLog.isEnabled { observers.append { $0.printLine() } }
        self.observers = observers
        clock = configuration.clock
    }

    var areActive: Bool { !observers.isEmpty }

    @inline(__always)
    func report(_ step: @autoclosure () -> PipelineEvent.Step, of job: Job) {
        if !observers.isEmpty { send(step(), source: job.source) }
    }

    @inline(__always)
    package func report(
        _ step: @autoclosure () -> PipelineEvent.Step, of source: ImageSource, request: ImageRequest? = nil,
        isVisible: @autoclosure () -> Bool = false
    ) {
        if !observers.isEmpty { send(step(), source: source, request: request, isVisible: isVisible()) }
    }

    /// Calls `receive` for each request that fails from now on, and replaces an earlier receiver.
    /// Not called for cancelled requests, nor for the first look of a view under
    /// ``CachePolicy/staleWhileRevalidate``.
    package func receiveFailures(_ receive: @escaping FailureReceiver) {
        failureReceiver.withLock { $0 = receive }
    }

    func reportFailure(_ error: ImageError, of source: ImageSource, isVisible: Bool) {
        failureReceiver.withLock { $0 }?(source, isVisible, error)
    }

    private func send(
        _ step: PipelineEvent.Step, source: ImageSource, request: ImageRequest? = nil, isVisible: Bool = false
    ) {
        var request = request
        // A program may start the request again, also after a removal of its account.
        request?.options.unset(AccountGeneration.self)
        let event = PipelineEvent(
            time: clock.now, source: source.nameToShow, request: request, isVisible: isVisible, step: step)
        for observer in observers { observer(event) }
    }
}

extension PipelineEvent {
    /// Failures have level notice, retries info, other results debug, and all other steps trace.
    fileprivate func write(to logger: Logger) {
        let level: Logger.Level =
            switch step {
            case .finished(.failure(let error)): error.code == .cancelled ? .debug : .notice
            case .retrying: .info
            case .finished(.success): .debug
            default: .trace
            }
        logger.log(
            level: level, "\(step.summary.printable)", metadata: ["source": "\(String(shortSource).printable)"])
    }

    /// Prints a line on standard error.
    fileprivate func printLine() {
        let text = "remote-image \(time.wholeMilliseconds) ms \(step.summary) \(shortSource)"
        let line = Array("\(text.printable)\n".utf8)
        // Written with one call, so that lines of several threads do not mix. A failed write is
        // ignored.
        _ = Glibc.write(STDERR_FILENO, line, line.count)
    }

    /// Shortened, since a `data:` address may be megabytes long.
    private var shortSource: Substring { source.prefix(200) }
}

extension Duration {
    /// From 0 to 10^15, since a retry policy may return any delay.
    fileprivate var wholeMilliseconds: Int { Int(min(1e15, max(0, self / .milliseconds(1)))) }
}

extension PipelineEvent.Step {
    fileprivate var summary: String {
        switch self {
        case .requested: "requested"
        case .foundInMemory: "found in memory"
        case .fetching(let attempt): attempt == 1 ? "loading" : "loading, try \(attempt)"
        case .cache(let result): "cache: \(result.summary)"
        case .responded(let status): "server: status \(status)"
        case .fetched(let byteCount): "loaded \(byteCount) bytes"
        case .retrying(let delay, let error):
            "failed, tries again \(delay.map { "in \($0.wholeMilliseconds) ms" } ?? "when connected"): "
                + error.detailedMessage
        case .decoding(let format, let decoder): "decoding \(format.rawValue) with \(decoder)"
        case .processing(let name): "processing \(name)"
        case .finished(.success(let info)):
            "finished, \(info.decodedSize), origin: \(info.origin.rawValue)\(info.decoderSummary)"
        case .finished(.failure(let error)): "failed: \(error.detailedMessage)"
        case .appeared(let width, let height): "widget visible, \(width) × \(height) points"
        case .disappeared: "widget not visible any more"
        }
    }
}

extension CacheResult {
    fileprivate var summary: String {
        switch self {
        case .miss: "miss"
        case .fresh: "fresh"
        case .stale: "stale, used as the policy allows"
        case .staleWhileRevalidate: "stale, used and validated in the background"
        case .staleAfterError(let error): "stale, used after an error: \(error.detailedMessage)"
        case .validating: "validating"
        case .validated: "validated, status 304"
        case .expired: "expired, loaded again"
        case .resuming(let byteCount): "resuming after \(byteCount) stored bytes"
        case .bypassed: "bypassed by the policy"
        case .refused: "nothing usable, and no request allowed"
        case .disabled: "no disk cache"
        }
    }
}

extension ImageInfo {
    /// The decoder of this load, and where it ran. Empty for images that were not decoded now.
    fileprivate var decoderSummary: String {
        guard origin != .memory, let decoder else { return "" }
        let name = decoder == ResizedImage.decoderName ? "a stored resized image" : decoder
        return ", decoder: \(name)\(isIsolated ? " in the decoder process" : "")"
    }
}
