// The application's side of one decoder process.

import CRemoteImagePlatform
import Glibc

/// Owns a running decoder process, the socket to it, and the shared memory. Releasing this object
/// ends the process.
final class DecoderProcess: @unchecked Sendable {
    // Unchecked: only the thread that has taken the process from `DecoderPool` uses the mutable
    // state; the pool passes it between threads under its lock.

    /// The result of sending an image, or some frames of an animation, to a process.
    enum Outcome {
        case answered(Result<[DecodedImage], ImageError>)
        /// The signal of a crash ended the process.
        case crashed
        /// The process reached the limit of its processor time.
        case exceededTime
        /// The process exited, the system had no memory for it (`SIGBUS`), or `SIGKILL` or
        /// `SIGTERM` ended it from outside.
        case ended
        /// The process made a forbidden system call.
        case violated(systemCall: Int)
        case hung
        case invalidAnswer
        /// The pixels need more memory than was offered, this many bytes.
        case needsMemory(Int)
    }

    private enum Stage {
        case starting
        case ready(DecoderGreeting)
    }

    /// The size of the kept memory, 2 MiB: enough for a photograph and its pixels at screen size.
    /// Larger images use separate memory, whose pixels are not copied.
    static let keptByteCount = 2 << 20

    let program: ProgramFile
    /// The formats that the process was started for.
    let startFormats: Set<ImageFormat>
    /// The formats that the process decodes: first the formats of its start, then those of its
    /// greeting, without formats whose test failed.
    private(set) var formats: Set<ImageFormat>
    /// Whether the process has received an image, which may have compromised it.
    var hasHadImage = false
    let started: ContinuousClock.Instant
    /// When the process began to wait for an image.
    var idleSince: ContinuousClock.Instant
    var kept: SharedMapping?
    let socket: Int32

    private let life: ChildLife
    private var stage = Stage.starting

    /// Starts a process without waiting until it is ready.
    ///
    /// - Parameter ended: Called on another thread after the process has ended.
    init(
        _ program: ProgramFile, _ arguments: [String], for formats: Set<ImageFormat>,
        at now: ContinuousClock.Instant = .now, ended: @escaping @Sendable () -> Void = {}
    ) throws(StartFailure) {
        (self.program, startFormats, self.formats) = (program, formats, formats)
        (started, idleSince) = (now, now)
        var pair: [Int32] = [-1, -1]
        let kind = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &pair) == 0 else { throw StartFailure(errorNumber: errno) }
        // A process that no longer reads must not block the application.
        _ = fcntl(pair[0], F_SETFL, O_NONBLOCK)
        do throws(StartFailure) {
            life = try ChildLife(
                program.path, arguments, environment: IsolatedDecoder.environmentNames(for: formats), socket: pair[1],
                ended: ended)
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

    /// The process id; `nil` before the process has started and after it has ended.
    var process: pid_t? { life.process }

    /// Whether the process has ended or could not be started.
    var hasEnded: Bool { life.hasEnded }

    // MARK: The start

    /// Waits until the process is ready and returns its greeting.
    func ready(until deadline: ContinuousClock.Instant) throws(StartFailure) -> DecoderGreeting {
        if case .ready(let greeting) = stage { return greeting }
        let greeting = try receiveGreeting(until: deadline)
        stage = .ready(greeting)
        formats = greeting.formats
        return greeting
    }

    /// Whether system calls are filtered; `false` before the process is ready.
    var isConfined: Bool { if case .ready(let greeting) = stage { greeting.isConfined } else { false } }

    /// The reason why the process ended before it was ready; `nil` if it was ready or still runs.
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
        case .message(let message, _):
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
            guard status >= 256 else { throw .reason("it ended with status \(status)") }
            let (signal, text) = (status - 256, "signal \(status - 256) ended it")
            throw Self.isFromOutside(signal) ? .transient(text) : .reason(text)
        }
    }

    // MARK: The test of a format

    /// The result of testing a format.
    enum TestResult {
        case usable
        /// The test failed. `process` is the end of the process; `nil` if it still runs.
        case unusable(reason: String, process: Outcome?)
        /// The process was ended from outside, or the deadline of the image has passed.
        case interrupted(Outcome)
    }

    /// Makes the process decode its test image of a format. Allowed only before its first image,
    /// since a compromised process could disable a format for all other images.
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
        case .message(let message, let hadFile):
            if !hadFile, let isDecoded = DecoderTest.isDecoded(message[...]) {
                return isDecoded ? .usable : .unusable(reason: "failed", process: nil)
            }
            if case .violation(let call) = DecoderAnswer(message[...]) {
                let reason = "made the forbidden system call \(String.systemCall(call))"
                return .unusable(reason: reason, process: .violated(systemCall: call))
            }
        }
        return .unusable(reason: "got no valid answer", process: .invalidAnswer)
    }

    private func testEnd() -> TestResult {
        let outcome = end()
        switch life.exitStatus(within: 0) {
        // An idle process exits with 0; a library caused any other status.
        case nil, 0, 256 + SIGKILL, 256 + SIGTERM: return .interrupted(outcome)
        case .some(let status) where status < 256:
            return .unusable(reason: "exited with status \(status)", process: outcome)
        default: return .unusable(reason: "ended the process", process: outcome)
        }
    }

    // MARK: The end and messages

    /// The outcome for a process whose socket is closed.
    func end() -> Outcome {
        // A process whose socket is closed has ended or is about to.
        let status = life.exitStatus(within: 2)
        let signal = (status ?? 0) - 256
        guard signal > 0 else { return .ended }
        return switch signal {
        case _ where Self.isFromOutside(signal): .ended
        case SIGXCPU: .exceededTime
        default: .crashed
        }
    }

    /// Whether the process did not cause the signal that ended it: another process sent it, or the
    /// system had no memory (`SIGBUS`).
    private static func isFromOutside(_ signal: Int32) -> Bool { [SIGKILL, SIGTERM, SIGBUS].contains(signal) }

    enum Received {
        /// A file that was attached to the message is closed: only the application may send memory.
        case message([UInt8], hadFile: Bool)
        case closed, late, malformed
    }

    func receive(until deadline: ContinuousClock.Instant) -> Received {
        while true {
            let left = max(.zero, deadline - .now)
            var event = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            let milliseconds = left / .milliseconds(1) + 1
            let count = poll(&event, 1, Int32(min(Double(Int32.max), milliseconds)))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return .malformed }
            guard count > 0 else {
                if deadline <= .now { return .late }
                continue
            }
            var buffer = [UInt8](repeating: 0, count: DecoderMessage.maxByteCount)
            var file: Int32 = -1
            let length = platform_receive_message(socket, &buffer, buffer.count, &file)
            if length < 0, errno == EAGAIN { continue }
            if length < 0 { return errno == EBADMSG ? .malformed : .closed }
            guard length > 0 else { return .closed }
            if file >= 0 { close(file) }
            return .message(Array(buffer[..<length]), hadFile: file >= 0)
        }
    }
}
