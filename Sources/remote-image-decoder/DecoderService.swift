// What the decoder process does all day.

import CPlatform
import Glibc
import RemoteImagePixbuf

/// Decodes pictures that come over a socket, one after the other.
struct DecoderService {
    static let socket: Int32 = 3

    /// It leaves after a picture by which it has used more, long before the limit that would end it in the middle of one.
    let maxProcessorSeconds: Double
    let idleMilliseconds: Int32
    private let decoders = DecoderRegistry(.standard())

    init(maxProcessorSeconds: Double, idleMilliseconds: Int32) {
        self.maxProcessorSeconds = maxProcessorSeconds
        self.idleMilliseconds = idleMilliseconds
    }

    /// Decodes a GIF of one pixel.
    @discardableResult
    func tryOut() -> Bool {
        let picture: [UInt8] = [
            0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 1, 0, 1, 0, 0x80, 0, 0, 255, 0, 0, 0, 0, 0, 0x2C, 0, 0, 0, 0, 1, 0, 1,
            0,
            0, 2, 2, 0x44, 1, 0, 0x3B,
        ]
        guard let header = try? ImageHeader.read(picture), decoders.formats.contains(.gif) else { return true }
        return (try? decoders.decode(picture, DecodeRequest(header: header))) != nil
    }

    func run(isConfined: Bool) {
        guard answer(DecoderGreeting(isConfined: isConfined).message, nil) else { return }
        var buffer = [UInt8](repeating: 0, count: DecoderMessage.maxByteCount)
        while platform_process_cpu_seconds() < maxProcessorSeconds {
            var event = pollfd(fd: Self.socket, events: Int16(POLLIN), revents: 0)
            let ready = poll(&event, 1, idleMilliseconds)
            if ready < 0, errno == EINTR { continue }
            guard ready > 0 else { return }
            var descriptor: Int32 = -1
            let count = platform_receive_message(Self.socket, &buffer, buffer.count, &descriptor)
            guard count > 0, descriptor >= 0, let question = DecoderQuestion(buffer[..<count]) else { return }
            guard decode(question, MemoryFile(descriptor: descriptor)) else { return }
        }
    }

    /// Whether the answer went out.
    private func decode(_ question: DecoderQuestion, _ file: consuming MemoryFile) -> Bool {
        do throws(ImageError) {
            guard let bytes = file.read(question.byteCount) else { throw ImageError(.corrupt, "bytes are missing") }
            let image = try decoders.decode(bytes, question.request)
            let pixels = try MemoryFile(sealing: image.pixels)
            let message = DecoderAnswer.pixels(
                decoded: image.pixels.size, format: image.pixels.format, size: image.size, frameCount: image.frameCount
            ).message
            return answer(message, pixels.descriptor)
        } catch {
            return answer(DecoderAnswer.failure(error).message, nil)
        }
    }

    private func answer(_ message: [UInt8], _ descriptor: Int32?) -> Bool {
        platform_send_message(Self.socket, message, message.count, descriptor ?? -1) == 0
    }
}
