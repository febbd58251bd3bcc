// How much a store takes, and what goes when it is too much.

import Glibc

/// Keeps the files of a store below a limit, as they are written.
///
/// The size is counted when the first file is written, and kept up to date by what this process writes. What others write is
/// seen when the files are counted again, after each twentieth of the limit, and a tenth of it is kept free for what they are
/// writing: several processes together stay within a tenth of the limit. One process trims at a time.
final class StoreSize: Sendable {
    private let base: String
    private let givenLimit: Lock<Int?>
    private let count = Lock(Count())

    private struct Count {
        /// What all files take; nil before they were counted.
        var total: Int?
        /// What this process has written since.
        var written = 0
        /// What room was made for and is being written, by whichever thread.
        var reserved = 0
    }

    init(base: String, limit: Int?) {
        self.base = base
        givenLimit = Lock(limit.map { max(0, $0) })
    }

    /// Bytes that all files may take. Where none were given the disk is asked, at the first use and not at the start of a
    /// program.
    var limit: Int {
        if let known = givenLimit.withLock({ $0 }) { return known }
        let limit = Self.standardLimit(at: base)
        givenLimit.withLock { $0 = limit }
        return limit
    }

    /// 2 % of the free space, from 16 to 256 MiB.
    private static func standardLimit(at path: String) -> Int {
        var existing = path
        var status = statvfs()
        while statvfs(existing, &status) != 0, let slash = existing.lastIndex(of: "/") {
            existing = slash == existing.startIndex ? "/" : String(existing[..<slash])
            if existing == "/" {
                guard statvfs("/", &status) == 0 else { return 64 << 20 }
                break
            }
        }
        let free = Int(status.f_bavail) * Int(status.f_frsize)
        return min(256 << 20, max(16 << 20, free / 50))
    }

    /// No file is larger: one image must not drive out all others.
    var entryLimit: Int { limit / 8 }

    /// Makes sure that so many bytes more stay within the limit, and keeps the room until ``add(_:)`` or ``release(_:)``.
    func makeRoom(for byteCount: Int) {
        let reserved = count.withLock { count in
            count.reserved += byteCount
            return count.reserved
        }
        let current = knownSize ?? countAgain()
        // A tenth stays free for files that other processes are writing, which are not counted yet.
        guard current + reserved > limit - limit / 10 else { return }
        // Down to less than that, so that not every write trims.
        // Beyond the limit itself this waits a moment for another process that trims, and not for ever: it may be stopped.
        trim(to: max(0, limit - limit / 5 - reserved), waiting: current + reserved > limit ? .briefly : .never)
    }

    /// What room was made for is written.
    func add(_ byteCount: Int) {
        // Files take whole blocks: a body and its metadata one more each at the most.
        let size = (byteCount + 4095) / 4096 * 4096 + 4096
        count.withLock { count in
            count.reserved -= byteCount
            count.total = count.total.map { $0 + size }
            count.written += size
        }
    }

    /// What room was made for could not be written.
    func release(_ byteCount: Int) {
        count.withLock { $0.reserved -= byteCount }
    }

    private var knownSize: Int? {
        let limit = limit
        return count.withLock { $0.written > limit / 20 ? nil : $0.total }
    }

    private func countAgain() -> Int {
        let total = StoreScan.files(in: base).reduce(0) { $0 + $1.byteCount }
        count.withLock { ($0.total, $0.written) = (total, 0) }
        return total
    }

    /// Removes entries, those that are old and large first, until all files take at most so many bytes. What belongs to
    /// no entry goes when it is old enough.
    ///
    /// - Returns: Why more is left than was wanted; nil where it is not.
    @discardableResult
    func trim(to target: Int, waiting: Waiting = .never) -> StoreFailure? {
        withSweepLock(waiting: waiting) {
            var sweep = StoreSweep(base: base)
            let left = sweep.run(to: target)
            count.withLock { ($0.total, $0.written) = (left, 0) }
            return sweep.failure
        }
    }

    /// Of several processes one sweeps; the others leave it to that one, unless they are to wait.
    private func withSweepLock(waiting: Waiting, _ body: () -> StoreFailure?) -> StoreFailure? {
        StoreFolder(base, "v1").failure { folder in
            let file = openat(folder, "lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
            guard file >= 0 else { return .last }
            defer { close(file) }
            return Self.lock(file, waiting) ? body() : .last
        }
    }

    /// How long a sweep waits for that of another process.
    enum Waiting {
        case never
        /// A quarter of a second: threads that read wait meanwhile.
        case briefly
        case untilFree
    }

    private static func lock(_ file: Int32, _ waiting: Waiting) -> Bool {
        if case .untilFree = waiting {
            while flock(file, LOCK_EX) != 0 { guard errno == EINTR else { return false } }
            return true
        }
        var attempts = waiting == .briefly ? 50 : 1
        while flock(file, LOCK_EX | LOCK_NB) != 0 {
            attempts -= 1
            guard attempts > 0 else { return false }
            usleep(5000)
        }
        return true
    }
}
