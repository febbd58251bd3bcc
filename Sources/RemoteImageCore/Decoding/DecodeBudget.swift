import Glibc

/// Bytes of pixels that may be made at the same time: many large pictures wait for each other instead of filling the memory.
///
/// Only decode threads wait here, and whoever holds some of the budget is another one of them that works.
final class DecodeBudget: @unchecked Sendable {
    // Unchecked: `usedByteCount` is touched only under `mutex`; the rest is constant.

    /// For every pipeline of the process.
    static let shared = DecodeBudget(byteCount: 256 << 20)

    private let byteCount: Int
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let returned = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var usedByteCount = 0

    init(byteCount: Int) {
        self.byteCount = byteCount
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(returned, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        pthread_cond_destroy(returned)
        mutex.deallocate()
        returned.deallocate()
    }

    /// Runs `body` when so many bytes are free, or nobody else holds any.
    func holding<Result>(_ wanted: Int, _ body: () throws(ImageError) -> Result) throws(ImageError) -> Result {
        pthread_mutex_lock(mutex)
        while usedByteCount > 0, wanted > byteCount - usedByteCount { pthread_cond_wait(returned, mutex) }
        usedByteCount += wanted
        pthread_mutex_unlock(mutex)
        defer {
            pthread_mutex_lock(mutex)
            usedByteCount -= wanted
            pthread_cond_broadcast(returned)
            pthread_mutex_unlock(mutex)
        }
        return try body()
    }
}
