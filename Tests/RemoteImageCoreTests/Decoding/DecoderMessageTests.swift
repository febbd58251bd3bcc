import CPlatform
import Glibc
import RemoteImageDecoders
import RemoteImagePixbuf
import TestSupport
import Testing

/// What goes between a decoder process and its user, when one of them is not what it should be.
@Suite struct DecoderMessageTests {
    private let question = DecoderQuestion(
        byteCount: 12_345,
        request: DecodeRequest(
            header: ImageHeader(
                format: .webp, storedSize: PixelSize(width: 640, height: 480), orientation: .leftMirrored),
            target: TargetSize(PixelSize(width: 32, height: 24), fit: .cover)))
    private let answer = DecoderAnswer.pixels(
        decoded: PixelSize(width: 8, height: 6), format: .rgba8Premultiplied, size: PixelSize(width: 16, height: 12),
        frameCount: 7)

    @Test func `a question comes as it was asked`() throws {
        let read = try #require(DecoderQuestion(question.message[...]))
        #expect(read.byteCount == 12_345)
        #expect(read.request.header == question.request.header)
        #expect(read.request.target == question.request.target)
        #expect(read.request.limits.maxPixelCount == question.request.limits.maxPixelCount)
        #expect(read.request.limits.maxScanPixelCount == question.request.limits.maxScanPixelCount)
    }

    @Test func `an answer comes as it was given`() throws {
        guard case .pixels(let decoded, .rgba8Premultiplied, let size, 7) = DecoderAnswer(answer.message[...]) else {
            Issue.record("no answer"); return
        }
        #expect(decoded == PixelSize(width: 8, height: 6))
        #expect(size == PixelSize(width: 16, height: 12))
    }

    @Test func `a decoder can say of a picture what decoders say, and no more`() throws {
        for (said, heard) in [(ImageError.Code.unsupportedFormat, ImageError.Code.unsupportedFormat), (.tls, .corrupt)]
        {
            let message = DecoderAnswer.failure(ImageError(said, "why")).message
            guard case .failure(let error) = DecoderAnswer(message[...]) else { Issue.record("no answer"); return }
            #expect(error == ImageError(heard, "why"))
        }
    }

    @Test func `messages cut off or continued are none`() {
        for message in [question.message, answer.message, DecoderAnswer.failure(ImageError(.corrupt, "x")).message] {
            for count in 0..<message.count {
                #expect(DecoderQuestion(message[..<count]) == nil)
                #expect(DecoderAnswer(message[..<count]) == nil)
            }
            #expect(DecoderAnswer((message + [0])[...]) == nil)
            #expect(DecoderQuestion((message + [0])[...]) == nil)
        }
    }

    @Test func `damaged messages are refused or harmless`() {
        var random = SeededGenerator(seed: 5)
        for message in [question.message, answer.message, DecoderGreeting(isConfined: true).message] {
            for _ in 0..<3000 {
                var damaged = message
                for _ in 0..<Int.random(in: 1...3, using: &random) {
                    damaged[Int.random(in: 0..<damaged.count, using: &random)] = .random(in: 0...255, using: &random)
                }
                _ = DecoderQuestion(damaged[...])
                _ = DecoderGreeting(damaged[...])
                if case .pixels(let decoded, let format, _, _) = DecoderAnswer(damaged[...]) {
                    // No size makes it map what is not there.
                    let file = try? MemoryFile(sealing: [UInt8](repeating: 1, count: 8 * 6 * 4))
                    let pixels = file?.pixels(size: decoded, format: format)
                    #expect(pixels == nil || pixels?.byteCount == 192)
                }
            }
        }
    }

    @Test func `pixels that could still change are not taken`() throws {
        let size = PixelSize(width: 2, height: 2)
        let bytes = [UInt8](0..<12)
        let open = MemoryFile(descriptor: platform_memory_file("test"))
        #expect(write(open.descriptor, bytes, bytes.count) == bytes.count)
        #expect(open.pixels(size: size, format: .rgb8) == nil)
        #expect(platform_seal(open.descriptor) == 0)
        #expect(open.pixels(size: size, format: .rgb8)?.pixel(1, 1) == [9, 10, 11])
        #expect(open.pixels(size: size, format: .rgba8Premultiplied) == nil)
        #expect(write(open.descriptor, bytes, bytes.count) < 0, "nobody changes it any more")
        let file = try TemporaryFile(bytes)
        let disk = MemoryFile(descriptor: Glibc.open(file.path, O_RDONLY))
        #expect(disk.pixels(size: size, format: .rgb8) == nil, "only memory files can be sealed")
        #expect(MemoryFile(descriptor: -1).pixels(size: size, format: .rgb8) == nil)
    }

    @Test func `a message that is too long is refused, and what came with it closed`() throws {
        var pair: [Int32] = [-1, -1]
        #expect(socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0, &pair) == 0)
        defer { pair.forEach { close($0) } }
        var (buffer, attached) = ([UInt8](repeating: 0, count: 16), Int32(0))
        let long = [UInt8](repeating: 1, count: 17)
        #expect(platform_send_message(pair[0], long, long.count, pair[0]) == 0)
        #expect(platform_receive_message(pair[1], &buffer, buffer.count, &attached) == -1)
        #expect(attached == -1)
        #expect(platform_send_message(pair[0], long, 16, pair[0]) == 0)
        #expect(platform_receive_message(pair[1], &buffer, buffer.count, &attached) == 16)
        #expect(attached >= 0)
        close(attached)
    }
}
