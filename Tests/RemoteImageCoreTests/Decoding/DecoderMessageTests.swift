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

    @Test func `a message with bytes after its last field is malformed`() {
        let content = question.message.dropFirst(4) + [0]
        let message = withUnsafeBytes(of: UInt32(content.count).littleEndian) { Array($0) } + content
        #expect(DecoderQuestion(message[...]) == nil)
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

    @Test func `each control character of untrusted text is replaced, and its neighbors are not`() {
        let controls: [ClosedRange<UInt32>] = [
            0...0x1F, 0x7F...0x9F, 0x061C...0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069,
        ]
        for scalar in (0...0x2100 as ClosedRange<UInt32>).compactMap(Unicode.Scalar.init) {
            let isReplaced = controls.contains { $0.contains(scalar.value) }
            #expect("ü\(scalar)".printable == (isReplaced ? "ü\u{FFFD}" : "ü\(scalar)"), "\(scalar.value)")
            #expect("a\(scalar)".printable == (isReplaced ? "a\u{FFFD}" : "a\(scalar)"), "\(scalar.value)")
        }
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

    // MARK: Frames

    private func frame(_ index: Int, _ disposal: AnimationFrame.Disposal = .keep) -> AnimationFrame {
        AnimationFrame(
            x: index, y: index + 1, size: PixelSize(width: index + 2, height: index + 3), delay: .zero,
            disposal: disposal, blends: index % 2 == 1)
    }

    private func framesRequest(_ frames: [AnimationFrame]) -> FramesRequest {
        FramesRequest(
            format: .webp, canvas: PixelSize(width: 40, height: 30), restores: true,
            size: PixelSize(width: 20, height: 15), limits: DecodeLimits(), previous: nil, frames: frames,
            room: (1000, 3))
    }

    private func text(_ question: FramesQuestion?) -> [String] {
        guard let question else { return [] }
        let request = question.request
        func text(_ frame: AnimationFrame) -> String {
            "\(frame.x) \(frame.y) \(frame.size) \(frame.disposal) \(frame.blends)"
        }
        return [
            "\(request.format) \(request.canvas) \(request.restores) \(request.size) \(request.room)",
            request.previous.map(text) ?? "none", "\(question.fileByteCounts)",
        ] + request.frames.map(text)
    }

    @Test func `a question for frames is unchanged by encoding and parsing`() throws {
        var request = framesRequest([frame(0), frame(1, .clear), frame(4, .restore)])
        request.limits.maxSide = 77
        let plain = FramesQuestion(request: request, fileByteCounts: [10, 20, 30])
        (request.previous, request.restores) = (frame(9, .restore), false)
        let later = FramesQuestion(request: request, fileByteCounts: [1, 2, 3])
        for asked in [plain, later] {
            let message = asked.message
            #expect(text(FramesQuestion(message[...])) == text(asked))
            #expect(FramesQuestion(message[...])?.request.limits == asked.request.limits)
            for count in 0..<message.count { #expect(FramesQuestion(message[..<count]) == nil) }
            #expect(FramesQuestion((message + [0])[...]) == nil)
            #expect(DecoderQuestion(message[...]) == nil)
            #expect(DecoderTest(message[...]) == nil)
        }
        #expect(FramesQuestion(question.message[...]) == nil)
    }

    @Test func `a question and its answer have 1 to 64 frames`() {
        for (count, isAllowed) in [(0, false), (1, true), (64, true), (65, false)] {
            let request = framesRequest((0..<count).map { frame($0) })
            let asked = FramesQuestion(request: request, fileByteCounts: Array(0..<count))
            #expect(asked.message.count <= DecoderMessage.maxByteCount)
            #expect((FramesQuestion(asked.message[...]) != nil) == isAllowed)
            let formats = (0..<count).map { $0 % 3 == 0 ? PixelFormat.rgb8 : .rgba8Premultiplied }
            let message = DecoderAnswer.frames(formats).message
            guard case .frames(let heard) = DecoderAnswer(message[...]) else {
                #expect(!isAllowed)
                continue
            }
            #expect(isAllowed)
            #expect(heard == formats)
            #expect(DecoderAnswer((message + [0])[...]) == nil)
            #expect(DecoderAnswer(message.dropLast()) == nil)
        }
    }

    @Test func `the files, the frames and the canvas follow one another in the shared memory`() throws {
        let layout = try #require(FramesLayout(framesRequest([])))
        #expect((-1...3).map(layout.pixelOffset) == [nil, 65_536, 66_736, 67_936, nil])
        #expect(layout.canvasRange == 131_072..<140_672)
        #expect(layout.byteCount == 140_672)
        #expect(layout.fileRanges([10, 20, 0]) == [0..<10, 10..<30, 30..<30])
        #expect(layout.fileRanges([600, 400]) == [0..<600, 600..<1000])
        for byteCounts in [[1001], [600, 401], [-1]] { #expect(layout.fileRanges(byteCounts) == nil) }
    }

    @Test func `a layout with impossible numbers is refused`() {
        func isValid(_ change: (inout FramesRequest) -> Void) -> Bool {
            var request = framesRequest([])
            change(&request)
            return FramesLayout(request) != nil
        }
        #expect(isValid { $0.size = $0.canvas })
        #expect(!isValid { $0.size.width = 41 })
        #expect(!isValid { $0.size.height = 31 })
        #expect(!isValid { $0.size.height = 0 })
        #expect(!isValid { $0.canvas.width = 0 })
        for (count, isFine) in [(0, false), (1, true), (64, true), (65, false)] {
            #expect(isValid { $0.room.frameCount = count } == isFine)
        }
        for (count, isFine) in [(-1, false), (0, true), (1 << 40, true), ((1 << 40) + 1, false)] {
            #expect(isValid { $0.room.fileByteCount = count } == isFine)
        }
        #expect(isValid { ($0.canvas, $0.restores) = (PixelSize(width: 1 << 19, height: 1 << 19), false) })
        #expect(!isValid { ($0.canvas, $0.restores) = (PixelSize(width: 1 << 19, height: 1 << 19), true) })
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
        #expect(fcntl(attached, F_GETFD) == FD_CLOEXEC, "no child of the application inherits it")
        close(attached)
    }

    @Test func `the descriptor of shared memory is not inherited`() throws {
        let file = try MemoryFile(byteCount: 1)
        #expect(fcntl(file.descriptor, F_GETFD) == FD_CLOEXEC)
    }

    /// Sends `descriptors`, at most two, with a message of `byteCount` bytes.
    private func send(_ descriptors: [Int32], byteCount: Int, to socket: Int32) -> Int {
        var bytes = [UInt8](repeating: 1, count: byteCount)
        // The length, SOL_SOCKET and SCM_RIGHTS, and the descriptors, on the 64-bit systems.
        var control = [UInt64(16 + 4 * descriptors.count), UInt64(SOL_SOCKET) | 1 << 32, 0]
        for (index, descriptor) in descriptors.enumerated() { control[2] |= UInt64(descriptor) << (32 * index) }
        return bytes.withUnsafeMutableBytes { bytes in
            control.withUnsafeMutableBytes { control in
                var part = iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
                return withUnsafeMutablePointer(to: &part) { part in
                    var message = msghdr()
                    (message.msg_iov, message.msg_iovlen) = (part, 1)
                    (message.msg_control, message.msg_controllen) = (control.baseAddress, 24)
                    return sendmsg(socket, &message, 0)
                }
            }
        }
    }

    @Test(arguments: [(1, 16, true), (2, 16, false), (1, 17, false), (2, 17, false)])
    func `all descriptors of a refused message are closed`(count: Int, byteCount: Int, isAccepted: Bool) async throws {
        var (pair, sent) = ([-1, -1] as [Int32], [-1, -1] as [Int32])
        #expect(socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue), 0, &pair) == 0)
        let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        #expect(socketpair(AF_UNIX, Int32(kind), 0, &sent) == 0)
        defer { (pair + sent.prefix(1)).forEach { close($0) } }
        #expect(send(Array(repeating: sent[1], count: count), byteCount: byteCount, to: pair[0]) == byteCount)
        close(sent[1])
        var (buffer, attached) = ([UInt8](repeating: 0, count: 16), Int32(-2))
        let received = platform_receive_message(pair[1], &buffer, buffer.count, &attached)
        let error = errno
        #expect(received == (isAccepted ? byteCount : -1))
        #expect((attached >= 0) == isAccepted)
        var byte: UInt8 = 0
        if isAccepted {
            #expect(read(sent[0], &byte, 1) == -1, "it is open")
            close(attached)
        } else {
            #expect(error == EBADMSG)
            #expect(attached == -1)
        }
        // A child of another test may have the descriptors until it runs its program.
        try await waitUntil("the close of the last descriptor") { read(sent[0], &byte, 1) == 0 }
    }
}
