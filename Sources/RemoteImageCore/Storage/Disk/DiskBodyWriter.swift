// Writes a body while it is received. The file grows at its end, and after each piece the metadata
// records the valid length. If the program is killed between the two writes, the file is longer
// than recorded, which is harmless.

import Glibc

/// Stores the received part of a body as a partial response, and renames its file to that of the
/// complete response at the end.
final class DiskBodyWriter: BodyWriter {
    private struct Progress {
        var byteCount = 0
        var hash = XXHash64()
    }

    private let store: DiskCache
    private let response: StoredResponse
    private let key: String
    private let name: EntryName
    private let file: String
    private let minByteCount: Int
    /// Never accessed concurrently; the lock satisfies the compiler.
    private let progress = Lock(Progress())

    init(_ store: DiskCache, _ response: StoredResponse, _ key: String, from minByteCount: Int) {
        self.store = store
        self.response = response
        self.key = key
        self.minByteCount = minByteCount
        name = EntryName(key)
        file = name.newBody()
    }

    func append(_ bytes: ArraySlice<UInt8>) -> Bool {
        do throws(StoreFailure) {
            try write(bytes)
            let part = progress.withLock { stored(response, as: file, $0) }
            // The partial response that is already stored may be longer.
            if part.body.byteCount >= minByteCount {
                try store.commit(part, for: key, replacing: { _ in true }, placing: { _ in })
            }
            return true
        } catch {
            discard()
            return false
        }
    }

    func finish(
        with bytes: ArraySlice<UInt8>, as response: StoredResponse, for key: String,
        replacing replaces: (StoredResponse) -> Bool
    ) -> Bool {
        defer { discard() }
        do throws(StoreFailure) {
            if !bytes.isEmpty { try write(bytes) }
            let whole = progress.withLock { stored(response, as: EntryName(key).newBody(), $0) }
            let metadataSize = EntryFile(key: key, responses: [whole]).bytes.count
            guard whole.body.byteCount + metadataSize <= store.sizes.entryLimit, metadataSize <= EntryFile.byteLimit
            else { return false }
            try store.sizes.withRoom(for: metadataSize) { () throws(StoreFailure) in
                try store.shard(name).withDescriptor { own throws(StoreFailure) in
                    try store.commit(whole, for: key, replacing: replaces) { folder throws(StoreFailure) in
                        try StoreFailure.check(renameat(own, file, folder, whole.body.name))
                    }
                }
            }
            return true
        } catch {
            return false
        }
    }

    func discard() {
        _ = try? store.shard(name).withDescriptor { folder in unlinkat(folder, file, 0) }
        // Only this writer's entry: another program may have stored a response under the key
        // meanwhile.
        if store.responses(for: key).contains(where: { $0.body.name == file }) { store.remove(key) }
    }

    private func write(_ bytes: ArraySlice<UInt8>) throws(StoreFailure) {
        let byteCount = progress.withLock { $0.byteCount }
        guard byteCount + bytes.count <= store.sizes.entryLimit else { throw .system(EFBIG) }
        let isNew = byteCount == 0
        try store.sizes.withRoom(for: bytes.count) { () throws(StoreFailure) in
            try store.shard(name).withDescriptor(making: isNew) { folder throws(StoreFailure) in
                try StoreFolder.append(bytes, to: file, isNew: isNew, in: folder)
            }
        }
        progress.withLock { progress in
            progress.byteCount += bytes.count
            bytes.withUnsafeBytes { progress.hash.add($0) }
        }
    }

    private func stored(_ response: StoredResponse, as name: String, _ progress: Progress) -> StoredResponse {
        var stored = response
        stored.body = StoredBody(name: name, byteCount: progress.byteCount, checksum: progress.hash.value)
        return stored
    }
}
