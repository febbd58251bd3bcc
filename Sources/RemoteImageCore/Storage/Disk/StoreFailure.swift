import Glibc

/// Why an operation of a store failed. It never fails the load of an image; administration calls
/// report it.
enum StoreFailure: Error, Equatable {
    /// The file does not exist.
    case missing
    /// A folder of the store belongs to another user.
    case foreign
    /// The permissions of a folder let other users change it.
    case exposed
    /// The error number of a system call.
    case system(Int32)

    /// The failure in `errno`.
    static var last: StoreFailure { errno == ENOENT ? .missing : .system(errno) }

    /// Returns the result of a system call, or throws the failure in `errno` if it is negative.
    @discardableResult
    static func check(_ result: Int32) throws(StoreFailure) -> Int32 {
        guard result >= 0 else { throw .last }
        return result
    }

    var reason: String {
        switch self {
        case .missing: String(cString: strerror(ENOENT))
        case .foreign: "the folder belongs to another user"
        case .exposed: "other users may write to the folder"
        case .system(let number): String(cString: strerror(number))
        }
    }
}
