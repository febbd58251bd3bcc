// How long tests wait before they fail.

import Glibc

/// The error of a test whose condition was not met in time.
public struct WaitExpired: Error, CustomStringConvertible {
    public let description: String

    init(_ condition: String, fileID: StaticString, line: Int, state: String) {
        description = "\(fileID):\(line) waited \(WaitLimit.duration) for \(condition); it found \(state)"
    }
}

/// The time after which a wait fails. Tests of correct code never wait this long, so no result
/// depends on the value.
public enum WaitLimit {
    /// 20 s, or the seconds in the environment variable `REMOTE_IMAGE_TEST_WAIT`, a multiple of 20,
    /// for runs with valgrind and sanitizers.
    public static let duration = Duration.seconds(20 * factor)

    /// By how much longer tests may take, for their time limits.
    public static let factor = max(
        1, (getenv("REMOTE_IMAGE_TEST_WAIT").flatMap { Int(String(cString: $0)) } ?? 20) / 20)
}

/// Polls until `condition` holds, for state that cannot be observed.
public func waitUntil(
    _ what: String, fileID: StaticString = #fileID, line: Int = #line,
    isolation: isolated (any Actor)? = #isolation, _ condition: () -> Bool
) async throws {
    let end = ContinuousClock.now + WaitLimit.duration
    while !condition() {
        guard ContinuousClock.now < end else {
            throw WaitExpired(what, fileID: fileID, line: line, state: "otherwise")
        }
        try await Task.sleep(for: .microseconds(200))
    }
}
