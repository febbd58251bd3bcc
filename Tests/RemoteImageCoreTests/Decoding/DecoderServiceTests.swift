import CRemoteImagePlatform
import Foundation
import RemoteImage
import RemoteImageTestSupport
import Testing

@testable import RemoteImageDecoders

/// The answers of the built decoder program to single messages, and the limits of its process.
@Suite(.timeLimit(.minutes(2)), .endsInTime)
struct DecoderServiceTests {
    private let image = SampleImage.palettePNG
    private static let size = PixelSize(width: 16, height: 8)
    private static let pixelByteCount = 16 * 8 * 3

    private func start(
        _ formats: Set<ImageFormat> = [.png], _ change: (inout IsolatedDecoder.Configuration) -> Void = { _ in }
    ) throws -> DecoderProcess {
        var configuration = IsolatedDecoder.Configuration()
        change(&configuration)
        let program = ProgramFile(try #require(DecoderLocation.find(given: nil)))
        let process = try DecoderProcess(program, configuration.arguments(for: formats), for: formats)
        _ = try process.ready(until: .now + .seconds(30))
        return process
    }

    /// The answer as text; `nil` if the process ends instead.
    private func answer(_ process: DecoderProcess, to message: [UInt8], _ descriptor: Int32 = -1) -> String? {
        guard platform_send_message(process.socket, message, message.count, descriptor) == 0,
            case .message(let answer, hadFile: false) = process.receive(until: .now + .seconds(30))
        else { return nil }
        return DecoderAnswer(answer[...]).map { "\($0)" }
    }

    private func question(
        _ memory: DecoderQuestion.Memory, byteCount: Int, format: ImageFormat = .png,
        size: PixelSize = Self.size, isBeginning: Bool = false
    ) -> [UInt8] {
        let request = DecodeRequest(header: ImageHeader(format: format, storedSize: size))
        return DecoderQuestion(memory: memory, byteCount: byteCount, isBeginning: isBeginning, request: request).message
    }

    private func memory(_ bytes: [UInt8], byteCount: Int) throws(ImageError) -> MemoryFile {
        let file = try MemoryFile(byteCount: byteCount)
        try file.write(bytes)
        return file
    }

    private func pixels(of size: PixelSize = Self.size) -> String {
        "\(DecoderAnswer.pixels(decoded: size, format: .rgb8, size: size, frameCount: 1, decoder: "png"))"
    }

    // MARK: Memory

    @Test func `pixels are written if the memory has room for all, and their size is reported otherwise`() throws {
        let process = try start()
        let offset = MemoryFile.pixelOffset(image.count)
        let needed = "\(DecoderAnswer.needsMemory(Self.pixelByteCount))"
        for (byteCount, expected) in [
            (image.count, needed), (offset + Self.pixelByteCount - 1, needed), (offset + Self.pixelByteCount, pixels()),
        ] {
            let file = try memory(image, byteCount: byteCount)
            let answer = answer(process, to: question(.attachedOnce, byteCount: image.count), file.descriptor)
            #expect(answer == expected)
            guard expected == pixels() else { continue }
            let first = file.sealedPixels(at: offset, size: Self.size, format: .rgb8)
            #expect(first?.quarters == [.red, .green, .blue, .white])
        }
    }

    @Test func `memory that is attached once does not replace the kept memory`() throws {
        let process = try start()
        let other = try PixelBuffer.quarters(width: 6, height: 4).encoded(as: .png)
        let otherSize = PixelSize(width: 6, height: 4)
        let kept = try memory(image, byteCount: 1 << 17)
        #expect(answer(process, to: question(.attachedToKeep, byteCount: image.count), kept.descriptor) == pixels())
        let once = try memory(other, byteCount: 1 << 17)
        let ofOther = question(.attachedOnce, byteCount: other.count, size: otherSize)
        #expect(answer(process, to: ofOther, once.descriptor) == pixels(of: otherSize))
        #expect(answer(process, to: question(.kept, byteCount: image.count)) == pixels())
        let next = question(.attachedToKeep, byteCount: other.count, size: otherSize)
        #expect(answer(process, to: next, once.descriptor) == pixels(of: otherSize))
        #expect(
            answer(process, to: question(.kept, byteCount: other.count, size: otherSize)) == pixels(of: otherSize))
    }

    @Test func `a decoder without previews reports an error`() throws {
        let process = try start()
        let file = try memory(image, byteCount: 1 << 17)
        let asked = question(.attachedOnce, byteCount: image.count, isBeginning: true)
        let refused = answer(process, to: asked, file.descriptor)
        #expect(refused == "\(DecoderAnswer.failure(ImageError(.corrupt, "no preview")))")
        let again = question(.attachedOnce, byteCount: image.count)
        #expect(answer(process, to: again, file.descriptor) == pixels(), "the process goes on")
    }

    // MARK: Invalid messages

    enum Invalid: CaseIterable {
        case nothingKept, noFile, beyondMemory, otherFormat, unknown
    }

    @Test(arguments: Invalid.allCases)
    func `an invalid question ends the process without an answer`(kind: Invalid) throws {
        let process = try start()
        let file = try memory(image, byteCount: 1 << 17)
        let answer =
            switch kind {
            case .nothingKept: answer(process, to: question(.kept, byteCount: image.count))
            case .noFile: answer(process, to: question(.attachedOnce, byteCount: image.count))
            case .beyondMemory:
                answer(process, to: question(.attachedOnce, byteCount: 1 << 17 + 1), file.descriptor)
            case .otherFormat:
                answer(process, to: question(.attachedOnce, byteCount: image.count, format: .gif), file.descriptor)
            case .unknown: answer(process, to: [1, 0, 0, 0, 255], file.descriptor)
            }
        #expect(answer == nil)
        guard case .ended = process.end() else { Issue.record("a crash"); return }
        #expect(process.hasEnded)
    }

    private func frames(count: Int = 2, room: Int = 2, fileByteCount: Int) -> FramesRequest {
        let small = PixelSize(width: 4, height: 2)
        let whole = AnimationFrame(x: 0, y: 0, size: Self.size, delay: .zero, disposal: .keep, blends: false)
        let part = AnimationFrame(x: 9, y: 5, size: small, delay: .zero, disposal: .keep, blends: false)
        return FramesRequest(
            format: .png, canvas: Self.size, restores: false, size: Self.size, limits: DecodeLimits(), previous: nil,
            frames: [whole] + Array(repeating: part, count: count - 1), room: (fileByteCount, room))
    }

    @Test func `frames are drawn at their places from files that follow one another`() throws {
        let process = try start()
        let part = try PixelBuffer.quarters(width: 4, height: 2).encoded(as: .png)
        let request = frames(fileByteCount: image.count + part.count)
        let canvas = try SharedCanvas(request)
        #expect(canvas.place([image, part]))
        let outcome = process.frames(
            request, fileByteCounts: [image.count, part.count], on: canvas, until: .now + .seconds(30))
        guard case .answered(.success(let images)) = outcome else { Issue.record("\(outcome)"); return }
        #expect(images.map(\.pixels.size) == [Self.size, Self.size])
        #expect(images[0].pixels.quarters == [.red, .green, .blue, .white])
        #expect(images[0].pixels.pixel(9, 5) == [255, 255, 255])
        #expect([9, 11].map { images[1].pixels.pixel($0, 5) } == [[255, 0, 0], [0, 255, 0]])
        #expect([9, 11].map { images[1].pixels.pixel($0, 6) } == [[0, 0, 255], [255, 255, 255]])
        #expect(images[1].pixels.pixel(8, 5) == [255, 255, 255])
        #expect(images[1].pixels.pixel(7, 6) == [0, 0, 255])
    }

    @Test(arguments: [
        (2, 2, 0, true), (2, 1, 0, false), (2, 2, 1, false),
    ])
    func `frames beyond the room or files beyond their memory end the process`(
        count: Int, room: Int, excess: Int, isAnswered: Bool
    ) throws {
        let process = try start()
        let request = frames(count: count, room: room, fileByteCount: 2 * image.count)
        let canvas = try SharedCanvas(request)
        let question = FramesQuestion(request: request, fileByteCounts: [image.count, image.count + excess])
        #expect((answer(process, to: question.message, canvas.descriptor) != nil) == isAnswered)
    }

    @Test func `the memory of frames may end with their canvas, and not before`() throws {
        let process = try start()
        let request = frames(fileByteCount: 2 * image.count)
        let byteCount = try #require(FramesLayout(request)).byteCount
        let question = FramesQuestion(request: request, fileByteCounts: [image.count, image.count])
        // The files are zeros.
        let enough = try MemoryFile(byteCount: byteCount)
        let answered = answer(process, to: question.message, enough.descriptor)
        #expect(answered?.hasPrefix("failure") == true)
        let short = try MemoryFile(byteCount: byteCount - 1)
        let refused = answer(process, to: question.message, short.descriptor)
        #expect(refused == nil)
    }

    // MARK: Limits

    /// The soft and the hard limit.
    private func limit(_ name: String, of process: DecoderProcess) throws -> [Substring] {
        let text = try String(contentsOfFile: "/proc/\(try #require(process.process))/limits", encoding: .utf8)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("\(name) ") })
        return Array(line.dropFirst(name.count).split(separator: " ").prefix(2))
    }

    @Test(.enabled(if: BuiltProgram.canConfine))
    func `a process has the limits of its configuration`() throws {
        let process = try start {
            ($0.deadline, $0.maxMemoryByteCount) = (.seconds(7), 1000 << 20)
        }
        #expect(try limit("Max cpu time", of: process) == ["28", "29"])
        #expect(try limit("Max address space", of: process) == ["1048576000", "1048576000"])
        #expect(try limit("Max file size", of: process) == ["0", "0"])
        #expect(try limit("Max open files", of: process) == ["6", "6"])
    }

    @Test(.enabled(if: BuiltProgram.canConfine && SVGDecoder().decodes(.svg)))
    func `only a process of drawings may open the files of fonts beside its descriptors`() throws {
        #expect(try limit("Max open files", of: start([.svg])) == ["64", "64"])
    }
}
