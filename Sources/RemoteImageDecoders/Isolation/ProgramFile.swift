import Glibc

/// The file of a program, which a package upgrade may replace.
struct ProgramFile: Equatable, Sendable {
    let path: String
    /// Distinguishes the file from its replacement, and from itself with other permissions. `nil`
    /// if there is no executable file at the path.
    let version: FileVersion?

    init(_ path: String) {
        self.path = path
        var status = stat()
        let isProgram = stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
        version = isProgram ? FileVersion(status) : nil
    }

    /// Whether the executable file is still at the path.
    var isUnchanged: Bool { version != nil && FileVersion(path: path) == version }
}
