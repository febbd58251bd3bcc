import Foundation
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

    @Test func `the calendar time is that of the system, with fractions of a second`() {
        for _ in 0..<50 {
            let before = Date().timeIntervalSince1970
            let time = SystemClock().secondsSince1970
            let after = Date().timeIntervalSince1970
            #expect(time >= before - 0.000_01 && time <= after + 0.000_01)
        }
    }

    @Test func `all clocks show the same time, which never decreases`() {
        var last = SystemClock().now
        for _ in 0..<50 {
            let now = SystemClock().now
            #expect(now >= last)
            last = now
        }
    }
}
