// The border to the file system: everything is opened below one folder, by names that the store made itself, and
// never through a link.

import CPlatform
import Glibc

/// A folder that belongs to the store.
///
/// Nothing outside is ever touched: below the store's own folder, which may be reached by links of the user's, each part
/// must be a folder of ours and no link, and all names are looked up from its descriptor. What is deleted from outside is
/// made again.
struct StoreFolder: Sendable {
    /// The store's folder.
    let base: String
    /// Names of the folders below it, down to this one.
    let parts: [String]

    init(_ base: String, _ parts: String...) {
        self.base = base
        self.parts = parts
    }

    /// Calls `body` with a descriptor of the folder; nil where it is not there or not to be trusted.
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

    /// A descriptor of the folder, which is the caller's to close.
    private func opened(making: Bool = false) -> Result<Int32, StoreFailure> {
        if making { makeBase() }
        var descriptor = open(base, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return .failure(.last) }
        for part in parts {
            guard isOurs(descriptor) else { break }
            if making { mkdirat(descriptor, part, 0o700) }
            let next = openat(descriptor, part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            let failure = StoreFailure.last
            close(descriptor)
            guard next >= 0 else { return .failure(failure) }
            descriptor = next
        }
        guard isOurs(descriptor) else {
            close(descriptor)
            return .failure(.untrusted)
        }
        return .success(descriptor)
    }

    /// A folder of another user's may change under us at any time.
    private func isOurs(_ descriptor: Int32) -> Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_uid == geteuid()
    }

    private func makeBase() {
        guard access(base, F_OK) != 0 else { return }
        var made = base.hasPrefix("/") ? "/" : ""
        for part in base.split(separator: "/") {
            made += made.isEmpty || made.hasSuffix("/") ? part : "/\(part)"
            mkdir(made, 0o700)
        }
        // Programs that make backups leave out what is marked so (bford.info/cachedir).
        let descriptor = open(base, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
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

    /// Writes a file under another name first, so that nobody ever sees a part of it.
    ///
    /// - Returns: 0, or the error number of what failed.
    static func write(_ bytes: [UInt8], as name: String, in folder: Int32) -> Int32 {
        let temporary = "tmp.\(getpid()).\(UInt64.random(in: 0 ... .max).hexText)"
        let file = openat(folder, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { return errno }
        var failure = bytes.withUnsafeBytes { write($0, to: file) }
        // Some file systems say only now that there is no room.
        if close(file) != 0, failure == 0 { failure = errno }
        if failure == 0, renameat(folder, temporary, folder, name) != 0 { failure = errno }
        if failure != 0 { unlinkat(folder, temporary, 0) }
        return failure
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
