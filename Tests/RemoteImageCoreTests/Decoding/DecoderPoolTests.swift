import Dispatch
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore
@testable import RemoteImageDecoders

@Suite(.timeLimit(.minutes(2)), .endsInTime)
struct DecoderPoolTests {
    @Test func `processes started ahead of use do not exceed the pool's limit`() async throws {
        let (starts, gate) = (Watched(0), DispatchSemaphore(value: 0))
        let pool = DecoderPool(maxCount: 1)
        for _ in 0..<5 {
            pool.startAhead { () throws(StartFailure) in
                starts.update { $0 += 1 }
                gate.wait()
                return nil
            }
        }
        try await starts.wait { $0 == 1 }
        for _ in 0..<5 { gate.signal() }
        // The first start has returned, so the pool has room again.
        pool.startAhead { () throws(StartFailure) in nil }
        await Task(executorPreference: WorkerThreads.decoding) {}.value
        #expect(starts.value == 1)
    }

    /// It has the code and the memory of an image ready, and the new one may be needed beside it.
    @Test func `a process that has decoded is taken before one started ahead`() async throws {
        let program = try #require(DecoderLocation.find(given: nil))
        @Sendable func start() throws(StartFailure) -> DecoderProcess {
            try DecoderProcess(
                ProgramFile(program), IsolatedDecoder.Configuration().arguments(for: [.png]), for: [.png])
        }
        let pool = DecoderPool(maxCount: 2)
        let used = try pool.take(for: .png, fresh: false) { () throws(StartFailure) in try start() }
        _ = try used.ready(until: .now + .seconds(20))
        pool.putBack(used)
        pool.startAhead { () throws(StartFailure) in try start() }
        try await waitUntil("a second process") { pool.processes.count == 2 }
        let taken = try pool.take(for: .png, fresh: false) { () throws(StartFailure) in try start() }
        #expect(taken === used)
    }

    @Test func `an idle process is ended to make room for another format`() throws {
        let program = try #require(DecoderLocation.find(given: nil))
        func start(_ format: ImageFormat) throws(StartFailure) -> DecoderProcess {
            try DecoderProcess(
                ProgramFile(program), IsolatedDecoder.Configuration().arguments(for: [format]), for: [format])
        }
        func take(_ format: ImageFormat, from pool: DecoderPool) throws -> DecoderProcess {
            let process = try pool.take(for: format, fresh: false) { () throws(StartFailure) in try start(format) }
            _ = try process.ready(until: .now + .seconds(20))
            return process
        }
        let pool = DecoderPool(maxCount: 1)
        pool.putBack(try take(.png, from: pool))
        #expect(pool.processes.count == 1)
        let jpeg = try take(.jpeg, from: pool)
        #expect(pool.processes == [])
        pool.putBack(jpeg)
        #expect(pool.processes == [jpeg.process])
    }

    // MARK: Which processes are kept

    /// A process that runs until it is killed, or one that ends at once.
    private func process(
        endsAtOnce: Bool = false, at started: ContinuousClock.Instant = .now
    ) throws(StartFailure) -> DecoderProcess {
        try DecoderProcess(
            ProgramFile(endsAtOnce ? "/bin/true" : "/bin/sleep"), ["1000"], for: [.png], at: started)
    }

    private func take(
        from pool: DecoderPool, fresh: Bool = false, _ start: () throws(StartFailure) -> DecoderProcess
    ) throws -> DecoderProcess {
        try pool.take(for: .png, fresh: fresh, start)
    }

    private func sleeping() throws(StartFailure) -> DecoderProcess { try process() }

    private func refuse() throws(StartFailure) -> DecoderProcess { throw .reason("no start") }

    @Test func `the process that was used last is taken first`() throws {
        let pool = DecoderPool(maxCount: 3)
        let processes = try (0..<3).map { _ in try take(from: pool, sleeping) }
        for process in processes { pool.putBack(process) }
        #expect(!pool.isEmpty)
        for expected in processes.reversed() { #expect(try take(from: pool, refuse) === expected) }
        #expect(pool.isEmpty)
    }

    @Test func `a fresh process leaves the waiting one in place while there is room`() throws {
        for (maxCount, isKept) in [(2, true), (1, false)] {
            let pool = DecoderPool(maxCount: maxCount)
            let first = try take(from: pool, sleeping)
            pool.putBack(first)
            let second = try take(from: pool, fresh: true, sleeping)
            #expect(second !== first)
            #expect(pool.isEmpty == !isKept)
        }
    }

    @Test func `a full pool ends the process that was used longest ago`() throws {
        let pool = DecoderPool(maxCount: 2)
        let processes = try (0..<3).map { _ in try take(from: pool, sleeping) }
        for process in processes { pool.putBack(process) }
        #expect(try take(from: pool, refuse) === processes[2])
        #expect(try take(from: pool, refuse) === processes[1])
        #expect(pool.isEmpty)
    }

    @Test func `a process is kept until it has its maximum age`() throws {
        let start = ContinuousClock.now
        let time = Lock(start)
        let pool = DecoderPool(maxCount: 1, maxAge: .seconds(10)) { time.withLock { $0 } }
        for (age, isKept) in [(9, true), (10, false), (11, false)] {
            time.withLock { $0 = start + .seconds(age) }
            let process = try take(from: pool) { () throws(StartFailure) in try self.process(at: start) }
            #expect(pool.putBack(process) == isKept)
            #expect(process.idleSince == start + .seconds(age))
            #expect(pool.isEmpty == !isKept)
            if isKept { _ = try take(from: pool, refuse) }
            if isKept { pool.drop() }
        }
    }

    @Test func `a failed start leaves room for another process`() async throws {
        let starts = Watched(0)
        let pool = DecoderPool(maxCount: 1)
        #expect(throws: StartFailure.reason("no start")) { try take(from: pool, refuse) }
        pool.startAhead { () throws(StartFailure) in
            starts.update { $0 += 1 }
            return nil
        }
        try await starts.wait { $0 == 1 }
    }

    @Test func `no process is started ahead while the others fill the pool`() async throws {
        let starts = Watched(0)
        let pool = DecoderPool(maxCount: 1)
        func startAhead() async {
            pool.startAhead { () throws(StartFailure) in
                starts.update { $0 += 1 }
                return nil
            }
            await Task(executorPreference: WorkerThreads.decoding) {}.value
        }
        let busy = try take(from: pool, sleeping)
        await startAhead()
        pool.putBack(busy)
        await startAhead()
        #expect(starts.value == 0)
        _ = try take(from: pool, refuse)
        pool.drop()
        pool.startAhead { () throws(StartFailure) in
            starts.update { $0 += 1 }
            return nil
        }
        try await starts.wait { $0 == 1 }
    }

    @Test func `an ended process stays until its end is recorded, unless it had an image`() async throws {
        let pool = DecoderPool(maxCount: 3)
        let processes = try [false, true, true].map { endsAtOnce in
            try take(from: pool, fresh: true) { () throws(StartFailure) in
                try self.process(endsAtOnce: endsAtOnce)
            }
        }
        try await waitUntil("a start and two ends") {
            processes[0].process != nil && processes[1].hasEnded && processes[2].hasEnded
        }
        processes[2].hasHadImage = true
        for process in processes { pool.putBack(process) }
        pool.releaseEnded()
        #expect(pool.processes.count == 1)
        let ended = pool.takeEnded()
        #expect(ended.count == 1)
        #expect(ended.first === processes[1])
        #expect(pool.takeEnded().isEmpty)
        #expect(try take(from: pool, refuse) === processes[0])
    }

    @Test func `each process is ended after its own idle time`() async throws {
        let start = ContinuousClock.now
        let time = Lock(start)
        let pool = DecoderPool(maxCount: 2, idleTime: .milliseconds(20)) { time.withLock { $0 } }
        let processes = try (0..<2).map { _ in try take(from: pool, sleeping) }
        try await waitUntil("two processes") { processes.allSatisfy { $0.process != nil } }
        pool.putBack(processes[0])
        time.withLock { $0 = start + .milliseconds(10) }
        pool.putBack(processes[1])
        let id = processes[1].process
        time.withLock { $0 = start + .milliseconds(20) }
        try await waitUntil("the end of the first") { pool.processes.count == 1 }
        #expect(pool.processes.first == id)
        time.withLock { $0 = start + .milliseconds(30) }
        try await waitUntil("the end of the second") { pool.isEmpty }
        // A process after all others have ended.
        let third = try take(from: pool, sleeping)
        pool.putBack(third)
        #expect(!pool.isEmpty)
        time.withLock { $0 = start + .milliseconds(50) }
        try await waitUntil("the end of the third") { pool.isEmpty }
    }

    @Test func `a process that was started ahead is ended after the idle time, too`() async throws {
        let start = ContinuousClock.now
        let time = Lock(start)
        let pool = DecoderPool(maxCount: 1, idleTime: .milliseconds(20)) { time.withLock { $0 } }
        let process = try process(at: start)
        pool.startAhead { () throws(StartFailure) in process }
        try await waitUntil("the process") { !pool.isEmpty }
        time.withLock { $0 = start + .milliseconds(20) }
        try await waitUntil("its end") { pool.isEmpty }
    }

    @Test func `the reason of a failed start is kept beyond the idle time`() async throws {
        let start = ContinuousClock.now
        let time = Lock(start)
        let pool = DecoderPool(maxCount: 3, idleTime: .milliseconds(20)) { time.withLock { $0 } }
        let processes = try [false, true, true].map { endsAtOnce in
            try take(from: pool, fresh: true) { () throws(StartFailure) in
                try self.process(endsAtOnce: endsAtOnce, at: start)
            }
        }
        try await waitUntil("a start and two ends") {
            processes[0].process != nil && processes[1].hasEnded && processes[2].hasEnded
        }
        processes[2].hasHadImage = true
        for process in processes { pool.putBack(process) }
        time.withLock { $0 = start + .milliseconds(20) }
        try await waitUntil("the end of the others") { pool.processes.isEmpty }
        #expect(pool.takeEnded().map { $0 === processes[1] } == [true])
        #expect(pool.isEmpty)
    }

    @Test func `a process that is being started counts until its start has ended`() async throws {
        let (starts, gate) = (Watched(0), DispatchSemaphore(value: 0))
        let pool = DecoderPool(maxCount: 1)
        pool.startAhead { () throws(StartFailure) in
            starts.update { $0 += 1 }
            gate.wait()
            return nil
        }
        try await starts.wait { $0 == 1 }
        @Sendable func next() throws(StartFailure) -> DecoderProcess? {
            starts.update { $0 += 1 }
            return nil
        }
        pool.startAhead(next)
        await Task(executorPreference: WorkerThreads.decoding) {}.value
        #expect(starts.value == 1)
        gate.signal()
        try await waitUntil("another start") {
            pool.startAhead(next)
            return starts.value > 1
        }
    }
}
