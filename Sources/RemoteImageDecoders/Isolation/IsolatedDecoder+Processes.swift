// Finds the decoder program, and starts, checks and tests its processes.

import CRemoteImagePlatform
import Glibc

extension IsolatedDecoder {
    /// The decoder program; `nil` if it is not installed, which is logged once. A package upgrade
    /// may remove the program for a moment, so a program that was found once is returned even if it
    /// is missing now: images are then never decoded in the calling process.
    func program() -> ProgramFile? {
        let known = state.withLock { $0.program }
        if case .found(let program) = known {
            if program.isUnchanged { return program }
            let file = ProgramFile(program.path)
            if file.version != nil { return found(file) }
        }
        if let path = DecoderLocation.find(given: configuration.path) { return found(ProgramFile(path)) }
        if case .found(let program) = known { return ProgramFile(program.path) }
        let isMissed = state.withLock { state in
            defer { if state.program == nil { state.program = .missing } }
            return state.program == nil
        }
        guard isMissed else { return nil }
        let consequence = configuration.fallsBack ? ": images are decoded in this process" : ""
        if configuration.path == nil, let program = DecoderLocation.replaceableProgram {
            configuration.logger.warning("\(program) is not used, since other users can replace it\(consequence)")
        } else if configuration.fallsBack {
            configuration.logger.notice("\(DecoderLocation.name) is not installed\(consequence)")
        }
        return nil
    }

    private func found(_ file: ProgramFile) -> ProgramFile {
        state.withLock { state in
            state.program = .found(file)
            // A file that was removed in the meantime has no version.
            if let version = file.version, state.record.version != version {
                state.record = ProgramRecord(version)
            }
        }
        return file
    }

    /// Starts a process. Throws the last failure during the pause after a failed start.
    ///
    /// - Parameter format: The format of the image; `nil` for a process that is started ahead.
    func start(_ program: ProgramFile, for format: ImageFormat?) throws(StartFailure) -> DecoderProcess {
        guard DecoderLocation.isProgram(program.path) else { throw .reason("\(program.path) was removed") }
        let (formats, failure) = state.withLock { state in
            let now = now()
            let formats = state.startFormats(for: format, at: now)
            return (formats, state.record.failure(startingFor: formats, ahead: format == nil, at: now))
        }
        if let failure { throw failure }
        return try DecoderProcess(program, configuration.arguments(for: formats), for: formats, at: now()) {
            [weak pool] in pool?.releaseEnded()
        }
    }

    /// Records the failures of processes that were started ahead.
    func recordEndedStarts() {
        for process in pool.takeEnded() {
            guard let failure = process.startFailure else { continue }
            record(process) { $0.add(failure, startingFor: process.startFormats, ahead: true, at: now()) }
        }
    }

    /// Changes the record of the program of a process, unless the program file was replaced.
    @discardableResult
    private func record<Result>(
        _ process: DecoderProcess, _ change: (inout ProgramRecord) -> Result
    ) -> Result? {
        state.withLock { state in
            state.record.version == process.program.version ? change(&state.record) : nil
        }
    }

    /// Adds a format to those that processes are started for. Throws if the format is ruled out or
    /// not supported.
    func want(_ format: ImageFormat) throws(ImageError) {
        let isRuledOut = state.withLock { $0.record.isRuledOut(format, at: now()) }
        guard !isRuledOut else { throw Self.unusableError(format) }
        guard decodes(format) else { throw ImageError(.unsupportedFormat, format.rawValue) }
        state.withLock { _ = $0.wantedFormats.insert(format) }
    }

    /// Returns a waiting or new process that can decode the format.
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
            // The codec of another format may have failed to load. After a late process, there is
            // no time for another one.
            guard error != .late, wantNone(but: format) else { throw self.error(of: error, for: format) }
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

    /// Reduces the formats that processes are started for to `format` and the first ones. Returns
    /// whether that is a change.
    private func wantNone(but format: ImageFormat) -> Bool {
        state.withLock { state in
            let few = firstFormats.union([format])
            defer { state.wantedFormats = few }
            return state.wantedFormats != few
        }
    }

    private func error(of failure: StartFailure, for format: ImageFormat) -> ImageError {
        let reason =
            switch failure {
            case .reason(let text), .transient(let text): text
            case .violation(let systemCall): "it made the forbidden system call \(String.systemCall(systemCall))"
            case .late: "it took too long"
            }
        configuration.logger.debug("\(DecoderLocation.name) does not start: \(reason)")
        var error = ImageError(.io, "\(DecoderLocation.name) does not start: \(reason)")
        if case .transient = failure {
            error.retryDelay = state.withLock { state in
                let now = now()
                let pause = state.record.pause(startingFor: state.startFormats(for: format, at: now), at: now)
                return max(pause, RetryPause.shortest)
            }
        }
        return error
    }

    /// Throws if the process cannot be used for this format.
    private func check(
        _ greeting: DecoderGreeting, of process: DecoderProcess, for format: ImageFormat
    ) throws(ImageError) {
        // The runtime of a sanitizer cannot be confined.
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

    /// Makes a process without earlier images test the format, and those of its other formats that
    /// no process has tested. Throws if the test of the format fails.
    ///
    /// - Returns: `.unusable` if the test of another format ended the process. New processes are
    ///   started without that format.
    func test(
        _ process: DecoderProcess, for format: ImageFormat, until end: ContinuousClock.Instant
    ) throws(ImageError) -> DecoderProcess.TestResult {
        // Each process tests the format itself, so that a later crash is caused by the image and
        // not by the installed codec.
        let untested = state.withLock { $0.record.untested(process.formats) }.subtracting([format])
        for candidate in [format] + ImageFormat.allCases.filter(untested.contains) {
            // The test of another format must not use up the time of the image.
            let time = candidate == format ? .seconds(3600) : (end - .now) / 4
            guard time > .milliseconds(250) else { continue }
            let limit = min(configuration.testLimit, time)
            let result = process.test(candidate, limit: limit, until: end)
            switch result {
            case .usable: record(process) { $0.addUsable(candidate) }
            case .interrupted: return result
            case .unusable(let reason, let outcome):
                configuration.logger.debug("the test of \(candidate.rawValue) \(reason)")
                ruleOut(candidate) { record(process) { $0.addUnusable(candidate, at: now()) } }
                if candidate == format {
                    if outcome == nil { pool.putBack(process) } else { pool.drop() }
                    throw Self.unusableError(format)
                }
                guard outcome == nil else {
                    pool.drop()
                    return result
                }
            }
        }
        return .usable
    }

    /// Stops starting processes for a format, and logs that if `note` returns that it is news.
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
