import Glibc

/// Why a store could not do something. Whoever loads a picture need not know; whoever looks after the store does.
enum StoreFailure: Error {
    /// There is nothing under the name.
    case missing
    /// A folder belongs to somebody else.
    case untrusted
    /// What the system said.
    case system(Int32)

    /// What the system said last.
    static var last: StoreFailure { errno == ENOENT ? .missing : .system(errno) }

    var reason: String {
        switch self {
        case .missing: String(cString: strerror(ENOENT))
        case .untrusted: "it is not a folder of ours"
        case .system(let number): String(cString: strerror(number))
        }
    }
}
