import Dispatch
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// Which decodes have exceeded their time limit, and when.
@Suite(.timeLimit(.minutes(2)), .endsInTime)
struct DecodeWatchdogTests {
    private let clock = TestClock()
    private let threads = WorkerThreads("test cpu", count: 3)
    private let watchdog: DecodeWatchdog
    private let begun = Watched<Set<Int>>([])
    private let ended = Watched<Set<Int>>([])
    private let expired = Watched<[Int]>([])

    init() {
        watchdog = DecodeWatchdog(clock, threads)
    }

    /// Begins a decode that runs until its gate opens.
    private func begin(_ number: Int, limit: Duration) async throws -> DispatchSemaphore {
        let gate = DispatchSemaphore(value: 0)
        Task(executorPreference: threads) { [watchdog, begun, ended, expired] in
            try watchdog.watch(limit: limit) {
                expired.update { $0.append(number) }
            } _: { () throws(ImageError) in
                begun.update { _ = $0.insert(number) }
                gate.wait()
            }
            ended.update { _ = $0.insert(number) }
        }
        try await begun.wait { $0.contains(number) }
        return gate
    }

    @Test func `each decode expires at its own limit, under one timer`() async throws {
        let first = try await begin(1, limit: .seconds(30))
        #expect(clock.nextDelay == .seconds(30))
        clock.advance(by: .seconds(10))
        let second = try await begin(2, limit: .seconds(30))
        #expect(clock.nextDelay == .seconds(20))
        clock.advance(by: .milliseconds(19_999))
        #expect(expired.value == [])
        clock.advance(by: .milliseconds(1))
        #expect(expired.value == [1])
        #expect(threads.abandonedCount == 1)
        #expect(clock.nextDelay == .seconds(10))
        let third = try await begin(3, limit: .seconds(5))
        #expect(clock.nextDelay == .seconds(5))
        clock.advance(by: .seconds(5))
        #expect(expired.value == [1, 3])
        clock.advance(by: .milliseconds(4_999))
        #expect(expired.value == [1, 3])
        clock.advance(by: .milliseconds(1))
        #expect(expired.value == [1, 3, 2])
        #expect(threads.abandonedCount == 3)
        clock.advance(by: .seconds(100))
        #expect(expired.value == [1, 3, 2])
        #expect(clock.nextDelay == nil)
        for gate in [first, second, third] { gate.signal() }
        try await ended.wait { $0.count == 3 }
    }

    @Test func `a decode that ends in time does not expire, and the next one has its own timer`() async throws {
        let first = try await begin(1, limit: .seconds(30))
        first.signal()
        try await ended.wait { $0 == [1] }
        clock.advance(by: .seconds(20))
        let second = try await begin(2, limit: .seconds(30))
        clock.advance(by: .seconds(10))
        #expect(expired.value == [])
        #expect(clock.nextDelay == .seconds(20))
        clock.advance(by: .seconds(20))
        #expect(expired.value == [2])
        second.signal()
        try await ended.wait { $0 == [1, 2] }
    }
}
