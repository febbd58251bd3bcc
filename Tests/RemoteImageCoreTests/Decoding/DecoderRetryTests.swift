import Foundation
import RemoteImage
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore
@testable import RemoteImageDecoders

/// How often a failing decoder program is restarted.
/// One at a time: `settle()` needs all decode threads, and two of them would wait for each other.
@Suite(.timeLimit(.minutes(2)), .endsInTime, .serialized)
struct DecoderRetryTests {
    private let time = Lock(ContinuousClock.now)
    private let file: TemporaryFile
    private let starts: TemporaryFile

    init() throws {
        (file, starts) = (try TemporaryFile([]), try TemporaryFile([]))
    }

    private func decoder() -> IsolatedDecoder {
        DecoderScript.decoder(file.path, at: time)
    }

    /// Writes a program that records each start and then fails.
    private func writeFailing(_ lines: String = "exit 72") throws {
        try DecoderScript.script("echo >> '\(starts.path)'\n\(lines)", in: file)
    }

    private var startCount: Int { (try? String(contentsOfFile: starts.path, encoding: .utf8).count) ?? -1 }

    /// Waits until all starts that were queued before have ended: until every decode thread is idle
    /// at the same time.
    private func settle() async {
        let threads = WorkerThreads.decoding
        let idle = Lock(0)
        await withTaskGroup { group in
            for _ in 0..<threads.count {
                group.addTask(executorPreference: threads) {
                    idle.withLock { $0 += 1 }
                    while idle.withLock({ $0 }) < threads.count { usleep(1000) }
                }
            }
        }
    }

    /// Uses up the processes that were started ahead, so that the next image starts one.
    private func emptyPool(of decoder: IsolatedDecoder) async {
        await settle()
        while !decoder.pool.isEmpty { #expect(isRefused(decoder)) }
    }

    private func wait(_ pause: Duration) { time.withLock { $0 += pause } }

    private func decode(
        _ bytes: [UInt8] = SampleImage.palettePNG, with decoder: IsolatedDecoder
    ) throws -> DecodedImage {
        try decoder.decode(bytes, DecodeRequest(header: try ImageHeader.read(bytes)))
    }

    private func isRefused(_ decoder: IsolatedDecoder) -> Bool {
        let error = #expect(throws: ImageError.self) { try decode(with: decoder) }
        return error?.code == .io && error?.detail?.contains("it ended with status 72") == true
    }

    @Test func `a failing program is restarted after a pause that grows to 30 seconds`() throws {
        try writeFailing()
        let decoder = decoder()
        for count in 1...12 {
            #expect(isRefused(decoder))
            #expect(startCount == count)
            let pause = min(Duration.milliseconds(100 << (count - 1)), .seconds(30))
            wait(pause - .milliseconds(1))
            #expect(isRefused(decoder), "with the reason of the last start")
            #expect(startCount == count)
            wait(.milliseconds(1))
        }
    }

    @Test func `a successful start resets the pause`() async throws {
        let mark = try TemporaryFile([])
        let program = try #require(DecoderLocation.find(given: nil))
        try writeFailing("[ -s '\(mark.path)' ] || exit 72\n: > '\(mark.path)'\nexec '\(program)' \"$@\"")
        let decoder = decoder()
        for pause in [Duration.milliseconds(100), .milliseconds(200)] {
            #expect(isRefused(decoder))
            wait(pause)
        }
        try "works once".write(toFile: mark.path, atomically: false, encoding: .utf8)
        #expect(try decode(with: decoder).isIsolated)
        for process in decoder.idleProcesses { kill(process, SIGKILL) }
        let count = startCount
        #expect(isRefused(decoder), "it is started at once")
        #expect(startCount > count)
        await emptyPool(of: decoder)
        wait(.milliseconds(100))
        let next = startCount
        #expect(isRefused(decoder), "the pause is the first one again")
        #expect(startCount == next + 1)
    }

    @Test func `a replaced program is started at once`() throws {
        try writeFailing()
        let decoder = decoder()
        #expect(isRefused(decoder))
        try DecoderScript.decoderScript(after: "", in: file)
        #expect(try decode(with: decoder).isIsolated)
    }

    @Test func `preparing starts no processes during a pause`() async throws {
        try writeFailing()
        let decoder = decoder()
        #expect(isRefused(decoder))
        for _ in 0..<8 {
            decoder.prepare()
            await settle()
        }
        #expect(startCount == 1)
    }

    @Test func `after a failed start ahead of use, only an image starts another process`() async throws {
        try writeFailing()
        let decoder = decoder()
        let ahead = try DecoderProcess(
            ProgramFile(file.path), decoder.configuration.arguments(for: IsolatedDecoder.firstFormats),
            for: IsolatedDecoder.firstFormats)
        _ = #expect(throws: StartFailure.self) { try ahead.ready(until: .now + .seconds(30)) }
        _ = decoder.program()
        decoder.pool.startAhead { () throws(StartFailure) in ahead }
        await settle()
        for _ in 0..<8 {
            decoder.prepare()
            await settle()
            #expect(decoder.idleProcesses.isEmpty)
        }
        #expect(startCount == 1)
        #expect(isRefused(decoder))
        #expect(startCount == 2, "an image starts one")
    }

    @Test func `a pause applies only to the formats of the failed start`() throws {
        let program = try #require(DecoderLocation.find(given: nil))
        // WebP is the fourth format.
        try writeFailing("[ $(($5 & 8)) = 0 ] && exec '\(program)' \"$@\"\nexit 72")
        let decoder = decoder()
        for _ in 0..<3 {
            #expect(throws: ImageError.self) { try decode(SampleImage.lossyWebP, with: decoder) }
            #expect(try decode(with: decoder).isIsolated)
        }
        #expect(startCount == 2)
    }

    private func retryDelay(_ decoder: IsolatedDecoder) -> Duration? {
        #expect(throws: ImageError.self) { try decode(with: decoder) }?.retryDelay
    }

    @Test func `the error of a start that was ended from outside has the rest of the pause`() async throws {
        try writeFailing("kill -KILL $$")
        let decoder = decoder()
        #expect(retryDelay(decoder) == .milliseconds(100))
        wait(.milliseconds(100))
        #expect(retryDelay(decoder) == .milliseconds(200))
        wait(.milliseconds(50))
        #expect(retryDelay(decoder) == .milliseconds(150))
        try writeFailing()
        #expect(retryDelay(decoder) == nil, "a start that failed by itself would fail again")
    }

    @Test func `the error of a process that was ended from outside before its image has a pause`() throws {
        try DecoderScript.script("\(DecoderScript.confinedGreeting)\n\(DecoderScript.take)\nkill -KILL $$", in: file)
        #expect(retryDelay(decoder()) == .milliseconds(100))
        try DecoderScript.liar("kill -KILL $$", in: file)
        #expect(retryDelay(decoder()) == nil, "the image may be the cause")
    }

    /// All requested images used to fail for good.
    @Test func `images whose decoder processes are killed while they start are decoded later`() async throws {
        let program = try #require(DecoderLocation.find(given: nil))
        try DecoderScript.script(
            "echo >> '\(starts.path)'\n[ $(wc -l < '\(starts.path)') -gt 4 ] || kill -KILL $$\nexec '\(program)' \"$@\"",
            in: file)
        let pipeline = ImagePipeline.test(
            FakeTransport(), decoder: DecoderScript.decoder(file.path), memoryCache: nil
        ) { $0.decodeResources = .own(byteCount: 1 << 20) }
        let images = (0..<60).map { number in
            let source = ImageSource.bytes(SampleImage.palettePNG, identity: "\(number)")
            return PendingImage(ImageRequest(source), in: pipeline)
        }
        for image in images { #expect(try await image.image.info.isIsolated) }
    }
}
