// One decoder process, as its user sees it.

import CPlatform
import Glibc

/// Owns a running decoder process and the socket to it. Used by one thread at a time; the process ends with it.
final class DecoderProcess: Sendable {
    /// How an image went.
    enum Outcome {
        case answered(Result<DecodedImage, ImageError>)
        /// It ended while it had the picture. `isItsOwnDoing` where a signal says that it crashed or took too much, and
        /// not that somebody ended it.
        case ended(isItsOwnDoing: Bool)
        case hung
        /// It said something that is no answer.
        case lied
    }

    private let life: ChildLife
    private let socket: Int32
    /// Whether its system calls are filtered.
    let isConfined: Bool

    /// Starts one and waits until it is ready.
    init(_ path: String, _ configuration: IsolatedDecoder.Configuration) throws(StartFailure) {
        var pair: [Int32] = [-1, -1]
        let kind = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &pair) == 0 else { throw .ofTheMoment }
        let life: ChildLife
        do throws(StartFailure) {
            // Else its end would not be seen here.
            defer { close(pair[1]) }
            life = try ChildLife(path, configuration.arguments, socket: pair[1])
        } catch {
            close(pair[0])
            throw error
        }
        self.life = life
        socket = pair[0]
        let greeting = Result { () throws(StartFailure) in
            try Self.greeting(on: pair[0], of: life, until: .now + configuration.deadline)
        }
        isConfined = (try? greeting.get())?.isConfined ?? false
        // All is set by now: what was started ends with this object.
        _ = try greeting.get()
    }

    private static func greeting(
        on socket: Int32, of life: ChildLife, until deadline: ContinuousClock.Instant
    ) throws(StartFailure) -> DecoderGreeting {
        switch receive(socket, until: deadline) {
        case .message(let message, let file):
            if file >= 0 { close(file) }
            guard let greeting = DecoderGreeting(message[...]) else { throw .unusable }
            return greeting
        case .nonsense: throw .unusable
        case .late: throw .ofTheMoment
        case .nobody:
            // Somebody may have ended it; one that leaves by itself does so again.
            let status = life.exitStatus(within: 2) ?? 256 + SIGKILL
            throw [SIGKILL, SIGTERM].contains(status - 256) ? .ofTheMoment : .unusable
        }
    }

    deinit {
        life.kill()
        close(socket)
    }

    /// Its number; nil once it has ended.
    var process: pid_t? { life.process }

    func decode(_ bytes: [UInt8], _ request: DecodeRequest, until deadline: ContinuousClock.Instant) -> Outcome {
        do throws(ImageError) {
            let file = try MemoryFile(sealing: bytes)
            let message = DecoderQuestion(byteCount: bytes.count, request: request).message
            guard platform_send_message(socket, message, message.count, file.descriptor) == 0 else { return end() }
        } catch {
            return .answered(.failure(error))
        }
        switch Self.receive(socket, until: deadline) {
        case .nobody: return end()
        case .late: return .hung
        case .nonsense: return .lied
        case .message(let message, let descriptor):
            let file = MemoryFile(descriptor: descriptor)
            switch DecoderAnswer(message[...]) {
            case nil: return .lied
            case .failure(let error): return .answered(.failure(error))
            case .pixels(let decoded, let format, let size, let frameCount):
                // The same limits as for a header: a process that was taken over says what it likes.
                guard (try? request.limits.check(size)) != nil, decoded.width <= size.width,
                    decoded.height <= size.height, let pixels = file.pixels(size: decoded, format: format)
                else { return .lied }
                return .answered(
                    .success(DecodedImage(pixels: pixels, size: size, frameCount: max(1, min(10_000, frameCount)))))
            }
        }
    }

    /// It has gone: why?
    private func end() -> Outcome {
        // A process whose socket is closed has ended or is about to.
        let status = life.exitStatus(within: 2)
        let signal = (status ?? 0) - 256
        return .ended(isItsOwnDoing: signal > 0 && signal != SIGKILL && signal != SIGTERM)
    }

    private enum Received {
        case message([UInt8], file: Int32)
        case nobody, late, nonsense
    }

    private static func receive(_ socket: Int32, until deadline: ContinuousClock.Instant) -> Received {
        while true {
            let left = max(.zero, deadline - .now)
            var event = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            let count = poll(&event, 1, Int32(clamping: Int(left / .milliseconds(1)) + 1))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return .nonsense }
            guard count > 0 else {
                if deadline <= .now { return .late }
                continue
            }
            var buffer = [UInt8](repeating: 0, count: DecoderMessage.maxByteCount)
            var file: Int32 = -1
            let length = platform_receive_message(socket, &buffer, buffer.count, &file)
            if length < 0 { return errno == EBADMSG ? .nonsense : .nobody }
            guard length > 0 else { return .nobody }
            return .message(Array(buffer[..<length]), file: file)
        }
    }
}
