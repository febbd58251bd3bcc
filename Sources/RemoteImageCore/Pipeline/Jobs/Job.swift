// A unit of work that any number of requests share.

/// The result of a job.
enum JobOutput: Sendable {
    /// Boxed, because each step of a job copies its output and `LoadedData` has at least six
    /// references.
    indirect case bytes(LoadedData)
    case image(LoadedImage)
}

/// A unit of shared work: it loads the data of a load key, or makes the image of an image key.
///
/// A job lives as long as it has a subscriber or another job depends on it, and has the highest
/// urgency among them. The ``JobScheduler`` owns all mutable state, which is accessed only under
/// its lock. `Job` is a class so that other jobs can reference it.
final class Job: @unchecked Sendable {
    // Unchecked: see above. Properties declared with `let` are constant.

    enum State {
        /// Waits in the queue of its lane.
        case waiting
        /// Has a place and fetches.
        case running(Task<Void, Never>)
        /// Waits for the output of another job.
        case needs(Job)
        /// Has its input and waits for a thread.
        case waitingForThread(JobOutput)
        /// Runs on a thread; its input has `byteCount` bytes.
        case working(Task<Void, Never>, byteCount: Int)
        /// Waits for memory without occupying a thread, or runs after that wait.
        case setAside(Task<Void, Never>, DecodeBudget.Claim, byteCount: Int)
        /// Has its input and waits for its decoder to end a pause, without occupying a thread.
        case paused(JobOutput)
        /// Waits to retry a failed transfer.
        case waitingToRetry
        case finished
    }

    let key: JobKey
    /// A single source, never a choice.
    let source: ImageSource
    let options: ImageOptions
    let lane: JobLane
    /// The background validation that the job performs. Its only subscriber abandons the validation
    /// when the job is cancelled.
    let validation: BackgroundValidation?
    var state = State.waiting
    /// Whether the job has ended or was stopped. Its key may then belong to another job.
    var isOver = false
    var urgency: Urgency
    var subscribers: [Subscriber] = []
    var dependents: [Job] = []
    var urgencyCounts = UrgencyCounts()
    var progress = LoadProgress()
    /// When the job was made, on the clock of the pipeline.
    var requestedAt = Duration.zero
    /// When the job was last given a place.
    var startedAt = Duration.zero
    /// The number of the current attempt, starting at 1.
    var attempt = 1
    /// For how long the job has waited for its decoder in all.
    var pausedTime = Duration.zero
    /// For a redirected job: the sources to try if the current one fails, and the errors of those
    /// that failed.
    var alternatives: [(key: JobKey, source: ImageSource)] = [] {
        didSet { isRedirected = true }
    }
    var failures: [ImageError] = []
    private(set) var isRedirected = false
    /// Whether the job must not use a resized image from the store in place of its data.
    var needsOriginal = false
    /// Whether the image that the job waits to process counts as memory of the job. Otherwise the
    /// memory cache has it, or it counts for another job.
    var ownsPixels = false

    // Links of the list in which the job waits.
    var previous: Job?
    var next: Job?
    var rank = 0

    init(
        key: JobKey, source: ImageSource, options: ImageOptions, urgency: Urgency,
        validation: BackgroundValidation? = nil
    ) {
        self.key = key
        self.source = source
        self.options = options
        self.urgency = urgency
        self.validation = validation
        lane = JobLane(of: key, from: source)
    }

    var isWanted: Bool { urgencyCounts.count > 0 }

    func add(_ subscriber: Subscriber) {
        subscriber.job = self
        subscriber.index = subscribers.count
        subscribers.append(subscriber)
        urgencyCounts.add(subscriber.urgency)
    }

    /// The output that the job waits to use on a thread.
    var input: JobOutput? {
        if case .waitingForThread(let output) = state { output } else { nil }
    }

    /// The number of bytes that the job holds while it waits for a thread, for memory or for its
    /// decoder.
    var byteCount: Int {
        switch state {
        case .waitingForThread(.bytes(let data)), .paused(.bytes(let data)): data.bytes.count
        case .waitingForThread(.image(let image)), .paused(.image(let image)): ownsPixels ? image.pixels.byteCount : 0
        case .setAside(_, _, let byteCount): byteCount
        default: 0
        }
    }

    /// Whether the job transforms `output` instead of passing it on: data is decoded, and an image
    /// is processed, or scaled down if the pixels of a provider exceed the limit of the request.
    func works(on output: JobOutput) -> Bool {
        guard case .image(let imageKey, _) = key else { return false }
        guard case .image(let image) = output else { return true }
        return !imageKey.processors.isEmpty || options.maxPixelSize.map { image.pixels.size.exceeds($0) } ?? false
    }
}

/// The queue in which a job waits for its place.
enum JobLane: Hashable, Sendable {
    /// Transfers from one host.
    case host(String)
    /// Files. The read of a file on a file system that does not respond has no time limit.
    case files
    /// Data and providers of the program.
    case local
    /// Decoding and processing.
    case threads

    init(of key: JobKey, from source: ImageSource) {
        switch (key, source.kind) {
        case (.image, _): self = .threads
        case (.bytes, .web(let address)), (.validation, .web(let address)): self = .host(address.host)
        case (.bytes, .file): self = .files
        case (.bytes, _), (.validation, _): self = .local
        }
    }
}

/// The subscribers and dependents of a job, counted by urgency.
struct UrgencyCounts {
    private var counts: [7 of Int] = [0, 0, 0, 0, 0, 0, 0]
    private(set) var count = 0
    /// The newest batch in which the job was requested.
    private var batch: ScreenBatch?

    mutating func add(_ urgency: Urgency) {
        counts[urgency.level] += 1
        count += 1
        if let new = urgency.batch { batch = batch.map { max($0, new) } ?? new }
    }

    mutating func remove(_ urgency: Urgency) {
        counts[urgency.level] -= 1
        count -= 1
        if counts[6] == 0 { batch = nil }
    }

    /// The highest urgency.
    var highest: Urgency {
        if let batch { return .visible(batch) }
        if counts[5] > 0 { return .veryHigh }
        if counts[4] > 0 { return .high }
        if counts[3] > 0 { return .normal }
        if counts[2] > 0 { return .low }
        if counts[1] > 0 { return .veryLow }
        return .prefetch
    }
}

/// Waits for the result of a job, which it receives exactly once, on every path.
final class Subscriber: @unchecked Sendable {
    // Unchecked: `job`, `index` and `urgency` are accessed only under the lock of the
    // ``JobScheduler``; `receive` is constant.

    enum Event: Sendable {
        case progress(LoadProgress)
        case preview(LoadedImage)
        /// The transfer failed and is tried for the `attempt`th time.
        case retrying(attempt: Int)
        case finished(Result<JobOutput, ImageError>)
    }

    /// Called on any thread, never under a lock.
    let receive: @Sendable (Event) -> Void
    var job: Job?
    /// The index in the job's subscribers.
    var index = 0
    var urgency: Urgency

    init(urgency: Urgency, receive: @escaping @Sendable (Event) -> Void) {
        self.urgency = urgency
        self.receive = receive
    }
}
