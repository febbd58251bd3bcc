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
}
