import Glibc
import Logging
import RemoteImagePixbuf
import TestSupport
import Testing

@testable import RemoteImageDecoders

/// Where the program of the decoder process is looked for, and what happens where it does not start as it should.
@Suite(.timeLimit(.minutes(2)), .endsInTime)
struct DecoderStartTests {
    private static func decoder(
        _ path: String, _ change: (inout IsolatedDecoder.Configuration) -> Void = { _ in }
    ) -> IsolatedDecoder {
        var configuration = IsolatedDecoder.Configuration()
        configuration.path = path
        change(&configuration)
        return IsolatedDecoder(configuration)
    }

    private func decode(_ bytes: [UInt8], with decoder: IsolatedDecoder) throws -> DecodedImage {
        try decoder.decode(bytes, DecodeRequest(header: try ImageHeader.read(bytes)))
    }

    /// A program of the shell in the place of the decoder.
    private static func script(_ lines: String, in file: TemporaryFile) throws {
        let text = Array("#!/bin/sh\n\(lines)\n".utf8)
        let stream = try #require(fopen(file.path, "w"))
        #expect(fwrite(text, 1, text.count, stream) == text.count)
        #expect(fclose(stream) == 0)
        #expect(chmod(file.path, 0o700) == 0)
    }

    @Test func `a start that fails for the moment gives up no protection`() throws {
        let file = try TemporaryFile([])
        let decoder = Self.decoder(file.path)
        try Self.script("kill -KILL $$", in: file)
        let error = #expect(throws: ImageError.self) { try decode(SamplePicture.palettePNG, with: decoder) }
        #expect(error?.code == .io)
        let program = try #require(DecoderLocation.find(given: nil))
        try Self.script("exec '\(program)' \"$@\"", in: file)
        #expect(try decode(SamplePicture.palettePNG, with: decoder).pixels.quarters[0] == .red)
        #expect(decoder.idleProcesses.count == 1)
    }

    @Test func `a process whose system calls are not filtered is told of once`() throws {
        let file = try TemporaryFile([])
        // What a decoder says when it is ready, without a filter; then it leaves.
        try Self.script("printf '\\002\\000\\000\\000\\001\\000' >&3", in: file)
        let lines = Watched<[String]>([])
        let decoder = Self.decoder(file.path) {
            $0.logger = Logger(label: "test") { _ in LineHandler(lines: lines) }
        }
        for _ in 0..<2 {
            let error = #expect(throws: ImageError.self) { try decode(SamplePicture.palettePNG, with: decoder) }
            #expect(error?.code == .corrupt)
        }
        #expect(lines.value == ["remote-image-decoder runs without a filter of system calls"])
    }

    private struct LineHandler: LogHandler {
        let lines: Watched<[String]>
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.info

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            lines.update { $0.append(event.message.description) }
        }
    }

    // MARK: Where it is

    @Test(arguments: ["/nonexistent/remote-image-decoder", "/bin/true", "/etc/passwd"])
    func `without a process that works pictures are decoded here`(path: String) throws {
        let decoder = Self.decoder(path)
        #expect(try decode(SamplePicture.palettePNG, with: decoder).pixels.quarters[0] == .red)
        #expect(decoder.idleProcesses.isEmpty)
    }

    @Test func `it is looked for beside the program and in the libexec folder of the prefix`() {
        #expect(
            DecoderLocation.candidates(
                program: "/opt/app/bin/viewer", library: "/usr/lib/x86_64-linux-gnu/libremoteimage-1.so.0") == [
                    "/opt/app/bin/remote-image-decoder", "/opt/app/libexec/remote-image-decoder",
                    "/usr/libexec/remote-image-decoder",
                ])
        #expect(DecoderLocation.candidates(program: "/tmp/x/viewer", library: nil) == ["/tmp/x/remote-image-decoder"])
        #expect(DecoderLocation.candidates(program: "viewer", library: "").allSatisfy { !$0.contains("libexec") })
    }
}
