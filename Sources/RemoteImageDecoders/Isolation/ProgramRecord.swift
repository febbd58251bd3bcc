/// What the processes of one program file have shown: how they start, and which formats they
/// decode. A replaced file has a new record.
struct ProgramRecord {
    private struct FailedStart {
        var failure: StartFailure
        var pause: RetryPause
    }

    let identity: ProgramFile.Identity?
    /// By the formats that the processes were started for, since the codec of one of them may be
    /// the cause.
    private var failedStarts: [Set<ImageFormat>: FailedStart] = [:]
    /// The same for processes that were started ahead: no image fails for them.
    private var failedStartsAhead: [Set<ImageFormat>: FailedStart] = [:]
    /// Those whose test image was decoded.
    private var usableFormats: Set<ImageFormat> = []
    /// Those whose test image was not.
    private var unusableFormats: [ImageFormat: RetryPause] = [:]
    /// Those whose codec a process did not find.
    private var missingFormats: [ImageFormat: RetryPause] = [:]

    init(_ identity: ProgramFile.Identity?) { self.identity = identity }

    // MARK: Starts

    /// Why a process for these formats is not to be started now.
    func failure(
        startingFor formats: Set<ImageFormat>, ahead isAhead: Bool, at now: ContinuousClock.Instant
    ) -> StartFailure? {
        for failed in [failedStarts[formats], isAhead ? failedStartsAhead[formats] : nil] {
            if let failed, !failed.pause.isOver(at: now) { return failed.failure }
        }
        return nil
    }

    mutating func add(
        _ failure: StartFailure, startingFor formats: Set<ImageFormat>, ahead isAhead: Bool,
        at now: ContinuousClock.Instant
    ) {
        // It says nothing of the next start, which may have more time.
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

    /// Whether the format is not to be decoded now.
    func isRuledOut(_ format: ImageFormat, at now: ContinuousClock.Instant) -> Bool {
        [unusableFormats[format], missingFormats[format]].contains { $0?.isOver(at: now) == false }
    }

    /// Those of `formats` whose test is still to be made.
    func untested(_ formats: Set<ImageFormat>) -> Set<ImageFormat> {
        formats.subtracting(usableFormats)
    }

    mutating func addUsable(_ format: ImageFormat) {
        usableFormats.insert(format)
        unusableFormats[format] = nil
    }

    /// Takes note that the test of a format failed. It is repeated after a pause: a machine without
    /// memory or time may be the cause.
    ///
    /// - Returns: Whether that is news.
    mutating func addUnusable(_ format: ImageFormat, at now: ContinuousClock.Instant) -> Bool {
        usableFormats.remove(format)
        return Self.addPause(for: format, to: &unusableFormats, at: now)
    }

    /// Takes note that a process did not find the codec of a format.
    ///
    /// - Returns: Whether that is news.
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
