// Mutual exclusion for state that several threads share.
//
// Uses `pthread_mutex_t` instead of `Synchronization.Mutex`: ThreadSanitizer does not understand
// the futex of the latter and reports races that do not exist.

import Glibc

/// Owns a value that is accessible only while its mutex is held.
///
/// Critical sections are short and never call user code. The lock is not recursive.
package final class Lock<State>: @unchecked Sendable {
    // Unchecked: `state` is accessed only while `mutex` is locked, and both live as long as the
    // object.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let state: UnsafeMutablePointer<State>

    package init(_ initial: State) {
        mutex = .allocate(capacity: 1)
        state = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
        state.initialize(to: initial)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
        state.deinitialize(count: 1)
        state.deallocate()
    }

    @inline(__always)
    package func withLock<Result, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&state.pointee)
    }
}

extension Lock where State: Sendable {
    /// Sets the value, and returns the one before.
    package func exchange(_ new: State) -> State {
        withLock { state in
            defer { state = new }
            return state
        }
    }
}
