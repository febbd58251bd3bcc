// A store of responses in files.
//
// Each key has one metadata file, `v1/ab/<hash>.h`, for all its variants, and each variant has an
// immutable body file, `v1/ab/<hash>-<generation>.b`. The body is written first; the rename of the
// metadata commits the entry. There is no index. Any number of processes may use one folder, and
// each may be killed at any time: a name always refers to a complete file, two writers of one key
// leave one of the two entries, and files without an entry are swept. A third kind of file has the
// resized images of a body (`DiskCache+ResizedImages.swift`). Writes are not synchronised
// to the disk: after a power failure a file may be truncated. Its length and checksum then do not
// match, and the lookup is a miss.

import Glibc
import Logging

/// Stores responses on disk.
///
/// A folder that belongs to another user, that other users may write to, or that is a symbolic link
/// is neither read nor written. Images then load, but are not stored.
public final class DiskCache: ResponseStore {
    let base: String
    let sizes: StoreLimit
    private let warn: @Sendable (String) -> Void
    private let hasWarned = Lock(false)

    /// The maximum number of variants per key.
    private static let variantLimit = 8
    /// The interval in seconds within which a repeated use is not recorded, so that most hits write
    /// nothing.
    private static let touchInterval = 600

    /// - Parameters:
    ///   - path: The folder of the store, created with the first entry. Other files in it are not
    ///     touched.
    ///   - byteLimit: The limit on the total size of all files, in bytes: by default 2 % of the
    ///     free space, from 16 to 256 MiB. With 0 nothing is stored.
    ///   - warn: Called once with the reason if responses cannot be stored. By default the reason
    ///     is logged as a warning.
    public init(path: String, byteLimit: Int? = nil, warn: @escaping @Sendable (String) -> Void = log) {
        base = path
        self.warn = warn
        sizes = StoreLimit(base: path, limit: byteLimit)
    }

    /// Creates a store in the folder ``standardPath(application:)``. If there is no such path,
    /// returns `nil` and calls `warn` with the reason.
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

    /// The cache folder of an application: `$XDG_CACHE_HOME/<application>/remote-images`, or the
    /// same below `~/.cache`. `nil` if neither `XDG_CACHE_HOME` nor `HOME` is set, since a shared
    /// temporary folder is accessible to other users.
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
        let found: [StoredResponse]? = try? shard(name).withDescriptor { folder in
            guard let file = Self.entry(name, key, in: folder) else { return [] }
            Self.touch(name.metadata, in: folder)
            return file.responses
        }
        return found ?? []
    }

    public func body(of response: StoredResponse, for key: String) -> [UInt8]? {
        let name = EntryName(key)
        // Nothing is allocated for a size that only damaged metadata states.
        guard name.owns(response.body.name), response.body.byteCount <= sizes.fileLimit else { return nil }
        // While a body is being written, its file is longer than the metadata states.
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
        do throws(StoreFailure) {
            try sizes.withRoom(for: size) { () throws(StoreFailure) in
                try commit(stored, for: key, replacing: replaces) { folder throws(StoreFailure) in
                    try StoreFolder.write(body, as: stored.body.name, in: folder)
                }
            }
        } catch {
            giveUp(error.reason)
        }
    }

    public func writer(of response: StoredResponse, for key: String, from byteCount: Int) -> (any BodyWriter)? {
        DiskBodyWriter(self, response, key, from: byteCount)
    }

    /// Places a body in the folder, then commits it by writing the metadata.
    ///
    /// - Parameter place: Places the body in the folder, under its name in `response`.
    func commit(
        _ response: StoredResponse, for key: String, replacing replaces: (StoredResponse) -> Bool,
        placing place: (Int32) throws(StoreFailure) -> Void
    ) throws(StoreFailure) {
        let name = EntryName(key)
        try shard(name).withDescriptor(making: true) { folder throws(StoreFailure) in
            let old = Self.entry(name, key, in: folder)?.responses ?? []
            try place(folder)
            let kept = [response] + old.filter { $0.body.name != response.body.name && !replaces($0) }
            do throws(StoreFailure) {
                try write(kept, replacing: old, for: key, in: folder)
            } catch {
                unlinkat(folder, response.body.name, 0)
                throw error
            }
        }
    }

    public func update(_ response: StoredResponse, for key: String) {
        // If a 304 response makes the metadata too large, it cannot be stored, and the entry
        // without it is outdated.
        guard EntryFile(key: key, responses: [response]).bytes.count <= EntryFile.byteLimit else { return remove(key) }
        let name = EntryName(key)
        try? shard(name).withDescriptor { folder throws(StoreFailure) in
            guard let old = Self.entry(name, key, in: folder)?.responses,
                old.contains(where: { $0.body.name == response.body.name })
            else { return }
            let kept = [response] + old.filter { $0.body.name != response.body.name }
            try write(kept, replacing: old, for: key, in: folder)
        }
    }

    /// Writes the metadata of a key and removes the bodies that no variant uses any more. Drops the
    /// oldest variants above the limit. The first variant always stays and must fit.
    private func write(
        _ responses: [StoredResponse], replacing old: [StoredResponse], for key: String, in folder: Int32
    ) throws(StoreFailure) {
        let name = EntryName(key)
        var kept = Array(responses.prefix(Self.variantLimit))
        var metadata = EntryFile(key: key, responses: kept).bytes
        while metadata.count > EntryFile.byteLimit, kept.count > 1 {
            kept.removeLast()
            metadata = EntryFile(key: key, responses: kept).bytes
        }
        try StoreFolder.write(metadata, as: name.metadata, in: folder)
        for gone in old where name.owns(gone.body.name) && !kept.contains(where: { $0.body.name == gone.body.name }) {
            unlinkat(folder, gone.body.name, 0)
            unlinkat(folder, EntryName.resized(of: gone.body.name), 0)
        }
    }

    public func remove(_ key: String) { try? forget(key) }

    /// Removes the entry of a key.
    func forget(_ key: String) throws(StoreFailure) {
        let name = EntryName(key)
        try shard(name).withExisting { folder throws(StoreFailure) in
            let responses = StoreFolder.read(name.metadata, in: folder, limit: EntryFile.byteLimit)
                .flatMap { EntryFile($0) }?.responses
            let bodies = (responses ?? []).map(\.body.name).filter(name.owns)
            try StoreFolder.remove([name.metadata] + bodies + bodies.map(EntryName.resized), in: folder)
        }
    }

    public func removeAll() throws(ImageError) {
        try trim(to: 0)
    }

    // MARK: Implementation

    func shard(_ name: EntryName) -> StoreFolder { StoreFolder(base, "v1", name.shard) }

    private static func entry(_ name: EntryName, _ key: String, in folder: Int32) -> EntryFile? {
        guard let bytes = StoreFolder.read(name.metadata, in: folder, limit: EntryFile.byteLimit) else { return nil }
        guard let file = EntryFile(bytes) else {
            // Removes damaged files, but not those of another version of the program.
            if EntryFile.isOurs(bytes) { unlinkat(folder, name.metadata, 0) }
            return nil
        }
        return file.key == key ? file : nil
    }

    /// Records the use of a file in its modification time, for sweeps.
    private static func touch(_ name: String, in folder: Int32) {
        var status = stat()
        guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0,
            time(nil) - status.st_mtim.tv_sec > touchInterval
        else { return }
        utimensat(folder, name, nil, AT_SYMLINK_NOFOLLOW)
    }

    private func giveUp(_ reason: String) {
        if !hasWarned.exchange(true) { warn("Images cannot be stored in \(base): \(reason)") }
    }
}
