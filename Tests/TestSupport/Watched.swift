// State that tests wait for, instead of sleeping.

import RemoteImageCore

/// A value that several threads share, and that a test can wait for.
public final class Watched<State: Sendable>: Sendable {
    private struct Waiter {
        let id: Int
        /// Looks at the state; true when the waiter was resumed.
        let resumeIfSatisfied: (State) -> Bool
        let giveUp: () -> Void
    }

    private struct Content {
        var state: State
        var waiters: [Waiter] = []
        var nextID = 0
        var cancelledBeforeWaiting: Set<Int> = []
    }

    private let content: Lock<Content>

    public init(_ state: State) {
        content = Lock(Content(state: state))
    }

    public var value: State { content.withLock { $0.state } }

    /// Changes the state and wakes those whose wish came true.
    @discardableResult
    public func update<Result>(_ change: (inout State) throws -> Result) rethrows -> Result {
        try content.withLock { content in
            // Resuming a continuation runs nothing here: it only makes its task ready.
            defer {
                let state = content.state
                content.waiters.removeAll { $0.resumeIfSatisfied(state) }
            }
            return try change(&content.state)
        }
    }

    /// What `wish` makes of the state, as soon as that is not nil. Throws when the task is cancelled,
    /// so that a test's time limit ends the wait.
    public func first<Wish: Sendable>(_ wish: @escaping @Sendable (State) -> Wish?) async throws -> Wish {
        let id = content.withLock { content in
            content.nextID += 1
            return content.nextID
        }
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
                                giveUp: { continuation.resume(throwing: CancellationError()) }))
                    }
                }
            }
        } onCancel: {
            content.withLock { content in
                if let index = content.waiters.firstIndex(where: { $0.id == id }) {
                    content.waiters.remove(at: index).giveUp()
                } else {
                    content.cancelledBeforeWaiting.insert(id)
                }
            }
        }
    }

    /// Waits until `condition` holds.
    public func wait(until condition: @escaping @Sendable (State) -> Bool) async throws {
        try await first { condition($0) ? () : nil }
    }
}
