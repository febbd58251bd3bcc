// The processes of an isolated decoder: where their program is, what they are started for, and
// whether they can be used.

import CPlatform
import Glibc

extension IsolatedDecoder {
    /// Where the program is; `nil` where it is not installed, which the log says once. A package
    /// upgrade may remove the program for a moment: one that was found once is never a reason to
    /// decode in this process.
    func program() -> ProgramFile? {
        let known = state.withLock { $0.program }
        if case .found(let program) = known {
            let file = ProgramFile(program.path)
            if file.identity != nil { return found(file) }
        }
        if let path = DecoderLocation.find(given: configuration.path) { return found(ProgramFile(path)) }
        if case .found(let program) = known { return ProgramFile(program.path) }
        let isMissed = state.withLock { state in
            defer { if state.program == nil { state.program = .missing } }
            return state.program == nil
        }
        if isMissed, !configuration.isRequired {
            configuration.logger.notice(
                "\(DecoderLocation.name) is not installed: images are decoded in this process")
        }
        return nil
    }

    private func found(_ file: ProgramFile) -> ProgramFile {
        state.withLock { state in
            state.program = .found(file)
            // A file that was removed meanwhile has none.
            if let identity = file.identity, state.record.identity != identity {
                state.record = ProgramRecord(identity)
            }
        }
        return file
    }

    /// Starts a process, where no pause after a failed start forbids that.
    ///
    /// - Parameter format: That of the image; `nil` for a process that is started ahead.
    func start(_ program: ProgramFile, for format: ImageFormat?) throws(StartFailure) -> DecoderProcess {
        guard DecoderLocation.isProgram(program.path) else { throw .reason("\(program.path) was removed") }
        let (formats, failure) = state.withLock { state in
            let now = now()
            let wanted = state.wantedFormats.union(format.map { [$0] } ?? [])
            let formats = wanted.filter { !state.record.isRuledOut($0, at: now) }
            return (formats, state.record.failure(startingFor: formats, ahead: format == nil, at: now))
        }
        if let failure { throw failure }
        return try DecoderProcess(program, configuration.arguments(for: formats), for: formats)
    }

    /// Takes note of processes that were started ahead and have failed to start.
    func recordEndedStarts() {
        for process in pool.takeEnded() {
            guard let failure = process.startFailure else { continue }
            record(process) { $0.add(failure, startingFor: process.startFormats, ahead: true, at: now()) }
        }
    }

    /// Changes what is known of the program of a process, unless another file has replaced that.
    @discardableResult
    private func record<Result>(
        _ process: DecoderProcess, _ change: (inout ProgramRecord) -> Result
    ) -> Result? {
        state.withLock { state in
            state.record.identity == process.program.identity ? change(&state.record) : nil
        }
    }

    /// Has processes started for this format too. Throws where that makes no sense.
    func want(_ format: ImageFormat) throws(ImageError) {
        let isRuledOut = state.withLock { $0.record.isRuledOut(format, at: now()) }
        guard !isRuledOut else { throw Self.unusableError(format) }
        guard decodes(format) else { throw ImageError(.unsupportedFormat, format.rawValue) }
        state.withLock { _ = $0.wantedFormats.insert(format) }
    }

    /// One that waits, or a new one, that can decode the format.
    func readyProcess(
        _ program: ProgramFile, for format: ImageFormat, fresh: Bool, until end: ContinuousClock.Instant
    ) throws(ImageError) -> DecoderProcess {
        recordEndedStarts()
        let (process, greeting) = try startedProcess(program, for: format, fresh: fresh, until: end)
        do throws(ImageError) {
            try check(greeting, of: process, for: format)
            return process
        } catch {
            pool.putBack(process)
            throw error
        }
    }

    private func startedProcess(
        _ program: ProgramFile, for format: ImageFormat, fresh: Bool, until end: ContinuousClock.Instant
    ) throws(ImageError) -> (DecoderProcess, DecoderGreeting) {
        do throws(StartFailure) {
            let process = try pool.take(for: format, fresh: fresh) {
                () throws(StartFailure) in try start(program, for: format)
            }
            return (process, try greeting(of: process, until: end))
        } catch {
            // The codec of another format may have failed to load. A late process leaves no time
            // for another one.
            guard error != .late, wantNone(but: format) else { throw self.error(of: error) }
        }
        return try startedProcess(program, for: format, fresh: true, until: end)
    }

    private func greeting(
        of process: DecoderProcess, until end: ContinuousClock.Instant
    ) throws(StartFailure) -> DecoderGreeting {
        let formats = process.startFormats
        do throws(StartFailure) {
            let greeting = try process.ready(until: end)
            record(process) {
                $0.addStart(for: formats)
                $0.addFound(greeting.formats)
            }
            return greeting
        } catch {
            pool.drop()
            record(process) { $0.add(error, startingFor: formats, ahead: false, at: now()) }
            throw error
        }
    }

    /// Has processes started for one format and the first ones alone; whether that is a change.
    private func wantNone(but format: ImageFormat) -> Bool {
        state.withLock { state in
            let few = Self.firstFormats.union([format])
            defer { state.wantedFormats = few }
            return state.wantedFormats != few
        }
    }

    private func error(of failure: StartFailure) -> ImageError {
        let reason =
            switch failure {
            case .reason(let text): text
            case .violation(let systemCall): "it made the forbidden system call \(SystemCall(number: systemCall))"
            case .late: "it took too long"
            }
        configuration.logger.debug("\(DecoderLocation.name) does not start: \(reason)")
        return ImageError(.io, "\(DecoderLocation.name) does not start: \(reason)")
    }

    /// Throws where the process cannot be used for this format.
    private func check(
        _ greeting: DecoderGreeting, of process: DecoderProcess, for format: ImageFormat
    ) throws(ImageError) {
        // A sanitizer's runtime cannot be confined.
        if !greeting.isConfined, platform_is_sanitized() == 0 {
            guard !configuration.isRequired else {
                throw ImageError(.io, "this kernel cannot filter the system calls of \(DecoderLocation.name)")
            }
            let isFirst = state.withLock { state in
                defer { state.hasToldConfinement = true }
                return !state.hasToldConfinement
            }
            if isFirst {
                configuration.logger.warning("\(DecoderLocation.name) runs without a filter of system calls")
            }
        }
        guard greeting.formats.contains(format) else {
            ruleOut(format) { record(process) { $0.addMissing(format, at: now()) } }
            throw Self.unusableError(format)
        }
    }

    // MARK: Tests

    /// How the tests of a process went.
    enum Tested {
        case ready
        /// The test of a format that the image does not need ended it. Processes are started
        /// without that format from now on.
        case endedByAnotherFormat
        case interrupted(DecoderProcess.Outcome)
    }

    /// Has a process that has had no image test the format and those of its formats that no process
    /// has tested. Throws where the format fails.
    func test(
        _ process: DecoderProcess, for format: ImageFormat, until end: ContinuousClock.Instant
    ) throws(ImageError) -> Tested {
        // The format itself is tested by each process: a crash on the image is then none of the
        // codec on this system.
        let untested = state.withLock { $0.record.untested(process.formats) }.subtracting([format])
        for candidate in [format] + ImageFormat.allCases.filter(untested.contains) {
            // The test of another format must not take all the time of the image.
            let time = candidate == format ? .seconds(3600) : (end - .now) / 4
            guard time > .milliseconds(250) else { continue }
            let limit = min(configuration.testLimit, time)
            switch process.test(candidate, limit: limit, until: end) {
            case .usable: record(process) { $0.addUsable(candidate) }
            case .interrupted(let outcome): return .interrupted(outcome)
            case .unusable(let reason, let outcome):
                configuration.logger.debug("the test of \(candidate.rawValue) \(reason)")
                ruleOut(candidate) { record(process) { $0.addUnusable(candidate, at: now()) } }
                if candidate == format {
                    if outcome == nil { pool.putBack(process) } else { pool.drop() }
                    throw Self.unusableError(format)
                }
                guard outcome == nil else {
                    pool.drop()
                    return .endedByAnotherFormat
                }
            }
        }
        return .ready
    }

    /// Has no processes started for a format, which the log says where `note` says that it is news.
    private func ruleOut(_ format: ImageFormat, _ note: () -> Bool?) {
        let isNews = note() ?? false
        state.withLock { _ = $0.wantedFormats.remove(format) }
        if isNews { configuration.logger.warning("\(Self.unusableText(format))") }
    }

    private static func unusableText(_ format: ImageFormat) -> String {
        "\(DecoderLocation.name) cannot decode \(format.rawValue) on this system"
    }

    private static func unusableError(_ format: ImageFormat) -> ImageError {
        // Not `unsupportedFormat`, for which a pipeline deletes stored data.
        ImageError(.io, unusableText(format))
    }
}
