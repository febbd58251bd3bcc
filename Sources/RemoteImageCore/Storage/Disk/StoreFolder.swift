// File system access of the store. It opens files only below one folder, only by names that it has
// chosen itself, and follows no symbolic links below that folder.

import CPlatform
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

    /// Calls `body` with a descriptor of the folder. Returns `nil` if the folder cannot be opened
    /// or other users could change it.
    ///
    /// - Parameter making: Whether missing folders are created, accessible only to the user.
    func withDescriptor<Value>(making: Bool = false, _ body: (Int32) -> Value?) -> Value? {
        guard case .success(let descriptor) = opened(making: making) else { return nil }
        defer { close(descriptor) }
        return body(descriptor)
    }

    /// Performs an operation in the folder and returns its failure. Missing files and folders are
    /// not failures.
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

    /// Removes a file. A missing file is not a failure.
    static func remove(_ name: String, in folder: Int32) -> StoreFailure? {
        guard unlinkat(folder, name, 0) != 0, errno != ENOENT else { return nil }
        return .last
    }

    /// Opens a descriptor of the folder, which the caller must close.
    func opened(making: Bool = false) -> Result<Int32, StoreFailure> {
        if making { makeBase() }
        var descriptor = open(base, Self.folderFlags)
        guard descriptor >= 0 else { return .failure(.last) }
        for part in parts {
            // Nothing is created or opened in a folder that other users could change.
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

    /// Why the folder must not be used; `nil` if only the user of the process can change it.
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
        // This file tells backup programs to skip the folder (bford.info/cachedir).
        let descriptor = open(base, Self.folderFlags)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        _ = Self.write(
            Array("Signature: 8a477f597d28d172789f06886806bc55\n".utf8), as: "CACHEDIR.TAG", in: descriptor)
    }

    // MARK: Files

    /// Reads a whole file. Returns `nil` if it is missing, not a regular file, or larger than
    /// `limit` bytes.
    func read(_ name: String, limit: Int) -> [UInt8]? {
        withDescriptor { folder in Self.read(name, in: folder, limit: limit) }
    }

    static func read(_ name: String, in folder: Int32, limit: Int) -> [UInt8]? {
        read(name, in: folder) { size in size <= limit ? size : nil }
    }

    /// Reads the first `count` bytes of a file. Returns `nil` if it is shorter.
    func read(_ name: String, count: Int) -> [UInt8]? {
        withDescriptor { folder in Self.read(name, in: folder) { size in size >= count ? count : nil } }
    }

    /// - Parameter count: Maps the size of the file to the number of bytes to read; `nil` reads
    ///   nothing.
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

    /// Writes a temporary file and renames it, so that readers never see a partial file.
    ///
    /// The temporary file is locked until it is renamed, so that sweeps detect that it is being
    /// written. Process ids could not be used, since processes in other namespaces may share the
    /// folder.
    ///
    /// - Returns: 0, or an error number.
    static func write(_ bytes: [UInt8], as name: String, in folder: Int32) -> Int32 {
        guard let (file, temporary) = makeTemporary(in: folder) else { return errno }
        // The duplicate keeps the lock after `file` is closed.
        let lock = dup(file)
        defer { if lock >= 0 { close(lock) } }
        var failure = bytes.withUnsafeBytes { write($0, to: file) }
        // Some file systems report a full disk only when the file is closed.
        if close(file) != 0, failure == 0 { failure = errno }
        if failure == 0, renameat(folder, temporary, folder, name) != 0 { failure = errno }
        if failure != 0 { unlinkat(folder, temporary, 0) }
        return failure
    }

    static let temporaryPrefix = "tmp."

    /// Creates an empty, locked temporary file, which the caller must close.
    static func makeTemporary(in folder: Int32) -> (file: Int32, name: String)? {
        while true {
            let name = "\(temporaryPrefix)\(UInt64.random(in: 0 ... .max).hexText)"
            let file = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
            guard file >= 0 else { return nil }
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
    /// - Returns: 0, or an error number.
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
