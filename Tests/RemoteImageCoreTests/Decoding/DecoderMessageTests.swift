import CRemoteImagePlatform
import Glibc
import RemoteImage
import RemoteImageDecoders
import RemoteImageTestSupport
import Testing

/// The messages between a decoder process and its caller, including malformed messages.
@Suite struct DecoderMessageTests {
    private let question = DecoderQuestion(
        memory: .attachedOnce, byteCount: 12_345, isBeginning: true,
        request: DecodeRequest(
            header: ImageHeader(format: .webp, storedSize: PixelSize(width: 640, height: 480)),
            target: TargetSize(PixelSize(width: 32, height: 24), fit: .cover)))
    private let answer = DecoderAnswer.pixels(
        decoded: PixelSize(width: 8, height: 6), format: .rgba8Premultiplied, size: PixelSize(width: 16, height: 12),
        frameCount: 7, isTruncated: true, decoder: "webp")

    @Test func `a question is unchanged by encoding and parsing`() throws {
        let read = try #require(DecoderQuestion(question.message[...]))
        #expect(read.byteCount == 12_345)
        #expect(read.memory == .attachedOnce)
        #expect(read.isBeginning)
        #expect(read.request.header == question.request.header)
        #expect(read.request.target == question.request.target)
        #expect(read.request.limits.maxPixelCount == question.request.limits.maxPixelCount)
        #expect(read.request.limits.maxScanPixelCount == question.request.limits.maxScanPixelCount)
    }

    @Test func `a question omits the orientation`() throws {
        var asked = question
        asked.request.header.orientation = .leftMirrored
        #expect(asked.message == question.message)
    }

    @Test func `an answer is unchanged by encoding and parsing`() throws {
        guard
            case .pixels(
                let decoded, .rgba8Premultiplied, let size, 7, isTruncated: true, decoder: "webp", timing: nil) =
                DecoderAnswer(answer.message[...])
        else { Issue.record("no answer"); return }
        #expect(decoded == PixelSize(width: 8, height: 6))
        #expect(size == PixelSize(width: 16, height: 12))
    }

    @Test(arguments: [nil, 3]) func `a frame number and a frame timing are transmitted`(playCount: Int?) throws {
        var asked = question
        asked.request.frame = (511, FrameCursor(identifier: 7))
        asked.request.limits.maxFrameCount = 77
        let read = try #require(DecoderQuestion(asked.message[...]))
        #expect(read.request.frame?.number == 511)
        #expect(read.request.frame?.cursor.identifier == 7)
        #expect(read.request.limits.maxFrameCount == 77)
        #expect(DecoderQuestion(question.message[...])?.request.frame == nil)
        let size = PixelSize(width: 1, height: 1)
        func heard(_ delays: [UInt32]) -> FrameTiming? {
            let answer = DecoderAnswer.pixels(
                decoded: size, format: .rgb8, size: size, frameCount: 3, decoder: "jxl",
                timing: FrameTiming(delays: delays, playCount: playCount))
            #expect(answer.message.count <= DecoderMessage.maxByteCount)
            guard case .pixels(_, _, _, 3, false, _, let timing) = DecoderAnswer(answer.message[...]) else {
                return nil
            }
            return timing
        }
        #expect(heard([40, 0, .max]) == FrameTiming(delays: [40, 0, .max], playCount: playCount))
        #expect(
            heard(Array(0..<2000))?.delays == Array(0..<1024), "more delays than a message has room for are left out")
    }

    @Test(arguments: ["", "a b", "\u{1B}[31m", "ü", String(repeating: "x", count: 33)])
    func `an answer with an invalid decoder name is malformed`(name: String) {
        let size = PixelSize(width: 1, height: 1)
        let answer = DecoderAnswer.pixels(decoded: size, format: .rgb8, size: size, frameCount: 1, decoder: name)
        #expect(DecoderAnswer(answer.message[...]) == nil)
    }

    @Test func `an error code that decoders do not use is received as corrupt`() throws {
        for (said, heard) in [(ImageError.Code.unsupportedFormat, ImageError.Code.unsupportedFormat), (.tls, .corrupt)]
        {
            let message = DecoderAnswer.failure(ImageError(said, "why")).message
            guard case .failure(let error) = DecoderAnswer(message[...]) else { Issue.record("no answer"); return }
            #expect(error == ImageError(heard, "why"))
        }
    }

    @Test func `the text of a received error is shortened and made printable`() {
        let text = "\u{1B}]0;evil\u{07}\r\n\u{9B}31m\u{202E}" + String(repeating: "ü", count: 300)
        for code in [ImageError.Code.corrupt, .io] {
            guard case .failure(let error) = DecoderAnswer(DecoderAnswer.failure(ImageError(code, text)).message[...])
            else { Issue.record("no answer"); return }
            #expect(error.code == .corrupt)
            #expect(error.detail?.unicodeScalars.count == 200)
            #expect(error.detail?.hasPrefix("\u{FFFD}]0;evil\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}31m\u{FFFD}ü") == true)
        }
        #expect("a\tb".printable(limit: 2) == "a…")
        #expect("ab".printable(limit: 2) == "ab")
    }

    @Test func `a violation names its system call`() throws {
        let message = DecoderAnswer.violation(systemCall: 41).message
        #expect(message.count == Int(platform_violation_length))
        guard case .violation(41) = DecoderAnswer(message[...]) else { Issue.record("no answer"); return }
    }

    @Test func `a greeting names the loaded formats`() {
        let greeting = DecoderGreeting(isConfined: true, formats: [.gif, .avif])
        #expect(DecoderGreeting(greeting.message[...]) == greeting)
    }

    @Test func `a list of formats with an unknown bit is malformed`() {
        let count = ImageFormat.allCases.count
        #expect(Set<ImageFormat>(bits: 1 << count - 1) == Set(ImageFormat.allCases))
        #expect(Set<ImageFormat>(bits: 0) == [])
        for bits in [1 << count, -1, .max, .min] { #expect(Set<ImageFormat>(bits: bits) == nil) }
        var message = DecoderGreeting(isConfined: true, formats: [.png]).message
        message[message.count - 2] = 1
        #expect(DecoderGreeting(message[...]) == nil)
    }

    @Test func `a test result is not parsed as an answer, and an answer is not parsed as a test result`() throws {
        for isDecoded in [false, true] {
            let message = DecoderTest.answer(isDecoded)
            #expect(DecoderTest.isDecoded(message[...]) == isDecoded)
            #expect(DecoderAnswer(message[...]) == nil)
            #expect(DecoderTest.isDecoded((message + [0])[...]) == nil)
        }
        #expect(DecoderTest.isDecoded(answer.message[...]) == nil)
    }

    @Test func `a test message names its format and is not parsed as a question`() {
        for format in ImageFormat.allCases {
            let message = DecoderTest(format).message
            #expect(DecoderTest(message[...])?.format == format)
            #expect(DecoderQuestion(message[...]) == nil)
            #expect(DecoderTest((message + [0])[...]) == nil)
        }
        #expect(DecoderTest(question.message[...]) == nil)
    }

    @Test func `truncated and extended messages are malformed`() {
        for message in [question.message, answer.message, DecoderAnswer.failure(ImageError(.corrupt, "x")).message] {
            for count in 0..<message.count {
                #expect(DecoderQuestion(message[..<count]) == nil)
                #expect(DecoderAnswer(message[..<count]) == nil)
            }
            #expect(DecoderAnswer((message + [0])[...]) == nil)
            #expect(DecoderQuestion((message + [0])[...]) == nil)
        }
    }

    @Test func `a damaged message is refused or stays within its memory`() {
        var random = SeededGenerator(seed: 5)
        for message in [question.message, answer.message, DecoderGreeting(isConfined: true, formats: [.png]).message] {
            for _ in 0..<3000 {
                var damaged = message
                for _ in 0..<Int.random(in: 1...3, using: &random) {
                    damaged[Int.random(in: 0..<damaged.count, using: &random)] = .random(in: 0...255, using: &random)
                }
                _ = DecoderQuestion(damaged[...])
                _ = DecoderGreeting(damaged[...])
                if case .pixels(let decoded, let format, _, _, _, _, _) = DecoderAnswer(damaged[...]) {
                    // No claimed size leads to a read beyond the memory.
                    guard let file = try? MemoryFile(byteCount: 8 * 6 * 4) else { continue }
                    if let mapping = SharedMapping(file) {
                        let copy = mapping.copyOfPixels(at: 0, size: decoded, format: format)
                        #expect(copy.map { $0.byteCount <= 192 } ?? true)
                    }
                    let pixels = file.sealedPixels(at: 0, size: decoded, format: format)
                    #expect(pixels.map { $0.byteCount <= 192 } ?? true)
                }
            }
        }
    }

    /// The process could otherwise change an image after it is shown.
    @Test func `pixels in writable memory are not accepted`() throws {
        let size = PixelSize(width: 2, height: 2)
        let file = try MemoryFile(byteCount: 4096 + 12)
        try file.write([1, 2, 3])
        do {
            guard let mapping = SharedMapping(file) else {
                Issue.record("no mapping"); return
            }
            mapping.bytes(from: 4096).copyBytes(from: 0..<12)
            let early = file.sealedPixels(at: 4096, size: size, format: .rgb8)
            #expect(early == nil, "it is mapped for writing")
            let copy = mapping.copyOfPixels(at: 4096, size: size, format: .rgb8)
            mapping.bytes(from: 4096)[0] = 99
            #expect(copy?.pixel(0, 0) == [0, 1, 2], "a copy stays as it is")
            mapping.bytes(from: 4096)[0] = 0
        }
        let long = file.sealedPixels(at: 4096, size: size, format: .rgba8Premultiplied)
        #expect(long == nil, "it is too short")
        let pixels = file.sealedPixels(at: 4096, size: size, format: .rgb8)
        #expect(pixels?.pixel(1, 1) == [9, 10, 11])
        #expect(write(file.descriptor, [1], 1) < 0, "it cannot be changed any more")
        var first = [UInt8](repeating: 1, count: 3)
        #expect(pread(file.descriptor, &first, 3, 0) == 3 && first == [0, 0, 0], "the image's bytes take no memory")
    }

    @Test func `shared memory cannot be resized`() throws {
        let file = try MemoryFile(byteCount: 4096)
        #expect(ftruncate(file.descriptor, 0) < 0)
        #expect(ftruncate(file.descriptor, 8192) < 0)
        let path = try TemporaryFile([1, 2, 3])
        let disk = MemoryFile(descriptor: open(path.path, O_RDWR))
        let ofDisk = disk.sealedPixels(at: 0, size: PixelSize(width: 1, height: 1), format: .rgb8)
        #expect(ofDisk == nil)
        let none = MemoryFile(descriptor: -1)
        let ofNone = none.sealedPixels(at: 0, size: PixelSize(width: 1, height: 1), format: .rgb8)
        #expect(ofNone == nil)
    }

    @Test func `the next fitting pixel buffer uses the offered shared memory, zeroed`() {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 12, alignment: 16)
        defer { memory.deallocate() }
        memory.initializeMemory(as: UInt8.self, repeating: 7)
        SharedPixelMemory.offer(memory)
        defer { SharedPixelMemory.offer(nil) }
        func buffer(_ width: Int) -> PixelBuffer {
            PixelBuffer(size: PixelSize(width: width, height: 2), format: .rgb8) { _ in }
        }
        func isShared(_ buffer: PixelBuffer) -> Bool {
            buffer.withUnsafeBytes { $0.baseAddress == .init(memory.baseAddress) }
        }
        #expect(!isShared(buffer(3)), "it is too long")
        do {
            let first = buffer(2)
            #expect(isShared(first))
            #expect(first.pixel(1, 1) == [0, 0, 0])
            #expect(!isShared(buffer(2)), "it is taken")
        }
        #expect(isShared(buffer(1)))
        SharedPixelMemory.offer(nil)
        #expect(!isShared(buffer(1)))
    }

    @Test func `a message that is too long is refused, and its descriptor is closed`() throws {
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
