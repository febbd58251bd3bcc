import RemoteImageTestSupport
import Testing

@testable import RemoteImageDecoders
@testable import RemoteImageDecoding

/// The memory that is shared with decoder processes, and the messages, at their limits.
@Suite struct DecoderMemoryTests {
    // MARK: Memory

    @Test func `pixels begin at the next page after the bytes of an image`() {
        for (byteCount, offset) in [(0, 0), (1, 65_536), (65_536, 65_536), (65_537, 131_072)] {
            #expect(MemoryFile.pixelOffset(byteCount) == offset)
        }
    }

    @Test func `a mapping has the length of its file`() throws {
        let file = try MemoryFile(byteCount: 10)
        let mapping = try mapping(file)
        let byteCounts = [file.byteCount, mapping.byteCount]
        #expect(byteCounts == [10, 10])
        let rests = [0, 3, 9, 10, 11].map { mapping.bytes(from: $0).count }
        #expect(rests == [10, 7, 1, 0, 0])
        let closed = MemoryFile(descriptor: -1)
        let closedByteCount = closed.byteCount
        #expect(closedByteCount == nil)
    }

    private func mapping(_ file: borrowing MemoryFile) throws(ImageError) -> SharedMapping {
        guard let mapping = SharedMapping(file) else { throw ImageError(.io, "no mapping") }
        return mapping
    }

    @Test func `pixels are copied from exactly the memory that they need`() throws {
        let file = try MemoryFile(byteCount: 4 + 18)
        try file.write((0..<22).map { UInt8($0) })
        let mapping = try mapping(file)
        let size = PixelSize(width: 3, height: 2)
        let pixels = mapping.copyOfPixels(at: 4, size: size, format: .rgb8)
        #expect(pixels?.size == size)
        #expect(pixels?.withUnsafeBytes { Array($0) } == (4..<22).map { UInt8($0) })
        let short = mapping.copyOfPixels(at: 5, size: size, format: .rgb8)
        #expect(short == nil)
        let wide = mapping.copyOfPixels(at: 0, size: size, format: .rgba8Premultiplied)
        #expect(wide == nil)
        for (width, height) in [(0, 2), (3, 0), (-3, -2), (.max, 2), (.max / 2, 1)] {
            let impossible = mapping.copyOfPixels(
                at: 0, size: PixelSize(width: width, height: height), format: .rgb8)
            #expect(impossible == nil)
        }
    }

    @Test func `sealed pixels may begin at the start of their memory and fill it`() throws {
        let file = try MemoryFile(byteCount: 18)
        try file.write((0..<18).map { UInt8($0) })
        let size = PixelSize(width: 2, height: 3)
        let long = file.sealedPixels(at: 0, size: PixelSize(width: 2, height: 4), format: .rgb8)
        #expect(long == nil)
        let pixels = file.sealedPixels(at: 0, size: size, format: .rgb8)
        #expect(pixels?.size == size)
        #expect(pixels?.withUnsafeBytes { Array($0) } == (0..<18).map { UInt8($0) })
    }

    // MARK: Messages

    private let size = PixelSize(width: 3, height: 2)

    private func pixels(
        decoder: String = "png", frameCount: Int = 1, timing: FrameTiming? = nil
    ) -> DecoderAnswer {
        .pixels(
            decoded: size, format: .rgb8, size: size, frameCount: frameCount, decoder: decoder, timing: timing)
    }

    @Test func `the limits of a question are transmitted`() throws {
        var limits = DecodeLimits()
        (limits.maxPixelCount, limits.maxSide, limits.maxDecodedByteCount) = (11, 12, 13)
        (limits.maxScanPixelCount, limits.maxFrameCount) = (14, 15)
        for fit in [ContentFit.contain, .cover] {
            let target = TargetSize(PixelSize(width: 5, height: 7), fit: fit)
            let header = ImageHeader(format: .gif, storedSize: size)
            var asked = DecoderQuestion(
                memory: .kept, byteCount: 0, request: DecodeRequest(header: header, target: target, limits: limits))
            let read = try #require(DecoderQuestion(asked.message[...]))
            #expect(read.request.limits == limits)
            #expect(read.request.target == target)
            #expect(read.request.header == header)
            #expect(!read.isBeginning)
            #expect(read.memory == .kept)
            (asked.memory, asked.request.target) = (.attachedToKeep, nil)
            let plain = try #require(DecoderQuestion(asked.message[...]))
            #expect(plain.memory == .attachedToKeep)
            #expect(plain.request.target == nil)
        }
    }

    @Test(arguments: ["a", "z", "A", "Z", "0", "9", "png2", String(repeating: "x", count: 32)])
    func `a decoder name has ASCII letters and digits`(name: String) {
        guard case .pixels(_, .rgb8, _, 1, false, let heard, nil) = DecoderAnswer(pixels(decoder: name).message[...])
        else { Issue.record("no answer"); return }
        #expect(heard == name)
    }

    @Test(arguments: ["`", "{", "@", "[", "/", ":", "a-b"])
    func `a decoder name has no other characters`(name: String) {
        #expect(DecoderAnswer(pixels(decoder: name).message[...]) == nil)
    }

    @Test func `an error without a text and each code of decoders are transmitted`() {
        for code in [ImageError.Code.corrupt, .tooManyPixels, .unsupportedFormat] {
            for detail in [nil, "why"] {
                let error = ImageError(code, detail)
                guard case .failure(let heard) = DecoderAnswer(DecoderAnswer.failure(error).message[...]) else {
                    Issue.record("no answer"); return
                }
                #expect(heard == error)
            }
        }
        guard case .needsMemory(77) = DecoderAnswer(DecoderAnswer.needsMemory(77).message[...]) else {
            Issue.record("no answer"); return
        }
    }

    @Test func `a flag is 0 or 1, and a number fits into 63 bits`() {
        let greeting = DecoderGreeting(isConfined: false, formats: [.png])
        #expect(greeting.message == [10, 0, 0, 0, 7, 0, 2, 0, 0, 0, 0, 0, 0, 0])
        #expect(DecoderGreeting(greeting.message[...]) == greeting)
        var message = greeting.message
        message[5] = 2
        #expect(DecoderGreeting(message[...]) == nil)
        #expect(DecoderAnswer([9, 0, 0, 0, 3] + [UInt8](repeating: 255, count: 8)) == nil)
        guard case .needsMemory(.max) = DecoderAnswer([9, 0, 0, 0, 3] + [UInt8](repeating: 255, count: 7) + [127])
        else { Issue.record("no answer"); return }
        guard case .needsMemory(0) = DecoderAnswer(DecoderAnswer.needsMemory(-5).message[...]) else {
            Issue.record("no answer"); return
        }
    }

    @Test func `a message has exactly the length that its first bytes announce`() {
        let message = DecoderAnswer.needsMemory(1).message
        #expect(message == [9, 0, 0, 0, 3, 1, 0, 0, 0, 0, 0, 0, 0])
        for (index, value) in [(0, 8), (0, 10), (1, 1), (2, 1), (3, 1)] as [(Int, UInt8)] {
            var changed = message
            changed[index] = value
            #expect(DecoderAnswer(changed[...]) == nil)
        }
        // The text of an error may not extend past the end of its message.
        var failure = DecoderAnswer.failure(ImageError(.corrupt, "x")).message
        failure[5] += 1
        #expect(DecoderAnswer(failure[...]) == nil)
    }

    @Test func `at most 1024 delays are read`() {
        let timing = FrameTiming(delays: [UInt32](repeating: 9, count: 1024), playCount: 4)
        var message = pixels(timing: timing).message
        guard case .pixels(_, _, _, _, _, _, let heard) = DecoderAnswer(message[...]) else {
            Issue.record("no answer"); return
        }
        #expect(heard == timing)
        // One delay more, and its number and the length of the message corrected.
        let count = message.count - 1024 * 8 - 8
        message += message.suffix(8)
        message[count] = 1
        message.replaceSubrange(0..<4, with: (message.count - 4).littleEndianBytes(4))
        #expect(DecoderAnswer(message[...]) == nil)
        // A delay has 32 bits.
        var long = pixels(timing: FrameTiming(delays: [.max], playCount: nil)).message
        long[long.count - 4] = 1
        #expect(DecoderAnswer(long[...]) == nil)
    }

    @Test func `a greeting of another version is recognized by its first byte`() {
        #expect(DecoderGreeting.isOfAnotherVersion([1, 0, 0, 0, 6]))
        #expect(DecoderGreeting.isOfAnotherVersion([1, 0, 0, 0, 8]))
        #expect(!DecoderGreeting.isOfAnotherVersion([1, 0, 0, 0, 7]))
        #expect(!DecoderGreeting.isOfAnotherVersion([0, 0, 0, 0]))
        #expect(!DecoderGreeting.isOfAnotherVersion([]))
    }

    @Test func `a set of formats has a bit for each format in their order`() {
        for (index, format) in ImageFormat.allCases.enumerated() {
            #expect(Set([format]).bits == 1 << index)
            #expect(Set<ImageFormat>(bits: 1 << index) == [format])
        }
        #expect(([.jpeg, .gif, .svg] as Set<ImageFormat>).bits == 1 + 4 + 512)
    }

    // MARK: Answers

    private func answer(_ answer: DecoderAnswer, frame: Int? = nil) throws -> DecodedImage {
        let file = try TemporaryFile([])
        let octal = answer.message.map { byte in
            let digits = String(byte, radix: 8)
            return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
        }
        try DecoderScript.liar("printf '\(octal.joined())' >&3", in: file)
        let bytes = SampleImage.palettePNG
        return try DecoderScript.decoder(file.path).decode(bytes, DecodeRequest(header: try ImageHeader.read(bytes)))
    }

    @Test func `the reported number of frames is from 1 to 10,000`() throws {
        let stored = try ImageHeader.read(SampleImage.palettePNG).storedSize
        for (count, expected) in [(0, 1), (1, 1), (2, 2), (10_000, 10_000), (10_001, 10_000)] {
            let image = try answer(
                .pixels(
                    decoded: PixelSize(width: 2, height: 1), format: .rgb8, size: stored, frameCount: count,
                    isTruncated: count == 2, decoder: "test"))
            #expect(image.frameCount == expected)
            #expect(image.size == stored)
            #expect(image.pixels.size == PixelSize(width: 2, height: 1))
            #expect(image.isTruncated == (count == 2))
            #expect(image.decoder == "test")
            #expect(image.isIsolated)
        }
    }

    @Test func `the reported pixels may have each side of the image, and none larger`() throws {
        let stored = try ImageHeader.read(SampleImage.palettePNG).storedSize
        for (right, down, isAllowed) in [(0, 0, true), (1, 0, false), (0, 1, false)] {
            let decoded = PixelSize(width: stored.width + right, height: stored.height + down)
            let image = try? answer(
                .pixels(decoded: decoded, format: .rgb8, size: stored, frameCount: 1, decoder: "test"))
            #expect((image?.pixels.size == decoded) == isAllowed)
        }
    }
}
