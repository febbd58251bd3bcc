// Mutual exclusion for state that several threads share.
//
// `pthread_mutex_t` and not `Synchronization.Mutex`: ThreadSanitizer does not see the futex of the
// latter and reports races that are none.

import Glibc

/// Owns a value that is only reachable while its mutex is held.
///
/// Critical sections are short and never call code of the user's. Not recursive.
package final class Lock<State>: @unchecked Sendable {
    // Unchecked: `state` is touched only between lock and unlock of `mutex`, and both live as long
    // as the object.
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
