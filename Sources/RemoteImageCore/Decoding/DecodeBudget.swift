import Glibc

/// Bytes of pixels that may be made at the same time: many large pictures wait for each other instead of filling the memory.
///
/// Only decode threads wait here, and whoever holds some of the budget is another one of them that works.
final class DecodeBudget: @unchecked Sendable {
    // Unchecked: what is declared with `var` is touched only under `mutex`; the rest is constant.

    /// For every pipeline of the process.
    static let shared = DecodeBudget(byteCount: 256 << 20)

    private let byteCount: Int
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let returned = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var usedByteCount = 0
    /// Those who come are numbered, and it is the turn of one of them: a large picture is not overtaken for ever.
    private var nextNumber = 0
    private var turn = 0

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

    /// What somebody holds. It goes back once, when the work is done or given up.
    final class Share: Sendable {
        private let budget: DecodeBudget
        private let byteCount: Lock<Int>

        fileprivate init(_ budget: DecodeBudget, _ byteCount: Int) {
            self.budget = budget
            self.byteCount = Lock(byteCount)
        }

        /// Gives it back before the work ends: of a decode that may never do so.
        func giveBack() {
            let held = byteCount.withLock { held in
                defer { held = 0 }
                return held
            }
            if held > 0 { budget.take(back: held) }
        }
    }

    /// Runs `body` when so many bytes are free, or nobody else holds any: first come, first served.
    func holding<Result>(_ wanted: Int, _ body: (Share) throws(ImageError) -> Result) throws(ImageError) -> Result {
        pthread_mutex_lock(mutex)
        let number = nextNumber
        nextNumber += 1
        while number != turn || (usedByteCount > 0 && wanted > byteCount - usedByteCount) {
            pthread_cond_wait(returned, mutex)
        }
        usedByteCount += wanted
        turn += 1
        pthread_cond_broadcast(returned)
        pthread_mutex_unlock(mutex)
        let share = Share(self, wanted)
        defer { share.giveBack() }
        return try body(share)
    }

    /// How many wait.
    var waiterCount: Int {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return nextNumber - turn
    }

    private func take(back byteCount: Int) {
        pthread_mutex_lock(mutex)
        usedByteCount -= byteCount
        pthread_cond_broadcast(returned)
        pthread_mutex_unlock(mutex)
    }
}
