import Foundation
import RemoteImage
import RemoteImageTestSupport
import Testing

@testable import RemoteImageDecoders

/// Which formats the decoder process decodes, and how failed tests disable a format.
@Suite(.timeLimit(.minutes(2)), .endsInTime)
struct DecoderFormatTests {
    private let lines = Watched<[String]>([])
    private let cannotDecodePNG = "remote-image-decoder cannot decode png on this system"

    private func decode(_ bytes: [UInt8], with decoder: IsolatedDecoder) throws -> DecodedImage {
        try decoder.decode(bytes, DecodeRequest(header: try ImageHeader.read(bytes)))
    }

    private func code(_ bytes: [UInt8], with decoder: IsolatedDecoder) -> ImageError.Code? {
        let error = #expect(throws: ImageError.self) { try decode(bytes, with: decoder) }
        return error?.code
    }

    /// A command that starts the decoder program without the formats in `bits`.
    private func programWithout(_ bits: Int) throws -> String {
        "exec '\(try #require(DecoderLocation.find(given: nil)))' $1 $2 $3 $4 $(($5 & ~\(bits)))"
    }

    // MARK: The test image

    private static let notDecoded = DecoderScript.testResult(isDecoded: false)

    @Test(arguments: [
        (notDecoded, "failed"), (DecoderScript.violation, "made the forbidden system call 41 (socket)"),
        ("kill -SEGV $$", "ended the process"), ("exit 3", "exited with status 3"), ("sleep 60", "took too long"),
        (DecoderScript.corrupt, "got no valid answer"),
    ])
    func `a failed test disables its format until it is repeated, and no image is reported as corrupt`(
        answer: String, reason: String
    ) throws {
        let (file, count) = (try TemporaryFile([]), try TemporaryFile([]))
        try DecoderScript.script(
            "echo >> '\(count.path)'\n\(DecoderScript.confinedGreeting)\n\(DecoderScript.take)\n\(answer)", in: file)
        let time = Lock(ContinuousClock.now)
        let decoder = DecoderScript.decoder(file.path, at: time) {
            $0.logger = DecoderScript.logger(lines, .debug)
            if answer.hasPrefix("sleep") { $0.testLimit = .milliseconds(50) }
        }
        for _ in 0..<3 { #expect(code(SampleImage.palettePNG, with: decoder) == .io) }
        #expect(lines.value == ["the test of png \(reason)", cannotDecodePNG])
        #expect(try String(contentsOfFile: count.path, encoding: .utf8) == "\n", "one process was started")
        time.withLock { $0 += .milliseconds(100) }
        try DecoderScript.decoderScript(after: "", in: file)
        #expect((0...8).contains { _ in (try? decode(SampleImage.palettePNG, with: decoder))?.isIsolated == true })
    }

    @Test(arguments: ["exit 0", "kill -KILL $$", "exec 3<&-; sleep 60"])
    func `an interrupted test disables no format`(answer: String) throws {
        let file = try TemporaryFile([])
        try DecoderScript.script("\(DecoderScript.confinedGreeting)\n\(DecoderScript.take)\n\(answer)", in: file)
        let decoder = DecoderScript.decoder(file.path) { $0.logger = DecoderScript.logger(lines) }
        #expect(code(SampleImage.palettePNG, with: decoder) == .io)
        #expect(lines.value.isEmpty)
    }

    @Test func `a test that exceeds the timeout of its image disables no format`() throws {
        let file = try TemporaryFile([])
        try DecoderScript.script(
            "\(DecoderScript.confinedGreeting)\n\(DecoderScript.take)\nsleep 60", in: file)
        let decoder = DecoderScript.decoder(file.path) { $0.logger = DecoderScript.logger(lines) }
        var request = DecodeRequest(header: try ImageHeader.read(SampleImage.palettePNG))
        request.limits.timeout = .seconds(5)
        let error = #expect(throws: ImageError.self) { try decoder.decode(SampleImage.palettePNG, request) }
        #expect(error?.code == .decodeTimeout)
        #expect(lines.value.isEmpty)
    }

    @Test func `the test of another format uses only part of the image's timeout`() throws {
        let file = try TemporaryFile([])
        let program = try #require(DecoderLocation.find(given: nil))
        let greeting = DecoderScript.confinedGreeting.replacing(#"\001\002"#, with: #"\001\006"#)
        try DecoderScript.script(
            """
            [ $(($5 & 4)) = 0 ] && exec '\(program)' "$@"
            \(greeting)
            \(DecoderScript.take)
            \(DecoderScript.testResult(isDecoded: true))
            sleep 60
            """, in: file)
        let decoder = DecoderScript.decoder(file.path) { $0.logger = DecoderScript.logger(lines) }
        var request = DecodeRequest(header: try ImageHeader.read(SampleImage.palettePNG))
        request.limits.timeout = .seconds(24)
        #expect(try decoder.decode(SampleImage.palettePNG, request).isIsolated)
        #expect(lines.value == ["remote-image-decoder cannot decode gif on this system"])
    }

    @Test func `another format whose test ends the process is omitted from the next process`() throws {
        let file = try TemporaryFile([])
        let program = try #require(DecoderLocation.find(given: nil))
        // With GIF, the third format, the process crashes in its second test.
        let greeting = DecoderScript.confinedGreeting.replacing(#"\001\002"#, with: #"\001\006"#)
        let passed = "\(DecoderScript.take)\n\(DecoderScript.testResult(isDecoded: true))"
        try DecoderScript.script(
            """
            [ $(($5 & 4)) = 0 ] && exec '\(program)' "$@"
            \(greeting)
            \(passed)
            \(DecoderScript.take)
            kill -SEGV $$
            """, in: file)
        // The clock stands still: after 0.1 seconds, the format is tried again.
        let decoder = DecoderScript.decoder(file.path, at: Lock(.now)) { $0.logger = DecoderScript.logger(lines) }
        #expect(try decode(SampleImage.palettePNG, with: decoder).isIsolated)
        #expect(code(SampleImage.animatedGIF, with: decoder) == .io)
        #expect(lines.value == ["remote-image-decoder cannot decode gif on this system"])
    }

    /// A malicious image could take over a process and make it disable the format for all images.
    @Test(arguments: [notDecoded, DecoderScript.violation, "kill -SEGV $$"], [1, 2])
    func `a process that has received an image cannot disable its format`(answer: String, imageCount: Int) throws {
        let file = try TemporaryFile([])
        let answers = Array(repeating: DecoderScript.corrupt, count: imageCount - 1) + [answer]
        try DecoderScript.liar(answers.joined(separator: "\n\(DecoderScript.take)\n"), in: file)
        let decoder = DecoderScript.decoder(file.path) { $0.logger = DecoderScript.logger(lines) }
        if imageCount == 2 { #expect(code(SampleImage.palettePNG, with: decoder) == .corrupt) }
        try DecoderScript.liar(answer, in: file)
        #expect(code(SampleImage.palettePNG, with: decoder) == .corrupt)
        try DecoderScript.decoderScript(after: "", in: file)
        #expect((0...8).contains { _ in (try? decode(SampleImage.palettePNG, with: decoder))?.isIsolated == true })
        #expect(lines.value.isEmpty)
    }

    @Test func `a disabled format is tested again in a replaced program`() throws {
        let file = try TemporaryFile([])
        try DecoderScript.script(
            "\(DecoderScript.confinedGreeting)\n\(DecoderScript.take)\n\(Self.notDecoded)\nsleep 60", in: file)
        let decoder = DecoderScript.decoder(file.path)
        #expect(code(SampleImage.palettePNG, with: decoder) == .io)
        try DecoderScript.decoderScript(after: "", in: file)
        #expect(try decode(SampleImage.palettePNG, with: decoder).isIsolated)
    }

    @Test func `a process tests all its formats before its first image`() throws {
        let process = try DecoderProcess(
            ProgramFile(try #require(DecoderLocation.find(given: nil))),
            IsolatedDecoder.Configuration().arguments(for: [.png, .gif]), for: [.png, .gif])
        _ = try process.ready(until: .now + .seconds(30))
        let decoder = IsolatedDecoder()
        decoder.state.withLock { $0.record = ProgramRecord(process.program.version) }
        guard case .usable = try decoder.test(process, for: .gif, until: .now + .seconds(30)) else {
            Issue.record("not ready"); return
        }
        #expect(decoder.state.withLock { $0.record.untested([.png, .gif, .jpeg]) } == [.jpeg])
    }

    // MARK: Missing codecs

    @Test func `a format with a missing codec is not decoded, and other formats are`() throws {
        let file = try TemporaryFile([])
        // Without the bit of PNG, the second format.
        try DecoderScript.script(try programWithout(2), in: file)
        let decoder = DecoderScript.decoder(file.path) { $0.logger = DecoderScript.logger(lines, .debug) }
        for _ in 0..<2 { #expect(code(SampleImage.palettePNG, with: decoder) == .io) }
        #expect(lines.value == [cannotDecodePNG], "it is not tested")
        #expect(try decode(SampleImage.animatedGIF, with: decoder).frameCount > 0)
    }

    /// Memory may have been short for a moment, or the library may be installed later.
    @Test func `a missing codec is searched for again after a pause that grows`() throws {
        let (file, mark, count) = (try TemporaryFile([]), try TemporaryFile([]), try TemporaryFile([]))
        let program = try #require(DecoderLocation.find(given: nil))
        try DecoderScript.script(
            """
            echo >> '\(count.path)'
            [ -s '\(mark.path)' ] && exec '\(program)' "$@"
            \(try programWithout(2))
            """, in: file)
        let time = Lock(ContinuousClock.now)
        let decoder = DecoderScript.decoder(file.path, at: time) {
            $0.logger = DecoderScript.logger(lines)
        }
        func startCount() throws -> Int { try String(contentsOfFile: count.path, encoding: .utf8).count }
        for (pause, starts) in [(0, 1), (99, 1), (1, 2), (199, 2), (1, 3)] {
            time.withLock { $0 += .milliseconds(pause) }
            #expect(code(SampleImage.palettePNG, with: decoder) == .io)
            #expect(try startCount() == starts)
        }
        try "found".write(toFile: mark.path, atomically: false, encoding: .utf8)
        #expect(code(SampleImage.palettePNG, with: decoder) == .io)
        time.withLock { $0 += .milliseconds(400) }
        #expect(try decode(SampleImage.palettePNG, with: decoder).isIsolated)
        #expect(lines.value == [cannotDecodePNG])
    }
}
