import Glibc

/// A state of a file that changes with its content, as far as the file system records it.
package struct FileVersion: Hashable, Sendable {
    private let numbers: [Int]

    /// The version of the file at a path; `nil` if its status cannot be read. Blocks, so call it
    /// only on threads that may block.
    package init?(path: UnsafePointer<CChar>) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    package init(_ status: stat) {
        let (modified, changed) = (status.st_mtim, status.st_ctim)
        // Includes the change time, since programs may set the modification time back.
        numbers = [
            Int(truncatingIfNeeded: status.st_dev), Int(truncatingIfNeeded: status.st_ino), Int(status.st_size),
            modified.tv_sec, modified.tv_nsec, changed.tv_sec, changed.tv_nsec,
        ]
    }
}
