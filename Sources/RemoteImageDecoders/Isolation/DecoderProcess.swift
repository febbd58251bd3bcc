// One decoder process, as its application sees it.

import CPlatform
import Glibc

/// Owns a running decoder process, the socket to it, and memory that both share. The process ends with it.
final class DecoderProcess: @unchecked Sendable {
    // Unchecked: `stage`, `hasDecoded` and `kept` belong to the one thread that decodes with the process; `DecoderPool` hands it from
    // thread to thread under its lock.

    /// How an image went.
    enum Outcome {
        case answered(Result<DecodedImage, ImageError>)
        /// It ended while it had the image. `isItsOwnDoing` after a signal that a crash or a limit caused, and
        /// not a signal from another process.
        case ended(isItsOwnDoing: Bool)
        /// It made a system call that is not allowed; `testing` a format, or for the image itself.
        case violated(systemCall: Int, testing: ImageFormat?)
        /// It cannot decode the test image of the format.
        case unusable
        case hung
        /// It said something that is no answer.
        case lied
    }

    private enum Stage {
        case starting
        case ready(DecoderGreeting)
    }

    /// The memory that is kept: room for a photograph and the pixels that a screen shows of it. What is larger has memory of
    /// its own, which is used without a copy.
    static let keptByteCount = 2 << 20

    /// The formats that it was started for.
    let formats: Set<ImageFormat>

    private let life: ChildLife
    private let socket: Int32
    private var stage = Stage.starting
    /// Whether it has answered for an image.
    private(set) var hasDecoded = false
    private var kept: SharedMapping?

    /// Starts one, without waiting until it is ready.
    init(_ path: String, _ arguments: [String], for formats: Set<ImageFormat>) throws(StartFailure) {
        self.formats = formats
        var pair: [Int32] = [-1, -1]
        let kind = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &pair) == 0 else { throw StartFailure(errorNumber: errno) }
        do throws(StartFailure) {
            life = try ChildLife(path, arguments, socket: pair[1])
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
        return greeting
    }

    private static let otherVersion = "it is of another version than this program, which has to be restarted"

    private func receiveGreeting(until deadline: ContinuousClock.Instant) throws(StartFailure) -> DecoderGreeting {
        switch receive(until: deadline) {
        case .message(let message, let file):
            if file >= 0 { close(file) }
            if let greeting = DecoderGreeting(message[...]), greeting.formats.isSubset(of: formats) { return greeting }
            if case .violation(let call, _) = DecoderAnswer(message[...]) { throw .violation(systemCall: call) }
            throw .reason(
                DecoderGreeting.isOfAnotherVersion(message[...]) ? Self.otherVersion : "it gave no valid greeting")
        case .malformed: throw .reason("it gave no valid greeting")
        case .late: throw .reason("it took too long")
        case .closed:
            if let failure = life.startFailure { throw failure }
            guard let status = life.exitStatus(within: 2) else { throw .reason("it closed its connection") }
            // The program rejected the arguments: it is another version.
            guard status != EX_USAGE else { throw .reason(Self.otherVersion) }
            throw .reason(status < 256 ? "it ended with status \(status)" : "signal \(status - 256) ended it")
        }
    }

    // MARK: An image

    func decode(
        _ bytes: [UInt8], _ request: DecodeRequest, isBeginning: Bool, until deadline: ContinuousClock.Instant
    ) -> Outcome {
        defer { hasDecoded = true }
        let offset = ExchangeLayout.pixelOffset(bytes.count)
        let expected = request.expectedPixelByteCount
        if offset + expected <= Self.keptByteCount {
            let answer = askInKeptMemory(bytes, request, isBeginning, until: deadline)
            guard case .needsMemory(let byteCount) = answer else { return outcome(answer) }
            return decodeOnce(bytes, request, isBeginning, pixelByteCount: byteCount, until: deadline)
        }
        return decodeOnce(bytes, request, isBeginning, pixelByteCount: expected, until: deadline)
    }

    private func decodeOnce(
        _ bytes: [UInt8], _ request: DecodeRequest, _ isBeginning: Bool, pixelByteCount: Int,
        until deadline: ContinuousClock.Instant
    ) -> Outcome {
        guard pixelByteCount <= request.limits.maxDecodedByteCount else { return .lied }
        let answer = askInOwnMemory(bytes, request, isBeginning, pixelByteCount, until: deadline)
        // A decoder may see another size than the reading of the header.
        guard case .needsMemory(let needed) = answer, needed > pixelByteCount,
            needed <= request.limits.maxDecodedByteCount
        else { return outcome(answer) }
        return outcome(askInOwnMemory(bytes, request, isBeginning, needed, until: deadline))
    }

    private enum Reply {
        case done(Outcome)
        case needsMemory(Int)
    }

    private func outcome(_ reply: Reply) -> Outcome {
        if case .done(let outcome) = reply { outcome } else { .lied }
    }

    private func askInKeptMemory(
        _ bytes: [UInt8], _ request: DecodeRequest, _ isBeginning: Bool, until deadline: ContinuousClock.Instant
    ) -> Reply {
        let isSent: Bool
        do throws(ImageError) {
            if kept == nil {
                let file = try MemoryFile(byteCount: Self.keptByteCount)
                kept = SharedMapping(file)
                guard kept != nil else { throw ImageError(.io, "no address space for an image") }
                place(bytes)
                isSent = send(bytes, request, isBeginning, .attachedToKeep, file.descriptor)
            } else {
                place(bytes)
                isSent = send(bytes, request, isBeginning, .kept, -1)
            }
        } catch {
            return .done(.answered(.failure(error)))
        }
        guard isSent else { return .done(end()) }
        return reply(request, until: deadline) { decoded, format in
            kept?.copyOfPixels(at: ExchangeLayout.pixelOffset(bytes.count), size: decoded, format: format)
        }
    }

    private func place(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { kept?.bytes(from: 0).copyMemory(from: $0) }
    }

    private func askInOwnMemory(
        _ bytes: [UInt8], _ request: DecodeRequest, _ isBeginning: Bool, _ pixelByteCount: Int,
        until deadline: ContinuousClock.Instant
    ) -> Reply {
        let offset = ExchangeLayout.pixelOffset(bytes.count)
        do throws(ImageError) {
            let file = try MemoryFile(byteCount: offset + pixelByteCount)
            try file.write(bytes)
            guard send(bytes, request, isBeginning, .attachedOnce, file.descriptor) else { return .done(end()) }
            return reply(request, until: deadline) { decoded, format in
                file.sealedPixels(at: offset, size: decoded, format: format)
            }
        } catch {
            return .done(.answered(.failure(error)))
        }
    }

    private func send(
        _ bytes: [UInt8], _ request: DecodeRequest, _ isBeginning: Bool, _ memory: DecoderQuestion.Memory,
        _ descriptor: Int32
    ) -> Bool {
        let question = DecoderQuestion(
            memory: memory, byteCount: bytes.count, isBeginning: isBeginning, request: request)
        let message = question.message
        return platform_send_message(socket, message, message.count, descriptor) == 0
    }

    private func reply(
        _ request: DecodeRequest, until deadline: ContinuousClock.Instant,
        pixels: (PixelSize, PixelFormat) -> PixelBuffer?
    ) -> Reply {
        switch receive(until: deadline) {
        case .closed: return .done(end())
        case .late: return .done(.hung)
        case .malformed: return .done(.lied)
        case .message(let message, let descriptor):
            // Memory goes the other way.
            if descriptor >= 0 {
                close(descriptor)
                return .done(.lied)
            }
            switch DecoderAnswer(message[...]) {
            case nil: return .done(.lied)
            case .failure(let error): return .done(.answered(.failure(error)))
            case .unusable: return .done(.unusable)
            case .violation(let systemCall, let format):
                return .done(.violated(systemCall: systemCall, testing: format))
            case .needsMemory(let byteCount): return .needsMemory(byteCount)
            case .pixels(let decoded, let format, let size, let frameCount, let decoder, let timing):
                // The same limits as for a header: a process that was taken over says what it likes.
                guard (try? request.limits.check(size)) != nil, decoded.width <= size.width,
                    decoded.height <= size.height, let pixels = pixels(decoded, format)
                else { return .done(.lied) }
                var image = DecodedImage(pixels: pixels, size: size, frameCount: max(1, min(10_000, frameCount)))
                image.decoder = decoder
                image.timing = timing
                if case .ready(let greeting) = stage {
                    image.isIsolated = greeting.isConfined || platform_is_sanitized() != 0
                }
                return .done(.answered(.success(image)))
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
        case closed, late, malformed
    }

    private func receive(until deadline: ContinuousClock.Instant) -> Received {
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

extension DecodeRequest {
    /// Bytes of the pixels that a decoder makes, as far as the header tells.
    var expectedPixelByteCount: Int {
        let drawn = target?.drawnSize(of: header.size) ?? header.size
        let made = header.format == .jpeg ? JPEGScale.smallest(of: header.size, notBelow: drawn).size : drawn
        return min(made.pixelCount, 1 << 40) * (header.format == .jpeg ? 3 : 4)
    }
}
