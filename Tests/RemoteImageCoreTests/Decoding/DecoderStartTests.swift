import CRemoteImagePlatform
import Foundation
import Glibc
import Logging
import RemoteImage
import RemoteImageTestSupport
import Testing

@testable import RemoteImageDecoders

/// Where the decoder program is searched for, and how failed starts are reported.
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

    // MARK: Required and preferred isolation

    /// Any failure of the first start used to switch to decoding in the calling process for good.
    @Test(
        arguments: [
            "exit 72", "kill -KILL $$", "kill -SYS $$", "printf nonsense >&3", "exec 3<&-; sleep 60",
        ], [false, true])
    func `an installed program that fails to start is an error`(lines: String, isRequired: Bool) throws {
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

    @Test(arguments: [
        ("exit 72", "it ended with status 72", false), ("exit 255", "it ended with status 255", false),
        ("kill -KILL $$", "signal 9 ended it", true), ("kill -TERM $$", "signal 15 ended it", true),
        ("kill -BUS $$", "signal 7 ended it", true), ("kill -SEGV $$", "signal 11 ended it", false),
        ("printf nonsense >&3; exec sleep 60", "it gave no valid greeting", false),
        // Longer than a message may be.
        ("dd if=/dev/zero bs=16385 count=1 >&3; exec sleep 60", "it gave no valid greeting", false),
        ("\(DecoderScript.violation); exec sleep 60", "it made the forbidden system call 41 (socket)", false),
        // The socket is closed before the end.
        ("exec 3<&-; sleep 0.3; exit 72", "it ended with status 72", false),
    ])
    func `the reason of a failed start is named, and only one from outside may pass`(
        lines: String, reason: String, mayPass: Bool
    ) throws {
        let file = try TemporaryFile([])
        try DecoderScript.script(lines, in: file)
        let error = #expect(throws: ImageError.self) {
            try decode(SampleImage.palettePNG, with: Self.decoder(file.path))
        }
        #expect(error == ImageError(.io, "remote-image-decoder does not start: \(reason)"))
        #expect((error?.retryDelay != nil) == mayPass)
    }

    @Test func `a missing program that is required is not logged as a fallback`() throws {
        let lines = Watched<[String]>([])
        let required = Self.decoder("/nonexistent/remote-image-decoder") {
            $0.isRequired = true
            $0.logger = DecoderScript.logger(lines, .debug)
        }
        for _ in 0..<2 {
            #expect(throws: ImageError(.io, "remote-image-decoder is not installed")) {
                try decode(SampleImage.palettePNG, with: required)
            }
        }
        #expect(lines.value == [])
    }

    @Test func `a program that cannot be executed is an error`() throws {
        let file = try TemporaryFile(Array("#!/nonexistent/interpreter\n".utf8))
        #expect(chmod(file.path, 0o700) == 0)
        let error = #expect(throws: ImageError.self) {
            try decode(SampleImage.palettePNG, with: Self.decoder(file.path))
        }
        #expect(Self.code(of: error, "No such file"))
        #expect(throws: ImageError.self) { try decode(SampleImage.palettePNG, with: Self.decoder("/bin/true")) }
    }

    @Test(arguments: ["/nonexistent/remote-image-decoder", "/etc/passwd"])
    func `a missing program is an error if it is required, and otherwise logged once`(
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

    /// A logger is application code and may call the decoder.
    @Test func `the decoder holds no lock while it logs`() throws {
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

    // MARK: A package upgrade while the application runs

    /// Ends the idle processes, so that the next image needs a new one.
    private func endProcesses(of decoder: IsolatedDecoder) {
        for process in decoder.idleProcesses { kill(process, SIGKILL) }
    }

    @Test func `a replaced program is started in its new version`() throws {
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
    func `a removed program is an error until it is reinstalled`(isRequired: Bool) throws {
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

    @Test(arguments: [DecoderScript.greeting.replacing(#"\007\000"#, with: #"\003\000"#) + "; sleep 60", "exit 64"])
    func `a program of another version is an error that asks for a restart`(lines: String) throws {
        let file = try TemporaryFile([])
        try DecoderScript.decoderScript(after: "", in: file)
        let decoder = Self.decoder(file.path)
        _ = try decode(SampleImage.palettePNG, with: decoder)
        try DecoderScript.script(lines, in: file)
        endProcesses(of: decoder)
        let error = #expect(throws: ImageError.self) { try decode(SampleImage.palettePNG, with: decoder) }
        #expect(Self.code(of: error, "of another version than this program, which has to be restarted"))
    }

    @Test func `a program installed while the application runs is used from then on`() throws {
        let file = try TemporaryFile([])
        let lines = Watched<[String]>([])
        let decoder = Self.decoder(file.path) { $0.logger = DecoderScript.logger(lines) }
        #expect(try !decode(SampleImage.palettePNG, with: decoder).isIsolated)
        try DecoderScript.decoderScript(after: "", in: file)
        #expect(try decode(SampleImage.palettePNG, with: decoder).isIsolated)
        #expect(lines.value.count == 1)
    }

    // MARK: The greeting of the program

    @Test func `a process without a system call filter is logged once, and refused if isolation is required`() throws {
        guard platform_is_sanitized() == 0 else { return }
        let file = try TemporaryFile([])
        // The script ends after its greeting.
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
    func `a process started with an invalid list of formats ends at once`(formats: String) throws {
        let file = try TemporaryFile([])
        try DecoderScript.script(
            "exec '\(try #require(DecoderLocation.find(given: nil)))' $1 $2 $3 $4 \(formats)", in: file)
        let error = #expect(throws: ImageError.self) {
            try decode(SampleImage.palettePNG, with: Self.decoder(file.path))
        }
        #expect(Self.code(of: error, "of another version"))
    }

    @Test func `a greeting with unrequested formats is invalid`() throws {
        let file = try TemporaryFile([])
        // The bit of WebP, the fourth format.
        try DecoderScript.script(
            DecoderScript.greeting.replacing(#"\000\002"#, with: #"\000\012"#) + "; sleep 60", in: file)
        let error = #expect(throws: ImageError.self) {
            try decode(SampleImage.palettePNG, with: Self.decoder(file.path))
        }
        #expect(Self.code(of: error, "no valid greeting"))
    }

    @Test func `formats that only unconfinable decoders decode are decoded in the calling process`() throws {
        struct Glycin: ConfinableDecoder {
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

    /// The process could write escape sequences to the application's terminal.
    @Test func `a decoder process inherits no standard stream of the application`() throws {
        let (file, list) = (try TemporaryFile([]), try TemporaryFile([]))
        let links = "readlink /proc/$$/fd/0 /proc/$$/fd/1 /proc/$$/fd/2"
        try DecoderScript.decoderScript(after: "links=$(\(links))\necho \"$links\" > '\(list.path)'", in: file)
        _ = try decode(SampleImage.palettePNG, with: Self.decoder(file.path))
        #expect(try String(contentsOfFile: list.path, encoding: .utf8) == "/dev/null\n/dev/null\n/dev/null\n")
    }

    @Test func `an application with closed standard streams decodes`() throws {
        let program = try #require(DecoderLocation.find(given: nil))
            .replacing("remote-image-decoder", with: "remote-image")
        let (image, script) = (try TemporaryFile(SampleImage.palettePNG), try TemporaryFile([]))
        let folder = try TemporaryFolder()
        // The command cannot write its report, so its output folder is checked.
        try DecoderScript.script(
            """
            '\(program)' fetch --isolate --output '\(folder.path)' 'file://\(image.path)' <&- >&- 2>&-
            [ -n "$(ls '\(folder.path)')" ]
            """, in: script)
        #expect(system(script.path) == 0)
    }

    // MARK: Answers to an image

    /// Whether an image is decoded after the processes of the replaced program, which were started
    /// ahead of use, are used up.
    private func decodesAgain(_ decoder: IsolatedDecoder) -> Bool {
        (0...WorkerThreads.decoding.count).contains { _ in
            (try? decode(SampleImage.palettePNG, with: decoder))?.pixels.quarters[0] == .red
        }
    }

    @Test(arguments: [
        DecoderScript.pixels(60_000, 60_000, of: (60_000, 60_000)), DecoderScript.pixels(1, 1, of: (60_000, 60_000)),
        DecoderScript.pixels(900, 900, of: (900, 900)), DecoderScript.pixels(3, 3, of: (2, 2)),
        // A size that differs from the header's.
        DecoderScript.pixels(1, 1, of: (16, 16)), DecoderScript.pixels(1, 1, of: (2, 2)),
        DecoderScript.pixels(-1, 2, of: (2, 2)), DecoderScript.pixels(0, 0, of: (0, 0)),
        DecoderScript.pixels(.max, .max, of: (.max, .max)),
        // Numbered frames of a format without animations.
        DecoderScript.pixels(1, 1, of: (16, 8), hasTiming: true),
        #"printf '\011\000\000\000\003"# + DecoderScript.number(1 << 40) + "' >&3",
        #"printf '\052\000\000\000\000\001' >&3"#,
        #"printf '\001\000\000\000\377' >&3"#, DecoderScript.testResult(isDecoded: false),
        DecoderScript.testResult(isDecoded: true), "kill -SEGV $$", "kill -SYS $$",
    ])
    func `an image whose new process crashes or sends an invalid answer is corrupt`(answer: String) throws {
        let file = try TemporaryFile([])
        try DecoderScript.liar(answer, in: file)
        let decoder = Self.decoder(file.path)
        let error = #expect(throws: ImageError.self) { try decode(SampleImage.palettePNG, with: decoder) }
        #expect(error?.code == .corrupt)
        try DecoderScript.decoderScript(after: "", in: file)
        #expect(decodesAgain(decoder))
    }

    @Test(arguments: ["exec 3<&-; sleep 60", "exit 0", "kill -KILL $$", "kill -TERM $$", "kill -BUS $$"])
    func `an image whose new process is killed is not reported as corrupt`(answer: String) throws {
        let file = try TemporaryFile([])
        try DecoderScript.liar(answer, in: file)
        let decoder = Self.decoder(file.path)
        let error = #expect(throws: ImageError.self) { try decode(SampleImage.palettePNG, with: decoder) }
        #expect(error?.code == .io)
        try DecoderScript.decoderScript(after: "", in: file)
        #expect(decodesAgain(decoder))
    }

    @Test func `an image whose new process reaches its processor time is not reported as corrupt`() throws {
        let file = try TemporaryFile([])
        try DecoderScript.liar("kill -XCPU $$", in: file)
        let error = #expect(throws: ImageError.self) {
            try decode(SampleImage.palettePNG, with: Self.decoder(file.path))
        }
        #expect(error?.code == .decodeTimeout)
    }

    @Test func `an answer that needs more memory than can be addressed is invalid`() throws {
        let file = try TemporaryFile([])
        try DecoderScript.liar(
            #"printf '\011\000\000\000\003"# + DecoderScript.number(.max) + "' >&3", in: file)
        var request = DecodeRequest(header: try ImageHeader.read(SampleImage.palettePNG))
        request.limits.maxDecodedByteCount = .max
        let error = #expect(throws: ImageError.self) {
            try Self.decoder(file.path).decode(SampleImage.palettePNG, request)
        }
        #expect(error?.code == .corrupt)
    }

    /// Its socket filled with questions, and the next one blocked a decode thread for good.
    @Test func `a process that answers without reading its questions does not block the application`() throws {
        let file = try TemporaryFile([])
        try DecoderScript.liar("while \(DecoderScript.corrupt); do :; done", in: file)
        let decoder = Self.decoder(file.path)
        for _ in 0..<500 {
            let error = #expect(throws: ImageError.self) { try decode(SampleImage.palettePNG, with: decoder) }
            #expect(error?.code == .corrupt)
        }
    }

    @Test func `an image that crashes two processes is corrupt`() throws {
        let file = try TemporaryFile([])
        let answer =
            #"printf '\030\000\000\000\001"# + DecoderScript.number(7) + "corrupt" + DecoderScript.number(0) + "' >&3"
        let next = "\(DecoderScript.take)\nkill -SEGV $$"
        try DecoderScript.liar("\(answer)\n\(next)", in: file)
        let decoder = Self.decoder(file.path)
        #expect(throws: ImageError(.corrupt)) { try decode(SampleImage.palettePNG, with: decoder) }
        try DecoderScript.liar("kill -SEGV $$", in: file)
        #expect(throws: ImageError(.corrupt, "the decoder process crashed")) {
            try decode(SampleImage.palettePNG, with: decoder)
        }
    }

    @Test func `a process that starts slowly is limited by the timeout of its image`() throws {
        let file = try TemporaryFile([])
        try DecoderScript.script("sleep 60", in: file)
        var request = DecodeRequest(header: try ImageHeader.read(SampleImage.palettePNG))
        request.limits.timeout = .milliseconds(100)
        let error = #expect(throws: ImageError.self) {
            try Self.decoder(file.path) { $0.deadline = .seconds(3600) }.decode(SampleImage.palettePNG, request)
        }
        #expect(Self.code(of: error, "took too long"))
    }

    @Test func `a forbidden system call is logged and fails only its image`() throws {
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

    // MARK: Location

    @Test func `the decoder program is searched for beside the application and in libexec`() {
        #expect(
            DecoderLocation.candidates(
                program: "/opt/app/bin/viewer", library: "/usr/lib/x86_64-linux-gnu/libremoteimage-1.so.0") == [
                    "/opt/app/bin/remote-image-decoder", "/usr/libexec/remote-image-decoder",
                    "/opt/app/libexec/remote-image-decoder",
                ])
        #expect(DecoderLocation.candidates(program: "/tmp/x/viewer", library: nil) == ["/tmp/x/remote-image-decoder"])
        #expect(DecoderLocation.candidates(program: "viewer", library: "").allSatisfy { !$0.contains("libexec") })
        #expect(DecoderLocation.file(at: "/bin/../bin/sh") != nil)
        #expect(DecoderLocation.file(at: ".") == nil, "the current folder is not that of the program")
    }

    @Test(arguments: [
        ("/opt/app/lib64/viewer", "/opt/app"), ("/opt/app/lib/a/b/viewer", "/opt/app"),
        ("/opt/lib/app/bin/viewer", "/opt/lib/app"), ("/bin/viewer", ""),
    ])
    func `an installation prefix is the parent of the innermost bin, lib or lib64`(program: String, prefix: String) {
        #expect(
            DecoderLocation.candidates(program: nil, library: program) == ["\(prefix)/libexec/remote-image-decoder"])
    }

    @Test func `a relative link and a linked folder are followed, and what they lead to is checked`() throws {
        let folder = try TemporaryFolder()
        let link = try program(in: folder, "b")
        _ = try program(in: folder, "a")
        try FileManager.default.removeItem(atPath: link)
        try FileManager.default.createSymbolicLink(
            atPath: link, withDestinationPath: "../../a/bin/remote-image-decoder")
        try FileManager.default.createSymbolicLink(atPath: folder.path("c"), withDestinationPath: "a")
        let linked = folder.path("c/bin/remote-image-decoder")
        for path in [link, linked] { #expect(DecoderLocation.first(of: [path]) == path) }
        for (path, mode) in [("a/bin/remote-image-decoder", 0o777), ("a/bin", 0o777)] {
            #expect(chmod(folder.path(path), mode_t(mode)) == 0)
            for path in [link, linked] { #expect(DecoderLocation.first(of: [path]) == nil) }
            #expect(chmod(folder.path(path), 0o755) == 0)
        }
        #expect(!DecoderLocation.isReplaceable(folder.path("a/bin")))
        #expect(DecoderLocation.isReplaceable(String(folder.path("a/bin").dropFirst())), "a relative path")
        #expect(DecoderLocation.isReplaceable(folder.path("a/missing")))
    }

    /// Writes an executable file into a new folder of a folder, and returns its path.
    private func program(in folder: TemporaryFolder, _ parent: String) throws -> String {
        try FileManager.default.createDirectory(
            atPath: folder.path("\(parent)/bin"), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o755])
        let path = folder.path("\(parent)/bin/remote-image-decoder")
        #expect(FileManager.default.createFile(atPath: path, contents: Data(), attributes: [.posixPermissions: 0o755]))
        return path
    }

    /// The decoder of another user was once started from a folder that this user may write to.
    @Test(arguments: [
        ("a/bin/remote-image-decoder", 0o777), ("a/bin/remote-image-decoder", 0o757), ("a/bin", 0o777),
        ("a/bin", 0o1777), ("a", 0o777),
    ])
    func `a decoder program that other users may replace is not used`(path: String, mode: Int) throws {
        let folder = try TemporaryFolder()
        let (exposed, safe) = (try program(in: folder, "a"), try program(in: folder, "b"))
        #expect(DecoderLocation.first(of: [exposed, safe]) == exposed)
        #expect(chmod(folder.path(path), mode_t(mode)) == 0)
        #expect(DecoderLocation.first(of: [exposed, safe]) == safe)
        #expect(DecoderLocation.first(of: [exposed]) == nil)
    }

    @Test func `a decoder program below a sticky folder of the system is used`() throws {
        let folder = try TemporaryFolder()
        let path = try program(in: folder, "a")
        #expect(chmod(folder.path("a"), 0o1777) == 0)
        #expect(DecoderLocation.first(of: [path]) == path)
    }

    @Test(.enabled(if: geteuid() == 0, "only the superuser may give files away"))
    func `a decoder program or folder of another user is not used`() throws {
        for path in ["a/bin/remote-image-decoder", "a/bin", "a"] {
            let folder = try TemporaryFolder()
            let foreign = try program(in: folder, "a")
            #expect(chown(folder.path(path), 65_534, gid_t.max) == 0)
            #expect(DecoderLocation.first(of: [foreign]) == nil, "\(path)")
        }
    }

    @Test func `a link is followed from a folder of the user, and its target is checked too`() throws {
        let folder = try TemporaryFolder()
        let (target, link) = (try program(in: folder, "a"), try program(in: folder, "b"))
        try FileManager.default.removeItem(atPath: link)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
        #expect(DecoderLocation.first(of: [link]) == link)
        #expect(chmod(folder.path("a/bin"), 0o777) == 0)
        #expect(DecoderLocation.first(of: [link]) == nil)
        #expect(chmod(folder.path("a/bin"), 0o755) == 0)
        #expect(chmod(folder.path("b/bin"), 0o1777) == 0)
        #expect(DecoderLocation.first(of: [link]) == nil, "another user may have made the link")
    }

    /// Only the end of a chain was checked.
    @Test func `each link of a chain is checked`() throws {
        let folder = try TemporaryFolder()
        let (target, middle, link) = (
            try program(in: folder, "a"), try program(in: folder, "b"), try program(in: folder, "c")
        )
        for (link, target) in [(middle, target), (link, middle)] {
            try FileManager.default.removeItem(atPath: link)
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
        }
        #expect(DecoderLocation.first(of: [link]) == link)
        #expect(chmod(folder.path("b/bin"), 0o777) == 0)
        #expect(DecoderLocation.first(of: [link]) == nil)
        try FileManager.default.removeItem(atPath: link)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "remote-image-decoder")
        #expect(DecoderLocation.first(of: [link]) == nil, "a link to itself")
    }

    /// The build trees of developers whose umask is 002.
    @Test func `the group of the user's own number may have write access, another group may not`() throws {
        let folder = try TemporaryFolder()
        let path = try program(in: folder, "a")
        for path in [path, folder.path("a/bin"), folder.path("a")] { #expect(chmod(path, 0o775) == 0) }
        guard getgid() == getuid() else { return }
        #expect(DecoderLocation.first(of: [path]) == path)
        guard geteuid() == 0 else { return }
        #expect(chown(folder.path("a/bin"), uid_t.max, 100) == 0)
        #expect(DecoderLocation.first(of: [path]) == nil)
    }

    // MARK: What a process receives, and how long it stays

    @Test func `a decoder process does not receive the environment of the application`() throws {
        let (file, list) = (try TemporaryFile([]), try TemporaryFile([]))
        setenv("REMOTE_IMAGE_TEST_TOKEN", "secret", 1)
        try DecoderScript.decoderScript(after: "env > '\(list.path)'", in: file)
        _ = try decode(SampleImage.palettePNG, with: Self.decoder(file.path))
        let names = try String(contentsOfFile: list.path, encoding: .utf8).split(separator: "\n").compactMap {
            $0.split(separator: "=").first
        }
        // The shell sets the last three.
        let expected = IsolatedDecoder.environmentNames(for: [.png]) + ["PWD", "SHLVL", "_"]
        #expect(names.filter { !expected.contains(String($0)) } == [])
    }

    /// Ctrl-C in the terminal of the application does not reach its process group.
    @Test func `a decoder process has a process group of its own, and no blocked or ignored signals`() throws {
        let (file, list) = (try TemporaryFile([]), try TemporaryFile([]))
        // Without a child, for which the shell would block signals itself.
        let signals = "while read n v; do case $n in SigBlk:|SigIgn:) echo $v;; esac; done < /proc/$$/status"
        let group = "read a b c d group e < /proc/$$/stat; echo $group"
        try DecoderScript.decoderScript(after: "{ \(signals); \(group); echo $$; } > '\(list.path)'", in: file)
        signal(SIGUSR2, SIG_IGN)
        defer { signal(SIGUSR2, SIG_DFL) }
        var (blocked, old) = (sigset_t(), sigset_t())
        sigemptyset(&blocked)
        sigaddset(&blocked, SIGUSR1)
        pthread_sigmask(SIG_BLOCK, &blocked, &old)
        defer { pthread_sigmask(SIG_SETMASK, &old, nil) }
        _ = try decode(SampleImage.palettePNG, with: Self.decoder(file.path))
        let lines = try String(contentsOfFile: list.path, encoding: .utf8).split(separator: "\n")
        try #require(lines.count == 4)
        let masks = lines.prefix(2).map { UInt64($0, radix: 16) ?? .max }
        #expect(masks[0] == 0)
        #expect(masks[1] & ~(3 << 31) == 0, "only two signals of the C library's own are ignored")
        #expect(lines[2] == lines[3])
    }

    @Test func `a process that is released while it starts is ended or never started`() async throws {
        let ended = Watched(0)
        for _ in 0..<20 {
            _ = try DecoderProcess(ProgramFile("/bin/sleep"), ["1000"], for: [.png]) { ended.update { $0 += 1 } }
        }
        try await ended.wait { $0 == 20 }
    }

    /// Such a process once stayed and received later images.
    @Test func `an idle process that ignores its idle time is ended`() async throws {
        let file = try TemporaryFile([])
        try DecoderScript.liar("\(DecoderScript.corrupt)\nexec sleep 600", in: file)
        let decoder = Self.decoder(file.path) { $0.idleTime = .seconds(1) }
        #expect(throws: ImageError(.corrupt)) { try decode(SampleImage.palettePNG, with: decoder) }
        let process = try #require(decoder.idleProcesses.last)
        try await waitUntil("the end of the process") { decoder.pool.isEmpty && kill(process, 0) != 0 }
    }

    /// A compromised process could forge the pixels of all later images.
    @Test func `a process that has decoded for five minutes is replaced after its image`() async throws {
        let time = Lock(ContinuousClock.now)
        let program = try #require(DecoderLocation.find(given: nil))
        let decoder = DecoderScript.decoder(program, at: time)
        _ = try decode(SampleImage.palettePNG, with: decoder)
        let first = try #require(decoder.idleProcesses.last)
        time.withLock { $0 += .seconds(299) }
        _ = try decode(SampleImage.palettePNG, with: decoder)
        #expect(decoder.idleProcesses.last == first)
        time.withLock { $0 += .seconds(1) }
        _ = try decode(SampleImage.palettePNG, with: decoder)
        #expect(!decoder.idleProcesses.contains(first))
        try await waitUntil("the end of the process") { kill(first, 0) != 0 }
        try await waitUntil("its successor") { decoder.idleProcesses.count == 1 }
    }
}
