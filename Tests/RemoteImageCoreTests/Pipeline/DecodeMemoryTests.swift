import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// How decodes share memory: a budget of 100 bytes for each class of sizes.
@Suite(.timeLimit(.minutes(5)), .endsInTime)
struct DecodeMemoryTests {
    private let budget = DecodeBudget(byteCount: 100)

    /// Claims bytes one after the other, and says which claims wait.
    private func claims(_ byteCounts: Int...) -> (claims: [DecodeBudget.Claim], areWaiting: [Bool]) {
        let all = byteCounts.map { budget.claim($0, .normal) }
        return (all.map(\.claim), all.map(\.isWaiting))
    }

    private func isWaiting(_ byteCount: Int, isConfined: Bool = false) -> Bool {
        let (claim, isWaiting) = budget.claim(byteCount, .normal, isConfined: isConfined)
        if isWaiting { claim.cancel() } else { claim.end() }
        return isWaiting
    }

    @Test func `small images use up the budget to its last byte`() async throws {
        let (claims, areWaiting) = claims(25, 25, 25, 24, 1, 1)
        #expect(areWaiting == [false, false, false, false, false, true])
        #expect(budget.waiterCount == 1)
        claims[4].end()
        try await claims[5].admission()
        #expect(budget.waiterCount == 0)
        #expect(isWaiting(1))
        for claim in claims { claim.end() }
        #expect(!isWaiting(25))
    }

    @Test func `images of a quarter, of all and of more than the budget wait in their own classes`() {
        let (_, areWaiting) = claims(25, 25, 25, 25, 26, 74, 101, 1, 26, 100, 101)
        #expect(areWaiting == Array(repeating: false, count: 7) + [true, true, true, true])
        #expect(budget.waiterCount == 4)
    }

    @Test func `an image beyond the budget runs alone in its class`() async throws {
        let (claims, areWaiting) = claims(500, 101, 1000)
        #expect(areWaiting == [false, true, true])
        claims[0].end()
        try await claims[1].admission()
        #expect(budget.waiterCount == 1)
        claims[1].end()
        try await claims[2].admission()
    }

    @Test func `sixteen images pass a larger one that waits, and then it is next`() async throws {
        let (claims, areWaiting) = claims(60, 80)
        #expect(areWaiting == [false, true])
        for number in 0..<20 { #expect(isWaiting(40) == (number >= 16), "\(number)") }
        claims[0].end()
        try await claims[1].admission()
        #expect(isWaiting(40))
        claims[1].end()
        #expect(!isWaiting(40))
    }

    @Test func `the most urgent claim is admitted first, and equal ones in their order`() async throws {
        let running = budget.claim(100, .normal).claim
        let order = Watched<[String]>([])
        var tasks: [Task<Void, any Error>] = []
        var claims: [String: DecodeBudget.Claim] = [:]
        for (name, urgency) in [("a", Urgency.low), ("b", .high), ("c", .low), ("d", .high), ("e", .prefetch)] {
            let claim = budget.claim(100, urgency).claim
            claims[name] = claim
            tasks.append(
                Task {
                    try await claim.admission()
                    order.update { $0.append(name) }
                    claim.end()
                })
        }
        claims["c"]?.setUrgency(.veryHigh)
        claims["d"]?.setUrgency(.high)
        claims["e"]?.setUrgency(.low)
        #expect(budget.waiterCount == 5)
        running.end()
        for task in tasks { try await task.value }
        #expect(order.value == ["c", "b", "d", "a", "e"])
    }

    @Test func `a cancelled claim makes room for the next`() async throws {
        let (claims, _) = claims(60, 80, 80)
        claims[1].cancel()
        #expect(budget.waiterCount == 1)
        await #expect(throws: ImageError.cancelled) { try await claims[1].admission() }
        claims[0].cancel()
        #expect(isWaiting(41), "a claim that is held cannot be cancelled")
        claims[0].end()
        try await claims[2].admission()
        let waiting = budget.claim(80, .normal).claim
        let task = Task { try await waiting.admission() }
        task.cancel()
        await #expect(throws: ImageError.cancelled) { try await task.value }
        #expect(budget.waiterCount == 0)
    }

    @Test func `abandoned decodes leave room up to twice the budget`() async throws {
        let (claims, _) = claims(90)
        #expect(isWaiting(11) == false && isWaiting(26))
        claims[0].abandon()
        claims[0].abandon()
        // The memory is still in use: 90 of 100 bytes, or of 200 for the only one of its class.
        #expect(!isWaiting(25) && !isWaiting(100))
        for byteCount in [110, 111] {
            let (claim, isWaiting) = budget.claim(byteCount, .normal)
            #expect(!isWaiting)
            if byteCount == 110 {
                try await claim.admission()
            } else {
                let error = await #expect(throws: ImageError.self) { try await claim.admission() }
                #expect(error?.code == .decodeTimeout)
            }
            claim.end()
        }
        #expect(!isWaiting(111, isConfined: true), "a confined decode has its own memory")
        claims[0].end()
        claims[0].end()
        #expect(!isWaiting(500))
        let all = (0..<5).map { _ in budget.claim(25, .normal) }
        #expect(all.map(\.isWaiting) == [false, false, false, false, true])
    }
}
