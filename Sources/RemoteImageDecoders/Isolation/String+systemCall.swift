import CRemoteImagePlatform

extension String {
    /// A system call, such as `41 (socket)`. Not an initializer, which `map(String.init)` could
    /// mean for numbers.
    static func systemCall(_ number: Int) -> String {
        let name = platform_system_call_name(Int32(clamping: number)).map { " (\(String(cString: $0)))" }
        return "\(number)\(name ?? "")"
    }
}
