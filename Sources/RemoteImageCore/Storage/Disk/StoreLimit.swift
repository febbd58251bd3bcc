// The limit on the size of a store: by default 2 % of the free space.

import Glibc

/// Keeps the total size of a store's files below a limit while they are written.
///
/// The size is counted when the first file is written, and updated with each write of this process.
/// Files of other processes are included when the size is counted again, after each twentieth of
/// the limit that this process writes. A tenth of the limit stays free for files that other
/// processes are writing. One process trims at a time.
final class StoreLimit: Sendable {
    private let base: String
    private let givenLimit: Lock<Int?>
    private let count = Lock(Count())

    private struct Count {
        /// The total size of all files; `nil` before the first count.
        var total: Int?
        /// The size of the files with resized images in `total`.
        var resized = 0
        /// The number of bytes that this process has written since the last count.
        var written = 0
        /// The number of bytes that threads of this process have reserved and are writing.
        var reserved = 0
    }

    init(base: String, limit: Int?) {
        self.base = base
        givenLimit = Lock(limit.map { max(0, $0) })
    }

    /// The maximum total size of all files, in bytes. If the program gives none, it depends on the
    /// free disk space, which is queried on first use, not when the program starts.
    var limit: Int {
        get {
            if let known = givenLimit.withLock({ $0 }) { return known }
            let limit = Self.standardLimit(at: base)
            return givenLimit.withLock { given in
                given = given ?? limit
                return given ?? limit
            }
        }
        set { givenLimit.withLock { $0 = max(0, newValue) } }
    }

    private static func standardLimit(at path: String) -> Int {
        var existing = path
        var status = statvfs()
        // The folder may not exist yet.
        while statvfs(existing, &status) != 0 {
            guard existing != "/", existing != "." else { return 64 << 20 }
            let slash = existing.lastIndex(of: "/")
            existing = slash.map { $0 == existing.startIndex ? "/" : String(existing[..<$0]) } ?? "."
        }
        return standardLimit(freeBlockCount: UInt64(status.f_bavail), blockSize: UInt64(status.f_frsize))
    }

    /// 2 % of the free space, from 16 to 256 MiB. Some network file systems report 2^63 bytes or
    /// more.
    static func standardLimit(freeBlockCount: UInt64, blockSize: UInt64) -> Int {
        let (free, isTooLarge) = freeBlockCount.multipliedReportingOverflow(by: blockSize)
        return isTooLarge ? 256 << 20 : Int(min(256 << 20, max(16 << 20, free / 50)))
    }

    /// The maximum size of an entry, an eighth of the limit, so that one image cannot evict all
    /// others.
    var entryLimit: Int { limit / 8 }

    /// The maximum size of a body or resized image that is read: the limit of entries, but at least
    /// 32 MiB, since the limit may have been higher when the file was written.
    var fileLimit: Int { max(entryLimit, 32 << 20) }

    /// Trims the store if `byteCount` more bytes would exceed the limit, and reserves the space
    /// until ``release(_:)``.
    func makeRoom(for byteCount: Int) {
        let reserved = count.withLock { count in
            count.reserved += byteCount
            return count.reserved
        }
        let current = knownSize ?? countAgain()
        // A tenth stays free for files that other processes are writing and that are not counted
        // yet.
        guard current + reserved > limit - limit / 10 else { return }
        // Trims further than necessary, so that not every write trims. Above the limit itself, it
        // waits for another process that trims, but only briefly, since that process may be
        // suspended.
        try? trim(to: max(0, limit - limit / 5 - reserved), waiting: current + reserved > limit ? .briefly : .never)
    }

    /// The share of the limit that resized images may occupy: 15 %.
    private var resizedLimit: Int { limit / 20 * 3 }

    /// Removes resized images that have not been used for long if `byteCount` more bytes would
    /// exceed their share. Returns `false` if that makes no room, or if the store is so full that
    /// other files would be removed for them.
    func makeRoomForResized(_ byteCount: Int) -> Bool {
        guard (knownSize ?? countAgain()) + byteCount <= limit - limit / 10 else { return false }
        guard count.withLock({ $0.resized }) + byteCount > resizedLimit else { return true }
        guard byteCount <= resizedLimit / 8 else { return false }
        try? trimResized(to: resizedLimit / 5 * 4 - byteCount, waiting: .never)
        return count.withLock { $0.resized } + byteCount <= resizedLimit
    }

    /// Makes room for a write of `byteCount` bytes, performs it, and counts it if it succeeds.
    func withRoom(
        for byteCount: Int, isResized: Bool = false, _ write: () throws(StoreFailure) -> Void
    ) throws(StoreFailure) {
        makeRoom(for: byteCount)
        do throws(StoreFailure) {
            try write()
        } catch {
            release(byteCount)
            throw error
        }
        // Files occupy whole blocks: at most one more for the body and one for its metadata.
        let size = (byteCount + 4095) / 4096 * 4096 + 4096
        count.withLock { count in
            count.total = count.total.map { $0 + size }
            count.written += size
            count.reserved -= byteCount
            if isResized { count.resized += size }
        }
    }

    /// Releases the reservation of a write that has ended.
    func release(_ byteCount: Int) {
        count.withLock { $0.reserved -= byteCount }
    }

    private var knownSize: Int? {
        let limit = limit
        return count.withLock { $0.written > limit / 20 ? nil : $0.total }
    }

    private func countAgain() -> Int {
        let files = StoreScan.files(in: base)
        let total = files.reduce(0) { $0 + $1.byteCount }
        let resized = files.reduce(0) { $0 + ($1.isResized ? $1.byteCount : 0) }
        count.withLock { ($0.total, $0.written, $0.resized) = (total, 0, resized) }
        return total
    }

    /// Removes resized images and entries, those that are old and large first, until all files
    /// occupy at most `target` bytes. Files without an entry are removed when they are old enough.
    /// Throws as ``StoreSweep/run(to:)``, or if another process is sweeping for longer than
    /// `waiting` allows.
    func trim(to target: Int, waiting: Waiting) throws(StoreFailure) {
        try sweep(waiting) { sweep throws(StoreFailure) in try sweep.run(to: target) }
    }

    /// Removes resized images, from the least recently used entries first, until they occupy at
    /// most `target` bytes. Throws as ``trim(to:waiting:)``.
    func trimResized(to target: Int, waiting: Waiting) throws(StoreFailure) {
        try sweep(waiting) { sweep throws(StoreFailure) in try sweep.removeResized(to: target) }
    }

    private func sweep(
        _ waiting: Waiting, _ body: (inout StoreSweep) throws(StoreFailure) -> Void
    ) throws(StoreFailure) {
        try StoreFolder(base, "v1").withExisting { folder throws(StoreFailure) in
            let file = try StoreFailure.check(
                openat(folder, "lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600))
            defer { close(file) }
            try Self.lock(file, waiting)
            var sweep = StoreSweep(base: base, fileLimit: fileLimit)
            defer {
                count.withLock { ($0.total, $0.written, $0.resized) = (sweep.byteCount, 0, sweep.resizedByteCount) }
            }
            try body(&sweep)
        }
    }

    /// How long a sweep waits for the sweep of another process.
    enum Waiting {
        case never
        /// A quarter of a second. Threads that read wait meanwhile.
        case briefly
        case untilFree
    }

    private static func lock(_ file: Int32, _ waiting: Waiting) throws(StoreFailure) {
        if waiting == .untilFree {
            while flock(file, LOCK_EX) != 0 { guard errno == EINTR else { throw .last } }
            return
        }
        var attempts = waiting == .briefly ? 50 : 1
        while flock(file, LOCK_EX | LOCK_NB) != 0 {
            attempts -= 1
            guard attempts > 0 else { throw .last }
            usleep(5000)
        }
    }
}
