// Files of images for other programs of the user, such as the cover that a media player publishes.
// They are in a folder beside the disk store, so that no eviction removes them.
//
// The files are copies. A hard link to a body of the store would save a write of usually less than
// 1 MB, but it exists only for stored responses on the same file system, and a program that changes
// the file would change the store.
//
// Each process has a folder `files/<session>` and a file `files/tmp.<session>`, which it locks. The
// kernel releases the lock when the process ends, and the next session of any process then removes
// the folder. Process ids could not be used, since processes in other namespaces may share the
// folder.

import Glibc

/// A folder of files that exist until their last handle is released.
///
/// Its methods block, so call them only on threads that may block.
package final class HeldFileFolder: Sendable {
    fileprivate struct Name: Hashable {
        let session: String
        let file: String
    }

    private struct Session {
        let name: String
        /// The descriptor of the locked file.
        let lock: Int32
    }

    private struct State {
        /// `nil` while there is no file.
        var session: Session?
        /// The number of handles of each file.
        var handleCounts: [Name: Int] = [:]
    }

    private let base: String
    private let state = Lock(State())

    private static let folders = Lock<[String: HeldFileFolder]>([:])
    private static let name = "files"

    /// - Parameter base: The folder of the disk store.
    init(base: String) {
        self.base = base
    }

    /// The folder beside the entries of a disk store; one object for each path.
    ///
    /// - Parameter base: The folder of the disk store, which need not exist.
    package static func inStore(at base: String) -> HeldFileFolder {
        folders.withLock { folders in
            let folder = folders[base] ?? HeldFileFolder(base: base)
            folders[base] = folder
            return folder
        }
    }

    /// Writes a file, or shares the file of other handles with the same bytes and extension.
    ///
    /// Throws ``ImageError/Code/io`` if the file cannot be written.
    package func hold(_ bytes: [UInt8], extension ending: String?) throws(ImageError) -> HeldFile {
        do throws(StoreFailure) {
            let name = try state.withLock { state throws(StoreFailure) in try add(bytes, ending, to: &state) }
            return HeldFile("\(base)/\(Self.name)/\(name.session)/\(name.file)", name, self)
        } catch {
            throw ImageError(.io, "\(base)/\(Self.name): \(error.reason)")
        }
    }

    private func add(_ bytes: [UInt8], _ ending: String?, to state: inout State) throws(StoreFailure) -> Name {
        let session = try currentSession(&state)
        let hash = XXHash64.hash(bytes).hexText
        return try folder(of: session).withDescriptor(making: true) { folder throws(StoreFailure) in
            var number = 0
            while true {
                let file = "\(hash)\(number == 0 ? "" : "-\(number)")\(ending.map { ".\($0)" } ?? "")"
                let name = Name(session: session, file: file)
                if state.handleCounts[name] == nil || faccessat(folder, file, F_OK, 0) != 0 {
                    try StoreFolder.write(bytes, as: file, in: folder)
                } else if StoreFolder.read(file, in: folder, limit: bytes.count) != bytes {
                    // Another image with the same hash, or another program has changed the file.
                    number += 1
                    continue
                }
                state.handleCounts[name, default: 0] += 1
                return name
            }
        }
    }

    fileprivate func release(_ name: Name) {
        state.withLock { state in
            guard let count = state.handleCounts[name] else { return }
            state.handleCounts[name] = count > 1 ? count - 1 : nil
            guard count == 1 else { return }
            try? folder(of: name.session).withExisting { folder throws(StoreFailure) in
                try StoreFolder.remove([name.file], in: folder)
            }
            if state.handleCounts.isEmpty { endSession(&state) }
        }
    }

    private func folder(of session: String) -> StoreFolder { StoreFolder(base, Self.name, session) }

    // MARK: Sessions

    private func currentSession(_ state: inout State) throws(StoreFailure) -> String {
        if let session = state.session {
            var status = stat()
            if fstat(session.lock, &status) == 0, status.st_nlink > 0 { return session.name }
            // A cleaner has removed the lock file, so another process may remove the folder.
            close(session.lock)
            state.session = nil
        }
        let session = try StoreFolder(base, Self.name).withDescriptor(making: true) { folder throws(StoreFailure) in
            Self.removeAbandoned(in: folder)
            let (lock, name) = try StoreFolder.makeTemporary(in: folder)
            return Session(name: String(name.dropFirst(StoreFolder.temporaryPrefix.count)), lock: lock)
        }
        state.session = session
        return session.name
    }

    private func endSession(_ state: inout State) {
        guard let session = state.session else { return }
        try? StoreFolder(base, Self.name).withExisting { folder in
            // Without its lock file, a folder counts as abandoned, so it is removed first.
            unlinkat(folder, session.name, AT_REMOVEDIR)
            unlinkat(folder, StoreFolder.temporaryPrefix + session.name, 0)
        }
        close(session.lock)
        state.session = nil
    }

    /// Removes the folders of processes that have ended.
    private static func removeAbandoned(in folder: Int32) {
        let names = StoreFolder.names(in: folder)
        for name in names where name.hasPrefix(StoreFolder.temporaryPrefix) {
            _ = StoreFolder.removeAbandoned(name, in: folder)
        }
        for name in names where isSession(name) {
            // A session makes its lock file before its folder.
            guard faccessat(folder, StoreFolder.temporaryPrefix + name, F_OK, 0) != 0 else { continue }
            let abandoned = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard abandoned >= 0 else { continue }
            for file in StoreFolder.names(in: abandoned) { unlinkat(abandoned, file, 0) }
            close(abandoned)
            unlinkat(folder, name, AT_REMOVEDIR)
        }
    }

    private static func isSession(_ name: String) -> Bool { name.utf8.count == 16 && name.allSatisfy(\.isHexDigit) }
}

/// A file that exists until the last handle to it is released.
package final class HeldFile: Sendable {
    /// The path of the file, absolute if that of the store is.
    package let path: String
    private let name: HeldFileFolder.Name
    private let folder: HeldFileFolder

    fileprivate init(_ path: String, _ name: HeldFileFolder.Name, _ folder: HeldFileFolder) {
        self.path = path
        self.name = name
        self.folder = folder
    }

    deinit {
        Task(executorPreference: WorkerThreads.disk) { [folder, name] in folder.release(name) }
    }
}
