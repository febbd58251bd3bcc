import RemoteImageCore
import RemoteImageTestSupport
import Testing

@Suite(.timeLimit(.minutes(5)), .endsInTime)
struct SystemClockTests {
    /// `Task.sleep` traps if a deadline is out of its range.
    @Test func `an endless delay does not end`() async throws {
        let ended = Watched<[String]>([])
        SystemClock().schedule(after: .seconds(Int.max)) { ended.update { $0.append("endless") } }
        SystemClock().schedule(after: .milliseconds(1)) { ended.update { $0.append("short") } }
        try await ended.wait { !$0.isEmpty }
        #expect(ended.value == ["short"])
    }
}
