// One decoder process, as its application sees it.

import CPlatform
import Glibc

/// Owns a running decoder process, the socket to it, and memory that both share. The process ends
/// with it.
final class DecoderProcess: @unchecked Sendable {
    // Unchecked: what changes belongs to the one thread that uses the process; `DecoderPool` hands
    // it from thread to thread under its lock.

    /// How an image went.
    enum Outcome {
        case answered(Result<DecodedImage, ImageError>)
        /// It ended while it had the image. `isItsOwnDoing` after a signal that a crash or a limit
        /// caused, and not a signal from another process.
        case ended(isItsOwnDoing: Bool)
        /// It made a system call that is not allowed.
        case violated(systemCall: Int)
        case hung
        /// It said something that is no answer.
        case lied
    }

    private enum Stage {
        case starting
        case ready(DecoderGreeting)
    }

    /// The memory that is kept: room for a photograph and the pixels that a screen shows of it.
    /// What is larger has memory of its own, which is used without a copy.
    static let keptByteCount = 2 << 20

    let program: ProgramFile
    /// The formats that it was started for.
    let startFormats: Set<ImageFormat>
    /// The formats that it decodes, as far as is known: those of its start, then those of its
    /// greeting without those whose test failed.
    private(set) var formats: Set<ImageFormat>
    /// Whether it has had an image, which may have taken it over.
    var hasHadImage = false
    var kept: SharedMapping?
    let socket: Int32

    private let life: ChildLife
    private var stage = Stage.starting

    /// Starts one, without waiting until it is ready.
    init(_ program: ProgramFile, _ arguments: [String], for formats: Set<ImageFormat>) throws(StartFailure) {
        (self.program, startFormats, self.formats) = (program, formats, formats)
        var pair: [Int32] = [-1, -1]
        let kind = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &pair) == 0 else { throw StartFailure(errorNumber: errno) }
        do throws(StartFailure) {
            life = try ChildLife(program.path, arguments, socket: pair[1])
        } catch {
            close(pair[0])
            throw error
        }
        socket = pair[0]
    }

    deinit {
        life.kill()
        close(socket)
    }

    /// Its number; nil while it is being started, and once it has ended.
    var process: pid_t? { life.process }

    /// Whether it has ended, or could not be started.
    var hasEnded: Bool { life.hasEnded }

    // MARK: The start

    /// Waits until it is ready, and says what it can do.
    func ready(until deadline: ContinuousClock.Instant) throws(StartFailure) -> DecoderGreeting {
        if case .ready(let greeting) = stage { return greeting }
        let greeting = try receiveGreeting(until: deadline)
        stage = .ready(greeting)
        formats = greeting.formats
        return greeting
    }

    /// Whether system calls are filtered; `false` before it is ready.
    var isConfined: Bool { if case .ready(let greeting) = stage { greeting.isConfined } else { false } }

    /// Why it ended before it was ready; `nil` where it was ready or still runs.
    var startFailure: StartFailure? {
        guard hasEnded else { return nil }
        if let failure = life.startFailure { return failure }
        do throws(StartFailure) {
            _ = try ready(until: .now)
            return nil
        } catch {
            return error
        }
    }

    private static let otherVersion = "it is of another version than this program, which has to be restarted"

    private func receiveGreeting(until deadline: ContinuousClock.Instant) throws(StartFailure) -> DecoderGreeting {
        switch receive(until: deadline) {
        case .message(let message, let file):
            if file >= 0 { close(file) }
            if let greeting = DecoderGreeting(message[...]), greeting.formats.isSubset(of: startFormats) {
                return greeting
            }
            if case .violation(let call) = DecoderAnswer(message[...]) { throw .violation(systemCall: call) }
            throw .reason(
                DecoderGreeting.isOfAnotherVersion(message[...]) ? Self.otherVersion : "it gave no valid greeting")
        case .malformed: throw .reason("it gave no valid greeting")
        case .late: throw .late
        case .closed:
            if let failure = life.startFailure { throw failure }
            guard let status = life.exitStatus(within: 2) else { throw .reason("it closed its connection") }
            // The program rejected the arguments: it is another version.
            guard status != EX_USAGE else { throw .reason(Self.otherVersion) }
            throw .reason(status < 256 ? "it ended with status \(status)" : "signal \(status - 256) ended it")
        }
    }

    // MARK: The test of a format

    /// How the test of a format went.
    enum TestResult {
        case usable
        /// `process` is how it ended, `nil` where it goes on.
        case unusable(reason: String, process: Outcome?)
        /// The process was ended from outside, or the image has no time left.
        case interrupted(Outcome)
    }

    /// Has the process decode its test image of a format. Asked before its first image only: one
    /// that an image has taken over could rule a format out for all others.
    ///
    /// - Parameter limit: The time after which the test has failed.
    func test(
        _ format: ImageFormat, limit: Duration, until deadline: ContinuousClock.Instant
    ) -> TestResult {
        precondition(!hasHadImage)
        let result = testResult(format, limit, deadline)
        if case .unusable = result { formats.remove(format) }
        return result
    }

    private func testResult(
        _ format: ImageFormat, _ limit: Duration, _ deadline: ContinuousClock.Instant
    ) -> TestResult {
        let message = DecoderTest(format).message
        guard platform_send_message(socket, message, message.count, -1) == 0 else { return testEnd() }
        let limitEnd = ContinuousClock.now + limit
        switch receive(until: min(limitEnd, deadline)) {
        case .closed: return testEnd()
        case .late:
            return limitEnd <= deadline ? .unusable(reason: "took too long", process: .hung) : .interrupted(.hung)
        case .malformed: break
        case .message(let message, let file):
            if file >= 0 { close(file) }
            if file < 0, let result = DecoderTestResult(message[...]) {
                return result.isDecoded ? .usable : .unusable(reason: "failed", process: nil)
            }
            if case .violation(let call) = DecoderAnswer(message[...]) {
                let reason = "made the forbidden system call \(SystemCall(number: call))"
                return .unusable(reason: reason, process: .violated(systemCall: call))
            }
        }
        return .unusable(reason: "got no valid answer", process: .lied)
    }

    private func testEnd() -> TestResult {
        let outcome = end()
        if case .ended(isItsOwnDoing: true) = outcome {
            return .unusable(reason: "ended the process", process: outcome)
        }
        // An idle process exits with 0; another status is that of a library.
        if let status = life.exitStatus(within: 0), (1...255).contains(status) {
            return .unusable(reason: "exited with status \(status)", process: outcome)
        }
        return .interrupted(outcome)
    }

    // MARK: The end and messages

    /// It has gone: why?
    func end() -> Outcome {
        // A process whose socket is closed has ended or is about to.
        let status = life.exitStatus(within: 2)
        let signal = (status ?? 0) - 256
        return .ended(isItsOwnDoing: signal > 0 && signal != SIGKILL && signal != SIGTERM)
    }

    enum Received {
        case message([UInt8], file: Int32)
        case closed, late, malformed
    }

    func receive(until deadline: ContinuousClock.Instant) -> Received {
        while true {
            let left = max(.zero, deadline - .now)
            var event = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            let count = poll(&event, 1, Int32(clamping: Int(left / .milliseconds(1)) + 1))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return .malformed }
            guard count > 0 else {
                if deadline <= .now { return .late }
                continue
            }
            var buffer = [UInt8](repeating: 0, count: DecoderMessage.maxByteCount)
            var file: Int32 = -1
            let length = platform_receive_message(socket, &buffer, buffer.count, &file)
            if length < 0 { return errno == EBADMSG ? .malformed : .closed }
            guard length > 0 else { return .closed }
            return .message(Array(buffer[..<length]), file: file)
        }
    }
}
