import Glibc

/// The file of a program, which a package upgrade may replace.
struct ProgramFile: Equatable, Sendable {
    /// Distinguishes a file from its replacement.
    struct Identity: Equatable, Sendable {
        private let numbers: [Int]

        fileprivate init(_ status: stat) {
            numbers = [
                Int(truncatingIfNeeded: status.st_dev), Int(truncatingIfNeeded: status.st_ino), Int(status.st_size),
                status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec, status.st_ctim.tv_nsec,
            ]
        }
    }

    let path: String
    /// `nil` if there is no executable file at the path.
    let identity: Identity?

    init(_ path: String) {
        self.path = path
        var status = stat()
        let isProgram = stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
        identity = isProgram ? Identity(status) : nil
    }
}
