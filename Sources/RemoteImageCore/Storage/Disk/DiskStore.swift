// Responses in files.
//
// A key has one metadata file, `v1/ab/<hash>.h`, with all its variants, and each of these an immutable body file,
// `v1/ab/<hash>-<generation>.b`. A body is written first; the rename of the metadata is the commit. There is no index:
// what is there is what the folder holds. Any number of processes may use one folder, and any of them may be killed at any
// moment: a name always stands for a whole file, two writers of one key leave one of the two, and what nobody points to
// is swept. Nothing is forced to the platter: after a loss of power a file may be short, which its length and checksum
// show, and then it is a miss.

import Glibc

/// Keeps responses on disk.
public final class DiskStore: ResponseStore {
    let base: String
    let sizes: StoreSize
    private let warn: @Sendable (String) -> Void
    private let hasWarned = Lock(false)

    /// Variants of one key that are kept.
    private static let variantLimit = 8
    /// How long a use is not noted again, in seconds: a hit writes nothing.
    private static let touchInterval = 600

    /// - Parameters:
    ///   - path: The store's folder, made when something is stored; what else is in it is left alone.
    ///   - byteLimit: Bytes that all files take: by default 2 % of the free space, from 16 to 256 MiB. 0 stores nothing.
    ///   - warn: Told once why nothing can be stored.
    public init(path: String, byteLimit: Int? = nil, warn: @escaping @Sendable (String) -> Void = { _ in }) {
        base = path
        self.warn = warn
        sizes = StoreSize(base: path, limit: byteLimit)
    }

    /// The folder for an application: `$XDG_CACHE_HOME/<application>/remote-images`, or below `~/.cache`.
    public static func standardPath(application: String) -> String {
        func variable(_ name: String) -> String? {
            getenv(name).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        let base = variable("XDG_CACHE_HOME") ?? (variable("HOME").map { "\($0)/.cache" } ?? "/tmp")
        let safe = application.split(separator: "/").filter { $0 != ".." && $0 != "." }.joined(separator: "_")
        return "\(base)/\(safe.isEmpty ? "application" : safe)/remote-images"
    }

    // MARK: Reading

    public func responses(for key: String) -> [StoredResponse] {
        let name = EntryName(key)
        return shard(name).withDescriptor { folder in
            guard let file = Self.entry(name, key, in: folder) else { return nil }
            Self.touch(name.metadata, in: folder)
            return file.responses
        } ?? []
    }

    public func body(of response: StoredResponse, for key: String) -> [UInt8]? {
        let name = EntryName(key)
        guard name.owns(response.body.name) else { return nil }
        // While it is on its way the file has more than the metadata vouches for.
        let bytes = shard(name).read(response.body.name, count: response.body.byteCount)
        guard let bytes, XXHash64.hash(bytes) == response.body.checksum else { return nil }
        return bytes
    }

    // MARK: Writing

    public func store(
        _ response: StoredResponse, body: [UInt8], for key: String, replacing replaces: (StoredResponse) -> Bool
    ) {
        var stored = response
        stored.body = StoredBody(
            name: EntryName(key).newBody(), byteCount: body.count, checksum: XXHash64.hash(body))
        let metadataSize = EntryFile(key: key, responses: [stored]).bytes.count
        let size = body.count + metadataSize
        guard size <= sizes.entryLimit, metadataSize <= EntryFile.byteLimit else { return remove(key) }
        sizes.makeRoom(for: size)
        let failure = commit(stored, for: key, replacing: replaces) { folder in
            StoreFolder.write(body, as: stored.body.name, in: folder)
        }
        guard failure != 0 else { return sizes.add(size) }
        sizes.release(size)
        switch failure {
        case nil: giveUp("it is not a folder of ours")
        case let number?: giveUp(String(cString: strerror(number)))
        }
    }

    public func writer(of response: StoredResponse, for key: String, from byteCount: Int) -> (any BodyWriter)? {
        DiskBodyWriter(self, response, key, from: byteCount)
    }

    /// Puts a body into its place and then names it in the metadata, which is the commit.
    ///
    /// - Parameter placing: Puts the body into the folder under the name that the response says.
    /// - Returns: 0, or the error number of what failed; nil where the folder is not to be trusted.
    func commit(
        _ response: StoredResponse, for key: String, replacing replaces: (StoredResponse) -> Bool,
        placing: (Int32) -> Int32
    ) -> Int32? {
        let name = EntryName(key)
        return shard(name).withDescriptor(making: true) { folder in
            let old = Self.entry(name, key, in: folder)?.responses ?? []
            var kept = [response] + old.filter { $0.body.name != response.body.name && !replaces($0) }
            kept.removeLast(max(0, kept.count - Self.variantLimit))
            var failure = placing(folder)
            guard failure == 0 else { return failure }
            var metadata = EntryFile(key: key, responses: kept).bytes
            while metadata.count > EntryFile.byteLimit {
                kept.removeLast()
                metadata = EntryFile(key: key, responses: kept).bytes
            }
            failure = StoreFolder.write(metadata, as: name.metadata, in: folder)
            let unused =
                failure == 0 ? old.filter { gone in !kept.contains { $0.body.name == gone.body.name } } : [response]
            for response in unused where name.owns(response.body.name) { unlinkat(folder, response.body.name, 0) }
            return failure
        }
    }

    public func update(_ response: StoredResponse, for key: String) {
        let name = EntryName(key)
        _ = shard(name).withDescriptor { folder in
            guard var file = Self.entry(name, key, in: folder),
                let index = file.responses.firstIndex(where: { $0.body.name == response.body.name })
            else { return Int32(0) }
            file.responses.remove(at: index)
            file.responses.insert(response, at: 0)
            return StoreFolder.write(file.bytes, as: name.metadata, in: folder)
        }
    }

    public func remove(_ key: String) { _ = forget(key) }

    /// What failed, if anything did.
    func forget(_ key: String) -> StoreFailure? {
        let name = EntryName(key)
        return shard(name).failure { folder in
            let responses = StoreFolder.read(name.metadata, in: folder, limit: EntryFile.byteLimit)
                .flatMap { EntryFile($0) }?.responses
            var failure = StoreFolder.remove(name.metadata, in: folder)
            for response in responses ?? [] where name.owns(response.body.name) {
                failure = StoreFolder.remove(response.body.name, in: folder) ?? failure
            }
            return failure
        }
    }

    public func removeAll() {
        sizes.trim(to: 0, waiting: .untilFree)
    }

    // MARK: Inside

    func shard(_ name: EntryName) -> StoreFolder { StoreFolder(base, "v1", name.shard) }

    private static func entry(_ name: EntryName, _ key: String, in folder: Int32) -> EntryFile? {
        guard let bytes = StoreFolder.read(name.metadata, in: folder, limit: EntryFile.byteLimit) else { return nil }
        guard let file = EntryFile(bytes) else {
            // Damaged, and good for nothing; or of another version of the program.
            if EntryFile.isOurs(bytes) { unlinkat(folder, name.metadata, 0) }
            return nil
        }
        return file.key == key ? file : nil
    }

    /// Notes that a file is in use, for those who trim.
    private static func touch(_ name: String, in folder: Int32) {
        var status = stat()
        guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0,
            time(nil) - status.st_mtim.tv_sec > touchInterval
        else { return }
        utimensat(folder, name, nil, AT_SYMLINK_NOFOLLOW)
    }

    private func giveUp(_ reason: String) {
        let isFirst = hasWarned.withLock { hasWarned in
            defer { hasWarned = true }
            return !hasWarned
        }
        if isFirst { warn("Pictures cannot be stored in \(base): \(reason)") }
    }
}
