// Selects and removes files when a store is too large or is being emptied.

import Glibc

/// One sweep through all files of a store. The caller holds the sweep lock.
struct StoreSweep {
    private let base: String
    /// The maximum length of a file that is read.
    private let fileLimit: Int
    private var failures: [StoreFailure] = []
    /// The number of bytes that all files occupy after the sweep.
    private(set) var byteCount = 0
    /// The part of ``byteCount`` that resized images occupy.
    private(set) var resizedByteCount = 0

    /// The minimum age in seconds at which a file without an entry is removed, since a younger one
    /// may still be being written.
    private static let orphanAge = 1800

    init(base: String, fileLimit: Int) {
        self.base = base
        self.fileLimit = fileLimit
    }

    /// Removes resized images and then entries, those that are old and large first, until all files
    /// occupy at most `target` bytes. A file without an entry is removed when it is old; a
    /// temporary file also when its writer is gone, and a body also when the target is 0.
    ///
    /// Throws the first failure to read or remove a file if more than `target` bytes are left, or
    /// if the target is 0.
    mutating func run(to target: Int) throws(StoreFailure) {
        let files = StoreScan.files(in: base) { failures.append($0) }
        byteCount = files.reduce(0) { $0 + $1.byteCount }
        let now = time(nil)
        var entries: [Entry] = []
        var unfinished = 0
        for var group in Self.groups(of: files) {
            let hollow = group.filter(isHollow)
            if !hollow.isEmpty {
                // Without its resized images, an entry is still usable.
                let removed = hollow.allSatisfy(\.isResized) ? hollow : Self.metadataFirst(group)
                for file in removed { byteCount -= remove(file) }
                group.removeAll { file in removed.contains { $0.name == file.name } }
            }
            guard !group.isEmpty else { continue }
            guard let metadata = group.first(where: { $0.name.hasSuffix(".h") }) else {
                for file in group {
                    let isRemoved = isOld(file, now) ? remove(file) > 0 : removeUnfinished(file, target)
                    byteCount -= file.byteCount
                    // The file is being written; no entry is removed to make room for it.
                    if !isRemoved { unfinished += file.byteCount }
                }
                continue
            }
            let orphans = orphans(of: group, metadata, now)
            for file in orphans { byteCount -= remove(file) }
            let kept = group.filter { file in !orphans.contains { $0.name == file.name } }
            entries.append(Entry(files: kept, lastUse: metadata.time))
        }
        resizedByteCount = entries.reduce(0) { $0 + $1.resizedByteCount }
        if target > 0 { removeResized(byteCount - target, of: &entries) }
        for entry in entries.sorted(by: { $0.score(now) > $1.score(now) }) where byteCount > target || target == 0 {
            for file in Self.metadataFirst(entry.files) { byteCount -= remove(file) }
            resizedByteCount -= entry.resizedByteCount
        }
        byteCount = max(0, byteCount) + unfinished
        resizedByteCount = max(0, resizedByteCount)
        if byteCount > target || target == 0, let failure = failures.first { throw failure }
    }

    /// Removes resized images, from the least recently used entries first, until they occupy at
    /// most `target` bytes. Throws as ``run(to:)``.
    mutating func removeResized(to target: Int) throws(StoreFailure) {
        let files = StoreScan.files(in: base) { failures.append($0) }
        byteCount = files.reduce(0) { $0 + $1.byteCount }
        var entries = Self.groups(of: files).map { group in
            Entry(files: group, lastUse: group.first { $0.name.hasSuffix(".h") }?.time ?? 0)
        }
        resizedByteCount = entries.reduce(0) { $0 + $1.resizedByteCount }
        removeResized(resizedByteCount - target, of: &entries)
        if resizedByteCount > target || target == 0, let failure = failures.first { throw failure }
    }

    /// Removes resized images, from the least recently used entries first, until at least `excess`
    /// bytes are removed or none are left.
    private mutating func removeResized(_ excess: Int, of entries: inout [Entry]) {
        entries.sort { $0.lastUse < $1.lastUse }
        var excess = excess
        for index in entries.indices where excess > 0 && entries[index].resizedByteCount > 0 {
            for file in entries[index].files where file.isResized {
                let removed = remove(file)
                byteCount -= removed
                resizedByteCount -= removed
                excess -= removed
            }
            entries[index].files.removeAll(where: \.isResized)
        }
    }

    /// The files of one key.
    private struct Entry {
        var files: [StoreScan.File]
        /// In seconds since 1970.
        let lastUse: Int

        var resizedByteCount: Int { files.reduce(0) { $0 + ($1.isResized ? $1.byteCount : 0) } }

        /// The higher, the earlier the entry is removed.
        func score(_ now: Int) -> Double {
            Double(max(1, now - lastUse)) * Double(files.reduce(4096) { $0 + $1.byteCount })
        }
    }

    /// The order of removal: a body without metadata is only an orphan.
    private static func metadataFirst(_ files: [StoreScan.File]) -> [StoreScan.File] {
        files.sorted { $0.name.hasSuffix(".h") && !$1.name.hasSuffix(".h") }
    }

    /// Whether a file is too long to be read but occupies little space, so that the limit of the
    /// store would never remove it. The store writes no such file.
    private func isHollow(_ file: StoreScan.File) -> Bool {
        file.length > fileLimit && file.length > file.byteCount
    }

    private static func groups(of files: [StoreScan.File]) -> [[StoreScan.File]] {
        Array(Dictionary(grouping: files) { $0.shard + "/" + String($0.name.prefix(32)) }.values)
    }

    /// Old bodies that the metadata does not reference, and old resized images whose body is
    /// missing or not referenced.
    private func orphans(
        of group: [StoreScan.File], _ metadata: StoreScan.File, _ now: Int
    ) -> [StoreScan.File] {
        let old = group.filter { !$0.name.hasSuffix(".h") && isOld($0, now) }
        guard !old.isEmpty else { return [] }
        let bytes = StoreFolder(base, "v1", metadata.shard).read(metadata.name, limit: EntryFile.byteLimit)
        // The metadata of another version of the program may reference these bodies.
        guard let bytes, EntryFile.isOurs(bytes) else { return [] }
        let bodies = EntryFile(bytes)?.responses.map(\.body.name) ?? []
        let existing = bodies.filter { body in group.contains { $0.name == body } }
        let named = bodies + existing.map(EntryName.resized)
        return old.filter { !named.contains($0.name) }
    }

    private func isOld(_ file: StoreScan.File, _ now: Int) -> Bool { now - file.time > Self.orphanAge }

    /// Removes a file that may still be being written: a temporary file if its writer is gone, a
    /// body if the target is 0.
    private mutating func removeUnfinished(_ file: StoreScan.File, _ target: Int) -> Bool {
        guard file.name.hasPrefix(StoreFolder.temporaryPrefix) else { return target == 0 && remove(file) > 0 }
        let folder = StoreFolder(base, "v1", file.shard)
        return (try? folder.withDescriptor { StoreFolder.removeAbandoned(file.name, in: $0) }) == true
    }

    /// Removes a file and returns the number of freed bytes.
    ///
    /// The resized images of a body are removed after it, also those that were stored after the
    /// scan: their writer keeps them only if it still finds the body afterwards.
    private mutating func remove(_ file: StoreScan.File) -> Int {
        let names = file.name.hasSuffix(".b") ? [file.name, EntryName.resized(of: file.name)] : [file.name]
        do throws(StoreFailure) {
            try StoreFolder(base, "v1", file.shard).withExisting { folder throws(StoreFailure) in
                try StoreFolder.remove(names, in: folder)
            }
            return file.byteCount
        } catch {
            failures.append(error)
            return 0
        }
    }
}
