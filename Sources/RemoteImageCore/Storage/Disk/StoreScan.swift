import Glibc

/// Lists the files of a store on disk.
enum StoreScan {
    struct File {
        let shard: String
        let name: String
        /// The occupied disk space.
        let byteCount: Int
        /// The length of the file, which is larger than `byteCount` if the file has holes.
        let length: Int
        /// The last use of a metadata file, or the last write to another file; seconds since 1970.
        let time: Int

        /// Whether the file contains the resized images of a body.
        var isResized: Bool { name.hasSuffix(".s") }
    }

    /// All files that belong to the store.
    ///
    /// - Parameter failed: Called for each folder that cannot be read.
    static func files(in base: String, failed: (StoreFailure) -> Void = { _ in }) -> [File] {
        var files: [File] = []
        var shards: [String] = []
        do throws(StoreFailure) {
            try StoreFolder(base, "v1").withExisting { shards = StoreFolder.names(in: $0).filter(isShard) }
        } catch {
            failed(error)
        }
        for shard in shards {
            do throws(StoreFailure) {
                try StoreFolder(base, "v1", shard).withExisting { folder in
                    files += StoreFolder.names(in: folder).compactMap { file($0, shard, in: folder) }
                }
            } catch {
                failed(error)
            }
        }
        return files
    }

    private static func isShard(_ name: String) -> Bool {
        name.utf8.count == 2 && name.allSatisfy(\.isHexDigit)
    }

    private static func file(_ name: String, _ shard: String, in folder: Int32) -> File? {
        guard [".h", ".b", ".s"].contains(where: name.hasSuffix) || name.hasPrefix(StoreFolder.temporaryPrefix) else {
            return nil
        }
        var status = stat()
        guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return nil
        }
        return File(
            shard: shard, name: name, byteCount: Int(status.st_blocks) * 512, length: Int(status.st_size),
            time: status.st_mtim.tv_sec)
    }
}
