/// The results of the processes of one program file: failed starts, and tested and missing formats.
/// A replaced file gets a new record.
struct ProgramRecord {
    private struct FailedStart {
        var failure: StartFailure
        var pause: RetryPause
    }

    let version: FileVersion?
    /// Keyed by the formats that the processes were started for, since the codec of one of them may
    /// be the cause.
    private var failedStarts: [Set<ImageFormat>: FailedStart] = [:]
    /// The same for processes that were started ahead, which make no image fail.
    private var failedStartsAhead: [Set<ImageFormat>: FailedStart] = [:]
    /// The formats whose test succeeded.
    private var usableFormats: Set<ImageFormat> = []
    /// The formats whose test failed.
    private var unusableFormats: [ImageFormat: RetryPause] = [:]
    /// The formats whose codec a process did not find.
    private var missingFormats: [ImageFormat: RetryPause] = [:]

    init(_ version: FileVersion?) { self.version = version }

    // MARK: Starts

    /// The last failed start for these formats while its pause lasts; `nil` if a process may start.
    func failure(
        startingFor formats: Set<ImageFormat>, ahead isAhead: Bool, at now: ContinuousClock.Instant
    ) -> StartFailure? {
        for failed in [failedStarts[formats], isAhead ? failedStartsAhead[formats] : nil] {
            if let failed, !failed.pause.isOver(at: now) { return failed.failure }
        }
        return nil
    }

    /// The time until a process may start for these formats.
    func pause(startingFor formats: Set<ImageFormat>, at now: ContinuousClock.Instant) -> Duration {
        max(.zero, failedStarts[formats]?.pause.left(at: now) ?? .zero)
    }

    mutating func add(
        _ failure: StartFailure, startingFor formats: Set<ImageFormat>, ahead isAhead: Bool,
        at now: ContinuousClock.Instant
    ) {
        // The next start may have more time.
        guard failure != .late else { return }
        func added(to failed: FailedStart?) -> FailedStart {
            guard var failed else { return FailedStart(failure: failure, pause: RetryPause(at: now)) }
            failed.failure = failure
            failed.pause.addFailure(at: now)
            return failed
        }
        if isAhead {
            failedStartsAhead[formats] = added(to: failedStartsAhead[formats])
        } else {
            failedStarts[formats] = added(to: failedStarts[formats])
        }
    }

    mutating func addStart(for formats: Set<ImageFormat>) {
        failedStarts[formats] = nil
        failedStartsAhead[formats] = nil
    }

    // MARK: Formats

    /// Whether the format must not be decoded now.
    func isRuledOut(_ format: ImageFormat, at now: ContinuousClock.Instant) -> Bool {
        [unusableFormats[format], missingFormats[format]].contains { $0?.isOver(at: now) == false }
    }

    /// The formats among `formats` whose test has not succeeded yet.
    func untested(_ formats: Set<ImageFormat>) -> Set<ImageFormat> {
        formats.subtracting(usableFormats)
    }

    mutating func addUsable(_ format: ImageFormat) {
        usableFormats.insert(format)
        unusableFormats[format] = nil
    }

    /// Records that the test of a format failed. The test is repeated after a pause, since a lack
    /// of memory or time may be the cause.
    ///
    /// - Returns: Whether this is the first failure, or the first one after a success.
    mutating func addUnusable(_ format: ImageFormat, at now: ContinuousClock.Instant) -> Bool {
        usableFormats.remove(format)
        return Self.addPause(for: format, to: &unusableFormats, at: now)
    }

    /// Records that a process did not find the codec of a format.
    ///
    /// - Returns: Whether this is the first failure, or the first one after a success.
    mutating func addMissing(_ format: ImageFormat, at now: ContinuousClock.Instant) -> Bool {
        Self.addPause(for: format, to: &missingFormats, at: now)
    }

    private static func addPause(
        for format: ImageFormat, to pauses: inout [ImageFormat: RetryPause], at now: ContinuousClock.Instant
    ) -> Bool {
        let isFirst = pauses[format] == nil
        var pause = pauses[format] ?? RetryPause(at: now)
        pause.addFailure(at: now)
        pauses[format] = pause
        return isFirst
    }

    mutating func addFound(_ formats: Set<ImageFormat>) {
        for format in formats where missingFormats[format] != nil { missingFormats[format] = nil }
    }
}
