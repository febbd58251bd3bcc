import Glibc

package enum DebugLog {
    /// Whether the environment variable `REMOTE_IMAGE_DEBUG` is set to a value other than the empty
    /// string and 0.
    package static let isEnabled: Bool = {
        guard let value = getenv("REMOTE_IMAGE_DEBUG") else { return false }
        return !["", "0"].contains(String(cString: value))
    }()
}
