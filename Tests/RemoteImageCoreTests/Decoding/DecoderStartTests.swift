import CPlatform
import Foundation
import Glibc
import Logging
import RemoteImagePixbuf
import TestSupport
import Testing

@testable import RemoteImageDecoders

/// Where the program of the decoder process is looked for, and what happens where it does not start
/// as it should.
@Suite(.timeLimit(.minutes(2)), .endsInTime)
struct DecoderStartTests {
    private func decode(_ bytes: [UInt8], with decoder: IsolatedDecoder) throws -> DecodedImage {
        try decoder.decode(bytes, DecodeRequest(header: try ImageHeader.read(bytes)))
    }

    private static func decoder(
        _ path: String, _ change: (inout IsolatedDecoder.Configuration) -> Void = { _ in }
    ) -> IsolatedDecoder {
        DecoderScript.decoder(path, change)
    }

    private static func code(of error: ImageError?, _ text: String) -> Bool {
        error?.code == .io && error?.detail?.contains(text) == true
    }

    // MARK: The two modes

    /// Any failure of the first start meant decoding in the calling process from then on.
    @Test(
        arguments: [
            "exit 72", "kill -KILL $$", "kill -SYS $$", "printf nonsense >&3", "exec 3<&-; sleep 60",
        ], [false, true])
    func `a program that is there and fails is an error`(lines: String, isRequired: Bool) throws {
        let file = try TemporaryFile([])
        try DecoderScript.script(lines, in: file)
        let decoder = Self.decoder(file.path) { $0.isRequired = isRequired }
        for _ in 0..<2 {
            let error = #expect(throws: ImageError.self) { try decode(SampleImage.palettePNG, with: decoder) }
            #expect(Self.code(of: error, "remote-image-decoder does not start"))
        }
        try DecoderScript.decoderScript(after: "", in: file)
        #expect(try decode(SampleImage.palettePNG, with: decoder).pixels.quarters[0] == .red)
        #expect(decoder.idleProcesses.count == 1)
    }

    @Test func `a program that cannot be run is an error`() throws {
        let file = try TemporaryFile(Array("#!/nonexistent/interpreter\n".utf8))
        #expect(chmod(file.path, 0o700) == 0)
        let error = #expect(throws: ImageError.self) {
            try decode(SampleImage.palettePNG, with: Self.decoder(file.path))
        }
        #expect(Self.code(of: error, "No such file"))
        #expect(throws: ImageError.self) { try decode(SampleImage.palettePNG, with: Self.decoder("/bin/true")) }
    }

    @Test(arguments: ["/nonexistent/remote-image-decoder", "/etc/passwd"])
    func `without the program images fail where it is required, and else the log says where they are decoded`(
        path: String
    ) throws {
        let required = Self.decoder(path) { $0.isRequired = true }
        let error = #expect(throws: ImageError.self) { try decode(SampleImage.palettePNG, with: required) }
        #expect(Self.code(of: error, "is not installed"))
        #expect(
            required.decodeBeginning(
                SampleImage.progressiveJPEG,
                DecodeRequest(header: try ImageHeader.read(SampleImage.progressiveJPEG))) == nil)

        let lines = Watched<[String]>([])
        let preferred = Self.decoder(path) { $0.logger = DecoderScript.logger(lines) }
        for _ in 0..<2 {
            #expect(try decode(SampleImage.palettePNG, with: preferred).pixels.quarters[0] == .red)
        }
        #expect(preferred.idleProcesses.isEmpty)
        #expect(lines.value == ["remote-image-decoder is not installed: images are decoded in this process"])
    }

    /// A logger is code of the program, and may ask the decoder for something.
    @Test func `the log is written without a lock held`() throws {
        let lines = Watched<[String]>([])
        let asked = Lock<IsolatedDecoder?>(nil)
        let decoder = Self.decoder("/nonexistent") {
            $0.logger = Logger(label: "test") { _ in
                LoggedLines(lines: lines) { asked.withLock { $0 }?.prepare() }
            }
        }
        asked.withLock { $0 = decoder }
        _ = try decode(SampleImage.palettePNG, with: decoder)
        #expect(lines.value.count == 1)
        asked.withLock { $0 = nil }
    }

    // MARK: A package upgrade under a running program

    /// Ends the processes that wait, so that the next image needs a new one.
    private func endProcesses(of decoder: IsolatedDecoder) {
        for process in decoder.idleProcesses { kill(process, SIGKILL) }
    }

    @Test func `a program that was replaced is started as the new one`() throws {
        let (file, mark) = (try TemporaryFile([]), try TemporaryFile([]))
        try DecoderScript.decoderScript(after: "", in: file)
        let decoder = Self.decoder(file.path)
        _ = try decode(SampleImage.palettePNG, with: decoder)
        try DecoderScript.decoderScript(after: "echo new > '\(mark.path)'", in: file)
        endProcesses(of: decoder)
        #expect(try decode(SampleImage.palettePNG, with: decoder).isIsolated)
        #expect(try String(contentsOfFile: mark.path, encoding: .utf8) == "new\n")
    }

    @Test(arguments: [false, true])
    func `a program that was removed is an error until it is back`(isRequired: Bool) throws {
        let file = try TemporaryFile([])
        try DecoderScript.decoderScript(after: "", in: file)
        let decoder = Self.decoder(file.path) { $0.isRequired = isRequired }
        _ = try decode(SampleImage.palettePNG, with: decoder)
        #expect(unlink(file.path) == 0)
        #expect(try decode(SampleImage.palettePNG, with: decoder).isIsolated, "the process that waits decodes")
        endProcesses(of: decoder)
        for _ in 0..<2 {
            let error = #expect(throws: ImageError.self) { try decode(SampleImage.palettePNG, with: decoder) }
            #expect(Self.code(of: error, "was removed"))
        }
        try DecoderScript.decoderScript(after: "", in: file)
        #expect(try decode(SampleImage.palettePNG, with: decoder).isIsolated)
    }

    @Test(arguments: [DecoderScript.greeting.replacing(#"\005\000"#, with: #"\003\000"#) + "; sleep 60", "exit 64"])
    func `a program of another version is an error that says what to do`(lines: String) throws {
        let file = try TemporaryFile([])
        try DecoderScript.decoderScript(after: "", in: file)
        let decoder = Self.decoder(file.path)
        _ = try decode(SampleImage.palettePNG, with: decoder)
        try DecoderScript.script(lines, in: file)
        endProcesses(of: decoder)
        let error = #expect(throws: ImageError.self) { try decode(SampleImage.palettePNG, with: decoder) }
        #expect(Self.code(of: error, "of another version than this program, which has to be restarted"))
    }

    @Test func `a program that is installed while another runs is used from then on`() throws {
        let file = try TemporaryFile([])
        let lines = Watched<[String]>([])
        let decoder = Self.decoder(file.path) { $0.logger = DecoderScript.logger(lines) }
        #expect(try !decode(SampleImage.palettePNG, with: decoder).isIsolated)
        try DecoderScript.decoderScript(after: "", in: file)
        #expect(try decode(SampleImage.palettePNG, with: decoder).isIsolated)
        #expect(lines.value.count == 1)
    }

    // MARK: What the program says of itself

    @Test func `a process whose system calls are not filtered is told of once, and refused where it is required`()
        throws
    {
        guard platform_is_sanitized() == 0 else { return }
        let file = try TemporaryFile([])
        // Then it leaves.
        try DecoderScript.script(DecoderScript.greeting, in: file)
        let lines = Watched<[String]>([])
        let decoder = Self.decoder(file.path) { $0.logger = DecoderScript.logger(lines) }
        for _ in 0..<2 {
            let error = #expect(throws: ImageError.self) { try decode(SampleImage.palettePNG, with: decoder) }
            #expect(error?.code == .io)
        }
        #expect(lines.value == ["remote-image-decoder runs without a filter of system calls"])
        let required = Self.decoder(file.path) { $0.isRequired = true }
        let error = #expect(throws: ImageError.self) { try decode(SampleImage.palettePNG, with: required) }
        #expect(Self.code(of: error, "cannot filter"))
    }

    @Test(arguments: ["-1", "$((1 << 40))", "", "png"])
    func `a process that is started for no valid list of formats ends at once`(formats: String) throws {
        let file = try TemporaryFile([])
        try DecoderScript.script(
            "exec '\(try #require(DecoderLocation.find(given: nil)))' $1 $2 $3 $4 \(formats)", in: file)
        let error = #expect(throws: ImageError.self) {
            try decode(SampleImage.palettePNG, with: Self.decoder(file.path))
        }
        #expect(Self.code(of: error, "of another version"))
    }

    @Test func `a greeting with formats that were not asked for is none`() throws {
        let file = try TemporaryFile([])
        // The bit of WebP, the fourth format.
        try DecoderScript.script(
            DecoderScript.greeting.replacing(#"\000\002"#, with: #"\000\012"#) + "; sleep 60", in: file)
        let error = #expect(throws: ImageError.self) {
            try decode(SampleImage.palettePNG, with: Self.decoder(file.path))
        }
        #expect(Self.code(of: error, "no valid greeting"))
    }

    @Test func `formats that only an unconfinable decoder has are decoded in the calling process`() throws {
        struct Glycin: PartlyConfinableDecoder {
            var formats: Set<ImageFormat> { [.avif, .png] }
            var unconfinableFormats: Set<ImageFormat> { formats }

            func decode(_ bytes: [UInt8], _ request: DecodeRequest) throws(ImageError) -> DecodedImage {
                throw ImageError(.corrupt, "in the calling process")
            }
        }
        let isolated = IsolatedDecoder([PNGDecoder(), Glycin()])
        #expect(isolated.formats == [.png])
        let decoders: [any ImageDecoder] = [isolated, Glycin()]
        let request = DecodeRequest(header: try ImageHeader.read(SampleImage.avif))
        #expect(throws: ImageError(.corrupt, "in the calling process")) {
            try decoders.decode(SampleImage.avif, request)
        }
    }

    /// It could write escapes to the terminal of the application.
    @Test func `a process has no stream of the application`() throws {
        let (file, list) = (try TemporaryFile([]), try TemporaryFile([]))
        let links = "readlink /proc/$$/fd/0 /proc/$$/fd/1 /proc/$$/fd/2"
        try DecoderScript.decoderScript(after: "links=$(\(links))\necho \"$links\" > '\(list.path)'", in: file)
        _ = try decode(SampleImage.palettePNG, with: Self.decoder(file.path))
        #expect(try String(contentsOfFile: list.path, encoding: .utf8) == "/dev/null\n/dev/null\n/dev/null\n")
    }

    @Test func `a program whose standard streams are closed decodes`() throws {
        let program = try #require(DecoderLocation.find(given: nil))
            .replacing("remote-image-decoder", with: "remote-image")
        let (image, script) = (try TemporaryFile(SampleImage.palettePNG), try TemporaryFile([]))
        let folder = try TemporaryFolder()
        // It fails to write its report.
        try DecoderScript.script(
            """
            '\(program)' fetch --isolate --output '\(folder.path)' 'file://\(image.path)' <&- >&- 2>&-
            [ -n "$(ls '\(folder.path)')" ]
            """, in: script)
        #expect(system(script.path) == 0)
    }

    // MARK: What it says of an image

    /// Whether it decodes once the processes are used up that were started ahead from the replaced
    /// program.
    private func decodesAgain(_ decoder: IsolatedDecoder) -> Bool {
        (0...WorkerThreads.shared.count).contains { _ in
            (try? decode(SampleImage.palettePNG, with: decoder))?.pixels.quarters[0] == .red
        }
    }

    @Test(arguments: [
        DecoderScript.pixels(60_000, 60_000, of: (60_000, 60_000)), DecoderScript.pixels(1, 1, of: (60_000, 60_000)),
        DecoderScript.pixels(900, 900, of: (900, 900)), DecoderScript.pixels(3, 3, of: (2, 2)),
        // Another size than the header's, transposed or smaller.
        DecoderScript.pixels(1, 1, of: (16, 16)), DecoderScript.pixels(1, 1, of: (2, 2)),
        DecoderScript.pixels(-1, 2, of: (2, 2)), DecoderScript.pixels(0, 0, of: (0, 0)),
        DecoderScript.pixels(.max, .max, of: (.max, .max)),
        // Frames by number, of a format that has none.
        DecoderScript.pixels(1, 1, of: (16, 8), hasTiming: true),
        #"printf '\011\000\000\000\003"# + DecoderScript.number(1 << 40) + "' >&3",
        #"printf '\052\000\000\000\000\001' >&3"#,
        #"printf '\001\000\000\000\377' >&3"#, DecoderScript.testResult(isDecoded: false),
        DecoderScript.testResult(isDecoded: true), "kill -SEGV $$", "kill -SYS $$",
    ])
    func `an image whose new process lies or crashes is corrupt, and the next one decodes`(answer: String) throws {
        let file = try TemporaryFile([])
        try DecoderScript.liar(answer, in: file)
        let decoder = Self.decoder(file.path)
        let error = #expect(throws: ImageError.self) { try decode(SampleImage.palettePNG, with: decoder) }
        #expect(error?.code == .corrupt)
        try DecoderScript.decoderScript(after: "", in: file)
        #expect(decodesAgain(decoder))
    }

    @Test(arguments: ["exec 3<&-; sleep 60", "exit 0", "kill -KILL $$", "kill -TERM $$"])
    func `an image whose new process is ended is not called corrupt, and the next one decodes`(answer: String) throws {
        let file = try TemporaryFile([])
        try DecoderScript.liar(answer, in: file)
        let decoder = Self.decoder(file.path)
        let error = #expect(throws: ImageError.self) { try decode(SampleImage.palettePNG, with: decoder) }
        #expect(error?.code == .io)
        try DecoderScript.decoderScript(after: "", in: file)
        #expect(decodesAgain(decoder))
    }

    @Test func `an image that makes a second process crash is corrupt`() throws {
        let file = try TemporaryFile([])
        let answer =
            #"printf '\030\000\000\000\001"# + DecoderScript.number(7) + "corrupt" + DecoderScript.number(0) + "' >&3"
        let next = "\(DecoderScript.take)\nkill -SEGV $$"
        try DecoderScript.liar("\(answer)\n\(next)", in: file)
        let decoder = Self.decoder(file.path)
        #expect(throws: ImageError(.corrupt)) { try decode(SampleImage.palettePNG, with: decoder) }
        try DecoderScript.liar("kill -SEGV $$", in: file)
        #expect(throws: ImageError(.corrupt, "the decoder process ended")) {
            try decode(SampleImage.palettePNG, with: decoder)
        }
    }

    @Test func `a process that is late takes no more than the time of its image`() throws {
        let file = try TemporaryFile([])
        try DecoderScript.script("sleep 60", in: file)
        var request = DecodeRequest(header: try ImageHeader.read(SampleImage.palettePNG))
        request.limits.timeout = .milliseconds(100)
        let error = #expect(throws: ImageError.self) {
            try Self.decoder(file.path) { $0.deadline = .seconds(3600) }.decode(SampleImage.palettePNG, request)
        }
        #expect(Self.code(of: error, "took too long"))
    }

    @Test func `a violation is logged with its system call, and costs one image`() throws {
        let file = try TemporaryFile([])
        try DecoderScript.liar(
            #"printf '\011\000\000\000\002\073\000\000\000\000\000\000\000' >&3"#,
            in: file)
        let lines = Watched<[String]>([])
        let decoder = Self.decoder(file.path) { $0.logger = DecoderScript.logger(lines, .debug) }
        let error = #expect(throws: ImageError.self) { try decode(SampleImage.palettePNG, with: decoder) }
        let said = "the decoder process made the forbidden system call 59 (execve)"
        #expect(error == ImageError(.corrupt, said))
        #expect(lines.value == [said])
        try DecoderScript.decoderScript(after: "", in: file)
        #expect(decodesAgain(decoder))
    }

    // MARK: Where it is

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
