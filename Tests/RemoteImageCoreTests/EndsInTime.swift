import Glibc
import RemoteImageTestSupport
import Testing

/// Ends a test that hangs within three minutes, and names it. The time limit of Swift Testing does
/// not end a test that ignores its cancellation.
struct EndsInTime: SuiteTrait, TestTrait, TestScoping {
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        // Several times what a single wait may take, which says more where it expires. On a slow
        // machine the largest tests take more than a minute beside the others.
        let limit = WaitLimit.duration * 9
        // Valid as long as this function runs, which waits for the alarm.
        nonisolated(unsafe) let task = withUnsafeCurrentTask { $0 }
        let alarm = Task {
            try await Task.sleep(for: limit)
            Issue.record("\(test.name) did not end within \(limit) and is cancelled")
            task?.cancel()
            // Without this a test that does not react would hold up the whole run for ever.
            try await Task.sleep(for: WaitLimit.duration)
            print("\(test.name) did not react to its cancellation: the run is given up")
            exit(EXIT_FAILURE)
        }
        let result = await Result { try await function() }
        alarm.cancel()
        _ = await alarm.result
        try result.get()
    }
}

extension Trait where Self == EndsInTime {
    static var endsInTime: Self { EndsInTime() }
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async {
        do {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}
