import Foundation
import RemoteImage
import RemoteImageTestSupport
import Testing

@testable import RemoteImageDecoders

/// What happens to an image, and to the processes after it, if a process with earlier images fails.
@Suite(.timeLimit(.minutes(2)), .endsInTime)
struct DecoderReuseTests {
    private let file: TemporaryFile
    private let bytes = SampleImage.palettePNG

    init() throws { file = try TemporaryFile([]) }

    private func decode(with decoder: IsolatedDecoder) throws -> DecodedImage {
        try decoder.decode(bytes, DecodeRequest(header: try ImageHeader.read(bytes)))
    }

    /// Adds a waiting process that counts as used and runs `lines` for its next image. It is taken
    /// first.
    private func addUsed(_ lines: String, to decoder: IsolatedDecoder) throws {
        try DecoderScript.script("\(DecoderScript.confinedGreeting)\n\(DecoderScript.take)\n\(lines)", in: file)
        let program = try #require(decoder.program())
        let process = try decoder.readyProcess(program, for: .png, fresh: true, until: .now + .seconds(30))
        process.hasHadImage = true
        #expect(decoder.pool.putBack(process))
    }

    /// The next one might be damaged like the first.
    @Test(arguments: [
        "kill -SEGV $$", "kill -XCPU $$", "exit 0", DecoderScript.violation, #"printf '\001\000\000\000\377' >&3"#,
        #"printf '\011\000\000\000\003"# + DecoderScript.number(1 << 40) + "' >&3",
    ])
    func `after a used process fails, the image gets a new process and no other used one`(end: String) throws {
        let decoder = DecoderScript.decoder(file.path)
        for _ in 0..<2 { try addUsed(end, to: decoder) }
        try DecoderScript.decoderScript(after: "", in: file)
        #expect(try decode(with: decoder).pixels.quarters == [.red, .green, .blue, .white])
    }

    @Test func `a new process that crashes is replaced before the next image`() async throws {
        let mark = try TemporaryFile([])
        let program = try #require(DecoderLocation.find(given: nil))
        try DecoderScript.liar("kill -SEGV $$", in: file)
        let crash = try String(contentsOfFile: file.path, encoding: .utf8)
        try DecoderScript.script(
            "[ -s '\(mark.path)' ] && exec '\(program)' \"$@\"\necho crashed > '\(mark.path)'\n\(crash)", in: file)
        let decoder = DecoderScript.decoder(file.path)
        #expect(throws: ImageError(.corrupt, "the decoder process crashed")) { try decode(with: decoder) }
        try await waitUntil("its successor") { decoder.idleProcesses.count == 1 }
    }

    /// It was reported as ended from outside.
    @Test func `a process that closes its socket before it crashes has crashed`() throws {
        try DecoderScript.liar("exec 3<&-; sleep 0.3; kill -SEGV $$", in: file)
        #expect(throws: ImageError(.corrupt, "the decoder process crashed")) {
            try decode(with: DecoderScript.decoder(file.path))
        }
    }

    @Test(arguments: [
        ("exit 0", ImageError(.io, "the decoder process ended")),
        ("kill -XCPU $$", ImageError(.decodeTimeout, "the decoder process took too long")),
        (#"printf '\001\000\000\000\377' >&3"#, ImageError(.corrupt, "the decoder process gave no valid answer")),
    ])
    func `the error of an image names the failure of its process`(end: String, error: ImageError) throws {
        try DecoderScript.liar(end, in: file)
        #expect(throws: error) { try decode(with: DecoderScript.decoder(file.path)) }
    }

    // MARK: Frames

    /// The process may have drawn on the canvas before it ended.
    @Test func `only the first frames of an animation are decoded again after their process ended`() throws {
        let decoder = DecoderScript.decoder(file.path)
        try DecoderScript.decoderScript(after: "", in: file)
        let cursor = FrameCursor()
        let first = DecoderScript.frames(bytes)
        let later = DecoderScript.frames(bytes, previous: first.frames[0])
        #expect(try decoder.frames(first, from: [bytes], cursor).count == 1)
        try addUsed("kill -KILL $$", to: decoder)
        try DecoderScript.decoderScript(after: "", in: file)
        #expect(throws: ImageError(.io, "the decoder process ended")) {
            try decoder.frames(later, from: [bytes], cursor)
        }
        #expect(cursor.isEmpty)
        #expect(throws: ImageError(.io, "the canvas is lost")) { try decoder.frames(later, from: [bytes], cursor) }
        try addUsed("kill -KILL $$", to: decoder)
        try DecoderScript.decoderScript(after: "", in: file)
        let again = try decoder.frames(first, from: [bytes], cursor)
        #expect(again.map(\.quarters) == [[.red, .green, .blue, .white]])
        #expect(try decoder.frames(later, from: [bytes], cursor).count == 1)
    }

    // MARK: Replaced programs

    @Test func `the failed start of a replaced program does not delay the processes of the new one`() async throws {
        try DecoderScript.script("exit 72", in: file)
        let decoder = DecoderScript.decoder(file.path, at: Lock(.now))
        let formats = IsolatedDecoder.firstFormats
        let old = try DecoderProcess(
            ProgramFile(file.path), decoder.configuration.arguments(for: formats), for: formats)
        #expect(throws: StartFailure.reason("it ended with status 72")) { try old.ready(until: .now + .seconds(30)) }
        decoder.pool.startAhead { () throws(StartFailure) in old }
        try await waitUntil("the old process") { !decoder.pool.isEmpty }
        try DecoderScript.decoderScript(after: "", in: file)
        _ = decoder.program()
        decoder.prepare()
        try await waitUntil("a process of the new program") { decoder.idleProcesses.count == 1 }
    }

    @Test func `only a decoder of SVG alone starts no process before its first image`() {
        #expect(IsolatedDecoder([SVGDecoder()]).firstFormats == [])
        #expect(IsolatedDecoder([PNGDecoder(), SVGDecoder()]).firstFormats == IsolatedDecoder.firstFormats)
        #expect(IsolatedDecoder([PNGDecoder()]).firstFormats == IsolatedDecoder.firstFormats)
    }
}
