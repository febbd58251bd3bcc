// File system access of the store. It opens files only below one folder, only by names that it has
// chosen itself, and follows no symbolic links below that folder.

import CRemoteImagePlatform
import Glibc

/// A folder that belongs to the store.
///
/// Files outside are never touched: the store's folder and each folder below it must not be a
/// symbolic link, must belong to the user of the process, and must be writable only by this user.
/// Names are resolved relative to the descriptor of their folder. Only the path to the store's
/// folder may contain symbolic links. Deleted folders are created again when something is written.
struct StoreFolder: Sendable {
    /// The folder of the store.
    let base: String
    /// The names of the folders below it, down to this folder.
    let parts: [String]

    init(_ base: String, _ parts: String...) {
        self.base = base
        self.parts = parts
    }

    /// Calls `body` with a descriptor of the folder. Throws if the folder cannot be opened or other
    /// users could change it.
    ///
    /// - Parameter making: Whether missing folders are created, accessible only to the user.
    func withDescriptor<Value>(
        making: Bool = false, _ body: (Int32) throws(StoreFailure) -> Value
    ) throws(StoreFailure) -> Value {
        if making { makeBase() }
        var descriptor = try StoreFailure.check(open(base, Self.folderFlags))
        defer { close(descriptor) }
        for part in parts {
            // Nothing is created or opened in a folder that other users could change.
            try Self.checkOwner(of: descriptor)
            if making { mkdirat(descriptor, part, 0o700) }
            let next = try StoreFailure.check(openat(descriptor, part, Self.folderFlags))
            close(descriptor)
            descriptor = next
        }
        try Self.checkOwner(of: descriptor)
        return try body(descriptor)
    }

    /// Performs an operation in the folder. Missing files and folders are not failures.
    func withExisting(_ body: (Int32) throws(StoreFailure) -> Void) throws(StoreFailure) {
        do throws(StoreFailure) {
            try withDescriptor(body)
        } catch {
            guard error == .missing else { throw error }
        }
    }

    /// Removes files, also those after one that cannot be removed. Missing files are not failures.
    static func remove(_ names: [String], in folder: Int32) throws(StoreFailure) {
        var failure: StoreFailure?
        for name in names where unlinkat(folder, name, 0) != 0 && errno != ENOENT { failure = .last }
        if let failure { throw failure }
    }

    private static let folderFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC

    /// Throws if another user than that of the process can change the folder.
    private static func checkOwner(of descriptor: Int32) throws(StoreFailure) {
        var status = stat()
        try StoreFailure.check(fstat(descriptor, &status))
        guard status.st_uid == geteuid() else { throw .foreign }
        guard status.st_mode & (S_IWGRP | S_IWOTH) == 0 else { throw .exposed }
    }

    private func makeBase() {
        guard access(base, F_OK) != 0 else { return }
        var made = base.hasPrefix("/") ? "/" : ""
        for part in base.split(separator: "/") {
            made += made.isEmpty || made.hasSuffix("/") ? part : "/\(part)"
            mkdir(made, 0o700)
        }
        // This file tells backup programs to skip the folder (bford.info/cachedir).
        let descriptor = open(base, Self.folderFlags)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        try? Self.write(
            Array("Signature: 8a477f597d28d172789f06886806bc55\n".utf8), as: "CACHEDIR.TAG", in: descriptor)
    }

    // MARK: Files

    /// Reads a whole file. Returns `nil` if it is missing, not a regular file, or larger than
    /// `limit` bytes.
    func read(_ name: String, limit: Int) -> [UInt8]? {
        try? withDescriptor { folder in Self.read(name, in: folder, limit: limit) }
    }

    static func read(_ name: String, in folder: Int32, limit: Int) -> [UInt8]? {
        read(name, in: folder) { size in size <= limit ? size : nil }
    }

    /// Reads the first `count` bytes of a file. Returns `nil` if it is shorter.
    func read(_ name: String, count: Int) -> [UInt8]? {
        try? withDescriptor { folder in Self.read(name, in: folder) { size in size >= count ? count : nil } }
    }

    /// - Parameter count: Maps the size of the file to the number of bytes to read; `nil` reads
    ///   nothing.
    private static func read(_ name: String, in folder: Int32, _ count: (Int) -> Int?) -> [UInt8]? {
        withFile(name, in: folder) { file, size in
            guard let count = count(size), let bytes = try? FileBytes.read(count, from: file), bytes.count == count
            else { return nil }
            return bytes
        }
    }

    /// Opens a file for reading, and calls `body` with its descriptor and its size in bytes.
    /// Returns `nil` if it is missing or not a regular file.
    static func withFile<Value>(_ name: String, in folder: Int32, _ body: (Int32, Int) -> Value?) -> Value? {
        let file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return body(file, Int(status.st_size))
    }

    /// Writes a temporary file and renames it, so that readers never see a partial file.
    ///
    /// The temporary file is locked until it is renamed, so that sweeps detect that it is being
    /// written. Process ids could not be used, since processes in other namespaces may share the
    /// folder.
    static func write(_ bytes: [UInt8], as name: String, in folder: Int32) throws(StoreFailure) {
        let (file, temporary) = try makeTemporary(in: folder)
        // The duplicate keeps the lock after `file` is closed.
        let lock = dup(file)
        defer { if lock >= 0 { close(lock) } }
        do throws(StoreFailure) {
            try FileBytes.write(bytes[...], closing: file)
            try StoreFailure.check(renameat(folder, temporary, folder, name))
        } catch {
            unlinkat(folder, temporary, 0)
            throw error
        }
    }

    static let temporaryPrefix = "tmp."

    /// Creates an empty, locked temporary file, which the caller must close.
    static func makeTemporary(in folder: Int32) throws(StoreFailure) -> (file: Int32, name: String) {
        while true {
            let name = "\(temporaryPrefix)\(UInt64.random(in: 0 ... .max).hexText)"
            let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
            let file = try StoreFailure.check(openat(folder, name, flags, 0o600))
            // Some network file systems do not support locks; sweeps then rely on the age of files
            // alone.
            let isBeingSwept = flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
            var status = stat()
            guard isBeingSwept || fstat(file, &status) == 0 && status.st_nlink == 0 else { return (file, name) }
            // A sweep removed the file before it was locked.
            close(file)
        }
    }

    /// Removes a temporary file whose writer is gone. Returns `false` if it is being written or
    /// cannot be locked.
    static func removeAbandoned(_ name: String, in folder: Int32) -> Bool {
        let file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return false }
        defer { close(file) }
        // Removed under the lock, so that a writer that locks it later finds that it is gone.
        return flock(file, LOCK_EX | LOCK_NB) == 0 && unlinkat(folder, name, 0) == 0
    }

    /// Appends bytes to a file.
    ///
    /// - Parameter isNew: Whether to create the file; otherwise it must exist.
    static func append(
        _ bytes: ArraySlice<UInt8>, to name: String, isNew: Bool, in folder: Int32
    ) throws(StoreFailure) {
        let making = isNew ? O_CREAT | O_EXCL : 0
        let flags = O_WRONLY | O_APPEND | making | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
        try FileBytes.write(bytes, closing: try StoreFailure.check(openat(folder, name, flags, 0o600)))
    }

    /// The names of the entries in the folder, without `.` and `..`.
    static func names(in folder: Int32) -> [String] {
        // `fdopendir` takes ownership of its descriptor.
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
