/// The threads and the memory budget that all decodes of a process share.
struct DecodeResources: Sendable {
    static let shared = DecodeResources(threads: .decoding, budget: .shared)

    let threads: WorkerThreads
    let budget: DecodeBudget
}

/// Runs every decode of a pipeline: on the decode threads, within the memory budget, under the
/// watchdog.
///
/// A decode that exceeds its time limit is abandoned: its caller receives
/// ``ImageError/Code/decodeTimeout``, another thread replaces its thread, and its memory counts
/// towards the budget until it really ends. While ``maxAbandonedCount`` decodes are abandoned, new
/// ones in the calling process fail at once, so that images that never finish decoding cannot use
/// up threads and memory. Decodes in decoder processes continue, since a process can be ended.
final class DecodeScheduler: Sendable {
    /// The number of abandoned decodes from which new decodes in the calling process fail.
    static let maxAbandonedCount = 4
    /// For how long an image waits in all for a decoder that pauses after failures.
    static let maxPause = Duration.seconds(30)

    let threads: WorkerThreads
    private let budget: DecodeBudget
    private let watchdog: DecodeWatchdog
    private let clock: any PipelineClock

    init(_ resources: DecodeResources = .shared, clock: any PipelineClock) {
        threads = resources.threads
        budget = resources.budget
        watchdog = DecodeWatchdog(clock, resources.threads)
        self.clock = clock
    }

    /// Runs `body` on the calling decode thread once the memory budget admits it. The thread does
    /// other work until then.
    ///
    /// - Parameters:
    ///   - byteCount: The number of bytes that `body` may need.
    ///   - limit: The time limit of `body`.
    ///   - isConfined: Whether `body` decodes in a decoder process.
    ///   - willWait: Called before a wait for memory. If it returns `false`, the call fails with
    ///     ``ImageError/cancelled``.
    ///   - expire: Called on another thread when `body` exceeds its time limit.
    func run<Output>(
        _ byteCount: Int, _ urgency: Urgency, limit: Duration, isConfined: Bool = false,
        willWait: (DecodeBudget.Claim) -> Bool = { _ in true }, expire: @escaping @Sendable () -> Void,
        _ body: () throws(ImageError) -> Output
    ) async throws(ImageError) -> Output {
        if !isConfined { try checkAbandonedCount() }
        let (claim, isWaiting) = budget.claim(byteCount, urgency, isConfined: isConfined)
        if isWaiting {
            if !willWait(claim) { claim.cancel() }
            try await claim.admission()
        } else {
            try claim.check()
        }
        defer { claim.end() }
        // Other decodes may have been abandoned during the wait.
        if !isConfined { try checkAbandonedCount() }
        return try watchdog.watch(limit: limit) {
            claim.abandon()
            expire()
        } _: { () throws(ImageError) in
            try body()
        }
    }

    private func checkAbandonedCount() throws(ImageError) {
        guard threads.abandonedCount < Self.maxAbandonedCount else {
            throw ImageError(
                .decodeTimeout, "too many other images exceeded their time limit and are still being decoded")
        }
    }

    /// Runs `work` on a decode thread and returns its result, or ``ImageError/Code/decodeTimeout``
    /// as soon as `work` calls `expire`. Runs it again after the pauses of its decoder.
    func result<Output: Sendable>(
        of work: @escaping @Sendable (_ expire: @escaping @Sendable () -> Void) async throws(ImageError) -> Output
    ) async throws(ImageError) -> Output {
        var pausedTime = Duration.zero
        while true {
            do throws(ImageError) {
                return try await singleResult(of: work)
            } catch {
                guard let pause = error.retryDelay, pausedTime + pause <= Self.maxPause else { throw error }
                pausedTime += pause
                try await wait(for: pause)
            }
        }
    }

    /// Throws ``ImageError/cancelled`` if the surrounding task is cancelled first.
    private func wait(for pause: Duration) async throws(ImageError) {
        let end = Promise<Void>()
        clock.schedule(after: pause) { end.keep(.success(())) }
        try await end.value
    }

    private func singleResult<Output: Sendable>(
        of work: @escaping @Sendable (_ expire: @escaping @Sendable () -> Void) async throws(ImageError) -> Output
    ) async throws(ImageError) -> Output {
        let output = Promise<Output>()
        Task(executorPreference: threads) {
            output.keep(
                await Result { () async throws(ImageError) in
                    try await work { output.keep(.failure(ImageError(.decodeTimeout))) }
                })
        }
        return try await output.result.get()
    }
}

extension Result {
    init(_ body: () async throws(Failure) -> Success) async {
        do throws(Failure) {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}
