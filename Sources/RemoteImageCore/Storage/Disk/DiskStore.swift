// Responses in files.
//
// A key has one metadata file, `v1/ab/<hash>.h`, with all its variants, and each of these an immutable body file,
// `v1/ab/<hash>-<generation>.b`. A body is written first; the rename of the metadata is the commit. There is no index:
// the folder is the store. Any number of processes may use one folder, and each may be killed at any moment: a name always
// stands for a whole file, two writers of one key leave one of the two entries, and files without an entry are swept.
// Nothing is synchronized to the disk: after a loss of power a file may be short, which its length and checksum show. It is
// then a miss.

import Glibc
import Logging

/// Keeps responses on disk.
///
/// A folder that belongs to another user, that other users may write to, or that is a symbolic link is neither read nor
/// written: images load, and nothing is stored.
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
    ///   - warn: Receives, once, the reason why nothing can be stored; by default it is logged as a warning.
    public init(path: String, byteLimit: Int? = nil, warn: @escaping @Sendable (String) -> Void = log) {
        base = path
        self.warn = warn
        sizes = StoreSize(base: path, limit: byteLimit)
    }

    /// A store in the folder ``standardPath(application:)``. Where there is none, nothing is stored: the result is `nil`, and
    /// `warn` receives the reason.
    public convenience init?(
        application: String, byteLimit: Int? = nil, warn: @escaping @Sendable (String) -> Void = log
    ) {
        guard let path = Self.standardPath(application: application) else {
            warn("Images cannot be stored: neither XDG_CACHE_HOME nor HOME is set")
            return nil
        }
        self.init(path: path, byteLimit: byteLimit, warn: warn)
    }

    /// Logs a warning with swift-log.
    public static func log(_ warning: String) {
        Logger(label: "remote-image").warning("\(warning)")
    }

    /// The folder for an application: `$XDG_CACHE_HOME/<application>/remote-images`, or below `~/.cache`. `nil` where the
    /// environment has neither `XDG_CACHE_HOME` nor `HOME`: a shared temporary folder is open to other users.
    public static func standardPath(application: String) -> String? {
        func variable(_ name: String) -> String? {
            getenv(name).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        guard let base = variable("XDG_CACHE_HOME") ?? variable("HOME").map({ "\($0)/.cache" }) else { return nil }
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
        guard let failure else { return sizes.add(size) }
        sizes.release(size)
        giveUp(failure.reason)
    }

    public func writer(of response: StoredResponse, for key: String, from byteCount: Int) -> (any BodyWriter)? {
        DiskBodyWriter(self, response, key, from: byteCount)
    }

    /// Puts a body into its place and then names it in the metadata, which is the commit.
    ///
    /// - Parameter placing: Puts the body into the folder under its name in `response`. Returns 0 or an error number.
    /// - Returns: Why it failed; `nil` after a success.
    func commit(
        _ response: StoredResponse, for key: String, replacing replaces: (StoredResponse) -> Bool,
        placing: (Int32) -> Int32
    ) -> StoreFailure? {
        let name = EntryName(key)
        switch shard(name).opened(making: true) {
        case .failure(let failure): return failure
        case .success(let folder):
            defer { close(folder) }
            let old = Self.entry(name, key, in: folder)?.responses ?? []
            var number = placing(folder)
            guard number == 0 else { return StoreFailure(number) }
            let kept = [response] + old.filter { $0.body.name != response.body.name && !replaces($0) }
            number = write(kept, replacing: old, for: key, in: folder)
            if number != 0 { unlinkat(folder, response.body.name, 0) }
            return number == 0 ? nil : StoreFailure(number)
        }
    }

    public func update(_ response: StoredResponse, for key: String) {
        // Of a 304 with too many fields nothing can be kept, and without them the stored response is outdated.
        guard EntryFile(key: key, responses: [response]).bytes.count <= EntryFile.byteLimit else { return remove(key) }
        let name = EntryName(key)
        _ = shard(name).withDescriptor { folder in
            guard let old = Self.entry(name, key, in: folder)?.responses,
                old.contains(where: { $0.body.name == response.body.name })
            else { return Int32(0) }
            let kept = [response] + old.filter { $0.body.name != response.body.name }
            return write(kept, replacing: old, for: key, in: folder)
        }
    }

    /// Writes the metadata of a key, without the last variants where there are too many, and removes the bodies that no
    /// variant has any more. The first variant always stays, and must fit.
    ///
    /// - Returns: 0, or the error number of what failed.
    private func write(
        _ responses: [StoredResponse], replacing old: [StoredResponse], for key: String, in folder: Int32
    ) -> Int32 {
        let name = EntryName(key)
        var kept = Array(responses.prefix(Self.variantLimit))
        var metadata = EntryFile(key: key, responses: kept).bytes
        while metadata.count > EntryFile.byteLimit, kept.count > 1 {
            kept.removeLast()
            metadata = EntryFile(key: key, responses: kept).bytes
        }
        let failure = StoreFolder.write(metadata, as: name.metadata, in: folder)
        guard failure == 0 else { return failure }
        for gone in old where name.owns(gone.body.name) && !kept.contains(where: { $0.body.name == gone.body.name }) {
            unlinkat(folder, gone.body.name, 0)
        }
        return 0
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
        if isFirst { warn("Images cannot be stored in \(base): \(reason)") }
    }
}
