import Glibc

/// The files of a store as they are on disk.
enum StoreScan {
    struct File {
        let shard: String
        let name: String
        let byteCount: Int
        /// The last use of metadata, the writing of everything else; seconds since 1970.
        let time: Int
    }

    /// The store's own files and nothing else.
    ///
    /// - Parameter failed: Called for each folder that cannot be looked into.
    static func files(in base: String, failed: (StoreFailure) -> Void = { _ in }) -> [File] {
        var files: [File] = []
        let shards = StoreFolder(base, "v1").withDescriptor { StoreFolder.names(in: $0).filter(isShard) } ?? []
        for shard in shards {
            let failure = StoreFolder(base, "v1", shard).failure { folder in
                files += StoreFolder.names(in: folder).compactMap { file($0, shard, in: folder) }
                return nil
            }
            if let failure { failed(failure) }
        }
        return files
    }

    private static func isShard(_ name: String) -> Bool {
        name.utf8.count == 2 && name.allSatisfy(\.isHexDigit)
    }

    private static func file(_ name: String, _ shard: String, in folder: Int32) -> File? {
        guard name.hasSuffix(".h") || name.hasSuffix(".b") || name.hasPrefix(StoreFolder.temporaryPrefix) else {
            return nil
        }
        var status = stat()
        guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return nil
        }
        // What it takes on disk, not what it holds.
        return File(shard: shard, name: name, byteCount: Int(status.st_blocks) * 512, time: status.st_mtim.tv_sec)
    }
}
