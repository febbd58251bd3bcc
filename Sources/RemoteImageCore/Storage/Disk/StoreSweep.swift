// What goes when a store is too large, or is to be empty.

import Glibc

/// One sweep through all files of a store. The caller holds the lock for sweeps.
struct StoreSweep {
    private let base: String
    private var failures: [StoreFailure] = []
    /// Why more is left than was wanted; nil where it is not.
    private(set) var failure: StoreFailure?

    /// A file that belongs to no entry is left alone this long, since it may still be being written. Seconds.
    private static let orphanAge = 1800

    init(base: String) {
        self.base = base
    }

    /// Removes entries, those that are old and large first, until all files take at most so many bytes. A file that belongs
    /// to no entry goes when it is old, a temporary one when its writer is gone, and a body also where nothing is to stay.
    ///
    /// - Returns: The bytes that all files take then.
    mutating func run(to target: Int) -> Int {
        let files = StoreScan.files(in: base) { failures.append($0) }
        var size = files.reduce(0) { $0 + $1.byteCount }
        let now = time(nil)
        let groups = Dictionary(grouping: files) { $0.shard + "/" + String($0.name.prefix(32)) }
        var entries: [(files: [StoreScan.File], score: Double)] = []
        var unfinished = 0
        for group in groups.values {
            guard let metadata = group.first(where: { $0.name.hasSuffix(".h") }) else {
                for file in group {
                    let isRemoved = isOld(file, now) ? remove(file) > 0 : removeUnfinished(file, target)
                    size -= file.byteCount
                    // It is being written: nothing else has to go for it.
                    if !isRemoved { unfinished += file.byteCount }
                }
                continue
            }
            let bytes = group.reduce(4096) { $0 + $1.byteCount }
            entries.append((group, Double(max(1, now - metadata.time)) * Double(bytes)))
            size -= removeOrphans(of: group, metadata, now)
        }
        for entry in entries.sorted(by: { $0.score > $1.score }) where size > target || target == 0 {
            // The metadata first: a body without it is only a leftover.
            for file in entry.files.sorted(by: { $0.name.hasSuffix(".h") && !$1.name.hasSuffix(".h") }) {
                size -= remove(file)
            }
        }
        let left = max(0, size) + unfinished
        if left > target || target == 0 { failure = failures.first }
        return left
    }

    /// Removes old bodies that the metadata does not name.
    private mutating func removeOrphans(of group: [StoreScan.File], _ metadata: StoreScan.File, _ now: Int) -> Int {
        let old = group.filter { !$0.name.hasSuffix(".h") && isOld($0, now) }
        guard !old.isEmpty else { return 0 }
        let bytes = StoreFolder(base, "v1", metadata.shard).read(metadata.name, limit: EntryFile.byteLimit)
        // Of another version of the program: it knows what belongs to it.
        guard let bytes, EntryFile.isOurs(bytes) else { return 0 }
        let named = EntryFile(bytes)?.responses.map(\.body.name) ?? []
        var removed = 0
        for file in old where !named.contains(file.name) { removed += remove(file) }
        return removed
    }

    private func isOld(_ file: StoreScan.File, _ now: Int) -> Bool { now - file.time > Self.orphanAge }

    /// Removes a file that may still be being written: a temporary one if its writer is gone, a body if nothing is to stay.
    private mutating func removeUnfinished(_ file: StoreScan.File, _ target: Int) -> Bool {
        guard file.name.hasPrefix(StoreFolder.temporaryPrefix) else { return target == 0 && remove(file) > 0 }
        return StoreFolder(base, "v1", file.shard).withDescriptor {
            StoreFolder.removeAbandoned(file.name, in: $0)
        } ?? false
    }

    /// The bytes that became free.
    private mutating func remove(_ file: StoreScan.File) -> Int {
        let folder = StoreFolder(base, "v1", file.shard)
        guard let failure = folder.failure(of: { StoreFolder.remove(file.name, in: $0) }) else { return file.byteCount }
        failures.append(failure)
        return 0
    }
}
