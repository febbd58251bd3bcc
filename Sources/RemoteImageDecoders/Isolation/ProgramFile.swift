import Glibc

/// The file of a program, which a package upgrade may replace.
struct ProgramFile: Equatable, Sendable {
    /// Distinguishes a file from its replacement, and from itself with other permissions.
    struct Identity: Equatable, Sendable {
        private let device: dev_t
        private let number: ino_t
        private let byteCount: off_t
        private let modified: Duration
        private let changed: Duration

        fileprivate init(_ status: stat) {
            (device, number, byteCount) = (status.st_dev, status.st_ino, status.st_size)
            (modified, changed) = (Duration(status.st_mtim), Duration(status.st_ctim))
        }
    }

    let path: String
    /// `nil` if there is no executable file at the path.
    let identity: Identity?

    init(_ path: String) {
        self.path = path
        let status = Self.status(of: path)
        let isProgram = status.map { $0.st_mode & S_IFMT == S_IFREG } == true && access(path, X_OK) == 0
        identity = isProgram ? status.map(Identity.init) : nil
    }

    /// Whether the executable file is still at the path.
    var isUnchanged: Bool {
        identity != nil && Self.status(of: path).map(Identity.init) == identity
    }

    private static func status(of path: String) -> stat? {
        var status = stat()
        return stat(path, &status) == 0 ? status : nil
    }
}

extension Duration {
    fileprivate init(_ time: timespec) {
        self = .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
