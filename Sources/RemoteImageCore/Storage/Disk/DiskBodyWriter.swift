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

    private let store: DiskStore
    private let response: StoredResponse
    private let key: String
    private let name: EntryName
    private let file: String
    private let minByteCount: Int
    /// Never accessed concurrently; the lock satisfies the compiler.
    private let progress = Lock(Progress())

    init(_ store: DiskStore, _ response: StoredResponse, _ key: String, from minByteCount: Int) {
        self.store = store
        self.response = response
        self.key = key
        self.minByteCount = minByteCount
        name = EntryName(key)
        file = name.newBody()
    }

    func append(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard write(bytes) else { return false }
        let part = progress.withLock { stored(response, as: file, $0) }
        // The partial response that is already stored is longer.
        guard part.body.byteCount >= minByteCount else { return true }
        if store.commit(part, for: key, replacing: { _ in true }, placing: { _ in 0 }) == nil { return true }
        discard()
        return false
    }

    func finish(
        with bytes: ArraySlice<UInt8>, as response: StoredResponse, for key: String,
        replacing replaces: (StoredResponse) -> Bool
    ) -> Bool {
        guard bytes.isEmpty || write(bytes) else { return false }
        let whole = progress.withLock { stored(response, as: EntryName(key).newBody(), $0) }
        let metadataSize = EntryFile(key: key, responses: [whole]).bytes.count
        guard whole.body.byteCount + metadataSize <= store.sizes.entryLimit, metadataSize <= EntryFile.byteLimit else {
            discard()
            return false
        }
        store.sizes.makeRoom(for: metadataSize)
        let isStored = store.shard(name).withDescriptor { own in
            store.commit(whole, for: key, replacing: replaces) { folder in
                renameat(own, file, folder, whole.body.name) == 0 ? 0 : errno
            } == nil
        }
        if isStored == true { store.sizes.add(metadataSize) } else { store.sizes.release(metadataSize) }
        discard()
        return isStored == true
    }

    func discard() {
        _ = store.shard(name).withDescriptor { folder in unlinkat(folder, file, 0) }
        // Only this writer's entry: another program may have stored a response under the key
        // meanwhile.
        if store.responses(for: key).contains(where: { $0.body.name == file }) { store.remove(key) }
    }

    private func write(_ bytes: ArraySlice<UInt8>) -> Bool {
        let byteCount = progress.withLock { $0.byteCount }
        guard byteCount + bytes.count <= store.sizes.entryLimit else {
            discard()
            return false
        }
        store.sizes.makeRoom(for: bytes.count)
        let isNew = byteCount == 0
        let failure = store.shard(name).withDescriptor(making: isNew) { folder in
            StoreFolder.append(bytes, to: file, isNew: isNew, in: folder)
        }
        guard failure == 0 else {
            store.sizes.release(bytes.count)
            discard()
            return false
        }
        store.sizes.add(bytes.count)
        progress.withLock { progress in
            progress.byteCount += bytes.count
            bytes.withUnsafeBytes { progress.hash.add($0) }
        }
        return true
    }

    private func stored(_ response: StoredResponse, as name: String, _ progress: Progress) -> StoredResponse {
        var stored = response
        stored.body = StoredBody(name: name, byteCount: progress.byteCount, checksum: progress.hash.value)
        return stored
    }
}
