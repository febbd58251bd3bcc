import Glibc
import RemoteImageTestSupport
import Testing

@testable import RemoteImageDecoders
@testable import RemoteImageDecoding

/// What is remembered of a decoder program, and how its processes are started.
@Suite struct ProgramRecordTests {
    private let start = ContinuousClock.now
    private let few: Set<ImageFormat> = [.png]
    private let many: Set<ImageFormat> = [.png, .webp]

    private func after(_ milliseconds: Int) -> ContinuousClock.Instant { start + .milliseconds(milliseconds) }

    // MARK: Pauses

    @Test func `a pause doubles with each failure after it, up to 30 seconds`() {
        var pause = RetryPause(at: start)
        #expect(pause.left(at: after(30)) == .milliseconds(70))
        #expect(!pause.isOver(at: after(99)))
        pause.addFailure(at: after(99))
        #expect(pause.left(at: start) == .milliseconds(100), "a failure during the pause does not extend it")
        #expect(pause.isOver(at: after(100)))
        var now = after(100)
        for milliseconds in [200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000] {
            pause.addFailure(at: now)
            #expect(pause.left(at: now) == .milliseconds(milliseconds))
            now += .milliseconds(milliseconds)
        }
        #expect(pause.left(at: now + .seconds(1)) == .seconds(-1))
    }

    @Test func `a failed start pauses further starts for the same formats`() {
        var record = ProgramRecord(nil)
        func failure(_ formats: Set<ImageFormat>, isAhead: Bool = false, at milliseconds: Int) -> StartFailure? {
            record.failure(startingFor: formats, ahead: isAhead, at: after(milliseconds))
        }
        func pause(at milliseconds: Int) -> Duration { record.pause(startingFor: few, at: after(milliseconds)) }
        #expect(failure(few, at: 0) == nil)
        #expect(pause(at: 0) == .zero)
        record.add(.late, startingFor: few, ahead: false, at: start)
        #expect(failure(few, at: 0) == nil, "the next start may have more time")
        record.add(.reason("first"), startingFor: few, ahead: false, at: start)
        for isAhead in [false, true] {
            #expect(failure(few, isAhead: isAhead, at: 99) == .reason("first"))
            #expect(failure(few, isAhead: isAhead, at: 100) == nil)
            #expect(failure(many, isAhead: isAhead, at: 0) == nil)
        }
        #expect(pause(at: 40) == .milliseconds(60))
        #expect(pause(at: 140) == .zero)
        record.add(.transient("second"), startingFor: few, ahead: false, at: after(100))
        #expect(failure(few, at: 299) == .transient("second"))
        #expect(failure(few, at: 300) == nil)
        record.addStart(for: many)
        #expect(failure(few, at: 299) == .transient("second"))
        record.addStart(for: few)
        #expect(failure(few, at: 299) == nil)
        record.add(.reason("third"), startingFor: few, ahead: false, at: after(300))
        #expect(pause(at: 300) == .milliseconds(100), "the pause is the first one again")
    }

    @Test func `a failed start ahead of use pauses only further ones ahead of use`() {
        var record = ProgramRecord(nil)
        record.add(.reason("ahead"), startingFor: few, ahead: true, at: start)
        func failure(isAhead: Bool, at milliseconds: Int) -> StartFailure? {
            record.failure(startingFor: few, ahead: isAhead, at: after(milliseconds))
        }
        #expect(failure(isAhead: true, at: 99) == .reason("ahead"))
        #expect(failure(isAhead: true, at: 100) == nil)
        #expect(failure(isAhead: false, at: 0) == nil)
        #expect(record.pause(startingFor: few, at: start) == .zero)
        record.add(.reason("again"), startingFor: few, ahead: true, at: after(100))
        #expect(failure(isAhead: true, at: 299) == .reason("again"))
        record.add(.reason("image"), startingFor: few, ahead: false, at: after(100))
        #expect(failure(isAhead: true, at: 150) == .reason("image"))
        #expect(failure(isAhead: true, at: 250) == .reason("again"))
        record.addStart(for: few)
        #expect(failure(isAhead: true, at: 250) == nil)
    }

    // MARK: Formats

    @Test func `a format whose test fails is ruled out until the pause ends or a test succeeds`() {
        var record = ProgramRecord(nil)
        record.addUsable(.png)
        record.addUsable(.gif)
        #expect(record.untested([.png, .gif, .jpeg]) == [.jpeg])
        let isFirstNews = record.addUnusable(.png, at: start)
        #expect(isFirstNews)
        #expect(record.untested([.png, .gif, .jpeg]) == [.png, .jpeg])
        #expect(record.isRuledOut(.png, at: after(99)))
        #expect(!record.isRuledOut(.png, at: after(100)))
        #expect(!record.isRuledOut(.gif, at: start))
        let isSecondNews = record.addUnusable(.png, at: after(100))
        #expect(!isSecondNews)
        #expect(record.isRuledOut(.png, at: after(299)))
        #expect(!record.isRuledOut(.png, at: after(300)))
        record.addFound([.png])
        #expect(record.isRuledOut(.png, at: after(299)), "a codec that is found may still fail")
        record.addUsable(.png)
        #expect(!record.isRuledOut(.png, at: after(299)))
        let isNewsAfterSuccess = record.addUnusable(.png, at: after(299))
        #expect(isNewsAfterSuccess)
    }

    @Test func `a format with a missing codec is ruled out until the codec is found`() {
        var record = ProgramRecord(nil)
        let news = [record.addMissing(.avif, at: start), record.addMissing(.avif, at: after(100))]
        #expect(news == [true, false])
        #expect(record.isRuledOut(.avif, at: after(299)))
        record.addFound([.png])
        record.addUsable(.avif)
        #expect(record.isRuledOut(.avif, at: after(299)))
        record.addFound([.png, .avif])
        #expect(!record.isRuledOut(.avif, at: after(299)))
        let isNewsAgain = record.addMissing(.avif, at: after(299))
        #expect(isNewsAgain)
    }

    @Test func `processes are started for the wanted formats, and for drawings alone`() {
        var state = IsolatedDecoder.State(wantedFormats: [.png, .gif, .svg])
        #expect(state.startFormats(for: nil, at: start) == [.png, .gif])
        #expect(state.startFormats(for: .webp, at: start) == [.png, .gif, .webp])
        #expect(state.startFormats(for: .svg, at: start) == [.svg])
        _ = state.record.addUnusable(.gif, at: start)
        _ = state.record.addMissing(.webp, at: start)
        #expect(state.startFormats(for: .webp, at: after(99)) == [.png])
        #expect(state.startFormats(for: .webp, at: after(100)) == [.png, .gif, .webp])
        state.wantedFormats = [.svg]
        #expect(state.startFormats(for: nil, at: start) == [.svg])
    }

    // MARK: Arguments

    @Test func `the arguments of a process are its parent, its limits and its formats`() {
        var configuration = IsolatedDecoder.Configuration()
        func arguments(_ formats: Set<ImageFormat>) -> [String] { configuration.arguments(for: formats) }
        #expect(arguments([.jpeg, .gif]) == ["\(getpid())", "1610612736", "120", "30000", "5"])
        #expect(arguments([.svg]) == ["\(getpid())", "805306368", "120", "30000", "512"])
        #expect(arguments([.svg, .png])[1] == "1610612736")
        configuration.maxMemoryByteCount = 700 << 20
        #expect(arguments([.svg])[1] == "734003200")
        (configuration.deadline, configuration.idleTime) = (.milliseconds(2500), .milliseconds(1234))
        #expect(arguments([])[2...] == ["8", "1234", "0"])
        (configuration.deadline, configuration.idleTime) = (.zero, .zero)
        #expect(arguments([])[2...] == ["4", "1", "0"])
        (configuration.deadline, configuration.idleTime) = (.seconds(Int64.max), .seconds(Int64.max))
        #expect(arguments([])[2...] == ["8589934588", "2147483647", "0"])
    }

    @Test func `only processes of drawings receive the variables of fonts and languages`() {
        for name in ["HOME", "LANG", "FONTCONFIG_FILE"] {
            #expect(IsolatedDecoder.environmentNames(for: [.svg]).contains(name))
            #expect(!IsolatedDecoder.environmentNames(for: [.png]).contains(name))
            #expect(!IsolatedDecoder.environmentNames(for: [.png, .svg]).contains(name))
        }
        for formats in [[.svg], [.png]] as [Set<ImageFormat>] {
            #expect(IsolatedDecoder.environmentNames(for: formats).contains("LD_LIBRARY_PATH"))
        }
    }

    @Test func `a required decoder process is never replaced by the calling process`() {
        var configuration = IsolatedDecoder.Configuration()
        #expect(configuration.fallsBack)
        configuration.mayFallBack = false
        #expect(!configuration.fallsBack)
        (configuration.mayFallBack, configuration.isRequired) = (true, true)
        #expect(!configuration.fallsBack)
    }

    // MARK: Program files

    @Test func `only an executable file is a program`() throws {
        let file = try TemporaryFile([1, 2, 3])
        chmod(file.path, 0o600)
        #expect(ProgramFile(file.path).version == nil)
        #expect(!ProgramFile(file.path).isUnchanged)
        #expect(!DecoderLocation.isProgram(file.path))
        chmod(file.path, 0o700)
        let program = ProgramFile(file.path)
        #expect(program.version != nil)
        #expect(program.isUnchanged)
        #expect(program == ProgramFile(file.path))
        #expect(ProgramFile("/usr").version == nil)
        #expect(ProgramFile("/usr/no such file").version == nil)
        #expect(!ProgramFile("/usr/no such file").isUnchanged)
        let descriptor = open(file.path, O_WRONLY | O_APPEND)
        #expect(write(descriptor, [4], 1) == 1)
        close(descriptor)
        #expect(!program.isUnchanged, "it is longer")
        #expect(ProgramFile(file.path).isUnchanged)
        unlink(file.path)
        #expect(!program.isUnchanged)
    }

    @Test func `a system error that may pass is transient`() {
        for number in [EAGAIN, ENOMEM, EMFILE, ENFILE] {
            #expect(StartFailure(errorNumber: number) == .transient(String(cString: strerror(number))))
        }
        for number in [ENOENT, EACCES, ECANCELED] {
            #expect(StartFailure(errorNumber: number) == .reason(String(cString: strerror(number))))
        }
    }
}
