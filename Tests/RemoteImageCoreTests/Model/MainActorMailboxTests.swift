import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// The delivery of events to the main actor.
@MainActor
@Suite(.timeLimit(.minutes(5)), .endsInTime)
struct MainActorMailboxTests {
    /// The delivered numbers, and the turns of the main actor in which they were delivered.
    @MainActor
    private final class Log {
        var delivered: [Int] = []
        var turn = 0
        var turns: Set<Int> = []
        private var waiting: [(count: Int, CheckedContinuation<Void, Never>)] = []

        func note(_ number: Int) {
            delivered.append(number)
            turns.insert(turn)
            for (count, waiter) in waiting where count <= delivered.count { waiter.resume() }
            waiting.removeAll { $0.count <= delivered.count }
        }

        func has(_ count: Int) async {
            guard delivered.count < count else { return }
            await withCheckedContinuation { waiting.append((count, $0)) }
        }
    }

    @Test func `posts are delivered in order, including those made during a delivery`() async {
        let log = Log()
        for number in 0..<100 {
            MainActorMailbox.shared.post {
                log.note(number)
                MainActorMailbox.shared.post { log.note(100 + number) }
            }
        }
        await log.has(200)
        #expect(log.delivered == Array(0..<200))
    }

    @Test func `many long posts leave turns to other tasks`() async {
        let log = Log()
        // Each takes longer than a time slice, and makes a task that waits for the next turn.
        for number in 0..<50 {
            MainActorMailbox.shared.post {
                let end = ContinuousClock.now + .milliseconds(1)
                while ContinuousClock.now < end {}
                log.note(number)
                Task { @MainActor in log.turn += 1 }
            }
        }
        await log.has(50)
        #expect(log.delivered == Array(0..<50))
        #expect(log.turns.count > 1)
    }

    @Test func `posts from many threads are all delivered, in the order of each thread`() async {
        let log = Log()
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<8 {
                group.addTask {
                    for number in 0..<200 { MainActorMailbox.shared.post { log.note(thread * 1000 + number) } }
                }
            }
        }
        await log.has(1600)
        for thread in 0..<8 {
            #expect(log.delivered.filter { $0 / 1000 == thread } == (0..<200).map { thread * 1000 + $0 })
        }
    }
}
