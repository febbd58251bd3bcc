// The border to the file system: the store opens files below one folder only, by names that it made itself, and follows
// no link from that folder on.

import CPlatform
import Glibc

/// A folder that belongs to the store.
///
/// Files outside are never touched: the store's own folder and each folder below must be no link, belong to the user of
/// the process, and be writable by this user alone; names are looked up from the descriptor of their folder. Only the path
/// to the store's folder may lead through links. A deleted folder is made again.
struct StoreFolder: Sendable {
    /// The store's folder.
    let base: String
    /// Names of the folders below it, down to this one.
    let parts: [String]

    init(_ base: String, _ parts: String...) {
        self.base = base
        self.parts = parts
    }

    /// Calls `body` with a descriptor of the folder; nil where it cannot be opened or other users could change it.
    ///
    /// - Parameter making: Whether folders that are missing are made, for the user alone.
    func withDescriptor<Value>(making: Bool = false, _ body: (Int32) -> Value?) -> Value? {
        guard case .success(let descriptor) = opened(making: making) else { return nil }
        defer { close(descriptor) }
        return body(descriptor)
    }

    /// Does something in the folder and says what failed: what is not there holds up nothing.
    func failure(of body: (Int32) -> StoreFailure?) -> StoreFailure? {
        switch opened() {
        case .failure(.missing): return nil
        case .failure(let failure): return failure
        case .success(let descriptor):
            defer { close(descriptor) }
            let failure = body(descriptor)
            if case .missing? = failure { return nil }
            return failure
        }
    }

    /// Removes a file; one that is gone already is no failure.
    static func remove(_ name: String, in folder: Int32) -> StoreFailure? {
        guard unlinkat(folder, name, 0) != 0, errno != ENOENT else { return nil }
        return .last
    }

    /// A descriptor of the folder, which the caller closes.
    func opened(making: Bool = false) -> Result<Int32, StoreFailure> {
        if making { makeBase() }
        var descriptor = open(base, Self.folderFlags)
        guard descriptor >= 0 else { return .failure(.last) }
        for part in parts {
            // Nothing is made or opened in a folder that other users could change.
            if let failure = Self.distrust(of: descriptor) {
                close(descriptor)
                return .failure(failure)
            }
            if making { mkdirat(descriptor, part, 0o700) }
            let next = openat(descriptor, part, Self.folderFlags)
            let failure = StoreFailure.last
            close(descriptor)
            guard next >= 0 else { return .failure(failure) }
            descriptor = next
        }
        if let failure = Self.distrust(of: descriptor) {
            close(descriptor)
            return .failure(failure)
        }
        return .success(descriptor)
    }

    private static let folderFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC

    /// Why a folder is not used; `nil` where only the user of the process can change it.
    private static func distrust(of descriptor: Int32) -> StoreFailure? {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return .last }
        guard status.st_uid == geteuid() else { return .foreign }
        return status.st_mode & (S_IWGRP | S_IWOTH) == 0 ? nil : .exposed
    }

    private func makeBase() {
        guard access(base, F_OK) != 0 else { return }
        var made = base.hasPrefix("/") ? "/" : ""
        for part in base.split(separator: "/") {
            made += made.isEmpty || made.hasSuffix("/") ? part : "/\(part)"
            mkdir(made, 0o700)
        }
        // Programs that make backups leave out what is marked so (bford.info/cachedir).
        let descriptor = open(base, Self.folderFlags)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        _ = Self.write(
            Array("Signature: 8a477f597d28d172789f06886806bc55\n".utf8), as: "CACHEDIR.TAG", in: descriptor)
    }

    // MARK: Files

    /// The whole of a small file; nil where it is not there, is no plain file, or is larger than `limit`.
    func read(_ name: String, limit: Int) -> [UInt8]? {
        withDescriptor { folder in Self.read(name, in: folder, limit: limit) }
    }

    static func read(_ name: String, in folder: Int32, limit: Int) -> [UInt8]? {
        read(name, in: folder) { size in size <= limit ? size : nil }
    }

    /// So many bytes from the beginning of a file; nil where there are fewer.
    func read(_ name: String, count: Int) -> [UInt8]? {
        withDescriptor { folder in Self.read(name, in: folder) { size in size >= count ? count : nil } }
    }

    /// - Parameter count: Given the file's size, how much of it is wanted; nil for nothing.
    private static func read(_ name: String, in folder: Int32, _ count: (Int) -> Int?) -> [UInt8]? {
        let file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, let count = count(Int(status.st_size))
        else { return nil }
        var total = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            while total < count {
                let got = Glibc.read(file, buffer.baseAddress.map { $0 + total }, count - total)
                if got < 0, errno == EINTR { continue }
                guard got > 0 else { break }
                total += got
            }
            initialized = total
        }
        return total == count ? bytes : nil
    }

    /// Writes a temporary file and renames it, so that no reader ever sees a part of it.
    ///
    /// The temporary file is locked until it has its name: a sweep knows by the lock that it is being written. Process ids
    /// mean nothing to processes of other namespaces that share the folder.
    ///
    /// - Returns: 0, or the error number of what failed.
    static func write(_ bytes: [UInt8], as name: String, in folder: Int32) -> Int32 {
        guard let (file, temporary) = makeTemporary(in: folder) else { return errno }
        // Keeps the lock after the file is closed.
        let lock = dup(file)
        defer { if lock >= 0 { close(lock) } }
        var failure = bytes.withUnsafeBytes { write($0, to: file) }
        // Some file systems report only now that there is no room.
        if close(file) != 0, failure == 0 { failure = errno }
        if failure == 0, renameat(folder, temporary, folder, name) != 0 { failure = errno }
        if failure != 0 { unlinkat(folder, temporary, 0) }
        return failure
    }

    static let temporaryPrefix = "tmp."

    /// An empty temporary file that is locked. The caller closes it.
    static func makeTemporary(in folder: Int32) -> (file: Int32, name: String)? {
        while true {
            let name = "\(temporaryPrefix)\(UInt64.random(in: 0 ... .max).hexText)"
            let file = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
            guard file >= 0 else { return nil }
            // Without locks, on some network file systems, a sweep goes by the age of files alone.
            let isBeingSwept = flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
            var status = stat()
            guard isBeingSwept || fstat(file, &status) == 0 && status.st_nlink == 0 else { return (file, name) }
            // A sweep took the file before it was locked.
            close(file)
        }
    }

    /// Removes a temporary file unless it is being written. False where it is, or cannot be locked.
    static func removeAbandoned(_ name: String, in folder: Int32) -> Bool {
        let file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return false }
        defer { close(file) }
        // Removed under the lock: a writer that comes to lock it finds it gone.
        return flock(file, LOCK_EX | LOCK_NB) == 0 && unlinkat(folder, name, 0) == 0
    }

    /// Adds bytes at the end of a file.
    ///
    /// - Parameter isNew: Whether the file is made; else it must be there.
    /// - Returns: 0, or the error number of what failed.
    static func append(_ bytes: ArraySlice<UInt8>, to name: String, isNew: Bool, in folder: Int32) -> Int32 {
        let making = isNew ? O_CREAT | O_EXCL : 0
        let file = openat(folder, name, O_WRONLY | O_APPEND | making | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0o600)
        guard file >= 0 else { return errno }
        let failure = bytes.withUnsafeBytes { write($0, to: file) }
        let closing = close(file) != 0 ? errno : 0
        return failure != 0 ? failure : closing
    }

    private static func write(_ bytes: UnsafeRawBufferPointer, to file: Int32) -> Int32 {
        var written = 0
        while written < bytes.count {
            let count = Glibc.write(file, bytes.baseAddress.map { $0 + written }, bytes.count - written)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return count < 0 ? errno : ENOSPC }
            written += count
        }
        return 0
    }

    /// The names in the folder, without `.` and `..`.
    static func names(in folder: Int32) -> [String] {
        // The stream takes the descriptor over.
        let own = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard own >= 0 else { return [] }
        guard let stream = fdopendir(own) else {
            close(own)
            return []
        }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
