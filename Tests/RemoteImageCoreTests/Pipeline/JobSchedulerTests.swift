import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// Which transfers start while received bytes wait to be decoded.
@Suite struct JobSchedulerTests {
    private struct Begun {
        var transfers: [Job] = []
        var decodes: [Job] = []
        /// The memory that each decode waits for.
        var claim: DecodeBudget.Claim?
        /// The sizes of data that is not decoded.
        var undecoded: [Int] = []
    }

    private let begun = Lock(Begun())
    private let clock = TestClock()
    private let jobs: JobScheduler

    init() {
        let (begun, clock) = (begun, clock)
        jobs = JobScheduler(
            JobScheduler.Limits(transferCount: 3, transferCountPerHost: 3, threadCount: 1), clock: clock,
            workers: JobScheduler.Workers(
                start: { job, input, _ in
                    let claim = begun.withLock { begun in
                        if input == nil { begun.transfers.append(job) } else { begun.decodes.append(job) }
                        return begun.claim
                    }
                    return Task { _ = try? await claim?.admission() }
                },
                keepUndecoded: { data, _ in begun.withLock { $0.undecoded.append(data.bytes.count) } }))
    }

    @discardableResult
    private func want(
        _ name: String, _ urgency: Urgency = .normal, processors: [String] = [], on jobs: JobScheduler? = nil
    ) -> Subscriber {
        let source: ImageSource =
            switch name.first {
            case "/": .file(name)
            case "#": .bytes([0], identity: "bytes/\(name.dropFirst())")
            default: ImageSource("http://test/\(name)")
            }
        let options = ImageOptions()
        let key = ImageKey(load: LoadKey(source, options), target: nil, processors: processors)
        let subscriber = Subscriber(urgency: urgency) { _ in }
        (jobs ?? self.jobs).want(.image(key, RequestConstraints(options)), from: source, options, subscriber)
        return subscriber
    }

    private func name(_ job: Job) -> String { job.source.identity.split(separator: "/").last.map(String.init) ?? "" }

    private var transfers: [String] { begun.withLock { $0.transfers }.map(name) }
    /// The images whose decoding or processing has begun; processors are appended to the name.
    private var decodes: [String] {
        begun.withLock { $0.decodes }.map { job in
            guard case .image(let key, _) = job.key else { return name(job) }
            return ([name(job)] + key.processors).joined(separator: "+")
        }
    }

    private func fetch(_ wanted: String, byteCount: Int = 1) throws {
        let job = try #require(begun.withLock { $0.transfers }.first { name($0) == wanted })
        let bytes = [UInt8](repeating: 0, count: byteCount)
        jobs.finish(job, with: .success(.bytes(LoadedData(bytes: bytes, origin: .network))))
    }

    private func endDecode(_ wanted: String) throws {
        let job = try #require(begun.withLock { $0.decodes }.first { name($0) == wanted })
        jobs.finish(job, with: .failure(.cancelled))
    }

    @Test func `transfers pause while too many bytes wait to be decoded, and then continue`() throws {
        for name in ["a", "b", "c", "d", "e"] { want(name, .normal) }
        #expect(transfers == ["a", "b", "c"])
        try fetch("a")
        #expect(decodes == ["a"])
        #expect(transfers == ["a", "b", "c", "d"])
        try fetch("b", byteCount: JobScheduler.undecodedByteLimit)
        #expect(transfers == ["a", "b", "c", "d"])
        try endDecode("a")
        #expect(decodes == ["a", "b"])
        #expect(transfers == ["a", "b", "c", "d", "e"])
    }

    /// All files used to be read, however many waited to be decoded.
    @Test(arguments: ["/", "#"])
    func `files and data pause while too many bytes wait to be decoded, and then continue`(prefix: String) throws {
        // As many as are read at the same time.
        for index in 0..<16 { want("\(prefix)\(index)") }
        want("\(prefix)last")
        #expect(transfers.count == 16)
        try fetch("0")
        #expect(transfers.last == "last")
        want("\(prefix)more")
        try fetch("1", byteCount: JobScheduler.undecodedByteLimit)
        #expect(transfers.last == "last")
        try endDecode("0")
        #expect(transfers.last == "more")
    }

    /// Files on a network mount that did not respond used to take the places of all local sources.
    @Test func `files that are being read do not delay other local sources`() {
        for index in 0..<17 { want("/\(index)") }
        #expect(transfers.count == 16)
        want("#data")
        #expect(transfers.count == 17 && transfers.last == "data")
    }

    @Test func `invisible images do not displace visible images`() throws {
        for name in ["a", "b", "c"] { want(name, .normal) }
        try fetch("a")
        try fetch("b", byteCount: JobScheduler.undecodedByteLimit)
        for name in ["d", "e"] { want(name, .normal) }
        #expect(transfers == ["a", "b", "c"])
        want("seen", .visible())
        #expect(transfers == ["a", "b", "c", "seen"])
        try fetch("seen")
        try endDecode("a")
        #expect(decodes == ["a", "seen"])
    }

    @Test func `a job that waits for memory leaves its thread, and its bytes still count`() throws {
        let budget = DecodeBudget(byteCount: 100)
        let (held, _) = budget.claim(100, .normal)
        for name in ["a", "b", "c", "d"] { want(name) }
        try fetch("a", byteCount: JobScheduler.undecodedByteLimit)
        try fetch("b")
        #expect(decodes == ["a"])
        #expect(transfers == ["a", "b", "c", "d"], "a decode that runs does not wait")
        let job = try #require(begun.withLock { $0.decodes.first })
        let (claim, isWaiting) = budget.claim(50, .normal)
        #expect(isWaiting)
        let isSetAside = jobs.setAside(job, until: claim)
        #expect(isSetAside)
        #expect(decodes == ["a", "b"])
        try fetch("c")
        want("e")
        #expect(transfers == ["a", "b", "c", "d"], "its bytes wait")
        want("a", .high)
        #expect(transfers == ["a", "b", "c", "d", "e"], "they wait with a more urgent job now")
        held.end()
        try endDecode("a")
        try endDecode("b")
        #expect(decodes == ["a", "b", "c"])
        want("f")
        try fetch("d")
        #expect(transfers == ["a", "b", "c", "d", "e", "f"])
    }

    /// Makes the decoder of the first decode pause for a second.
    private func pauseFirst(byteCount: Int) throws {
        let job = try #require(begun.withLock { $0.decodes.first })
        let data = LoadedData(bytes: [UInt8](repeating: 0, count: byteCount), origin: .network)
        let isPaused = jobs.pause(job, on: .bytes(data), for: .seconds(1))
        #expect(isPaused)
    }

    @Test func `a job whose decoder pauses leaves its thread, and its bytes still count`() throws {
        for name in ["a", "b", "c", "d"] { want(name) }
        try fetch("a", byteCount: JobScheduler.undecodedByteLimit)
        try fetch("b")
        #expect(decodes == ["a"])
        try pauseFirst(byteCount: JobScheduler.undecodedByteLimit)
        #expect(decodes == ["a", "b"])
        try fetch("c")
        want("e")
        #expect(transfers == ["a", "b", "c", "d"], "its bytes wait")
        want("a", .high)
        #expect(transfers == ["a", "b", "c", "d", "e"], "they wait with a more urgent job now")
        clock.advance(by: .seconds(1))
        try endDecode("b")
        #expect(decodes == ["a", "b", "a"], "it is decoded again, before a less urgent one")
        try endDecode("a")
        #expect(decodes == ["a", "b", "a", "c"])
    }

    @Test func `a job that loses its subscribers while its decoder pauses ends, and its bytes are kept`() throws {
        let subscriber = want("a")
        try fetch("a", byteCount: 7)
        try pauseFirst(byteCount: 7)
        jobs.cancel(subscriber)
        #expect(jobs.jobCount == 0)
        #expect(begun.withLock { $0.undecoded } == [7])
        clock.advance(by: .seconds(1))
        #expect(decodes == ["a"])
    }

    @Test func `a job without subscribers stops waiting for memory`() async throws {
        let budget = DecodeBudget(byteCount: 100)
        let (held, _) = budget.claim(100, .normal)
        let subscriber = want("a")
        let (claim, _) = budget.claim(50, .normal)
        begun.withLock { $0.claim = claim }
        try fetch("a")
        let job = try #require(begun.withLock { $0.decodes.first })
        let isSetAside = jobs.setAside(job, until: claim)
        #expect(isSetAside)
        jobs.cancel(subscriber)
        try await waitUntil("the job stops waiting") { budget.waiterCount == 0 }
        let isSetAsideAgain = jobs.setAside(job, until: claim)
        #expect(!isSetAsideAgain)
        held.end()
    }

    @Test func `less urgent transfers wait until the visible images are being decoded`() throws {
        for name in ["x", "y"] { want(name, .visible()) }
        try fetch("x")
        try fetch("y")
        #expect(decodes == ["x"])
        want("later", .normal)
        want("z", .visible())
        #expect(transfers == ["x", "y", "z"])
        try endDecode("x")
        #expect(decodes == ["x", "y"])
        #expect(transfers == ["x", "y", "z", "later"])
    }

    @Test func `a waiting job that becomes more urgent counts as more urgent`() throws {
        for name in ["a", "b"] { want(name, .normal) }
        try fetch("a")
        try fetch("b", byteCount: JobScheduler.undecodedByteLimit)
        // A visible view requests the same image.
        want("b", .visible())
        want("c", .visible())
        #expect(transfers == ["a", "b"])
        try endDecode("a")
        #expect(decodes == ["a", "b"])
        #expect(transfers == ["a", "b", "c"])
    }

    private func succeedDecode(_ index: Int, size: PixelSize) {
        let job = begun.withLock { $0.decodes[index] }
        jobs.finish(job, with: .success(.image(TestImage(width: size.width, height: size.height).decoded)))
    }

    /// Processing used to wait behind all decodes, whose pixels filled the memory meanwhile.
    @Test func `a decoded image is processed before the next image is decoded`() throws {
        want("a", processors: ["blur"])
        want("a", processors: ["circle"])
        want("b")
        for name in ["a", "b"] { try fetch(name) }
        #expect(decodes == ["a"])
        for index in 0...2 { succeedDecode(index, size: PixelSize(width: 1, height: 1)) }
        #expect(decodes == ["a", "a+blur", "a+circle", "b"])
    }

    @Test func `a decoded image whose urgency rises is processed before the decodes of that urgency`() throws {
        want("a", .low, processors: ["blur"])
        try fetch("a")
        for name in ["b", "c"] {
            want(name, .high)
            try fetch(name)
        }
        succeedDecode(0, size: PixelSize(width: 1, height: 1))
        #expect(decodes == ["a", "b"])
        want("a", .high, processors: ["blur"])
        try endDecode("b")
        #expect(decodes == ["a", "b", "a+blur"])
    }

    @Test func `transfers pause while too many pixels wait to be processed`() throws {
        for processor in ["blur", "circle"] { want("a", processors: [processor]) }
        try fetch("a")
        succeedDecode(0, size: PixelSize(width: 4096, height: 4096))
        #expect(decodes == ["a", "a+blur"])
        want("b")
        #expect(transfers == ["a"])
        succeedDecode(1, size: PixelSize(width: 1, height: 1))
        #expect(decodes == ["a", "a+blur", "a+circle"])
        #expect(transfers == ["a", "b"])
    }

    @Test func `an image without subscribers is not decoded`() throws {
        want("a", .normal)
        let subscribers = [want("b", .normal), want("b", .high)]
        try fetch("a")
        try fetch("b", byteCount: JobScheduler.undecodedByteLimit)
        jobs.cancel(subscribers[0])
        want("c", .normal)
        #expect(transfers == ["a", "b"], "the other is more urgent than a new one")
        jobs.cancel(subscribers[1])
        #expect(transfers == ["a", "b", "c"])
        try endDecode("a")
        #expect(decodes == ["a"])
        try fetch("c")
        #expect(decodes == ["a", "c"])
        try endDecode("c")
        #expect(jobs.jobCount == 0)
    }

    @Test func `complete data is kept if its last subscriber leaves before the decode`() throws {
        let subscribers = ["a", "b", "c"].map { want($0) }
        try fetch("a")
        try fetch("b", byteCount: 2)
        jobs.cancel(subscribers[1])
        #expect(begun.withLock { $0.undecoded } == [2])
        // The last byte arrives while the transfer is being cancelled.
        jobs.cancel(subscribers[2])
        try fetch("c", byteCount: 3)
        #expect(begun.withLock { $0.undecoded } == [2, 3])
        try endDecode("a")
        #expect(decodes == ["a"])
        #expect(jobs.jobCount == 0)
    }

    @Test(arguments: [false, true])
    func `an image is decoded with the urgency of its remaining subscribers`(stays: Bool) throws {
        for name in ["a", "b", "c"] { want(name) }
        let urgent = want("c", .high)
        try fetch("a")
        if !stays { jobs.cancel(urgent) }
        try fetch("b")
        try fetch("c")
        try endDecode("a")
        #expect(decodes == ["a", stays ? "c" : "b"])
    }

    /// An image that waited for disconnected data counted as running.
    @Test func `images that wait for the network leave the scheduler idle`() throws {
        want("a")
        let job = try #require(begun.withLock { $0.transfers.first })
        #expect(!jobs.isIdle)
        jobs.retry(job, after: nil)
        #expect(jobs.isIdle)
        let other = want("b")
        #expect(!jobs.isIdle)
        jobs.cancel(other)
        #expect(jobs.isIdle)
        jobs.reconnect()
        #expect(!jobs.isIdle)
    }
}
