// State that tests wait for instead of sleeping.

import RemoteImageCore

/// A value shared by threads, with methods that wait until it meets a condition.
public final class Watched<State: Sendable>: Sendable {
    private struct Waiter {
        let id: Int
        /// Checks the state, and returns `true` if it resumed the waiter.
        let resumeIfSatisfied: (State) -> Bool
        let giveUp: (any Error) -> Void
    }

    private struct Content {
        var state: State
        var waiters: [Waiter] = []
        var changeCount = 0
        var nextID = 0
        var cancelledBeforeWaiting: Set<Int> = []
    }

    private let content: Lock<Content>

    public init(_ state: State) {
        content = Lock(Content(state: state))
    }

    public var value: State { content.withLock { $0.state } }

    /// Changes the state and resumes the waiters whose conditions are met.
    @discardableResult
    public func update<Result>(_ change: (inout State) throws -> Result) rethrows -> Result {
        try content.withLock { content in
            // Resuming a continuation under the lock is safe: it only schedules the task.
            defer {
                content.changeCount += 1
                let state = content.state
                content.waiters.removeAll { $0.resumeIfSatisfied(state) }
            }
            return try change(&content.state)
        }
    }

    /// Waits until `wish` returns a value for the state, and returns that value.
    ///
    /// - Parameters:
    ///   - what: A description of the condition for the error.
    ///   - wish: May be called while the state is locked.
    /// - Throws: ``WaitExpired`` after ``WaitLimit/duration`` without a change of the state, and in
    ///   any case after six times that duration; `CancellationError` if the task is cancelled.
    public func first<Wish: Sendable>(
        _ what: String = "a condition", fileID: StaticString = #fileID, line: Int = #line,
        _ wish: @escaping @Sendable (State) -> Wish?
    ) async throws -> Wish {
        let id = content.withLock { content in
            content.nextID += 1
            return content.nextID
        }
        if let wish = wish(value) { return wish }
        let alarm = Task {
            for _ in 0..<6 {
                let changeCount = content.withLock { $0.changeCount }
                try await Task.sleep(for: WaitLimit.duration)
                if content.withLock({ $0.changeCount }) == changeCount { break }
            }
            let error = WaitExpired(what, fileID: fileID, line: line, state: String(describing: value))
            content.withLock { content in
                guard let index = content.waiters.firstIndex(where: { $0.id == id }) else { return }
                content.waiters.remove(at: index).giveUp(error)
            }
        }
        defer { alarm.cancel() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Wish, any Error>) in
                content.withLock { content in
                    if content.cancelledBeforeWaiting.remove(id) != nil {
                        continuation.resume(throwing: CancellationError())
                    } else if let wish = wish(content.state) {
                        continuation.resume(returning: wish)
                    } else {
                        content.waiters.append(
                            Waiter(
                                id: id,
                                resumeIfSatisfied: { state in
                                    guard let wish = wish(state) else { return false }
                                    continuation.resume(returning: wish)
                                    return true
                                },
                                giveUp: { continuation.resume(throwing: $0) }))
                    }
                }
            }
        } onCancel: {
            content.withLock { content in
                if let index = content.waiters.firstIndex(where: { $0.id == id }) {
                    content.waiters.remove(at: index).giveUp(CancellationError())
                } else {
                    content.cancelledBeforeWaiting.insert(id)
                }
            }
        }
    }

    /// Waits until `condition` holds.
    public func wait(
        for what: String = "a condition", fileID: StaticString = #fileID, line: Int = #line,
        until condition: @escaping @Sendable (State) -> Bool
    ) async throws {
        try await first(what, fileID: fileID, line: line) { condition($0) ? () : nil }
    }
}
